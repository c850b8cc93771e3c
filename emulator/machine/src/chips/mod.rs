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
//! leaves out those whose result is certain from the chips' own tables (see [`plan`]).

mod care;
mod circuit;
mod pins;
mod plan;
mod probe;
mod settle;
mod wires;

use crate::board::Board;
use crate::engine::{Engine, Outside, Registers, Unsettled};
use crate::state::{Inputs, Noise, State};
use circuit::{Circuit, DRIVERS};
use gray1_isa::memory_map::{GREEN, OUT, RAM_BYTES};
use gray1_isa::{Image, Word, from_gray, gray, parity};
use pins::Pins;
use plan::Plan;
pub use probe::{ChipProbe, Probe};
use std::sync::Arc;
use wires::{Data, LOW, Levels};

/// Phases of a machine cycle.
const PHASES: u8 = 4;
/// Phases for which the reset line is held: four cycles, one more than the board needs.
const RESET_PHASES: u8 = 16;
/// The state of the sequencer in phase 3, when the slaves take their masters' values.
const LAST_PHASE: u16 = 0b10;

/// The machine, chip by chip.
#[derive(Clone)]
pub struct ChipsEngine {
    circuit: Arc<Circuit>,
    pins: Arc<Pins>,
    plan: Option<Arc<Plan>>,
    levels: Levels,
    cells: Vec<Data>,
    phase: u8,
    cycle: u64,
    /// The counter at the beginning of this cycle: if it is the same at the end, the machine has halted.
    counter_before: u16,
    halted: bool,
    /// Instructions run since power-up, by opcode.
    executed: [u64; 8],
}

/// Every level and every RAM cell of the board between two phases, and where in its run it is: small, and cheap to
/// compare. What the engine counts beside that (see [`Engine::executed`]) is no part of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    levels: Levels,
    ram: Vec<Data>,
    phase: u8,
    cycle: u64,
    counter_before: u16,
    halted: bool,
}

impl ChipsEngine {
    /// Builds the board, powers it up with noise everywhere, and resets it.
    pub fn power_up(board: &Board, image: &Image, noise: Noise) -> Result<ChipsEngine, Unsettled> {
        let circuit = Circuit::build(board, image);
        let pins = Pins::find(board, &circuit);
        let mut engine = ChipsEngine {
            levels: LOW,
            cells: circuit.cells.clone(),
            circuit: Arc::new(circuit),
            pins: Arc::new(pins),
            plan: None,
            phase: 0,
            cycle: 0,
            counter_before: 0,
            halted: false,
            executed: [0; 8],
        };
        let ram = noise.ram();
        engine.fill_ram(&ram);
        // Noise is what chips that hold themselves wake up with. The display's and the port's is chosen to be
        // that of the RAM behind them, so that what they show is what reads back from the first cycle on.
        for (chip, noise) in noise.levels::<DRIVERS>().into_iter().enumerate() {
            if engine.circuit.drivers.get(chip).is_some_and(|driver| driver.holds_itself(chip)) {
                engine.levels[chip] = noise;
            }
        }
        engine.force_outlets(&ram);
        engine.reset()?;
        // If the board fails to settle while the plan is made, it will again when the program gets there.
        engine.plan = Plan::make(&engine).ok().flatten().map(Arc::new);
        Ok(engine)
    }

    /// Holds the reset line until the board has come to cycle 0, whatever state it is in.
    pub fn reset(&mut self) -> Result<(), Unsettled> {
        let pins = Arc::clone(&self.pins);
        pins.oscillator.force(&mut self.levels, 0);
        pins.reset.force(&mut self.levels, 1);
        self.settle(self.circuit.all_chips())?;
        let mut phases = 0;
        while phases < RESET_PHASES || pins.sequence.read(&self.levels) != 0 {
            self.edge()?;
            phases += 1;
            if phases > RESET_PHASES + PHASES {
                let chips = self.chips_of(pins.sequence.drivers());
                return Err(Unsettled { cycle: 0, phase: 0, chips });
            }
        }
        pins.reset.force(&mut self.levels, 0);
        self.settle(self.circuit.all_chips())?;
        (self.phase, self.cycle, self.halted) = (0, 0, false);
        self.counter_before = pins.counter.read(&self.levels);
        Ok(())
    }

    /// Runs one phase: one edge of the oscillator, and everything that follows from it.
    pub fn phase(&mut self, outside: &mut dyn Outside) -> Result<(), Unsettled> {
        self.edge()?;
        self.phase_ends(outside);
        Ok(())
    }

    /// The phase that the machine is in: 0 at the beginning of a cycle.
    pub fn phase_number(&self) -> u8 {
        self.phase
    }

    /// The level of a net, or the number on a bus, by name.
    pub fn net(&self, name: &str) -> Option<u16> {
        Some(self.circuit.bus(name)?.read(&self.levels))
    }

    /// Forces a net or a bus to a level, as noise at power-up would; follow it by [`ChipsEngine::reset`].
    /// Returns whether there is such a net.
    pub fn force(&mut self, name: &str, value: u16) -> bool {
        match self.circuit.bus(name) {
            Some(port) => port.force(&mut self.levels, value),
            None => return false,
        }
        true
    }

    /// Puts other program chips into their sockets. A [`ChipsEngine::reset`] or a state must follow.
    pub fn change_program(&mut self, image: &Image) {
        let proms = image.to_proms();
        for driver in &self.circuit.drivers {
            for seat in &driver.chips {
                let Some(byte) = seat.program_byte else { continue };
                for (cell, byte) in self.cells[driver.offset..].iter_mut().zip(&proms[byte]) {
                    *cell = *cell & !(0xFF << seat.shift) | Data::from(*byte) << seat.shift;
                }
            }
        }
    }

    /// The board as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            levels: self.levels,
            ram: self.cells[self.circuit.ram..].to_vec(),
            phase: self.phase,
            cycle: self.cycle,
            counter_before: self.counter_before,
            halted: self.halted,
        }
    }

    /// Goes back (or forward) to a snapshot of the same board and program.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.levels = snapshot.levels;
        self.cells[self.circuit.ram..].copy_from_slice(&snapshot.ram);
        self.phase = snapshot.phase;
        self.cycle = snapshot.cycle;
        self.counter_before = snapshot.counter_before;
        self.halted = snapshot.halted;
    }

    /// Flips the oscillator and lets the board settle.
    fn edge(&mut self) -> Result<(), Unsettled> {
        let osc = self.pins.oscillator.read(&self.levels);
        self.pins.oscillator.force(&mut self.levels, osc ^ 1);
        let pin = self.pins.oscillator.pins()[0];
        self.settle(self.circuit.drivers[pin.driver].listeners[pin.bit as usize])
    }

    fn settle(&mut self, dirty: u64) -> Result<(), Unsettled> {
        let Self { circuit, levels, cells, .. } = self;
        let woken = |chip: usize, changed, _| settle::readers(&circuit.drivers[chip].listeners, changed);
        settle::settle(circuit, woken, levels, cells, dirty, |_| ())
            .map_err(|restless| self.unsettled(restless))
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
        if self.pins.strobes.iter().any(|&(driver, bits)| self.levels[driver] & bits != 0) {
            self.report_outlets(outside);
        }
    }

    #[inline(always)]
    fn count(&mut self) {
        let opcode = usize::from(self.pins.opcode.read(&self.levels));
        self.executed[opcode % self.executed.len()] += 1;
    }

    #[cold]
    fn report_outlets(&self, outside: &mut dyn Outside) {
        for (outlet, (latch, enable)) in self.pins.outlets.iter().enumerate() {
            if enable.read(&self.levels) == 1 {
                let byte = latch.read(&self.levels) as u8;
                match outlet.checked_sub(1) {
                    None => outside.output(self.cycle, byte),
                    Some(row) => outside.display(self.cycle, row, byte),
                }
            }
        }
    }

    #[inline(always)]
    fn cycle_ends(&mut self) {
        let counter = self.pins.counter.read(&self.levels);
        self.halted = counter == self.counter_before;
        self.counter_before = counter;
        self.cycle += 1;
    }

    fn fill_ram(&mut self, ram: &[u8; RAM_BYTES]) {
        let mut place = 0;
        for &(offset, shift, bits) in &self.pins.memory {
            let mask = (1 << bits) - 1;
            for (cell, &byte) in self.cells[offset..].iter_mut().zip(ram) {
                *cell = *cell & !(mask << shift) | (Data::from(byte) >> place & mask) << shift;
            }
            place += bits;
        }
    }

    /// Makes the port and the display show what RAM holds behind them.
    fn force_outlets(&mut self, ram: &[u8; RAM_BYTES]) {
        let addresses = std::iter::once(OUT).chain(GREEN..);
        for ((latch, _), address) in self.pins.outlets.iter().zip(addresses) {
            latch.force(&mut self.levels, u16::from(ram[usize::from(address)]));
        }
    }

    fn chips_of(&self, set: u64) -> Vec<String> {
        let drivers = self.circuit.drivers.iter().enumerate();
        let in_set = drivers.filter(|(driver, _)| set >> driver & 1 == 1);
        in_set.flat_map(|(_, driver)| driver.chips.iter().map(|seat| seat.name.clone())).collect()
    }

    #[cold]
    fn unsettled(&self, restless: u64) -> Unsettled {
        Unsettled { cycle: self.cycle, phase: (self.phase + 1) % PHASES, chips: self.chips_of(restless) }
    }
}

impl Engine for ChipsEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Unsettled> {
        self.run_until(cycles, outside, |_| false)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn registers(&self) -> Registers {
        Registers {
            pc: from_gray(self.pins.counter.read(&self.levels)),
            a: self.pins.accumulator.read(&self.levels) as u8,
            c: self.pins.carry.read(&self.levels) == 1,
        }
    }

    fn executed(&self) -> [u64; 8] {
        self.executed
    }

    fn word(&self) -> Word {
        Word(self.pins.word.read(&self.levels))
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        let pins = Arc::clone(&self.pins);
        let mut dirty = 0;
        for (port, value) in [
            (&pins.pad_column, inputs.pad_column()),
            (&pins.pad_row, inputs.pad_row()),
            (&pins.keys, inputs.keys),
        ] {
            port.force(&mut self.levels, u16::from(value));
            for pin in port.pins() {
                dirty |= self.circuit.drivers[pin.driver].listeners[pin.bit as usize];
            }
        }
        self.settle(dirty)
    }

    fn state(&self) -> State {
        let registers = self.registers();
        let mut ram = Box::new([0; RAM_BYTES]);
        let mut place = 0;
        for &(offset, shift, bits) in &self.pins.memory {
            for (byte, cell) in ram.iter_mut().zip(&self.cells[offset..]) {
                *byte |= ((cell >> shift & ((1 << bits) - 1)) << place) as u8;
            }
            place += bits;
        }
        State {
            cycle: self.cycle,
            pc: registers.pc,
            a: registers.a,
            c: registers.c,
            halted: self.halted,
            target: self.pins.target.read(&self.levels),
            jumped: self.pins.jump_master.read(&self.levels) == 1,
            ram,
        }
    }

    /// Lets the board itself take the state: its masters are set as if the last phase of a jump were about to
    /// begin, and the slaves and the counter take it from them.
    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        let pins = Arc::clone(&self.pins);
        let counter = gray(state.pc);
        for (port, value) in [
            (&pins.oscillator, 1),
            (&pins.reset, 0),
            (&pins.sequence, LAST_PHASE),
            (&pins.accumulator_master, u16::from(state.a)),
            (&pins.carry_master, u16::from(state.c)),
            (&pins.tick_master, u16::from(parity(counter))),
            (&pins.jump_master, 1),
            (&pins.target, counter),
        ] {
            port.force(&mut self.levels, value);
        }
        self.settle(self.circuit.all_chips())?;
        self.edge()?;
        pins.jump_master.force(&mut self.levels, u16::from(state.jumped));
        pins.target.force(&mut self.levels, state.target);
        self.force_outlets(&state.ram);
        self.fill_ram(&state.ram);
        (self.phase, self.cycle, self.halted) = (0, state.cycle, state.halted);
        self.counter_before = counter;
        self.settle(self.circuit.all_chips())
    }
}
