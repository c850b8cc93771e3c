//! The place of a fault as it is reported: chip, pin and net; as a sentence for people, as fields for programs.

use crate::faults::circuit::{Circuit, End, Pin};
use crate::faults::fault::{Fault, Float};
use crate::faults::opens::OpenTarget;
use crate::kit::RAILS;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The contents of a blank chip.
const BLANK: &str = "nothing";

/// The place of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The chip; for an open connection, the resistor network or the cable.
    pub chip: String,
    /// The defect.
    #[serde(flatten)]
    pub what: Defect,
}

/// A defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Defect {
    /// A pin is stuck at a level.
    Stuck {
        /// The pin.
        #[serde(flatten)]
        pin: PinName,
        /// The level, 0 or 1.
        stuck: u8,
    },
    /// Two pins are joined.
    Bridge {
        /// One pin.
        #[serde(flatten)]
        pin: PinName,
        /// The other.
        joined: PinName,
    },
    /// The wires of two pins are swapped.
    Swap {
        /// One pin, with the net that it should have.
        #[serde(flatten)]
        pin: PinName,
        /// The other.
        swapped: PinName,
    },
    /// The socket has a chip with the contents of another one, or a blank one.
    Contents {
        /// The chip that should have these contents, or `nothing`.
        holds: String,
    },
    /// The chip and another one are in each other's sockets.
    Exchanged {
        /// The other chip.
        exchanged: String,
    },
    /// A resistor or a conductor is open.
    Open {
        /// The numbers of its pins; for a cable, that of the conductor.
        open: Vec<usize>,
        /// The net.
        net: String,
        /// The consequence: `at 0`, `at 1`, `kept` or `dark`; for a cable with the board that is cut off.
        then: String,
    },
    /// A bit of a cell is inverted.
    Cell {
        /// The cell.
        address: u32,
        /// The net on the data line.
        net: String,
    },
}

/// A pin, by number and name, and the net on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PinName {
    pub pin: usize,
    pub name: String,
    pub net: String,
}

impl Circuit {
    /// The place of a fault.
    pub fn place(&self, fault: Fault) -> Place {
        let chip = |id: usize| self.netlist.chips[id].name.clone();
        let net = |id: usize| self.netlist.nets[id].name.clone();
        let named = |pin: usize| {
            let Pin { number, name, net: on, .. } = &self.pins[pin];
            PinName { pin: *number, name: name.clone(), net: net(*on) }
        };
        let (chip, what) = match fault {
            Fault::Stuck { pin, level } => {
                (self.pins[pin].package.clone(), Defect::Stuck { pin: named(pin), stuck: level.into() })
            }
            Fault::Swap { pins: [one, other] } => {
                (self.pins[one].package.clone(), Defect::Swap { pin: named(one), swapped: named(other) })
            }
            Fault::Contents { chip: id, contents } => {
                let holds = self.contents[contents].of.map_or_else(|| BLANK.to_owned(), chip);
                (chip(id), Defect::Contents { holds })
            }
            Fault::Exchanged { chips: [one, other] } => {
                (chip(one), Defect::Exchanged { exchanged: chip(other) })
            }
            Fault::Open { open, floats } => {
                let open = &self.opens[open];
                let then = match (&open.what, floats) {
                    (OpenTarget::Light(_), _) => "dark".to_owned(),
                    (_, Float::Kept) => "kept".to_owned(),
                    (_, Float::At(level)) => {
                        let on =
                            open.cut.as_ref().map_or(String::new(), |board| format!(" on the {board} board"));
                        format!("at {}{on}", u8::from(level))
                    }
                };
                (open.component.clone(), Defect::Open { open: open.pins.clone(), net: net(open.net), then })
            }
            Fault::Bridge { pair } => {
                let pair = &self.neighbours[pair];
                let named = |side: usize| PinName {
                    pin: pair.numbers[side],
                    name: pair.names[side].clone(),
                    net: match pair.ends[side] {
                        End::Net(id) => net(id),
                        End::Rail(level) => RAILS[usize::from(!level)].to_owned(),
                    },
                };
                (pair.package.clone(), Defect::Bridge { pin: named(0), joined: named(1) })
            }
            Fault::Cell { chip: id, address, bit } => {
                let net = net(self.netlist.chips[id].data[bit as usize]);
                (chip(id), Defect::Cell { address, net })
            }
        };
        Place { chip, what }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Place { chip, what } = self;
        match what {
            Defect::Stuck { pin, stuck } => write!(f, "{chip} {pin} stuck at {stuck}"),
            Defect::Bridge { pin, joined } => write!(f, "{chip} {pin} joined to {joined}"),
            Defect::Swap { pin, swapped } => write!(f, "{chip} {pin} swapped with {swapped}"),
            Defect::Contents { holds } if holds == BLANK => write!(f, "{chip} is blank"),
            Defect::Contents { holds } => write!(f, "{chip} holds what {holds} should"),
            Defect::Exchanged { exchanged } => write!(f, "{chip} exchanged with {exchanged}"),
            Defect::Open { open, net, then } => {
                let pins: Vec<String> = open.iter().map(ToString::to_string).collect();
                let word = if pins.len() == 1 { "pin" } else { "pins" };
                let then = match then.as_str() {
                    "dark" => "its LED is dark",
                    "kept" => "it keeps its level",
                    at => at,
                };
                write!(f, "{chip} {word} {} ({net}) open, {then}", pins.join("-"))
            }
            Defect::Cell { address, net } => write!(f, "{chip} cell {address:#07x}, {net} wrong"),
        }
    }
}

impl Display for PinName {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        // The net of a tied pin is the name of its supply rail.
        write!(f, "pin {} {} ({})", self.pin, self.name, self.net)
    }
}
