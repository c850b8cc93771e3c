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

    /// How many lines of the nest have been entered: at the first instruction of a call one stands in front of it. A
    /// round of a loop is always entered: its lines stand there in the source.
    pub(super) fn least_depth(&self) -> usize {
        let (source, place, lines) = (self.debugger().source(), self.place(), self.lines());
        let is_at_beginning = self.debugger().position().phase == 0;
        let is_in_front =
            |&depth: &usize| is_at_beginning && self.is_line(depth) && source.begins_line(place, depth - 1);
        (1..=lines).find(is_in_front).unwrap_or(lines)
    }

    /// The next depth within the one that is shown.
    pub(super) fn deeper(&self) -> Option<usize> {
        (self.depth + 1..=self.lines()).find(|&depth| self.is_line(depth))
    }

    /// The next depth around the one that is shown, if one stands in front of that.
    pub(super) fn shallower(&self) -> Option<usize> {
        (self.least_depth()..self.depth).rev().find(|&depth| self.is_line(depth))
    }

    /// Whether there is a line at this depth that one can stand on.
    fn is_line(&self, depth: usize) -> bool {
        !self.debugger().source().frames(self.place())[depth - 1].is_iteration()
    }
}
