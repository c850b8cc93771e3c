//! The scout: the fast engine, which tells a search which stretches of a run it can skip.
//!
//! It runs more than twenty times as fast as the chips and gives the same results on the Gray-1, so a search can use it
//! to go through millions of cycles, forwards and backwards; for a long run the program is translated to machine code.
//! Where the scout reports that there may be something, the chips engine searches, and only its finds count. A board
//! that is wired or burned differently is searched with the chips engine alone.

use crate::error::{DebugError, go_on};
use crate::instructions::InstructionSet;
use crate::target::Search;
use crate::timeline::Timeline;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{Engine, FastEngine, Netlist, Noise, Outside, State, Unsettled};
use gray1_native::TranslatedProgram;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The interrupt flag is checked once in this many cycles,
const SLICE: u64 = 1 << 20;
/// and once in this many calls of `stop`, because a long condition takes microseconds.
const CALLS: u64 = 1 << 10;
/// The program is translated after this many checkpoint intervals of a short run: the fast engine takes a few
/// milliseconds for them, and a translation rarely takes one.
const TRANSLATED_AFTER: u64 = 256;
/// It is not translated if it is stopped more often than once in this many cycles, because stops cost most of the time.
const SELDOM: u64 = 16;

/// For work that is not to be interrupted.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The scout of a history, which is created on first use, and whether it may be used.
#[derive(Default)]
pub(crate) struct Ahead {
    /// Whether the chips have to run every cycle.
    pub is_off: bool,
    pub program: Option<Image>,
    /// Whether the scout gives the results of this board; `None` until that is first needed.
    pub is_board_known: Option<bool>,
    pub scout: Option<Box<Scout>>,
}

/// The machine on the fast engine, which stops at a set of instructions.
pub(crate) struct Scout {
    engine: FastEngine,
    image: Image,
    /// The instructions before which it stops.
    places: InstructionSet,
    /// How many cycles it has run with these, and how often it has stopped.
    ran: u64,
    looked: u64,
    /// The number of cycles before the program is translated.
    patience: u64,
    /// The program for these places.
    translated: Option<TranslatedProgram>,
}

impl Scout {
    /// A scout that stops only before the instructions in a set. `spacing` is the number of cycles between two
    /// checkpoints of a short run.
    pub fn new(image: &Image, places: &InstructionSet, spacing: u64) -> Scout {
        let mut engine = FastEngine::power_up(image, Noise::Zeros);
        engine.stop_at(&places.flags());
        let patience = spacing.saturating_mul(TRANSLATED_AFTER);
        Scout { engine, image: image.clone(), places: *places, ran: 0, looked: 0, patience, translated: None }
    }

    /// Whether this is the board of the Gray-1, the only one whose results the fast engine gives.
    pub fn knows(netlist: &Netlist) -> bool {
        static GRAY1: OnceLock<Board> = OnceLock::new();
        *netlist == **GRAY1.get_or_init(Board::gray1).netlist()
    }

    /// Stops before the instructions in another set from now on.
    pub fn look_at(&mut self, places: &InstructionSet) {
        if self.places != *places {
            self.engine.stop_at(&places.flags());
            self.places = *places;
            (self.ran, self.looked, self.translated) = (0, 0, None);
        }
    }

    /// Begins in a state in which the edits of its cycle have already been made.
    pub fn begin(&mut self, state: &State, timeline: &Timeline) -> Result<(), Unsettled> {
        self.engine.set_state(state)?;
        self.engine.press(timeline.inputs(state.cycle))
    }

    /// The machine.
    pub fn machine(&self) -> &FastEngine {
        &self.engine
    }

    /// Runs to the start of a cycle, to the halt, or to where `stop` returns true. `stop` is called before each
    /// instruction of the set, and where an input or an edit has taken effect. Returns its last result. If that is
    /// true, and after an interruption, the parts of the state that no program can see may not be valid:
    /// [`Scout::repeat`] completes them.
    pub fn run(
        &mut self,
        end: u64,
        timeline: &Timeline,
        outside: &mut dyn Outside,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&FastEngine) -> bool,
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
        outside: &mut dyn Outside,
        interrupt: &AtomicBool,
        stop: &mut impl FnMut(&FastEngine) -> bool,
    ) -> Result<bool, DebugError> {
        let (mut is_stopped, mut is_interrupted) = (false, false);
        let cycles = end - self.cycle();
        let looked = &mut self.looked;
        let look = |machine: &FastEngine| {
            *looked += 1;
            is_stopped = Engine::cycle(machine) < end && stop(machine);
            is_interrupted = looked.is_multiple_of(CALLS) && interrupt.load(Ordering::Relaxed);
            is_stopped || is_interrupted
        };
        self.ran += match &mut self.translated {
            Some(program) => program.run_until(&mut self.engine, cycles, outside, look),
            None => self.engine.run_until(cycles, outside, look),
        };
        if self.ran > self.patience && self.translated.is_none() && self.looked < self.ran / SELDOM {
            self.translate();
        }
        if is_interrupted && !is_stopped { Err(DebugError::Interrupted) } else { Ok(is_stopped) }
    }

    fn cycle(&self) -> u64 {
        Engine::cycle(&self.engine)
    }

    /// Continues with machine code. If the program cannot be translated, it tries again after as many cycles.
    fn translate(&mut self) {
        self.ran = 0;
        self.translated = TranslatedProgram::new(&self.image, &self.places.flags()).ok();
    }

    /// Runs again from a state to the current cycle, without stopping, so that its state is complete.
    pub fn repeat(&mut self, start: &State, timeline: &Timeline) -> Result<(), DebugError> {
        let end = self.cycle();
        self.begin(start, timeline)?;
        self.run(end, timeline, &mut (), &NEVER, |_| false).map(drop)
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
            go_on(interrupt)?;
            let slice_end = end.min(self.cycle().saturating_add(SLICE));
            if self.run(slice_end, timeline, &mut (), interrupt, |machine| search.may_find(machine))? {
                return Ok(true);
            }
        }
        Ok(search.may_find(self.machine()))
    }
}
