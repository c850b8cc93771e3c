//! Running ahead of the chips: the scout (the fast engine) runs to a place where a search may find something, and the
//! chips engine takes over its state.
//!
//! If no phase has to be examined, the fast engine gives the same results on the Gray-1 at more than twenty times the
//! speed. The chips also take over at intervals on the way: then checkpoints are taken, from which the past can be
//! repeated chip by chip, and observers see that the run makes progress.

use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::history::History;
use crate::scout::Scout;
use crate::trigger::InstructionSet;
use crate::view::View;
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::{ChipsEngine, Engine};
use std::sync::atomic::{AtomicBool, Ordering};

/// The chips take over once in this many checkpoint intervals of a short run, because a takeover takes as long as about
/// ten thousand cycles of the fast engine.
pub(crate) const STRETCH: u64 = 16;
/// The chips take over after this many cycles at the latest.
const MOST: u64 = 1 << 20;
/// The empty set of instructions.
const NOWHERE: InstructionSet = [false; PROGRAM_WORDS];

/// The scout of a history, and whether it may be used.
pub(crate) struct Ahead {
    is_wanted: bool,
    program: Option<Image>,
    /// Whether the scout gives the results of this board; `None` until that is first needed.
    is_board_known: Option<bool>,
    scout: Option<Box<Scout>>,
}

impl Ahead {
    /// No scout: it is created on first use, when the program is known.
    pub fn new() -> Ahead {
        Ahead { is_wanted: true, program: None, is_board_known: None, scout: None }
    }

    /// To be called when the board is replaced, with the same program.
    pub fn forget_board(&mut self) {
        self.is_board_known = None;
    }
}

impl Debugger {
    /// Runs to the start of a later cycle, or to the halt, past all breakpoints. On the board of the Gray-1 this uses
    /// the fast engine, even after `set_scouted(false)`; on any other board it uses the chips.
    pub fn leap(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let is_wanted = std::mem::replace(&mut self.history.ahead.is_wanted, true);
        let result = self.history.approach(cycle, interrupt);
        self.history.ahead.is_wanted = is_wanted;
        result
    }
}

impl History {
    /// Sets the program that the scout runs.
    pub(crate) fn set_program(&mut self, program: &Image) {
        self.ahead.program = Some(program.clone());
    }

    /// Sets whether the fast engine may run ahead of the chips where the results are the same (the default). If not,
    /// the chips run every cycle.
    pub fn set_scouted(&mut self, is_scouted: bool) {
        self.ahead.is_wanted = is_scouted;
    }

    /// Whether a scout can run ahead of the chips.
    pub(crate) fn is_scouted(&mut self) -> bool {
        self.ahead.is_wanted && self.ahead.program.is_some() && self.is_board_known()
    }

    /// Whether this is the board whose results the scout gives.
    pub(crate) fn is_board_known(&mut self) -> bool {
        if self.ahead.is_board_known.is_none() {
            self.ahead.is_board_known = Some(Scout::knows(self.machine().netlist()));
        }
        self.ahead.is_board_known == Some(true)
    }

    /// Up to this many cycles the chips run by themselves, because a scout would not save time.
    pub(crate) fn nearby(&self) -> u64 {
        self.spacing / 2
    }

    /// Runs to the start of a cycle, or to the halt, without examining any position on the way.
    pub(crate) fn pass(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let is_far = cycle.saturating_sub(self.position().cycle) > self.nearby();
        match is_far {
            true => self.run_past(&NOWHERE, cycle, interrupt, |_| false)?,
            false => self.run(cycle, interrupt, |_| false)?,
        };
        Ok(())
    }

    /// Runs as [`History::run`] does, but calls `stop` only where one of these instructions is about to run, and where
    /// an input or an edit takes effect.
    pub(crate) fn run_past(
        &mut self,
        places: &InstructionSet,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&dyn View) -> bool,
    ) -> Result<bool, DebugError> {
        let mut scout = self.ahead.scout.take();
        if let Some(program) = self.ahead.program.as_ref().filter(|_| scout.is_none()) {
            scout = Some(Box::new(Scout::new(program, &NOWHERE, self.spacing)));
        }
        let Some(mut scout) = scout.filter(|_| self.is_scouted()) else {
            return self.run(cycle, interrupt, |machine| is_in(places, machine) && stop(machine));
        };
        scout.look_at(places);
        let result = self.follow(&mut scout, cycle, interrupt, stop);
        self.ahead.scout = Some(scout);
        result
    }

    /// Lets the scout run; the chips take over its state at intervals, and where it stops.
    fn follow(
        &mut self,
        scout: &mut Scout,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&dyn View) -> bool,
    ) -> Result<bool, DebugError> {
        while self.position().phase != 0 {
            self.phase()?;
        }
        scout.begin(&self.machine().state(), &self.timeline)?;
        while self.position().cycle < cycle && !self.is_halted() {
            if interrupt.load(Ordering::Relaxed) {
                return Err(DebugError::Interrupted);
            }
            let now = self.position().cycle;
            let stretch = self.spacing.saturating_mul(STRETCH);
            let due = self.checkpoints.next_due((now / stretch * stretch).saturating_add(stretch - 1));
            let event = self.timeline.next_event(now);
            let end = cycle.min(due).min(now.saturating_add(MOST)).min(event.unwrap_or(u64::MAX));
            let is_stopped = scout.run(end, self.outside(), |machine| stop(machine));
            if is_stopped {
                scout.repeat(&self.machine().state(), &self.timeline)?;
            }
            self.take_over(&scout.machine().state())?;
            if is_stopped {
                return Ok(true);
            }
            if self.position().cycle == end {
                // Inputs and edits take effect before `stop` examines the machine.
                scout.meet(&self.timeline)?;
                if (scout.is_at_place() || event == Some(end)) && stop(scout.machine()) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Whether the instruction of this cycle is in a set.
pub(crate) fn is_in(places: &InstructionSet, machine: &ChipsEngine) -> bool {
    places[usize::from(machine.running()) % PROGRAM_WORDS]
}
