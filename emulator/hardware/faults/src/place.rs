//! The place of a fault as it is reported: chip, pin and net; as a sentence for people, as fields for programs.

use crate::circuit::{Circuit, End};
use crate::fault::Fault;
use gray1_kit::RAILS;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The place of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The chip.
    pub chip: String,
    /// What is wrong there.
    #[serde(flatten)]
    pub what: Wrong,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Wrong {
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
        match fault {
            Fault::Stuck { pin, level } => {
                let pin = &self.pins[pin];
                let net = self.netlist.nets[pin.net].name.clone();
                let named = PinName { pin: pin.number, name: pin.name.clone(), net };
                Place { chip: chip(pin.chip), what: Wrong::Stuck { pin: named, stuck: level.into() } }
            }
            Fault::Bridge { pair } => {
                let pair = &self.neighbours[pair];
                let named = |side: usize| PinName {
                    pin: pair.numbers[side],
                    name: pair.names[side].clone(),
                    net: match pair.ends[side] {
                        End::Net(net) => self.netlist.nets[net].name.clone(),
                        End::Rail(level) => RAILS[usize::from(!level)].to_owned(),
                    },
                };
                Place { chip: chip(pair.chip), what: Wrong::Bridge { pin: named(0), joined: named(1) } }
            }
            Fault::Cell { chip: id, address, bit } => {
                let net = self.netlist.chips[id].data[bit as usize];
                let net = self.netlist.nets[net].name.clone();
                Place { chip: chip(id), what: Wrong::Cell { address, net } }
            }
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Place { chip, what } = self;
        match what {
            Wrong::Stuck { pin, stuck } => write!(f, "{chip} {pin} stuck at {stuck}"),
            Wrong::Bridge { pin, joined } => write!(f, "{chip} {pin} joined to {joined}"),
            Wrong::Cell { address, net } => write!(f, "{chip} cell {address:#07x}, {net} wrong"),
        }
    }
}

impl Display for PinName {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        // The net of a tied pin is the name of its supply rail.
        write!(f, "pin {} {} ({})", self.pin, self.name, self.net)
    }
}
