//! The execution counts of all instructions up to the current position.

use crate::checkpoints::Checkpoint;
use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::history::History;
use crate::instructions::InstructionSet;
use crate::position::Position;
use crate::source::Source;
use crate::view::View;
use gray1_isa::PROGRAM_WORDS;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The execution counts of all instructions up to some cycle. The counts can be moved to another cycle step by step, so
/// that a user interface stays responsive.
pub struct Counts {
    times: Vec<u64>,
    /// The cycle in which each one ran first.
    first: Vec<u64>,
    /// The start of the cycle up to which they were counted.
    at: Checkpoint,
}

/// The execution count of an instruction or a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of times it was begun.
    pub times: u64,
    /// The cycles of all its words.
    pub cycles: u64,
    /// The cycle in which it ran first.
    pub first: Option<u64>,
}

impl Counts {
    /// The count of an instruction.
    fn word(&self, sequence: u16) -> Count {
        let times = self.times[usize::from(sequence) % PROGRAM_WORDS];
        Count { times, cycles: times, first: self.first(sequence) }
    }

    /// The counts of all lines that make words, by file and line. A word counts for each line that led to it.
    pub fn lines<'s>(&self, source: &'s Source) -> BTreeMap<(&'s str, usize), Count> {
        let mut lines: BTreeMap<(&str, usize), Count> = BTreeMap::new();
        for sequence in 0..PROGRAM_WORDS as u16 {
            let word = self.word(sequence);
            for (frame, is_begun) in source.lines(sequence) {
                let sum = lines.entry((&frame.file, frame.line)).or_default();
                sum.times += if is_begun { word.times } else { 0 };
                sum.cycles += word.cycles;
                sum.first = sum.first.into_iter().chain(word.first).min();
            }
        }
        lines
    }

    /// The cycle in which an instruction ran first, if it has run.
    fn first(&self, sequence: u16) -> Option<u64> {
        let at = usize::from(sequence) % PROGRAM_WORDS;
        (self.times[at] > 0).then(|| self.first[at])
    }

    /// The cycle up to which they were counted.
    pub fn cycle(&self) -> u64 {
        self.at.position().cycle
    }
}

impl Debugger {
    /// The counts at the beginning of the run: all are zero.
    pub fn counts(&mut self) -> Counts {
        let at = self.history.repeated(|history| history.checkpoint());
        Counts { times: vec![0; PROGRAM_WORDS], first: vec![0; PROGRAM_WORDS], at }
    }

    /// Moves the counts to the current cycle, but by at most this many cycles. Only the cycles in between are repeated:
    /// they are added, or subtracted if the machine has moved back.
    pub fn count_on(&mut self, counts: &mut Counts, cycles: u64) -> Result<(), DebugError> {
        let (now, start) = (self.position().cycle, self.history.start().cycle);
        if now < counts.cycle() && now - start < counts.cycle() - now {
            *counts = self.counts();
        }
        self.history.aside(|history| history.count(counts, now, cycles))
    }

    /// To be called when another future begins here: the counts continue with it, or begin again if they include cycles
    /// after this point.
    pub fn recount(&mut self, counts: &mut Counts) {
        let now = self.position();
        if counts.cycle() > now.cycle {
            *counts = self.counts();
        } else if counts.at.position() == now {
            counts.at = self.history.checkpoint();
        }
    }

    /// Repeats the run from its beginning, for at most this many cycles and not beyond the current one, and calls `see`
    /// with each instruction that is executed.
    pub fn each_instruction(&mut self, cycles: u64, mut see: impl FnMut(u16)) -> Result<(), DebugError> {
        let end = self.position().cycle.min(self.history.start().cycle.saturating_add(cycles));
        self.history.repeated(|history| {
            see(history.machine().running());
            let mut at = history.position().cycle;
            let look = |machine: &dyn View| {
                if machine.cycle() > at {
                    at = machine.cycle();
                    see(machine.running());
                }
                false
            };
            history.run_past(&InstructionSet::ALL, end, &AtomicBool::new(false), look)
        })?;
        Ok(())
    }
}

impl History {
    /// Goes to the beginning of the run, calls `does`, which may run it again, and returns to the current position.
    pub(crate) fn repeated<T>(&mut self, does: impl FnOnce(&mut History) -> T) -> T {
        self.aside(|history| {
            history.rewind(0);
            does(history)
        })
    }

    /// Moves the counts towards a cycle, and leaves the machine there.
    fn count(&mut self, counts: &mut Counts, to: u64, cycles: u64) -> Result<(), DebugError> {
        let never = AtomicBool::new(false);
        let from = counts.cycle();
        let is_back = to < from;
        let end = if is_back { from } else { to.min(from.saturating_add(cycles)) };
        if is_back {
            self.go(Position::start_of(to.max(from.saturating_sub(cycles))), &never)?;
            counts.at = self.checkpoint();
        } else {
            self.restore(&counts.at);
        }
        let Counts { times, first, .. } = counts;
        let mut count = |machine: &dyn View| {
            if machine.cycle() < end {
                let at = usize::from(machine.running()) % PROGRAM_WORDS;
                if times[at] == 0 {
                    first[at] = machine.cycle();
                }
                times[at] = if is_back { times[at].saturating_sub(1) } else { times[at] + 1 };
            }
            false
        };
        count(self.machine());
        self.run_past(&InstructionSet::ALL, end, &never, count)?;
        if !is_back {
            counts.at = self.checkpoint();
        }
        Ok(())
    }
}
