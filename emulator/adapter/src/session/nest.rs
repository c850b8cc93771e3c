//! How deep the nest of calls and rounds that the instruction is in has been entered.
//!
//! At the first instruction of a call one stands in front of it: the line of the call is shown, not what is within. So
//! a step over goes past the call, and a step into opens it, one level each time, without going anywhere.

use super::Program;
use gray1_debugger::Frame;

impl Program {
    /// The instruction that is run.
    pub(super) fn place(&self) -> u16 {
        self.debugger().machine().running()
    }

    pub(super) fn is_halted(&self) -> bool {
        self.debugger().history().is_halted()
    }

    /// How deep the nest of lines is that the instruction is in.
    pub(super) fn lines(&self) -> usize {
        self.debugger().source().frames(self.place()).len()
    }

    /// The calls and rounds around the line that is shown.
    pub(super) fn entered(&self) -> Vec<Frame> {
        let frames = self.debugger().source().frames(self.place());
        frames[..self.depth.saturating_sub(1).min(frames.len())].to_vec()
    }

    /// How many lines of the nest have been entered: at the first instruction of a call one stands in front of it.
    pub(super) fn least_depth(&self) -> usize {
        let (source, place, lines) = (self.debugger().source(), self.place(), self.lines());
        let is_at_beginning = self.debugger().position().phase == 0;
        let outermost = (0..lines).find(|&depth| is_at_beginning && source.begins(place, depth));
        outermost.map_or(lines, |depth| depth + 1)
    }
}
