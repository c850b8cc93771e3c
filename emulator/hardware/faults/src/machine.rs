//! Runs a machine with a fault, chip by chip, by the general rule of the chips engine.
//!
//! It runs the same phases in the same order, so a machine without a fault has the same results as the engines.

use crate::circuit::{Circuit, Contents};
use crate::fault::{Effect, Joined};
use gray1_machine::wires::{Bit, Data, LOW, Levels, Port, gather};
use gray1_machine::{Inputs, Noise, PHASES};

/// The number of phases of a reset. The button is held a little longer if the clock is not in the right state then.
const RESET_PHASES: usize = 4 * PHASES;
/// The state of the sequencer in which the board reads the reset button.
const LAST_PHASE: u16 = 0b10;
/// A phase with more lookups than this is assumed never to settle. Without faults, a phase takes fewer than a hundred.
const MOST_LOOKUPS: u32 = 500;
/// The number of levels that are drawn at power-up: the maximum number of banks.
const DRIVERS: usize = 64;

/// Levels and cells between two cycles.
#[derive(Clone)]
pub(crate) struct State {
    pub levels: Levels,
    pub ram: Vec<u8>,
}

/// A machine, running.
pub(crate) struct Machine<'a> {
    pub circuit: &'a Circuit,
    effects: Vec<Effect>,
    /// The banks whose lookups are affected, and the banks whose output is, as sets.
    looks: u64,
    gives: u64,
    pub state: State,
    /// The levels that are driven from outside, by bank.
    outside: Levels,
    /// For each fault that joins two lines, the levels to which their own drivers drive them.
    driven: Vec<[bool; 2]>,
    /// The first cycle with a phase that did not settle.
    pub unsettled: Option<u64>,
    pub cycle: u64,
    /// Whether a cell of RAM has changed since this was last set to false.
    pub has_written: bool,
}

/// Observes the lookups of a machine.
pub(crate) trait Onlooker {
    /// A bank has been looked up with these lines.
    fn looked(&mut self, bank: usize, lines: u32);
    /// The output of a bank has changed.
    fn changed(&mut self, bank: usize, levels: &Levels);
}

impl Onlooker for () {
    #[inline(always)]
    fn looked(&mut self, _bank: usize, _lines: u32) {}
    #[inline(always)]
    fn changed(&mut self, _bank: usize, _levels: &Levels) {}
}

/// The visible output of the machine when it sends a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The byte.
    pub byte: u8,
    /// All LEDs: 16 rows of eight, green first, the top row lowest.
    pub leds: u128,
    /// The cycle.
    pub cycle: u64,
}

impl<'a> Machine<'a> {
    /// A machine that is switched off.
    pub fn new(circuit: &'a Circuit, effect: Effect) -> Machine<'a> {
        Machine::with(circuit, vec![effect])
    }

    /// A machine with several faults.
    pub fn with(circuit: &'a Circuit, effects: Vec<Effect>) -> Machine<'a> {
        Machine {
            circuit,
            looks: effects.iter().filter_map(|effect| effect.looks).fold(0, |set, bank| set | 1 << bank),
            gives: effects.iter().fold(0, |set, effect| set | effect.gives),
            driven: vec![[false; 2]; effects.len()],
            effects,
            state: State { levels: LOW, ram: Vec::new() },
            outside: LOW,
            unsettled: None,
            cycle: 0,
            has_written: false,
        }
    }

    /// Powers up with noise, and resets.
    pub fn power_up(&mut self, noise: Noise, onlooker: &mut impl Onlooker) {
        let circuit = self.circuit;
        let ram = noise.ram();
        self.state = State { levels: LOW, ram: vec![0; circuit.ram_cells] };
        let mut shift = 0;
        for &bank in &circuit.panel.memory {
            let Contents::Ram { first, address, inputs, .. } = circuit.banks[bank].holds else { continue };
            for (cell, byte) in self.state.ram[first..first + (1 << address)].iter_mut().zip(ram.iter()) {
                *cell = byte >> shift & ((1u16 << inputs) - 1) as u8;
            }
            shift += inputs;
        }
        let levels = noise.levels::<DRIVERS>();
        for (bank, noise) in levels.iter().enumerate().take(circuit.banks.len()) {
            // Chips with storage loops power up with noise.
            self.state.levels[bank] = noise & self.loops(bank);
            onlooker.changed(bank, &self.state.levels);
        }
        self.restored();
        let panel = &circuit.panel;
        let mut dirty = circuit.all_chips();
        for (port, value) in [(&panel.oscillator, 1), (&panel.sequence, LAST_PHASE), (&panel.reset, 1)] {
            dirty |= self.force(port, value, onlooker);
        }
        self.settle(dirty, onlooker);
        let mut phases = 0;
        while phases < RESET_PHASES
            || (phases < RESET_PHASES + PHASES && panel.sequence.read(&self.state.levels) != LAST_PHASE)
        {
            self.edge(onlooker);
            phases += 1;
        }
        let dirty = circuit.all_chips() | self.force(&panel.reset, 0, onlooker);
        self.settle(dirty, onlooker);
        self.edge(onlooker);
    }

    /// The data lines of a bank with storage loops; none for other banks.
    fn loops(&self, bank: usize) -> Data {
        let chip = self.circuit.banks[bank].chip.map(|chip| &self.circuit.netlist.chips[chip]);
        chip.filter(|chip| chip.holds_itself()).map_or(0, |chip| ((1u32 << chip.data.len()) - 1) as Data)
    }

    /// Continues from a state of the machine without a fault, up to which the fault made no difference.
    pub fn resume(&mut self, state: &State, cycle: u64) {
        self.state.clone_from(state);
        self.cycle = cycle;
        self.restored();
    }

    fn restored(&mut self) {
        self.outside = self.state.levels;
        for (effect, driven) in self.effects.iter().zip(&mut self.driven) {
            if let Some(Joined { ends, .. }) = effect.joined {
                *driven = ends.map(|Bit { bank, bit }| self.state.levels[bank] >> bit & 1 == 1);
            }
        }
    }

    /// Sets the pressed pads and keys.
    pub fn press(&mut self, inputs: Inputs, onlooker: &mut impl Onlooker) {
        let panel = &self.circuit.panel;
        let dirty = [
            (&panel.pad_column, inputs.pad_column()),
            (&panel.pad_row, inputs.pad_row()),
            (&panel.keys, inputs.keys),
        ]
        .into_iter()
        .fold(0, |dirty, (port, value)| dirty | self.force(port, u16::from(value), onlooker));
        self.settle(dirty, onlooker);
    }

    /// Runs a cycle. `sent` is called if a byte is sent.
    #[inline(always)]
    pub fn cycle(&mut self, onlooker: &mut impl Onlooker, sent: &mut impl FnMut(Event)) {
        self.edge(onlooker);
        let port = &self.circuit.panel.port;
        if port.enable.read(&self.state.levels) == 1 {
            let byte = port.shown(port.latch.read(&self.state.levels) as u8);
            sent(Event { byte, leds: self.leds(), cycle: self.cycle });
        }
        for _ in 1..PHASES {
            self.edge(onlooker);
        }
        self.cycle += 1;
    }

    /// The current LEDs.
    pub fn leds(&self) -> u128 {
        let rows = self.circuit.panel.display.iter().take(16).rev();
        rows.fold(0, |leds, row| leds << 8 | u128::from(row.shown(row.latch.read(&self.state.levels) as u8)))
    }

    /// Flips the oscillator and lets the board settle.
    #[inline(always)]
    pub fn edge(&mut self, onlooker: &mut impl Onlooker) {
        let oscillator = self.circuit.panel.oscillator.bits()[0];
        self.outside[oscillator.bank] ^= 1 << oscillator.bit;
        let dirty = self.give(oscillator.bank, self.outside[oscillator.bank], onlooker);
        self.settle(dirty, onlooker);
    }

    /// Sets lines; returns the banks to look up.
    fn force(&mut self, port: &Port, value: u16, onlooker: &mut impl Onlooker) -> u64 {
        let mut dirty = 0;
        for (position, line) in port.bits().iter().enumerate() {
            // The level of a line that is joined to another need not be the one to which it is driven.
            let is_input = line.bank < self.circuit.inputs;
            let before = if is_input { self.outside[line.bank] } else { self.state.levels[line.bank] };
            let data = before & !(1 << line.bit) | (value >> position & 1) << line.bit;
            if is_input {
                self.outside[line.bank] = data;
            }
            dirty |= self.give(line.bank, data, onlooker);
        }
        dirty
    }

    /// Looks up the banks in the set `dirty`, then those whose addresses have changed because of that, until nothing
    /// changes.
    #[inline(always)]
    fn settle(&mut self, mut dirty: u64, onlooker: &mut impl Onlooker) {
        let mut lookups = 0;
        while dirty != 0 {
            let bank = dirty.trailing_zeros() as usize;
            dirty &= dirty - 1;
            let data = self.look_up(bank, onlooker);
            dirty |= self.give(bank, data, onlooker);
            lookups += 1;
            if lookups > MOST_LOOKUPS {
                self.unsettled.get_or_insert(self.cycle);
                return;
            }
        }
    }

    /// The output of a bank at the address on its lines. A RAM that is being written takes its input first.
    #[inline(always)]
    fn look_up(&mut self, bank: usize, onlooker: &mut impl Onlooker) -> Data {
        let chips = &self.circuit.banks[bank];
        let lines = gather(&chips.wires, &self.state.levels);
        onlooker.looked(bank, lines);
        if self.looks >> bank & 1 == 1 {
            return self.look_up_wrong(bank, lines);
        }
        match chips.holds {
            Contents::Rom { table } => Data::from(self.circuit.tables[table][lines as usize]),
            _ => self.look_elsewhere(bank, [lines; 2]),
        }
    }

    /// The same for a bank whose lookups are affected by a fault.
    fn look_up_wrong(&mut self, bank: usize, lines: u32) -> Data {
        let mut effects = self.effects.iter().filter(|effect| effect.looks == Some(bank));
        let Some(&Effect { read, write, wrong: (address, bits), .. }) = effects.next() else { return 0 };
        match self.circuit.banks[bank].holds {
            Contents::Rom { table } => {
                let cell = read.on(lines);
                let data = Data::from(self.circuit.tables[table][cell as usize]);
                if cell == address { data ^ bits } else { data }
            }
            _ => self.look_elsewhere(bank, [read.on(lines), write.on(lines)]),
        }
    }

    /// The output of a RAM with these lines at its read port and its write port; for inputs, the current levels.
    fn look_elsewhere(&mut self, bank: usize, [read, write]: [u32; 2]) -> Data {
        let Contents::Ram { first, address, inputs, is_low } = self.circuit.banks[bank].holds else {
            return self.state.levels[bank];
        };
        let cell = |lines: u32| first + (lines & ((1 << address) - 1)) as usize;
        if (write >> (address + inputs) & 1 == 1) != is_low {
            let byte = (write >> address & ((1 << inputs) - 1)) as u8;
            let old = std::mem::replace(&mut self.state.ram[cell(write)], byte);
            self.has_written |= old != byte;
        }
        Data::from(self.state.ram[cell(read)])
    }

    /// Sets the output of a bank. Returns the banks that read a changed line.
    #[inline(always)]
    fn give(&mut self, bank: usize, data: Data, onlooker: &mut impl Onlooker) -> u64 {
        if self.gives >> bank & 1 == 1 {
            return self.give_wrong(bank, data, onlooker);
        }
        self.put(bank, data, onlooker)
    }

    #[inline(always)]
    fn put(&mut self, bank: usize, data: Data, onlooker: &mut impl Onlooker) -> u64 {
        let changed = self.state.levels[bank] ^ data;
        if changed == 0 {
            return 0;
        }
        self.state.levels[bank] = data;
        onlooker.changed(bank, &self.state.levels);
        self.circuit.banks[bank].readers_of(changed)
    }

    /// The same for a bank with a line that is stuck or joined to another.
    fn give_wrong(&mut self, bank: usize, data: Data, onlooker: &mut impl Onlooker) -> u64 {
        let held = self.effects.iter().filter(|effect| effect.gives >> bank & 1 == 1);
        let mut own = held.fold(u32::from(data), |data, effect| effect.held.on(data)) as Data;
        let mut dirty = 0;
        for number in 0..self.effects.len() {
            let Effect { joined: Some(Joined { ends, high_wins }), .. } = self.effects[number] else {
                continue;
            };
            if ends.iter().all(|end| end.bank != bank) {
                continue;
            }
            let driven = &mut self.driven[number];
            for (driven, end) in driven.iter_mut().zip(ends) {
                if end.bank == bank {
                    *driven = data >> end.bit & 1 == 1;
                }
            }
            let level = if high_wins { driven[0] | driven[1] } else { driven[0] & driven[1] };
            for end in ends {
                let with = |data: Data| data & !(1 << end.bit) | Data::from(level) << end.bit;
                if end.bank == bank {
                    own = with(own);
                } else {
                    dirty |= self.put(end.bank, with(self.state.levels[end.bank]), onlooker);
                }
            }
        }
        dirty | self.put(bank, own, onlooker)
    }
}
