//! The effects of a fault on the machine: on the inputs of chips, on their outputs, and on the LEDs.

use crate::faults::circuit::{Circuit, End};
use crate::faults::fault::{Fault, Float};
use crate::faults::opens::OpenTarget;
use crate::kit::Role;
use gray1_machine::netlist::ChipId;
use gray1_machine::wires::{Bit, Data};

/// A set of segments of a run.
pub(crate) type Segments = u128;

/// Changes of a group of lines: two of them may be swapped, and lines may be stuck at a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineFault {
    and: u32,
    or: u32,
    exchanged: [u32; 2],
}

impl LineFault {
    pub const NONE: LineFault = LineFault { and: u32::MAX, or: 0, exchanged: [0; 2] };

    fn at(bit: usize, level: bool) -> LineFault {
        LineFault::NONE.and_at(bit, level)
    }

    fn and_at(self, bit: usize, level: bool) -> LineFault {
        LineFault { and: self.and & !(1 << bit), or: self.or | u32::from(level) << bit, ..self }
    }

    fn exchanged(one: usize, other: usize) -> LineFault {
        LineFault { exchanged: [one as u32, other as u32], ..LineFault::NONE }
    }

    /// The segments in which the lines are changed. `at` has those in which a line has a level.
    pub fn changes(self, at: impl Fn(usize, bool) -> Segments) -> Segments {
        let stuck = (0..u32::BITS as usize).filter(|line| self.and >> line & 1 == 0);
        let stuck = stuck.fold(0, |set, line| set | at(line, self.or >> line & 1 == 0));
        let [one, other] = self.exchanged.map(|line| line as usize);
        let differ = || at(one, true) & at(other, false) | at(one, false) & at(other, true);
        if one == other { stuck } else { stuck | differ() }
    }

    #[inline(always)]
    pub fn on(self, lines: u32) -> u32 {
        let [one, other] = self.exchanged;
        let differ = (lines >> one ^ lines >> other) & 1;
        (lines ^ differ << one ^ differ << other) & self.and | self.or
    }
}

/// One effect of a fault: on the lookups of one bank, on the output of banks, on two joined lines, or on LEDs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// The bank whose lookups are affected.
    pub looks: Option<usize>,
    /// The changes of the lines that it reads.
    pub sees: LineFault,
    /// A cell of that bank, and the bits that are wrong in it.
    pub wrong: (u32, Data),
    /// The contents of another chip that replace the bank's contents.
    pub contents: Option<usize>,
    /// The banks whose lines are stuck, swapped or joined, as a set.
    pub gives: u64,
    pub held: LineFault,
    /// Lines of that bank that never fall.
    pub keeps: Data,
    pub joined: Option<Joined>,
    /// The LEDs that are dark.
    pub dark: u128,
}

/// Two lines that are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub ends: [Bit; 2],
    /// Whether both are 1 if one of them is driven to 1; otherwise both are 0 if one is driven to 0.
    pub high_wins: bool,
}

impl Effect {
    const NONE: Effect = Effect {
        looks: None,
        sees: LineFault::NONE,
        wrong: (u32::MAX, 0),
        contents: None,
        gives: 0,
        held: LineFault::NONE,
        keeps: 0,
        joined: None,
        dark: 0,
    };

    /// A line that is stuck at a level for all its readers.
    fn held(Bit { bank, bit }: Bit, level: bool) -> Effect {
        Effect { gives: 1 << bank, held: LineFault::at(bit as usize, level), ..Effect::NONE }
    }

    /// A bank that has the contents of another chip.
    fn contents(bank: usize, contents: usize) -> Effect {
        Effect { looks: Some(bank), contents: Some(contents), ..Effect::NONE }
    }

    /// A bank that reads changed lines.
    fn seen(circuit: &Circuit, chip: ChipId, held: LineFault) -> Effect {
        Effect { looks: Some(circuit.bank_of(chip)), sees: held, ..Effect::NONE }
    }

    /// All effects of a fault; at most one on the lookups of each bank.
    pub fn all(circuit: &Circuit, fault: Fault) -> Vec<Effect> {
        let nets = &circuit.pack.nets;
        match fault {
            Fault::Stuck { pin, level } => {
                let pin = &circuit.pins[pin];
                vec![match pin.role {
                    Role::Data(_) => Effect::held(nets[pin.net], level),
                    Role::Line(line) => Effect::seen(circuit, pin.chip, LineFault::at(line, level)),
                }]
            }
            Fault::Bridge { pair } => vec![match circuit.neighbours[pair].ends {
                [End::Net(net), End::Rail(level)] | [End::Rail(level), End::Net(net)] => {
                    Effect::held(nets[net], level)
                }
                [End::Net(one), End::Net(other)] => {
                    let ends = [nets[one], nets[other]];
                    let gives = ends.iter().fold(0, |set, end| set | 1 << end.bank);
                    let high_wins = ends.iter().any(|&end| circuit.is_pulled(end));
                    let joined = Joined { ends, high_wins };
                    Effect { gives, joined: Some(joined), ..Effect::NONE }
                }
                [End::Rail(_), End::Rail(_)] => Effect::NONE,
            }],
            Fault::Cell { chip, address, bit } => {
                let looks = Some(circuit.bank_of(chip));
                vec![Effect { looks, wrong: (address, 1 << bit), ..Effect::NONE }]
            }
            Fault::Contents { chip, contents } => vec![Effect::contents(circuit.bank_of(chip), contents)],
            Fault::Exchanged { chips } => {
                let [one, other] = chips.map(|chip| circuit.burned(chip));
                let banks = chips.map(|chip| circuit.bank_of(chip));
                let pairs = banks.into_iter().zip([other, one]);
                pairs.filter_map(|(bank, contents)| Some(Effect::contents(bank, contents?))).collect()
            }
            Fault::Swap { pins } => {
                let [one, other] = pins.map(|pin| &circuit.pins[pin]);
                vec![match (one.role, other.role) {
                    (Role::Line(first), Role::Line(second)) => {
                        Effect::seen(circuit, one.chip, LineFault::exchanged(first, second))
                    }
                    _ => {
                        let [one, other] = [nets[one.net], nets[other.net]];
                        let held = LineFault::exchanged(one.bit as usize, other.bit as usize);
                        Effect { gives: 1 << one.bank, held, ..Effect::NONE }
                    }
                }]
            }
            Fault::Open { open, floats } => Effect::of_open(circuit, open, floats),
        }
    }

    /// The data of a ROM whose lookups are affected, with these levels on its lines.
    pub fn rom_data(&self, circuit: &Circuit, bank: usize, lines: u32) -> Option<Data> {
        if let Some(contents) = self.contents {
            return Some(circuit.cell_of(circuit.pack.banks[bank].chips[0], contents, lines as usize));
        }
        let (cell, (wrong, bits)) = (self.sees.on(lines), self.wrong);
        Some(circuit.rom(bank)?[cell as usize] ^ if cell == wrong { bits } else { 0 })
    }

    fn of_open(circuit: &Circuit, open: usize, floats: Float) -> Vec<Effect> {
        let open = &circuit.opens[open];
        let net = circuit.pack.nets[open.net];
        let seen = |(chip, lines): &(ChipId, Vec<usize>), level| {
            let held = lines.iter().fold(LineFault::NONE, |held, &line| held.and_at(line, level));
            Effect::seen(circuit, *chip, held)
        };
        match (&open.what, floats) {
            (OpenTarget::Light(led), _) => vec![Effect { dark: 1 << led, ..Effect::NONE }],
            (_, Float::Kept) => vec![Effect { gives: 1 << net.bank, keeps: 1 << net.bit, ..Effect::NONE }],
            (OpenTarget::Line, Float::At(level)) => vec![Effect::held(net, level)],
            (OpenTarget::Readers(readers), Float::At(level)) => {
                readers.iter().map(|reader| seen(reader, level)).collect()
            }
        }
    }
}

impl Circuit {
    /// Whether a fault can affect the bytes that are sent, or when they are sent.
    pub(crate) fn reaches_port(&self, fault: Fault) -> bool {
        let effects = Effect::all(self, fault);
        let affected = effects
            .iter()
            .fold(0, |set, effect| set | effect.gives | effect.looks.map_or(0, |bank| 1 << bank));
        let reached = self.reached_by(affected);
        let port = &self.pack.panel.port;
        let mut lines = port.latch.bits().iter().chain(port.enable.bits());
        lines.any(|line| reached >> line.bank & 1 == 1)
    }

    /// Whether a line is connected to a button: only a resistor holds it at 0, but at 1 it is connected to the supply.
    fn is_pulled(&self, line: Bit) -> bool {
        line.bank < self.pack.inputs && !self.pack.panel.oscillator.bits().contains(&line)
    }
}
