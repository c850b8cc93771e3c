//! Running on with the fast engine: the same run, without simulating any chip on the way.
//!
//! If nothing has to be examined in detail, the fast engine gives the same results on the Gray-1 at more than twenty
//! times the speed. The chips engine takes over the state that it leaves, and checkpoints are taken on the way, so that
//! the past can still be repeated chip by chip.

use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::history::{History, NEAR};
use crate::position::Position;
use crate::scout::Scout;
use gray1_machine::{FastEngine, Noise};
use std::sync::atomic::{AtomicBool, Ordering};

/// The fewest cycles between two checkpoints: taking one takes as long as many cycles of the fast engine, and the chips
/// engine has to repeat the cycles between quickly.
const STRETCH: u64 = 1 << 16;

impl Debugger {
    /// Runs on to the start of a cycle, or to the halt, past all breakpoints. On the board of the Gray-1 the fast
    /// engine runs, on any other the chips.
    pub fn leap(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        if self.fast.is_none() {
            let is_known = Scout::knows(self.board().netlist());
            let engine =
                is_known.then(|| Box::new(FastEngine::power_up(self.source().image(), Noise::Zeros)));
            self.fast = Some(engine);
        }
        match &mut self.fast {
            Some(Some(engine)) => self.history.leap(engine, cycle, interrupt),
            _ => self.history.run(cycle, interrupt, |_| false).map(|_| ()),
        }
    }
}

impl History {
    fn leap(&mut self, fast: &mut FastEngine, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        while self.position().phase != 0 {
            self.phase()?;
        }
        while self.position().cycle < cycle && !self.is_halted() {
            if interrupt.load(Ordering::Relaxed) {
                return Err(DebugError::Interrupted);
            }
            let now = self.position().cycle;
            let due = (now / STRETCH).saturating_add(1).saturating_mul(STRETCH);
            let event = self.timeline.next_event(now).unwrap_or(u64::MAX);
            // A snapshot is kept a little before the end, for those who step back from there.
            let last = if now < cycle - NEAR.min(cycle) { cycle - NEAR } else { cycle };
            let end = due.min(event).min(last);
            if end > self.end().cycle {
                // Which instructions run is not recorded.
                self.checkpoints.ran_from(now).fill();
            }
            self.run_stretch(fast, end)?;
            if self.position() == Position::start_of(cycle - NEAR.min(cycle)) {
                self.near = Some(self.checkpoint());
            }
        }
        Ok(())
    }
}
