//! Tracks how many of the expansions around an instruction have been stepped into.
//!
//! At the first instruction of a macro call the machine is shown as being before the call, on the line of the call and
//! not inside it. So stepping over goes past the call, and stepping in enters it, one level at a time, without running
//! an instruction.

use super::program::Program;
use gray1_debugger::{Frame, LineDepth, Trigger};

impl Program {
    /// The lines that lead to the instruction being run, from the outermost.
    pub fn frames(&self) -> &[Frame] {
        self.debugger().source().frames(self.sequence())
    }

    /// The expansions around the line that is shown.
    pub fn entered(&self) -> Vec<Frame> {
        let frames = self.frames();
        frames[..self.depth.saturating_sub(1).min(frames.len())].to_vec()
    }

    /// The minimum number of lines to show: up to the outermost call whose first instruction this is.
    pub fn least_depth(&self) -> usize {
        let (source, sequence, all) = (self.debugger().source(), self.sequence(), self.frames().len());
        let is_cycle_start = self.debugger().position().phase == 0;
        let is_in_front = |&depth: &usize| self.is_line(depth) && source.begins_line(sequence, depth - 1);
        (1..=all).find(|depth| is_cycle_start && is_in_front(depth)).unwrap_or(all)
    }

    /// The next depth further in.
    pub fn deeper(&self) -> Option<usize> {
        (self.depth + 1..=self.frames().len()).find(|&depth| self.is_line(depth))
    }

    /// The next depth further out, if the machine is at the first instruction of its line.
    pub fn shallower(&self) -> Option<usize> {
        (self.least_depth()..self.depth).rev().find(|&depth| self.is_line(depth))
    }

    /// Another line that is as deep, and in no routine that is called from here.
    pub fn over(&self) -> Trigger {
        Trigger::Over(LineDepth::AtMost(self.depth), self.debugger().call_stack())
    }

    /// Whether a step can stop at the innermost line of this depth. It cannot stop at a loop iteration, whose lines are
    /// in the source themselves, so an iteration is always entered.
    fn is_line(&self, depth: usize) -> bool {
        !self.frames()[depth - 1].is_iteration()
    }
}
