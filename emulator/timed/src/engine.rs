//! The machine in time: an oscillator whose edges come when they come, whether the board has settled or not.
//!
//! Beside it runs the chips engine, which knows no time and is never wrong. Once a cycle, at the end of the gap
//! (phase 2), when the board has to be at rest, every net of every storage loop is compared, and the cells of RAM that
//! have been written; at the end of the cycle, the registers. At the first difference the machine is broken and runs no
//! further.
//!
//! ```text
//!   edge          │     1     │     2     │     3     │     0     │
//!   OSC     ______/‾‾‾‾‾‾‾‾‾‾‾\___________/‾‾‾‾‾‾‾‾‾‾‾\___________/
//!   S         00        01          11          10          00
//!                 ▲                       ▲                       ▲
//!                 begin of a cycle        loops compared          end: registers compared
//! ```

use crate::circuit::{Chip, Circuit, Net};
use crate::conditions::{Conditions, ConditionsError, Delays, lines};
use crate::failure::{Failure, Wrong};
use crate::flow::{Flow, Watcher};
use crate::paths::Paths;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Word, from_gray};
use gray1_machine::board::Board;
use gray1_machine::{
    self as machine, ChipsEngine, Engine, Inputs, Noise, Outside, Registers, State, Unsettled,
};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// Edges of a machine cycle.
const EDGES: u8 = 4;

/// Time begins earlier than this, whatever cycle a state file names: no run gets to the end of the numbers.
const LATEST: u64 = 1 << 62;

/// The machine, event by event.
pub struct TimedEngine {
    bench: Arc<Bench>,
    flow: Flow,
    half_period: u64,
    /// When the next edge of the oscillator comes, in picoseconds.
    edge_at: u64,
    /// The machine that knows no time.
    truth: ChipsEngine,
    cycle: u64,
    counter_before: u16,
    halted: bool,
    executed: [u64; 8],
    failure: Option<Box<Failure>>,
}

/// A board with a program, ready to be tried under as many conditions as one likes, on as many cores.
pub struct Bench {
    board: Board,
    circuit: Circuit,
    /// The machine that knows no time, as it was at power-up.
    truth: ChipsEngine,
    /// For each chip, the bits that are compared in the gap: those of storage loops. All else follows from them.
    loops: Vec<u8>,
    /// Those that are compared at the end of a cycle: what a programmer sees, and what a state file keeps.
    registers: Vec<u8>,
    paths: OnceLock<Paths>,
}

impl Bench {
    /// Builds a board and powers it up.
    pub fn new(board: &Board, image: &Image, noise: Noise) -> Result<Bench, ConditionsError> {
        let circuit = Circuit::build(board, image)?;
        let truth = ChipsEngine::power_up(board, image, noise)?;
        let masks = |wanted: &dyn Fn(Net) -> bool| {
            let bits = |chip: &Chip| {
                (0..).zip(chip.gives()).fold(0, |mask, (bit, net)| mask | u8::from(wanted(net)) << bit)
            };
            circuit.chips.iter().map(bits).collect::<Vec<u8>>()
        };
        let panel = &circuit.panel;
        let seen = [&panel.counter, &panel.accumulator, &panel.target, &vec![panel.carry, panel.jump_master]];
        Ok(Bench {
            board: board.clone(),
            loops: masks(&|net| circuit.is_loop(net)),
            registers: masks(&|net| seen.iter().any(|nets| nets.contains(&net))),
            circuit,
            truth,
            paths: OnceLock::new(),
        })
    }

    /// What the parts allow; only looked at when it is needed.
    fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::of(&self.board, self.circuit.clone(), false))
    }
}

impl TimedEngine {
    /// Builds the board and powers it up; it begins at rest, as the chips engine leaves its reset.
    pub fn power_up(
        board: &Board,
        image: &Image,
        noise: Noise,
        conditions: &Conditions,
    ) -> Result<TimedEngine, ConditionsError> {
        Ok(TimedEngine::on(&Arc::new(Bench::new(board, image, noise)?), conditions))
    }

    /// The machine on a bench, powered up under these conditions.
    pub fn on(bench: &Arc<Bench>, conditions: &Conditions) -> TimedEngine {
        let early = match conditions.delays {
            Delays::Worst => bench.paths().early(conditions.capacitor),
            _ => HashSet::new(),
        };
        let lines = lines(&bench.circuit, conditions, &early);
        let mut engine = TimedEngine {
            flow: Flow::at_rest(&bench.circuit, lines, conditions.transients),
            half_period: conditions.half_period,
            edge_at: 0,
            truth: bench.truth.clone(),
            bench: Arc::clone(bench),
            cycle: 0,
            counter_before: 0,
            halted: false,
            executed: [0; 8],
            failure: None,
        };
        engine.take_truth();
        engine
    }

    /// The names of all nets, by their numbers.
    pub fn nets(&self) -> &[String] {
        &self.bench.circuit.nets
    }

    /// Lets somebody see every change of every net.
    pub fn watch(&mut self, watcher: Box<dyn Watcher>) {
        self.flow.watch(self.now(), watcher);
    }

    /// The time at which the next edge of the oscillator comes, in picoseconds.
    pub fn now(&self) -> u64 {
        self.edge_at
    }

    /// The time between two edges of the oscillator, in picoseconds.
    pub fn half_period(&self) -> u64 {
        self.half_period
    }

    /// How the machine has failed, if it has.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_deref()
    }

    /// One edge of the oscillator, and all that happens before the next.
    fn edge(&mut self) -> Result<(), Unsettled> {
        let bench = Arc::clone(&self.bench);
        let circuit = &bench.circuit;
        let oscillator = circuit.panel.oscillator;
        let level = !self.flow.levels[oscillator];
        self.flow.force(circuit, self.edge_at, oscillator, level);
        self.edge_at += self.half_period;
        self.flow.run_until(circuit, self.edge_at);
        self.truth.phase(&mut ())
    }

    fn run_cycle(&mut self, outside: &mut dyn Outside) -> Result<(), Unsettled> {
        for edge in 1..=EDGES {
            self.edge()?;
            self.report(outside);
            match edge {
                2 => {
                    let opcode = usize::from(self.flow.read(&self.bench.circuit.panel.word) >> 13);
                    self.executed[opcode] += 1;
                    self.compare(edge);
                }
                EDGES => self.compare(0),
                _ => {}
            }
            if self.failure.is_some() {
                return Ok(());
            }
        }
        let counter = self.flow.read(&self.bench.circuit.panel.counter);
        self.halted = counter == self.counter_before;
        self.counter_before = counter;
        self.cycle += 1;
        Ok(())
    }

    /// Tells the world of outlets that have been written.
    fn report(&mut self, outside: &mut dyn Outside) {
        for (outlet, byte) in self.flow.shown.drain(..) {
            match outlet.checked_sub(1) {
                None => outside.output(self.cycle, byte),
                Some(row) => outside.display(self.cycle, row, byte),
            }
        }
    }

    /// Compares some bits of each chip, and the cells that were written, with the truth.
    fn compare(&mut self, phase: u8) {
        let bench = Arc::clone(&self.bench);
        let masks = if phase == 0 { &bench.registers } else { &bench.loops };
        let differs = |chip: usize| self.flow.gives[chip] ^ self.truth.gives(chip) as u8;
        let mut differences = (0..bench.circuit.chips.len()).map(differs).zip(masks);
        if differences.any(|(differs, mask)| differs & mask != 0) {
            let chips = self.bench.circuit.chips.iter().zip((0..).map(differs));
            let wrong = chips.flat_map(|(chip, differs)| {
                chip.gives().enumerate().filter(move |(bit, _)| differs >> bit & 1 == 1).map(|(_, net)| net)
            });
            let wrong = Wrong::Nets(wrong.collect());
            self.fail(phase, wrong);
            return;
        }
        // The cell that should have been written, and those that were.
        let address = self.truth.word().x();
        let should = std::iter::once((usize::from(address), Default::default()));
        let cells = should.chain(self.flow.written.drain(..).map(|(_, cell, cause)| (cell, cause)));
        let cells: Vec<_> = cells.collect();
        for (cell, cause) in cells {
            let (has, should) = (self.byte(cell), self.truth.ram(cell as u16));
            if has != should {
                self.fail(phase, Wrong::Cell { address: cell as u16, has, should, cause });
                return;
            }
        }
    }

    #[cold]
    fn fail(&mut self, phase: u8, wrong: Wrong) {
        let place = crate::failure::Place {
            time: self.edge_at,
            cycle_time: u64::from(EDGES) * self.half_period,
            cycle: self.cycle,
            phase,
            pc: self.truth.running(),
            word: self.truth.word(),
        };
        self.failure = Some(Box::new(Failure::find(&self.bench.circuit, &self.flow, place, wrong)));
    }

    /// A byte of RAM.
    fn byte(&self, address: usize) -> u8 {
        let mut place = 0;
        self.bench.circuit.panel.memory.iter().fold(0, |byte, &(ram, bits)| {
            let part = self.flow.ram[ram][address] << place;
            place += bits;
            byte | part
        })
    }

    /// Takes over the board of the chips engine, at rest at the beginning of a cycle.
    fn take_truth(&mut self) {
        self.cycle = self.truth.cycle();
        self.halted = self.truth.halted();
        let edges = self.cycle.wrapping_mul(u64::from(EDGES)).wrapping_add(1);
        self.edge_at = edges.wrapping_mul(self.half_period) % LATEST;
        let gives: Vec<u8> =
            (0..self.bench.circuit.chips.len()).map(|chip| self.truth.gives(chip) as u8).collect();
        let levels = self
            .bench
            .circuit
            .nets
            .iter()
            .enumerate()
            .take_while(|(net, _)| self.bench.circuit.driver[*net].is_none());
        let outside: Vec<(Net, bool)> =
            levels.map(|(net, name)| (net, self.truth.net(name) == Some(1))).collect();
        self.flow.settle_at(&self.bench.circuit, self.edge_at, &outside, &gives);
        let ram = self.truth.state().ram;
        let mut place = 0;
        for &(number, bits) in &self.bench.circuit.panel.memory {
            for (cell, byte) in self.flow.ram[number].iter_mut().zip(ram.iter()) {
                *cell = byte >> place & ((1u16 << bits) - 1) as u8;
            }
            place += bits;
        }
        self.counter_before = self.flow.read(&self.bench.circuit.panel.counter);
        self.failure = None;
    }
}

impl Engine for TimedEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, machine::Failure> {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted && self.failure.is_none() {
            self.run_cycle(outside)?;
        }
        match &self.failure {
            Some(failure) => Err(machine::Failure::Other(failure.clone())),
            None => Ok(self.cycle - start),
        }
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn registers(&self) -> Registers {
        let panel = &self.bench.circuit.panel;
        Registers {
            pc: from_gray(self.flow.read(&panel.counter)),
            a: self.flow.read(&panel.accumulator) as u8,
            c: self.flow.levels[panel.carry],
        }
    }

    /// At the beginning of a cycle the program word may still be on its way: it is what the counter points at.
    fn word(&self) -> Word {
        self.truth.word()
    }

    fn executed(&self) -> [u64; 8] {
        self.executed
    }

    /// Fingers are slow: the oscillator waits for a machine cycle's time until what they do has arrived.
    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        self.truth.press(inputs)?;
        let bench = Arc::clone(&self.bench);
        let circuit = &bench.circuit;
        let panel = &circuit.panel;
        let mut moves = Vec::new();
        for (nets, value) in [
            (&panel.pad_column, inputs.pad_column()),
            (&panel.pad_row, inputs.pad_row()),
            (&panel.keys, inputs.keys),
        ] {
            let lines = nets.iter().enumerate().map(|(bit, &net)| (net, value >> bit & 1 == 1));
            moves.extend(lines.filter(|&(net, level)| self.flow.levels[net] != level));
        }
        if !moves.is_empty() {
            for (net, level) in moves {
                self.flow.force(circuit, self.edge_at, net, level);
            }
            self.edge_at += u64::from(EDGES) * self.half_period;
            self.flow.run_until(circuit, self.edge_at);
        }
        Ok(())
    }

    fn state(&self) -> State {
        let Registers { pc, a, c } = self.registers();
        let mut ram = Box::new([0; RAM_BYTES]);
        for (address, byte) in ram.iter_mut().enumerate() {
            *byte = self.byte(address);
        }
        let panel = &self.bench.circuit.panel;
        State {
            cycle: self.cycle,
            pc,
            a,
            c,
            halted: self.halted,
            target: self.flow.read(&panel.target),
            jumped: self.flow.levels[panel.jump_master],
            ram,
        }
    }

    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        self.truth.set_state(state)?;
        self.take_truth();
        Ok(())
    }
}
