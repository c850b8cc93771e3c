//! The program being debugged.

use super::client_breakpoint::ClientBreakpoint;
use super::launch::Launch;
use gray1_debugger::{Debugger, Dialogue, Frame, Parser, Position, Trigger};
use gray1_machine::Snapshot;

/// The program being debugged.
pub(super) struct Program {
    pub launch: Launch,
    pub dialogue: Dialogue,
    pub breakpoints: Vec<ClientBreakpoint>,
    /// The number of the last breakpoint.
    pub last_id: i64,
    /// The number of bytes of output sent to the client.
    pub sent: u64,
    /// The number of stack frames shown, from the outermost: how many of the calls around the instruction have been
    /// stepped into.
    pub depth: usize,
}

/// The position and state of the machine at one moment, to find out later whether they have changed.
pub(super) struct Standing {
    pub snapshot: Snapshot,
    pub position: Position,
    pub sequence: u16,
}

impl Program {
    pub fn debugger(&self) -> &Debugger {
        self.dialogue.debugger()
    }

    pub fn debugger_mut(&mut self) -> &mut Debugger {
        self.dialogue.debugger_mut()
    }

    /// The sequence number of the instruction being run.
    pub fn sequence(&self) -> u16 {
        self.debugger().machine().running()
    }

    /// The lines that lead to the instruction being run, from the outermost.
    pub fn frames(&self) -> &[Frame] {
        self.debugger().frames()
    }

    /// The expansions around the line that is shown.
    pub fn entered(&self) -> Vec<Frame> {
        let frames = self.frames();
        frames[..self.depth.saturating_sub(1).min(frames.len())].to_vec()
    }

    /// The instruction and the frame of it that a frame of the client stands for: after the frames that are shown come
    /// the lines of the calls.
    pub fn frame_at(&self, index: usize) -> (u16, usize) {
        let shown = self.frames().len().min(self.depth).max(1);
        let call = index.checked_sub(shown).and_then(|call| self.debugger().callers().get(call).copied());
        let last = |jump: u16| self.debugger().source().frames(jump).len().saturating_sub(1);
        call.map_or((self.sequence(), index), |jump| (jump, last(jump)))
    }

    /// A parser for expressions in a frame of the client; without one, for all frames of the current instruction.
    pub fn parser(&self, frame: Option<usize>) -> Parser<'_> {
        let (sequence, frame) = match frame.map(|index| self.frame_at(index)) {
            Some((sequence, frame)) => (sequence, Some(frame)),
            None => (self.sequence(), None),
        };
        self.debugger().parser_at(sequence, frame)
    }

    /// The next depth further in.
    pub fn deeper(&self) -> Option<usize> {
        (self.depth + 1..=self.frames().len()).find(|&depth| self.debugger().is_line(depth))
    }

    /// The next depth further out, if the machine is at the first instruction of its line.
    pub fn shallower(&self) -> Option<usize> {
        let depths = self.debugger().line_depth()..self.depth;
        depths.rev().find(|&depth| self.debugger().is_line(depth))
    }

    /// Another line of the depth that is shown, in no routine that is called from here.
    pub fn over(&self) -> Trigger {
        self.debugger().over(self.depth)
    }

    pub fn is_halted(&self) -> bool {
        self.debugger().history().is_halted()
    }

    /// The current position and state of the machine.
    pub(super) fn standing(&self) -> Standing {
        let debugger = self.debugger();
        let snapshot = debugger.machine().snapshot();
        Standing { snapshot, position: debugger.position(), sequence: self.sequence() }
    }
}
