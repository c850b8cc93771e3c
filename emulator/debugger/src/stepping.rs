//! Steps by lines: over, into and out of the macro calls around an instruction.
//!
//! A *depth* is a number of frames, from the outermost. At the first instruction of a macro call, the machine counts as
//! being before the call: on the line of the call, and not inside it. So a step over goes past the call.

use crate::debugger::Debugger;
use crate::source::Frame;
use crate::trigger::{LineDepth, Trigger};
use gray1_assembler::is_built_in;

impl Debugger {
    /// The lines that lead to the current instruction, the outermost first.
    pub fn frames(&self) -> &[Frame] {
        self.source().frames(self.machine().running())
    }

    /// The depth of the current line: the line of the outermost call whose first instruction is about to run, or else
    /// the line of the instruction itself.
    pub fn line_depth(&self) -> usize {
        let (sequence, all) = (self.machine().running(), self.frames().len());
        let is_before =
            |&depth: &usize| self.is_line(depth) && self.source().begins_line(sequence, depth - 1);
        (1..=all).find(|depth| self.position().phase == 0 && is_before(depth)).unwrap_or(all)
    }

    /// Whether a step can stop at the last of this many frames. It cannot stop at a loop iteration, whose lines are in
    /// the source themselves, so an iteration is always entered.
    pub fn is_line(&self, depth: usize) -> bool {
        !self.frames()[depth - 1].is_iteration()
    }

    /// The start of another line of this depth, in no routine that is called from here.
    pub fn over(&self, depth: usize) -> Trigger {
        Trigger::Over(LineDepth::AtMost(depth), self.call_stack())
    }

    /// The start of another line, in macros and routines, too. The library is entered only from within.
    pub fn enter(&self, depth: usize) -> Trigger {
        let line = depth.checked_sub(1).and_then(|last| self.frames().get(last));
        let is_in_library = line.is_some_and(|frame| is_built_in(&frame.file));
        Trigger::Line(if is_in_library { LineDepth::Innermost } else { LineDepth::Own })
    }

    /// The end of the last of the expansions around this many frames; or the return of the routine; or, outside of both,
    /// the start of another line.
    pub fn leave(&self, depth: usize) -> Trigger {
        let (frames, level) = (self.frames().len().min(depth), self.call_stack());
        match frames <= 1 && level.0.is_empty() {
            true => self.over(frames),
            false => Trigger::Leave { sequence: self.machine().running(), depth, level },
        }
    }
}
