//! The kinds of faults, and the effect of each on the machine.

use crate::circuit::{Circuit, End};
use gray1_kit::Role;
use gray1_machine::netlist::ChipId;
use gray1_machine::wires::{Bit, Data};
use serde::{Deserialize, Serialize};

/// A kind of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// A pin of a chip is stuck at a level.
    Pins,
    /// Two adjacent pins are joined.
    Bridges,
    /// One bit of one cell of a ROM is wrong.
    Cells,
}

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A pin is stuck at a level. For an input pin, only its own chip sees that level; for a data pin, all readers of
    /// the net do.
    Stuck {
        /// The index of the pin.
        pin: usize,
        /// The level.
        level: bool,
    },
    /// Two pins are joined.
    Bridge {
        /// The index of the pair.
        pair: usize,
    },
    /// A bit of a cell is inverted.
    Cell {
        /// The chip.
        chip: ChipId,
        /// The cell.
        address: u32,
        /// The data line.
        bit: u32,
    },
}

/// Bits that are stuck at a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    and: u32,
    or: u32,
}

impl Held {
    pub const NONE: Held = Held { and: u32::MAX, or: 0 };

    fn at(bit: usize, level: bool) -> Held {
        Held { and: !(1 << bit), or: u32::from(level) << bit }
    }

    #[inline(always)]
    pub fn on(self, lines: u32) -> u32 {
        lines & self.and | self.or
    }
}

/// The effect of a fault: on the lookups of one bank, on the output of one bank, or on two lines that are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// The bank whose lookups are affected.
    pub looks: Option<usize>,
    pub read: Held,
    pub write: Held,
    /// A cell of that bank, and the bits that are wrong in it.
    pub wrong: (u32, Data),
    /// The banks whose lines are stuck or joined, as a set.
    pub gives: u64,
    pub held: Held,
    pub joined: Option<Joined>,
}

/// Two lines that are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    pub ends: [Bit; 2],
    /// Whether both are 1 if one of them is driven to 1; otherwise both are 0 if one is driven to 0.
    pub high_wins: bool,
}

impl Effect {
    pub const NONE: Effect = Effect {
        looks: None,
        read: Held::NONE,
        write: Held::NONE,
        wrong: (u32::MAX, 0),
        gives: 0,
        held: Held::NONE,
        joined: None,
    };

    pub fn of(circuit: &Circuit, fault: Fault) -> Effect {
        let held = |Bit { bank, bit }: Bit, level| Effect {
            gives: 1 << bank,
            held: Held::at(bit as usize, level),
            ..Effect::NONE
        };
        match fault {
            Fault::Stuck { pin, level } => {
                let pin = &circuit.pins[pin];
                match pin.role {
                    Role::Data(_) => held(circuit.pack.nets[pin.net], level),
                    Role::Line { line, reads, writes } => {
                        let at = |is_used| if is_used { Held::at(line, level) } else { Held::NONE };
                        Effect {
                            looks: Some(circuit.bank_of(pin.chip)),
                            read: at(reads),
                            write: at(writes),
                            ..Effect::NONE
                        }
                    }
                }
            }
            Fault::Bridge { pair } => match circuit.neighbours[pair].ends {
                [End::Net(net), End::Rail(level)] | [End::Rail(level), End::Net(net)] => {
                    held(circuit.pack.nets[net], level)
                }
                [End::Net(one), End::Net(other)] => {
                    let ends = [circuit.pack.nets[one], circuit.pack.nets[other]];
                    let gives = ends.iter().fold(0, |set, end| set | 1 << end.bank);
                    let joined = Joined { ends, high_wins: ends.iter().any(|&end| circuit.is_pulled(end)) };
                    Effect { gives, joined: Some(joined), ..Effect::NONE }
                }
                [End::Rail(_), End::Rail(_)] => Effect::NONE,
            },
            Fault::Cell { chip, address, bit } => {
                Effect { looks: Some(circuit.bank_of(chip)), wrong: (address, 1 << bit), ..Effect::NONE }
            }
        }
    }
}

impl Circuit {
    /// Whether a fault can affect the bytes that are sent, or when they are sent.
    pub(crate) fn reaches_port(&self, fault: Fault) -> bool {
        let Effect { looks, gives, .. } = Effect::of(self, fault);
        let reached = self.reached_by(gives | looks.map_or(0, |bank| 1 << bank));
        let port = &self.pack.panel.port;
        let mut lines = port.latch.bits().iter().chain(port.enable.bits());
        lines.any(|line| reached >> line.bank & 1 == 1)
    }

    /// Whether a line is connected to a button: only a resistor holds it at 0, but at 1 it is connected to the supply.
    fn is_pulled(&self, line: Bit) -> bool {
        line.bank < self.pack.inputs && !self.pack.panel.oscillator.bits().contains(&line)
    }

    /// Every pin of every chip, stuck at 0 and at 1.
    pub fn stuck_pins(&self) -> Vec<Fault> {
        (0..self.pins.len()).flat_map(|pin| [false, true].map(|level| Fault::Stuck { pin, level })).collect()
    }

    /// Every pair of adjacent pins, joined.
    pub fn bridges(&self) -> Vec<Fault> {
        (0..self.neighbours.len()).map(|pair| Fault::Bridge { pair }).collect()
    }
}
