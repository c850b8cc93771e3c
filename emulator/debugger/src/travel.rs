//! Going to any position of a history, and visiting one to examine the machine there.

use crate::ahead::STRETCH;
use crate::checkpoints::Checkpoint;
use crate::error::DebugError;
use crate::history::History;
use crate::model::levels;
use crate::position::Position;
use gray1_machine::ChipsEngine;
use std::sync::atomic::AtomicBool;

/// On the way to a distant position a snapshot is taken this many cycles before it, because the user often goes to
/// other positions near it next.
const NEAR: u64 = 256;

impl History {
    /// Goes to a position, backwards or forwards. A position after the halt leads to the halt.
    pub fn go(&mut self, to: Position, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let nearest = self.checkpoints.before(to);
        let from = self.checkpoints.get(nearest).position();
        let near = self.near.take_if(|near| from < near.position() && near.position() <= to);
        if to < self.position() || near.as_ref().map_or(from, Checkpoint::position) > self.position() {
            match &near {
                Some(near) => self.restore(near),
                None => self.rewind(nearest),
            }
        }
        self.near = near;
        self.approach(to.cycle, interrupt)?;
        while self.position() < to && !self.is_halted() {
            self.phase()?;
        }
        Ok(())
    }

    /// Runs to the start of a cycle, and takes a snapshot a little before it, which makes steps back from there quick.
    pub(crate) fn approach(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        if cycle.saturating_sub(self.position().cycle) > 2 * NEAR {
            self.pass(cycle - NEAR, interrupt)?;
            self.near = Some(self.checkpoint());
        }
        self.pass(cycle, interrupt)
    }

    /// The position nearest to `to` that [`History::go`] reaches by running at most this many cycles, or
    /// correspondingly more if a scout can run ahead. So a long way can be covered in parts, each from the end of the
    /// last.
    pub fn within_reach(&mut self, to: Position, cycles: u64) -> Position {
        let cycles = if self.is_scouted() { cycles.saturating_mul(STRETCH) } else { cycles };
        let remembered = self.checkpoints.get(self.checkpoints.before(to)).position();
        let near = self.near.as_ref().map(Checkpoint::position);
        let known = [near, Some(self.position())].into_iter().flatten().filter(|known| *known <= to);
        let from = known.fold(remembered, Position::max);
        to.min(from.after_cycles(cycles.max(1)))
    }

    /// Goes to a position, examines the machine there, and returns.
    pub fn peek<T>(&mut self, at: Position, look: impl FnOnce(&ChipsEngine) -> T) -> Result<T, DebugError> {
        self.excursion(at, |history| look(history.machine()))
    }

    /// Goes to a position, calls `does`, which may run further, and returns to the current position.
    pub fn excursion<T>(
        &mut self,
        to: Position,
        does: impl FnOnce(&mut History) -> T,
    ) -> Result<T, DebugError> {
        let known = self.end();
        let result = self.aside(|history| {
            history.go(to, &AtomicBool::new(false))?;
            Ok(does(history))
        });
        self.set_end(known);
        result
    }

    /// Examines the machine at the end of each phase from one position to another, or to the halt, and returns.
    pub fn watch(
        &mut self,
        from: Position,
        to: Position,
        mut look: impl FnMut(&ChipsEngine),
    ) -> Result<(), DebugError> {
        self.excursion(from, |history| {
            look(history.machine());
            while history.position() < to && !history.is_halted() {
                history.phase()?;
                look(history.machine());
            }
            Ok(())
        })?
    }

    /// The levels of all nets one phase ago and now. At the beginning of the run there is no earlier phase, and both
    /// are the same.
    pub fn levels(&mut self) -> [Vec<bool>; 2] {
        let now = levels(self.machine());
        let before = match self.position() > self.start() {
            true => self.peek(self.position().before_phases(1), levels).ok(),
            false => None,
        };
        [before.unwrap_or_else(|| now.clone()), now]
    }
}
