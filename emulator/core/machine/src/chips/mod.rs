//! The chips engine: the machine itself, every chip looked up in its table, phase by phase.
//!
//! ```text
//!   OSC   ____/‾‾‾‾\____/‾‾‾‾\____     an edge begins a phase
//!   phase   0    1    2    3    0
//!   S      00   01   11   10   00
//!   PH1   ____/‾‾‾‾\_______________     masters take, RAM is written
//!   PH2   ______________/‾‾‾‾\_____     slaves take, the counter moves
//! ```
//!
//! [`ChipsEngine::phase`] is the engine in its plainest form: flip the oscillator, then look up every chip whose
//! address changed until nothing changes. [`Engine::run`] does the same lookups in an order planned ahead and
//! leaves out those whose result is certain from the chips' own tables, on boards where the order makes no difference
//! (see [`planner`]).

mod ahead;
mod engine;
mod lookups;
mod plan;
mod planner;
mod probe;
mod step;

use crate::ahead::Translator;
use crate::board::Board;
use crate::board::order::Order;
use crate::engine::{
    Engine, Failure, LAST_PHASE, Outside, PHASES, RESET_PHASES, Registers, Stuck, Unsettled,
};
use crate::netlist::Netlist;
use crate::pack::{BANKS, Pack};
use crate::settle::{MOST_LOOKUPS, give, look_up, settle};
use crate::state::Noise;
use crate::wires::{Data, LOW, Levels};
use ahead::RunningAhead;
use gray1_isa::Image;
use gray1_isa::memory_map::{GREEN, OUT, RAM_BYTES};
use plan::Plan;
use planner::plan;
pub use probe::{Probe, Snapshot};
use std::sync::{Arc, OnceLock};

/// After this many cycles a plan is made: until then, planning would cost more than it saves.
const PLANNED_AFTER: u64 = 2_000;

/// The machine, chip by chip.
#[derive(Clone)]
pub struct ChipsEngine {
    netlist: Arc<Netlist>,
    pack: Arc<Pack>,
    plan: Planning,
    /// The plan of all clones: the first one that needs it makes it. `None` if this board runs by the general rule.
    shared_plan: Arc<OnceLock<Option<Arc<Plan>>>>,
    ahead: RunningAhead,
    /// Whether the order of lookups makes no difference on this board.
    order: Order,
    translator: Option<Translator>,
    is_translated_at_once: bool,
    levels: Levels,
    cells: Vec<Data>,
    phase: usize,
    cycle: u64,
    /// The counter at the beginning of this cycle: if it is the same at the end, the machine has halted.
    counter_before: u16,
    halted: bool,
    /// Instructions run since power-up, by opcode.
    executed: [u64; 8],
}

/// Whether the lookups of a cycle have been planned.
#[derive(Clone)]
enum Planning {
    /// They will be, after so many more cycles.
    In(u64),
    Done(Arc<Plan>),
    /// This board runs by the general rule.
    Never,
}

impl ChipsEngine {
    /// Builds the board, powers it up with noise everywhere, and resets it.
    pub fn power_up(board: &Board, image: &Image, noise: Noise) -> Result<ChipsEngine, Unsettled> {
        let netlist = Arc::clone(board.netlist());
        let (pack, cells) = Pack::new(&netlist, image);
        let mut engine = ChipsEngine {
            levels: LOW,
            cells,
            pack: Arc::new(pack),
            plan: Planning::In(PLANNED_AFTER),
            shared_plan: Arc::default(),
            ahead: RunningAhead::default(),
            order: board.order.clone(),
            translator: board.translator,
            is_translated_at_once: false,
            phase: 0,
            cycle: 0,
            counter_before: 0,
            halted: false,
            executed: [0; 8],
            netlist,
        };
        let ram = noise.ram();
        engine.fill_ram(&ram);
        // Noise is what chips that hold themselves wake up with. The display's and the port's is chosen to be
        // that of the RAM behind them, so that what they show is what reads back from the first cycle on.
        let noise = noise.levels::<BANKS>();
        for (chip, bit) in engine.netlist.chips.iter().zip(&engine.pack.chips) {
            if chip.holds_itself() {
                engine.levels[bit.bank] = noise[bit.bank];
            }
        }
        engine.force_outlets(&ram);
        engine.reset()?;
        Ok(engine)
    }

    /// Holds the reset line until every register has taken what it is reset to. The line moves while the slaves are
    /// open, which is where a board that synchronises it takes it over.
    pub fn reset(&mut self) -> Result<(), Unsettled> {
        let pack = Arc::clone(&self.pack);
        let panel = &pack.panel;
        for (port, value) in [(&panel.oscillator, 1), (&panel.sequence, LAST_PHASE), (&panel.reset, 1)] {
            port.force(&mut self.levels, value);
        }
        self.settle(self.pack.all_chips())?;
        let (mut phases, mut has_clock) = (0, false);
        while phases < RESET_PHASES || (has_clock && panel.sequence.read(&self.levels) != LAST_PHASE) {
            let before = panel.sequence.read(&self.levels);
            self.edge()?;
            phases += 1;
            // A board without a clock never gets anywhere; that shows as soon as it is run.
            has_clock |= panel.sequence.read(&self.levels) != before;
            if phases > RESET_PHASES + PHASES {
                let sequencer = panel.sequence.bits().iter().fold(0, |set, bit| set | 1 << bit.bank);
                let chips = self.names_of(sequencer);
                return Err(Unsettled { cycle: 0, phase: 0, chips });
            }
        }
        panel.reset.force(&mut self.levels, 0);
        self.settle(self.pack.all_chips())?;
        self.edge()?;
        (self.phase, self.cycle, self.halted) = (0, 0, false);
        self.counter_before = panel.counter.read(&self.levels);
        Ok(())
    }

    /// From now on, every chip is looked up in every phase by the general rule alone, as [`ChipsEngine::phase`] does it.
    /// This is the reference for every other way to run a board.
    pub fn leave_nothing_out(&mut self) {
        self.plan = Planning::Never;
        self.ahead = RunningAhead::Never;
    }

    /// Runs as [`Engine::run`](crate::Engine::run) does, but only until `stop` returns true at the beginning of a later
    /// cycle.
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<u64, Unsettled> {
        let start = self.cycle;
        let mut stopped = false;
        while self.cycle - start < cycles && !self.halted && !stopped {
            self.look_for_plan();
            match &self.plan {
                Planning::Done(plan) if self.phase == 0 && plan.fits(0, &self.levels) => {
                    let plan = Arc::clone(plan);
                    let [phase_0, phase_1, phase_2, phase_3] = &plan.phases;
                    for _ in 0..cycles - (self.cycle - start) {
                        phase_1.run(self)?;
                        self.read_outlets(outside);
                        self.count();
                        phase_2.run(self)?;
                        phase_3.run(self)?;
                        phase_0.run(self)?;
                        self.cycle_ends();
                        stopped = stop(self);
                        if stopped || self.halted {
                            break;
                        }
                    }
                }
                _ => {
                    self.phase(outside)?;
                    stopped = self.phase == 0 && stop(self);
                }
            }
        }
        Ok(self.cycle - start)
    }

    /// After a run that has halted: whether the program asked for that.
    pub fn check_halt(&mut self) -> Result<(), Failure> {
        let (Registers { pc, .. }, word) = (self.registers(), self.word());
        let is_asked = word.landing() == Some(pc);
        // Without a clock not even the first cycle goes anywhere, whatever the counter woke up with.
        if is_asked && self.cycle > 1 {
            return Ok(());
        }
        // A machine that stands still does the same in every cycle, so one more changes nothing.
        let mut sequence = [0; PHASES];
        for state in &mut sequence {
            self.edge()?;
            *state = self.pack.panel.sequence.read(&self.levels);
        }
        match sequence.iter().any(|state| *state != sequence[0]) {
            true if is_asked => Ok(()),
            true => Err(Stuck::Counter { pc, word }.into()),
            false => Err(Stuck::NoClock.into()),
        }
    }

    /// Runs one phase: one edge of the oscillator, and everything that follows from it.
    pub fn phase(&mut self, outside: &mut dyn Outside) -> Result<(), Unsettled> {
        self.edge()?;
        self.phase_ends(outside);
        Ok(())
    }

    /// Runs one phase as [`ChipsEngine::phase`] does, but by the plan where there is one.
    pub fn planned_phase(&mut self, outside: &mut dyn Outside) -> Result<(), Unsettled> {
        self.look_for_plan();
        match std::mem::replace(&mut self.plan, Planning::Never) {
            Planning::Done(plan) if plan.fits(self.phase, &self.levels) => {
                let result = plan.phases[(self.phase + 1) % PHASES].run(self);
                self.plan = Planning::Done(plan);
                result?;
            }
            other => {
                self.plan = other;
                self.edge()?;
            }
        }
        self.phase_ends(outside);
        Ok(())
    }

    /// At the beginning of a cycle: takes the plan if another clone has made it, or makes it when it is time to.
    #[inline]
    fn look_for_plan(&mut self) {
        if let Planning::In(cycles) = self.plan
            && self.phase == 0
        {
            if cycles > 0 && self.shared_plan.get().is_none() {
                self.plan = Planning::In(cycles - 1);
                return;
            }
            // If the board fails to settle while the plan is made, it will again when the program gets there.
            let make = || plan(self).ok().flatten().map(Arc::new);
            let plan = match self.order.makes_no_difference(&self.netlist, self.ran()) {
                Err(cycles) => return self.plan = Planning::In(cycles),
                Ok(false) => None,
                Ok(true) => self.shared_plan.get_or_init(make).clone(),
            };
            self.plan = plan.map_or(Planning::Never, Planning::Done);
        }
    }

    /// The cycles run since power-up.
    fn ran(&self) -> u64 {
        self.executed.iter().sum()
    }

    /// The phase that the machine is in: 0 at the beginning of a cycle.
    pub fn phase_number(&self) -> u8 {
        self.phase as u8
    }

    /// Flips the oscillator and lets the board settle.
    fn edge(&mut self) -> Result<(), Unsettled> {
        let oscillator = self.pack.panel.oscillator.bits()[0];
        self.levels[oscillator.bank] ^= 1 << oscillator.bit;
        self.settle(self.pack.readers(oscillator))
    }

    fn settle(&mut self, dirty: u64) -> Result<(), Unsettled> {
        let Self { pack, levels, cells, .. } = self;
        let look_up = |bank: usize| {
            let Pack { banks, .. } = &**pack;
            let data = look_up(&banks[bank], levels, cells);
            give(levels, bank, data, &banks[bank].readers)
        };
        settle(dirty, MOST_LOOKUPS, look_up).map_err(|unsettled| self.unsettled(unsettled))
    }

    /// What happens outside when a phase has settled: outlets are read while their enable is 1, and at the
    /// end of a cycle the counter tells whether the machine has halted.
    fn phase_ends(&mut self, outside: &mut dyn Outside) {
        self.phase = (self.phase + 1) % PHASES;
        match self.phase {
            1 => self.read_outlets(outside),
            2 => self.count(),
            0 => self.cycle_ends(),
            _ => {}
        }
    }

    #[inline(always)]
    fn read_outlets(&self, outside: &mut dyn Outside) {
        if self.pack.strobes.iter().any(|&(bank, bits)| self.levels[bank] & bits != 0) {
            self.report_outlets(outside);
        }
    }

    #[inline(always)]
    fn count(&mut self) {
        let opcode = usize::from(self.pack.opcode.read(&self.levels));
        self.executed[opcode % self.executed.len()] += 1;
    }

    #[cold]
    fn report_outlets(&self, outside: &mut dyn Outside) {
        for (number, enable) in self.pack.enables.iter().enumerate() {
            if self.levels[enable.bank] >> enable.bit & 1 == 1
                && let Some(outlet) = self.pack.panel.outlets().nth(number)
            {
                let byte = outlet.shown(outlet.latch.read(&self.levels) as u8);
                match number.checked_sub(1) {
                    None => outside.output(self.cycle, byte),
                    Some(row) => outside.display(self.cycle, row, byte),
                }
            }
        }
    }

    #[inline(always)]
    fn cycle_ends(&mut self) {
        let counter = self.pack.panel.counter.read(&self.levels);
        self.halted = counter == self.counter_before;
        self.counter_before = counter;
        self.cycle += 1;
    }

    fn fill_ram(&mut self, ram: &[u8; RAM_BYTES]) {
        self.pack.fill_ram(&mut self.cells[self.pack.ram..], ram);
    }

    /// Makes the port and the display show what RAM holds behind them.
    fn force_outlets(&mut self, ram: &[u8; RAM_BYTES]) {
        let addresses = std::iter::once(OUT).chain(GREEN..);
        for (outlet, address) in self.pack.panel.outlets().zip(addresses) {
            outlet.latch.force(&mut self.levels, u16::from(outlet.shown(ram[usize::from(address)])));
        }
    }

    /// The names of the chips of a set of banks.
    fn names_of(&self, set: u64) -> Vec<String> {
        self.pack.names_of(&self.netlist, set)
    }

    #[cold]
    fn unsettled(&self, banks: u64) -> Unsettled {
        Unsettled { cycle: self.cycle, phase: ((self.phase + 1) % PHASES) as u8, chips: self.names_of(banks) }
    }
}
