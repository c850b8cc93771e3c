//! The scout: the fast engine, which tells a search which stretches of a run it can skip.
//!
//! It runs more than twenty times as fast as the chips and gives the same results on the Gray-1, so a search can use it
//! to go through millions of cycles, forwards and backwards; for a long run the program is translated to machine code.
//! Where the scout reports that there may be something, the chips engine searches, and only its finds count. A board
//! that is wired or burned differently is searched with the chips engine alone.

use crate::error::DebugError;
use crate::target::Search;
use crate::timeline::Timeline;
use crate::trigger::InstructionSet;
use crate::view::View;
use gray1_isa::{Image, PROGRAM_WORDS};
use gray1_machine::board::Board;
use gray1_machine::{Engine, FastEngine, Netlist, Noise, Outside, State, Unsettled};
use gray1_native::TranslatedProgram;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The interrupt flag is checked once in this many cycles.
const SLICE: u64 = 1 << 20;
/// The program is translated after this many checkpoint intervals of a short run: the fast engine takes a few
/// milliseconds for them, and a translation rarely takes one.
const TRANSLATED_AFTER: u64 = 256;
/// It is not translated if it is stopped more often than once in this many cycles, because stops cost most of the time.
const SELDOM: u64 = 16;

/// The machine on the fast engine, which stops at a set of instructions.
pub(crate) struct Scout {
    engine: FastEngine,
    image: Image,
    /// The instructions before which it stops.
    places: Box<InstructionSet>,
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
        engine.stop_at(places);
        let places = Box::new(*places);
        let patience = spacing.saturating_mul(TRANSLATED_AFTER);
        Scout { engine, image: image.clone(), places, ran: 0, looked: 0, patience, translated: None }
    }

    /// Whether this is the board of the Gray-1, the only one whose results the fast engine gives.
    pub fn knows(netlist: &Netlist) -> bool {
        static GRAY1: OnceLock<Board> = OnceLock::new();
        *netlist == **GRAY1.get_or_init(Board::gray1).netlist()
    }

    /// Stops before the instructions in another set from now on.
    pub fn look_at(&mut self, places: &InstructionSet) {
        if *self.places != *places {
            self.engine.stop_at(places);
            *self.places = *places;
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

    /// Whether one of the instructions in the set is about to run.
    pub fn is_at_place(&self) -> bool {
        self.places[usize::from(self.engine.running()) % PROGRAM_WORDS]
    }

    /// Runs to the start of a cycle, to the halt, or to where `stop` returns true, which is called before each
    /// instruction of the set. There must be no inputs or edits on the way. Returns the last result of `stop`; if that
    /// is true, the parts of the state that no program can see are not valid: [`Scout::repeat`] completes them.
    pub fn run(
        &mut self,
        end: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&FastEngine) -> bool,
    ) -> bool {
        let mut is_stopped = false;
        let cycles = end.saturating_sub(Engine::cycle(&self.engine));
        let looked = &mut self.looked;
        let look = |machine: &FastEngine| {
            *looked += 1;
            is_stopped = Engine::cycle(machine) < end && stop(machine);
            is_stopped
        };
        self.ran += match &mut self.translated {
            Some(program) => program.run_until(&mut self.engine, cycles, outside, look),
            None => self.engine.run_until(cycles, outside, look),
        };
        if self.ran > self.patience && self.translated.is_none() && self.looked < self.ran / SELDOM {
            self.translate();
        }
        is_stopped
    }

    /// Continues with machine code. If the program cannot be translated, it tries again after as many cycles.
    fn translate(&mut self) {
        self.ran = 0;
        self.translated = TranslatedProgram::new(&self.image, &self.places).ok();
    }

    /// Runs again from a state to the current cycle, without stopping, so that its state is complete.
    pub fn repeat(&mut self, start: &State, timeline: &Timeline) -> Result<(), Unsettled> {
        let cycles = Engine::cycle(&self.engine) - start.cycle;
        self.begin(start, timeline)?;
        self.run(start.cycle + cycles, &mut (), |_| false);
        Ok(())
    }

    /// Applies the inputs and edits at the start of this cycle.
    pub fn meet(&mut self, timeline: &Timeline) -> Result<(), Unsettled> {
        timeline.begin_cycle(&mut self.engine)
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
        while !search.may_find(self.machine()) {
            let now = Engine::cycle(self.machine());
            if now >= end || Engine::halted(self.machine()) {
                return Ok(false);
            }
            if interrupt.load(Ordering::Relaxed) {
                return Err(DebugError::Interrupted);
            }
            let event = timeline.next_event(now).unwrap_or(end);
            let slice_end = event.min(end).min(now.saturating_add(SLICE));
            if self.run(slice_end, &mut (), |machine| search.may_find(machine)) {
                break;
            }
            self.meet(timeline)?;
        }
        Ok(true)
    }
}
