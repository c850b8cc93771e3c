//! Running ahead of the chips: the scout runs to where something may be found, and the chips take over its state.
//!
//! If nothing has to be looked at phase by phase, the fast engine gives the same results on the Gray-1 at more than
//! twenty times the speed. The chips take over on the way, too, so that checkpoints are taken, from which the past can
//! be repeated chip by chip, and so that whoever observes the run sees it going on.

use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::history::History;
use crate::scout::Scout;
use crate::trigger::InstructionSet;
use crate::view::View;
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::{ChipsEngine, Engine};
use std::sync::atomic::{AtomicBool, Ordering};

/// The chips take over this much less often than checkpoints are taken in a short run: it takes as long as some ten
/// thousand cycles of the fast engine.
pub(crate) const STRETCH: u64 = 16;
/// They take over after this many cycles in any case.
const MOST: u64 = 1 << 20;
/// None of the instructions.
const NOWHERE: InstructionSet = [false; PROGRAM_WORDS];

/// Who runs ahead of the chips.
pub(crate) struct Ahead {
    is_wanted: bool,
    program: Option<Image>,
    /// Whether the scout knows the board, once somebody has asked.
    is_board_known: Option<bool>,
    scout: Option<Box<Scout>>,
}

impl Ahead {
    /// Nobody, until the program is known.
    pub fn new() -> Ahead {
        Ahead { is_wanted: true, program: None, is_board_known: None, scout: None }
    }

    /// Another board is there, with the same program.
    pub fn forget_board(&mut self) {
        self.is_board_known = None;
    }
}

impl Debugger {
    /// Runs on to the start of a cycle, or to the halt, past all breakpoints. On the board of the Gray-1 the fast
    /// engine runs, even if the history is not to be scouted; on any other the chips.
    pub fn leap(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let is_wanted = std::mem::replace(&mut self.history.ahead.is_wanted, true);
        let result = self.history.approach(cycle, interrupt);
        self.history.ahead.is_wanted = is_wanted;
        result
    }
}

impl History {
    /// The program of the machine, for whoever runs ahead.
    pub(crate) fn set_program(&mut self, program: &Image) {
        self.ahead.program = Some(program.clone());
    }

    /// Whether the fast engine may run ahead of the chips where the results are the same. It may, unless this is
    /// called; without it, the chips run every cycle.
    pub fn set_scouted(&mut self, is_scouted: bool) {
        self.ahead.is_wanted = is_scouted;
    }

    /// Whether somebody can run ahead.
    pub(crate) fn is_scouted(&mut self) -> bool {
        self.ahead.is_wanted && self.ahead.program.is_some() && self.is_board_known()
    }

    /// Whether this is the board that scouts know.
    pub(crate) fn is_board_known(&mut self) -> bool {
        if self.ahead.is_board_known.is_none() {
            self.ahead.is_board_known = Some(Scout::knows(self.machine().netlist()));
        }
        self.ahead.is_board_known == Some(true)
    }

    /// The distance that the chips run themselves before it pays to let somebody run ahead.
    pub(crate) fn nearby(&self) -> u64 {
        self.spacing / 2
    }

    /// Runs to the start of a cycle, or to the halt, without looking at anything.
    pub(crate) fn pass(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let is_far = cycle.saturating_sub(self.position().cycle) > self.nearby();
        match is_far {
            true => self.run_past(&NOWHERE, cycle, interrupt, |_| false)?,
            false => self.run(cycle, interrupt, |_| false)?,
        };
        Ok(())
    }

    /// Runs as [`History::run`] does, but `stop` has to be asked only where one of these instructions is about to run,
    /// and where something comes from outside.
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

    /// Lets the scout run, and the chips take over its state again and again.
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
                // What comes from outside takes effect before `stop` looks at the machine.
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
