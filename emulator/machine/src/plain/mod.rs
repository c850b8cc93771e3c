//! The plain engine: the machine itself, every chip looked up in its table in every phase, by the general rule alone.
//! It is the reference for every other way to run a board.
//!
//! ```text
//!   OSC   ____/‾‾‾‾\____/‾‾‾‾\____     an edge begins a phase
//!   phase   0    1    2    3    0
//!   S      00   01   11   10   00
//!   PH1   ____/‾‾‾‾\_______________     masters take, RAM is written
//!   PH2   ______________/‾‾‾‾\_____     slaves take, the counter moves
//! ```
//!
//! [`PlainEngine::phase`] flips the oscillator, then looks up every chip whose address changed until nothing changes.

mod engine;
mod probe;

use crate::board::Board;
use crate::board::netlist::Netlist;
use crate::engine::{
    Engine, Failure, LAST_PHASE, OutputSink, PHASES, RESET_PHASES, Registers, Stuck, Unsettled,
};
use crate::pack::Pack;
use crate::state::Noise;
use crate::wires::{Data, LOW, Levels};
use gray1_isa::Image;
use gray1_isa::memory_map::{GREEN, OUT, RAM_BYTES};
pub use probe::{Probe, Snapshot};
use std::sync::Arc;

/// The machine, chip by chip.
#[derive(Clone)]
pub struct PlainEngine {
    pub(crate) netlist: Arc<Netlist>,
    pub(crate) pack: Arc<Pack>,
    pub(crate) levels: Levels,
    pub(crate) cells: Vec<Data>,
    pub(crate) phase: usize,
    pub(crate) cycle: u64,
    /// The counter at the beginning of this cycle: if it is the same at the end, the machine has halted.
    pub(crate) counter_before: u16,
    pub(crate) halted: bool,
    /// Instructions run since power-up, by opcode.
    pub(crate) executed: [u64; 8],
}

impl PlainEngine {
    /// Builds the board, powers it up with noise everywhere, and resets it.
    pub fn power_up(board: &Board, image: &Image, noise: Noise) -> Result<PlainEngine, Unsettled> {
        let netlist = Arc::clone(board.netlist());
        let (pack, cells) = Pack::new(&netlist, image);
        let mut engine = PlainEngine {
            levels: LOW,
            cells,
            pack: Arc::new(pack),
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
        engine.levels = engine.pack.wake(&engine.netlist, noise);
        engine.force_outlets(&ram);
        engine.reset()?;
        Ok(engine)
    }

    /// Holds the reset line until every register has its reset value. The line moves while the slaves are
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
            // A board without a clock never reaches that state; the first run reports it.
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

    /// Checks after a halt that the program asked for it.
    pub fn check_halt(&mut self) -> Result<(), Failure> {
        let (Registers { pc, .. }, word) = (self.registers(), self.word());
        let is_asked = word.landing() == Some(pc);
        // Without a clock the counter does not move, not even in the first cycle.
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
    pub fn phase(&mut self, outside: &mut dyn OutputSink) -> Result<(), Unsettled> {
        self.edge()?;
        self.phase_ends(outside);
        Ok(())
    }

    /// The cycles run since power-up.
    pub(crate) fn ran(&self) -> u64 {
        self.executed.iter().sum()
    }

    /// The phase that the machine is in: 0 at the beginning of a cycle.
    pub fn phase_number(&self) -> u8 {
        self.phase as u8
    }

    /// Flips the oscillator and lets the board settle.
    pub(crate) fn edge(&mut self) -> Result<(), Unsettled> {
        let oscillator = self.pack.panel.oscillator.bits()[0];
        self.levels[oscillator.bank] ^= 1 << oscillator.bit;
        self.settle(self.pack.readers(oscillator))
    }

    fn settle(&mut self, dirty: u64) -> Result<(), Unsettled> {
        let Self { pack, levels, cells, .. } = self;
        pack.settle(levels, cells, dirty).map_err(|unsettled| self.unsettled(unsettled))
    }

    /// Ends a settled phase: outlets are read while their enable is 1, and at the
    /// end of a cycle the counter tells whether the machine has halted.
    pub(crate) fn phase_ends(&mut self, outside: &mut dyn OutputSink) {
        self.phase = (self.phase + 1) % PHASES;
        match self.phase {
            1 => self.read_outlets(outside),
            2 => self.count(),
            0 => self.cycle_ends(),
            _ => {}
        }
    }

    #[inline(always)]
    pub(crate) fn read_outlets(&self, outside: &mut dyn OutputSink) {
        if self.pack.strobes.iter().any(|&(bank, bits)| self.levels[bank] & bits != 0) {
            self.report_outlets(outside);
        }
    }

    #[inline(always)]
    pub(crate) fn count(&mut self) {
        let opcode = usize::from(self.pack.opcode.read(&self.levels));
        self.executed[opcode % self.executed.len()] += 1;
    }

    #[cold]
    fn report_outlets(&self, outside: &mut dyn OutputSink) {
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
    pub(crate) fn cycle_ends(&mut self) {
        let counter = self.pack.panel.counter.read(&self.levels);
        self.halted = counter == self.counter_before;
        self.counter_before = counter;
        self.cycle += 1;
    }

    fn fill_ram(&mut self, ram: &[u8; RAM_BYTES]) {
        self.pack.fill_ram(&mut self.cells[self.pack.ram..], ram);
    }

    /// Makes the port and the display show the bytes of RAM behind them.
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
    pub(crate) fn unsettled(&self, banks: u64) -> Unsettled {
        Unsettled { cycle: self.cycle, phase: ((self.phase + 1) % PHASES) as u8, chips: self.names_of(banks) }
    }
}
