//! The levels of all nets in the past of a run, phase by phase, for the search for causes.
//!
//! The search goes back and forth between nearby phases. So a whole stretch of the run is repeated at once, and the
//! levels of all its phases are cached.

use crate::error::{DebugError, check_interrupt};
use crate::history::History;
use crate::position::Position;
use crate::why::{Levels, Moment, Past};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::PHASES;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

/// The phases of a stretch.
const STRETCH: Moment = 1024 * PHASES as Moment;
/// The maximum number of cached stretches, a quarter of a megabyte each.
const MAX_STRETCHES: usize = 128;

/// A history, and a cache of levels from it.
pub struct Recall<'a> {
    history: &'a mut History,
    interrupt: &'a AtomicBool,
    /// The last phase that is needed.
    end: Moment,
    /// In the order in which they were repeated; the first is dropped first.
    stretches: VecDeque<Stretch>,
}

/// The levels of the phases of a stretch, and of the phase before it if there is one.
struct Stretch {
    number: Moment,
    first: Moment,
    levels: Vec<Levels>,
}

impl<'a> Recall<'a> {
    /// Recalls this history up to a moment. This moves the machine; the caller has to restore its position.
    pub fn new(history: &'a mut History, end: Moment, interrupt: &'a AtomicBool) -> Recall<'a> {
        Recall { history, interrupt, end, stretches: VecDeque::new() }
    }

    fn stretch(&mut self, number: Moment) -> Result<&Stretch, DebugError> {
        check_interrupt(self.interrupt)?;
        if let Some(index) = self.stretches.iter().position(|known| known.number == number) {
            return Ok(&self.stretches[index]);
        }
        let first = (number * STRETCH).saturating_sub(1).max(self.start());
        self.history.go(Position::after_phases(first), self.interrupt)?;
        let count = ((number + 1) * STRETCH).min(self.end + 1) - first;
        let mut levels = Vec::with_capacity(count as usize);
        levels.push(Levels::of(self.history.machine()));
        while (levels.len() as Moment) < count && !self.history.is_halted() {
            self.history.phase()?;
            levels.push(Levels::of(self.history.machine()));
        }
        if self.stretches.len() >= MAX_STRETCHES {
            self.stretches.pop_front();
        }
        self.stretches.push_back(Stretch { number, first, levels });
        Ok(&self.stretches[self.stretches.len() - 1])
    }
}

impl Past for Recall<'_> {
    type Error = DebugError;

    fn start(&self) -> Moment {
        self.history.start().phases()
    }

    fn levels(&mut self, at: Moment) -> Result<Levels, DebugError> {
        let stretch = self.stretch(at / STRETCH)?;
        let index = (at - stretch.first) as usize;
        Ok(stretch.levels[index.min(stretch.levels.len() - 1)])
    }

    fn ram(&mut self, at: Moment) -> Result<[u8; RAM_BYTES], DebugError> {
        self.history.go(Position::after_phases(at), self.interrupt)?;
        Ok(std::array::from_fn(|address| self.history.machine().ram(address as u16)))
    }

    fn latest(
        &mut self,
        until: Moment,
        is_wanted: &mut dyn FnMut(&Levels, &Levels) -> bool,
    ) -> Result<Option<Moment>, DebugError> {
        let start = self.start();
        for number in (start / STRETCH..=until / STRETCH).rev() {
            let stretch = self.stretch(number)?;
            let moments = (stretch.first..=until).zip(stretch.levels.windows(2));
            let mut moments: Vec<(Moment, &[Levels])> = moments.collect();
            while let Some((before, pair)) = moments.pop() {
                if before < until && is_wanted(&pair[0], &pair[1]) {
                    return Ok(Some(before + 1));
                }
            }
        }
        Ok(None)
    }
}
