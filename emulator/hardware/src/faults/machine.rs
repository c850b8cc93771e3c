//! Runs a machine with a fault, chip by chip, by the general rule of the chips engine.
//!
//! It runs the same phases in the same order, so a machine without a fault has the same results as the engines.

use crate::faults::circuit::Circuit;
use crate::faults::effect::{Effect, Joined};
use gray1_machine::board::Outlet;
use gray1_machine::pack::{BANKS, Bank};
use gray1_machine::settle::{give, settle};
use gray1_machine::wires::{Bit, Data, LOW, Levels, Port};
use gray1_machine::{Inputs, LAST_PHASE, Noise, PHASES, RESET_PHASES};

/// A phase with more lookups than this is assumed never to settle. Without faults, a phase takes fewer than a hundred.
const MAX_LOOKUPS: u32 = 500;

/// Levels and cells between two cycles.
#[derive(Clone)]
pub(crate) struct State {
    pub levels: Levels,
    pub ram: Vec<Data>,
}

/// A machine, running.
pub(crate) struct Machine<'a> {
    pub circuit: &'a Circuit,
    effects: Vec<Effect>,
    /// The banks whose lookups are affected, and the banks whose output is, as sets.
    looks: u64,
    gives: u64,
    /// The LEDs that are dark.
    pub dark: u128,
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
    /// A machine that is switched off, with these effects of faults.
    pub fn new(circuit: &'a Circuit, effects: Vec<Effect>) -> Machine<'a> {
        Machine {
            circuit,
            looks: effects.iter().filter_map(|effect| effect.looks).fold(0, |set, bank| set | 1 << bank),
            gives: effects.iter().fold(0, |set, effect| set | effect.gives),
            dark: effects.iter().fold(0, |set, effect| set | effect.dark),
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
        self.state = State { levels: LOW, ram: circuit.ram(noise) };
        let noise = noise.levels::<BANKS>();
        for (bank, noise) in noise.iter().enumerate().take(circuit.pack.banks.len()) {
            // Chips with storage loops power up with noise.
            self.state.levels[bank] = noise & self.loops(bank);
            onlooker.changed(bank, &self.state.levels);
        }
        self.restored();
        let panel = &circuit.pack.panel;
        let mut dirty = circuit.pack.all_chips();
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
        let dirty = circuit.pack.all_chips() | self.force(&panel.reset, 0, onlooker);
        self.settle(dirty, onlooker);
        self.edge(onlooker);
    }

    /// The data lines of a bank with storage loops; none for other banks.
    fn loops(&self, bank: usize) -> Data {
        let chip = self.circuit.pack.banks[bank].chips.first().map(|&chip| &self.circuit.netlist.chips[chip]);
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
        let pressed = self.circuit.pack.panel.pressed(inputs).into_iter();
        let dirty = pressed.fold(0, |dirty, (port, value)| dirty | self.force(port, value.into(), onlooker));
        self.settle(dirty, onlooker);
    }

    /// Runs a cycle. `sent` is called if a byte is sent.
    #[inline(always)]
    pub fn cycle(&mut self, onlooker: &mut impl Onlooker, sent: &mut impl FnMut(Event)) {
        self.edge(onlooker);
        let port = &self.circuit.pack.panel.port;
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
        let rows = self.circuit.pack.panel.display.iter().take(16).rev();
        let shown = |row: &Outlet<Port>| u128::from(row.shown(row.latch.read(&self.state.levels) as u8));
        rows.fold(0, |leds, row| leds << 8 | shown(row)) & !self.dark
    }

    /// Flips the oscillator and lets the board settle.
    #[inline(always)]
    pub fn edge(&mut self, onlooker: &mut impl Onlooker) {
        let oscillator = self.circuit.pack.panel.oscillator.bits()[0];
        self.outside[oscillator.bank] ^= 1 << oscillator.bit;
        let dirty = self.give(oscillator.bank, self.outside[oscillator.bank], onlooker);
        self.settle(dirty, onlooker);
    }

    /// Sets lines; returns the banks to look up.
    fn force(&mut self, port: &Port, value: u16, onlooker: &mut impl Onlooker) -> u64 {
        let mut dirty = 0;
        for (position, line) in port.bits().iter().enumerate() {
            // The level of a line that is joined to another need not be the one to which it is driven.
            let is_input = line.bank < self.circuit.pack.inputs;
            let before = if is_input { self.outside[line.bank] } else { self.state.levels[line.bank] };
            let data = before & !(1 << line.bit) | (value >> position & 1) << line.bit;
            if is_input {
                self.outside[line.bank] = data;
            }
            dirty |= self.give(line.bank, data, onlooker);
        }
        dirty
    }

    /// Lets the board settle by the general rule.
    #[inline(always)]
    fn settle(&mut self, dirty: u64, onlooker: &mut impl Onlooker) {
        let settled = settle(dirty, MAX_LOOKUPS..MAX_LOOKUPS, |bank| {
            let data = self.look_up(bank, onlooker);
            Some(self.give(bank, data, onlooker))
        });
        if settled.is_err() {
            self.unsettled.get_or_insert(self.cycle);
        }
    }

    /// The output of a bank at the address on its lines. A RAM that is being written takes its input first.
    #[inline(always)]
    fn look_up(&mut self, bank: usize, onlooker: &mut impl Onlooker) -> Data {
        let lines = self.circuit.pack.banks[bank].address(&self.state.levels);
        onlooker.looked(bank, lines);
        if self.looks >> bank & 1 == 1 {
            return self.look_up_wrong(bank, lines);
        }
        match self.circuit.rom(bank) {
            Some(cells) => cells[lines as usize],
            None => self.look_up_ram(bank, lines),
        }
    }

    /// The same for a bank whose lookups are affected by a fault.
    fn look_up_wrong(&mut self, bank: usize, lines: u32) -> Data {
        let Some(effect) = self.effects.iter().find(|effect| effect.looks == Some(bank)) else { return 0 };
        let sees = effect.sees;
        match effect.rom_data(self.circuit, bank, lines) {
            Some(data) => data,
            None => self.look_up_ram(bank, sees.on(lines)),
        }
    }

    /// The output of a RAM with these lines; for inputs, the current levels.
    fn look_up_ram(&mut self, bank: usize, lines: u32) -> Data {
        let Circuit { pack, written_at_0, .. } = self.circuit;
        let Bank { offset, reads, ram_address: Some(address), .. } = &pack.banks[bank] else {
            return self.state.levels[bank];
        };
        let write_line = reads.len() - 1;
        let cell = offset - pack.ram + (lines & ((1 << address) - 1)) as usize;
        if u64::from(lines >> write_line & 1) != written_at_0 >> bank & 1 {
            let input = ((lines & ((1 << write_line) - 1)) >> address) as Data;
            let old = std::mem::replace(&mut self.state.ram[cell], input);
            self.has_written |= old != input;
        }
        self.state.ram[cell]
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
        let affected = give(&mut self.state.levels, bank, data, &self.circuit.pack.banks[bank].readers);
        if affected.is_some() {
            onlooker.changed(bank, &self.state.levels);
        }
        affected.unwrap_or(0)
    }

    /// The same for a bank with a line that is stuck, exchanged or joined with another.
    fn give_wrong(&mut self, bank: usize, data: Data, onlooker: &mut impl Onlooker) -> u64 {
        let held = self.effects.iter().filter(|effect| effect.gives >> bank & 1 == 1);
        let kept = |effect: &Effect| u32::from(self.state.levels[bank] & effect.keeps);
        let mut own = held.fold(u32::from(data), |data, effect| effect.held.on(data) | kept(effect)) as Data;
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
