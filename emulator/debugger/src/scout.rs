//! Scouting with the fast engine: it finds the stretches of a run in which there is nothing to be found.
//!
//! It runs more than twenty times as fast as the chips and gives the same results on the Gray-1, so a search can use it
//! to go back through millions of cycles. Where it reports that there may be something, the chips engine searches
//! again, and only its finds count. A board that is wired or burned differently is searched with the chips engine
//! alone.

use crate::error::DebugError;
use crate::target::Search;
use crate::timeline::Timeline;
use crate::trigger::InstructionSet;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Engine, FastEngine, Netlist, Noise, State};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// How often an interruption is looked for, in cycles.
const SLICE: u64 = 1 << 20;

/// The machine on the fast engine.
pub(crate) struct Scout(FastEngine);

impl Scout {
    /// Examines only the instructions in a set.
    pub fn new(image: &Image, places: &InstructionSet) -> Scout {
        let mut engine = FastEngine::power_up(image, Noise::Zeros);
        engine.stop_at(places);
        Scout(engine)
    }

    /// Whether this is the board whose results it gives.
    pub fn knows(netlist: &Netlist) -> bool {
        static GRAY1: OnceLock<Board> = OnceLock::new();
        *netlist == **GRAY1.get_or_init(Board::gray1).netlist()
    }

    /// Whether something may be found between a state and the start of a cycle. A condition on RAM holds until one of
    /// the instructions in the set stores something else, so it is seen before the next of them, or at the end.
    pub fn may_find(
        &mut self,
        search: &Search,
        start: &State,
        timeline: &Timeline,
        end: u64,
        interrupt: &AtomicBool,
    ) -> Result<bool, DebugError> {
        let Scout(engine) = self;
        engine.set_state(start)?;
        engine.press(timeline.inputs(start.cycle))?;
        while !search.may_find(engine) {
            let now = engine.cycle();
            if now >= end || engine.halted() {
                return Ok(false);
            }
            if interrupt.load(Ordering::Relaxed) {
                return Err(DebugError::Interrupted);
            }
            let event = timeline.next_event(now).unwrap_or(end);
            let cycles = event.min(end).min(now.saturating_add(SLICE)) - now;
            let mut is_found = false;
            engine.run_until(cycles, &mut (), |engine| {
                is_found = search.may_find(engine);
                is_found
            });
            if is_found {
                break;
            }
            timeline.begin_cycle(engine)?;
        }
        Ok(true)
    }
}
