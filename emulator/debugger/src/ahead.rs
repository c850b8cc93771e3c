//! Running ahead of the chips: the scout (the engine `isa`) runs to a place where a search may find something, and the
//! chips engine takes over its state.
//!
//! On the Gray-1, the scout gives the same results between two cycles, and runs many times as fast as chips that are
//! examined in each cycle. The chips also take over at intervals on the way: then checkpoints are taken, from which the
//! past can be repeated chip by chip, and observers see that the run makes progress. Inputs and edits on the way are
//! left to the scout, because a takeover costs as much as hundreds of cycles of the chips, and a script can have an
//! input every few cycles.

use crate::debugger::Debugger;
use crate::error::{DebugError, check_interrupt};
use crate::history::History;
use crate::instructions::InstructionSet;
use crate::scout::Scout;
use crate::view::View;
use gray1_isa::Image;
use gray1_machine::Engine;
use std::sync::atomic::AtomicBool;

/// The chips take over once in this many checkpoint intervals of a short run, because a takeover takes as long as about
/// ten thousand cycles of the scout.
pub(crate) const STRETCH: u64 = 16;
/// The chips take over after this many cycles at the latest.
const MAX_STRETCH: u64 = 1 << 20;

impl Debugger {
    /// Runs to the start of a later cycle, or to the halt, past all breakpoints.
    pub fn leap(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        self.history.approach(cycle, interrupt)
    }
}

impl History {
    /// Sets the program that the scout runs.
    pub(crate) fn set_program(&mut self, program: &Image) {
        self.ahead.program = Some(program.clone());
    }

    /// Sets whether the scout may run ahead of the chips where the results are the same (the default). If not,
    /// the chips run every cycle.
    pub fn set_scouted(&mut self, is_scouted: bool) {
        self.ahead.is_off = !is_scouted;
    }

    /// Whether a scout can run ahead of the chips.
    pub(crate) fn is_scouted(&mut self) -> bool {
        !self.ahead.is_off && self.ahead.program.is_some() && self.is_board_known()
    }

    /// Whether this is the board whose results the scout gives.
    pub(crate) fn is_board_known(&mut self) -> bool {
        let netlist = self.machine().netlist().clone();
        *self.ahead.is_board_known.get_or_insert_with(|| Scout::knows(&netlist))
    }

    /// The maximum number of cycles for which the chips run without a scout, because it would not save time.
    pub(crate) fn nearby(&self) -> u64 {
        self.first_spacing / 2
    }

    /// Runs to the start of a cycle, or to the halt, without examining any position on the way.
    pub(crate) fn pass(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let is_far = cycle.saturating_sub(self.position().cycle) > self.nearby();
        match is_far {
            true => self.run_headless(cycle, interrupt),
            false => self.run(cycle, interrupt, |_| false).map(drop),
        }
    }

    /// Runs as [`History::run`] does, but calls `stop` only where one of these instructions is about to run. If the
    /// scout runs, it also calls `stop` where an input or an edit takes effect.
    pub(crate) fn run_past(
        &mut self,
        places: &InstructionSet,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&dyn View) -> bool,
    ) -> Result<bool, DebugError> {
        let is_scouted = self.is_scouted();
        let Some(program) = self.ahead.program.as_ref().filter(|_| is_scouted) else {
            if *places == InstructionSet::NONE {
                return self.run_headless(cycle, interrupt).map(|()| false);
            }
            return self.run(cycle, interrupt, |machine| places.has(machine.running()) && stop(machine));
        };
        let scout = self.ahead.scout.take();
        let mut scout = scout.unwrap_or_else(|| Box::new(Scout::new(program, places)));
        scout.look_at(places);
        let result = self.follow(&mut scout, cycle, interrupt, stop);
        self.ahead.scout = Some(scout);
        result
    }

    /// Lets the scout run; the chips take over its state at intervals, and where it stops or is interrupted.
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
            check_interrupt(interrupt)?;
            let now = self.position().cycle;
            let stretch = self.first_spacing.saturating_mul(STRETCH);
            let due = self.checkpoints.next_due((now / stretch * stretch).saturating_add(stretch - 1));
            let end = cycle.min(due).min(now.saturating_add(MAX_STRETCH));
            let result = scout.run(end, &self.timeline, &mut self.port, interrupt, |machine| stop(machine));
            self.take_over(&scout.machine().state())?;
            if result? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
