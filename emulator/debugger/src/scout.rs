//! The scout: the engine `isa`, which finds the stretches of a run that a search can skip.
//!
//! It gives the same results on the Gray-1, and examining it costs little, so a search can use it to go through millions
//! of cycles, forwards and backwards. Where the scout reports that there may be something, the chips engine searches,
//! and only its finds count. A board that is wired or burned differently is searched with the chips engine alone.

use crate::error::{DebugError, check_interrupt};
use crate::instructions::InstructionSet;
use crate::target::Search;
use crate::timeline::Timeline;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Engine, IsaEngine, Netlist, Noise, OutputSink, State, Unsettled};
use std::sync::atomic::{AtomicBool, Ordering};

/// The interrupt flag is checked once in this many cycles,
const SLICE: u64 = 1 << 20;
/// and once in this many calls of `stop`, because a long condition takes microseconds.
const CALLS: u64 = 1 << 10;

/// The scout of a history, which is created on first use, and whether it may be used.
#[derive(Default)]
pub(crate) struct ScoutState {
    /// Whether the chips have to run every cycle.
    pub is_off: bool,
    pub program: Option<Image>,
    /// Whether the scout gives the results of this board; `None` until that is first needed.
    pub is_board_known: Option<bool>,
    pub scout: Option<Box<Scout>>,
}

/// The machine on the engine `isa`, which stops at a set of instructions.
pub(crate) struct Scout {
    engine: IsaEngine,
    /// The instructions before which it stops.
    places: InstructionSet,
    /// The number of stops so far.
    looked: u64,
}

impl Scout {
    /// A scout that stops only before the instructions in a set.
    pub fn new(image: &Image, places: &InstructionSet) -> Scout {
        let mut engine = IsaEngine::power_up(image, Noise::Zeros);
        engine.stop_at(&places.flags());
        Scout { engine, places: *places, looked: 0 }
    }

    /// Whether this is the board of the Gray-1, the only one whose results the scout gives.
    pub fn knows(netlist: &Netlist) -> bool {
        *netlist == **Board::gray1().netlist()
    }

    /// Stops before the instructions in another set from now on.
    pub fn look_at(&mut self, places: &InstructionSet) {
        if self.places != *places {
            self.engine.stop_at(&places.flags());
            self.places = *places;
        }
    }

    /// Begins in a state in which the edits of its cycle have already been made.
    pub fn begin(&mut self, state: &State, timeline: &Timeline) -> Result<(), Unsettled> {
        self.engine.set_state(state)?;
        self.engine.press(timeline.inputs(state.cycle))
    }

    /// The machine.
    pub fn machine(&self) -> &IsaEngine {
        &self.engine
    }

    /// Runs to the start of a cycle, to the halt, or to where `stop` returns true. `stop` is called before each
    /// instruction of the set, and where an input or an edit has taken effect. Returns its last result.
    pub fn run(
        &mut self,
        end: u64,
        timeline: &Timeline,
        outside: &mut dyn OutputSink,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&IsaEngine) -> bool,
    ) -> Result<bool, DebugError> {
        while self.cycle() < end && !Engine::halted(&self.engine) {
            let event = timeline.next_event(self.cycle());
            let stretch_end = event.map_or(end, |event| event.min(end));
            if self.run_stretch(stretch_end, outside, interrupt, &mut stop)? {
                return Ok(true);
            }
            if self.cycle() == stretch_end {
                timeline.begin_cycle(&mut self.engine)?;
                let is_asked = event == Some(stretch_end) || self.places.has(self.engine.registers().pc);
                if is_asked && stop(&self.engine) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Runs as [`Scout::run`] does, but there must be no inputs or edits on the way, and `stop` is not called at the
    /// end.
    fn run_stretch(
        &mut self,
        end: u64,
        outside: &mut dyn OutputSink,
        interrupt: &AtomicBool,
        stop: &mut impl FnMut(&IsaEngine) -> bool,
    ) -> Result<bool, DebugError> {
        let (mut is_stopped, mut is_interrupted) = (false, false);
        let cycles = end - self.cycle();
        let looked = &mut self.looked;
        let look = |machine: &IsaEngine| {
            *looked += 1;
            is_stopped = Engine::cycle(machine) < end && stop(machine);
            is_interrupted = looked.is_multiple_of(CALLS) && interrupt.load(Ordering::Relaxed);
            is_stopped || is_interrupted
        };
        self.engine.run_until(cycles, outside, look);
        if is_interrupted && !is_stopped { Err(DebugError::Interrupted) } else { Ok(is_stopped) }
    }

    fn cycle(&self) -> u64 {
        Engine::cycle(&self.engine)
    }

    /// Whether something may be found between a state and the start of a cycle. A condition on RAM that becomes true
    /// stays true until an instruction of the set stores another value, so it is seen before that, or at the end.
    pub fn may_find(
        &mut self,
        search: &Search,
        start: &State,
        timeline: &Timeline,
        end: u64,
        interrupt: &AtomicBool,
    ) -> Result<bool, DebugError> {
        self.begin(start, timeline)?;
        if search.may_find(self.machine()) {
            return Ok(true);
        }
        while self.cycle() < end && !Engine::halted(self.machine()) {
            check_interrupt(interrupt)?;
            let slice_end = end.min(self.cycle().saturating_add(SLICE));
            if self.run(slice_end, timeline, &mut (), interrupt, |machine| search.may_find(machine))? {
                return Ok(true);
            }
        }
        Ok(search.may_find(self.machine()))
    }
}
