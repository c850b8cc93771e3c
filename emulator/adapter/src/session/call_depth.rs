//! How many of the expansions around an instruction have been stepped into.
//!
//! At the first instruction of a macro call the machine stands in front of the call: the line of the call is shown, not
//! what is within it. So stepping over goes past the call, and stepping into opens it, one level each time, without
//! running anything.

use super::program::Program;
use gray1_debugger::Frame;

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

    /// The least number of lines that can be shown: up to the outermost call that the instruction is the first of.
    pub fn least_depth(&self) -> usize {
        let (source, sequence, all) = (self.debugger().source(), self.sequence(), self.frames().len());
        let is_cycle_start = self.debugger().position().phase == 0;
        let is_in_front = |&depth: &usize| self.is_line(depth) && source.begins_line(sequence, depth - 1);
        (1..=all).find(|depth| is_cycle_start && is_in_front(depth)).unwrap_or(all)
    }

    /// The next depth within the one that is shown.
    pub fn deeper(&self) -> Option<usize> {
        (self.depth + 1..=self.frames().len()).find(|&depth| self.is_line(depth))
    }

    /// The next depth around the one that is shown, if the machine stands in front of its line.
    pub fn shallower(&self) -> Option<usize> {
        (self.least_depth()..self.depth).rev().find(|&depth| self.is_line(depth))
    }

    /// Whether the innermost line at this depth can be stopped at. A loop iteration cannot: its lines stand in the
    /// source themselves, so it is always entered.
    fn is_line(&self, depth: usize) -> bool {
        !self.frames()[depth - 1].is_iteration()
    }
}
