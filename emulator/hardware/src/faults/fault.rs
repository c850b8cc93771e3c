//! The kinds of faults, and all faults of each kind that a board can have.

use crate::faults::circuit::{Circuit, Pin};
use crate::faults::opens::OpenTarget;
use crate::kit::Role;
use gray1_machine::netlist::ChipId;
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
    /// A socket has a wrong ROM, or the ROMs of two sockets are swapped.
    Sockets,
    /// The wires of two pins of a chip are swapped.
    Swaps,
    /// A resistor or the conductor of a cable is open.
    Opens,
}

impl Model {
    /// The models that a diagnosis tries: all but wrong cells, which are better found by reading the chips back.
    pub const DIAGNOSED: [Model; 5] =
        [Model::Pins, Model::Bridges, Model::Sockets, Model::Swaps, Model::Opens];
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
    /// A socket has a chip with other contents.
    Contents {
        /// The chip that should be there.
        chip: ChipId,
        /// The index of the contents.
        contents: usize,
    },
    /// Two chips are in each other's sockets.
    Exchanged {
        /// The chips.
        chips: [ChipId; 2],
    },
    /// Each of two pins of a chip is connected to the net of the other.
    Swap {
        /// The indices of the pins.
        pins: [usize; 2],
    },
    /// A connection is open.
    Open {
        /// The index of the connection.
        open: usize,
        /// The level of the net behind it.
        floats: Float,
    },
}

/// The level of an undriven net. It is unknown, so each possibility is a separate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// It stays at this level.
    At(bool),
    /// It keeps the last driven level.
    Kept,
}

impl Circuit {
    /// All faults of the models that a diagnosis tries.
    pub fn diagnosed(&self) -> Vec<Fault> {
        Model::DIAGNOSED.map(|model| self.faults(model)).concat()
    }

    /// All faults of a model; none for cells, which depend on a run.
    pub(crate) fn faults(&self, model: Model) -> Vec<Fault> {
        match model {
            Model::Pins => self.stuck_pins(),
            Model::Bridges => (0..self.neighbours.len()).map(|pair| Fault::Bridge { pair }).collect(),
            Model::Cells => Vec::new(),
            Model::Sockets => self.wrong_chips(),
            Model::Swaps => self.swaps(),
            Model::Opens => self.broken(),
        }
    }

    /// Every pin of every chip, stuck at 0 and at 1.
    pub fn stuck_pins(&self) -> Vec<Fault> {
        (0..self.pins.len()).flat_map(|pin| [false, true].map(|level| Fault::Stuck { pin, level })).collect()
    }

    /// Every ROM with the contents of each other ROM of the board, or blank; then every pair of ROMs swapped. Contents that
    /// differ in no cell that the socket selects are not a fault.
    fn wrong_chips(&self) -> Vec<Fault> {
        let is_built = |&chip: &ChipId| self.pins.iter().any(|pin| pin.chip == chip);
        let chips = (0..self.netlist.chips.len()).filter(is_built);
        let is_other = |chip, contents: usize| {
            let Some(cells) = self.rom(self.bank_of(chip)) else { return false };
            (0..cells.len()).any(|address| cells[address] != self.cell_of(chip, contents, address))
        };
        let others = chips.clone().flat_map(|chip| {
            let contents = (0..self.contents.len()).filter(move |&contents| is_other(chip, contents));
            contents.map(move |contents| Fault::Contents { chip, contents })
        });
        let takes = |chip, from| self.burned(from).is_some_and(|contents| is_other(chip, contents));
        let pairs = chips.clone().flat_map(|one| {
            let others = chips.clone().skip(one + 1);
            others
                .filter(move |&other| takes(one, other) || takes(other, one))
                .map(move |other| Fault::Exchanged { chips: [one, other] })
        });
        others.chain(pairs).collect()
    }

    /// Every pair of pins of one kind of each chip, swapped: two address pins, two inputs, or two data pins.
    fn swaps(&self) -> Vec<Fault> {
        let kind = |pin: &Pin| {
            let chip = &self.netlist.chips[pin.chip];
            // A RAM reads back on swapped pins as it has written on them.
            let is_harmless = chip.is_ram() && pin.package == chip.name;
            match pin.role {
                role if is_harmless || role.is_write(chip) => None,
                Role::Data(_) => Some(0),
                Role::Line(line) => Some(1 + usize::from(line >= chip.address().len())),
            }
        };
        let mut swaps = Vec::new();
        for (one, first) in self.pins.iter().enumerate() {
            let others = self.pins.iter().enumerate().skip(one + 1);
            let others = others.take_while(|(_, second)| second.chip == first.chip);
            let like = others.filter(|(_, second)| kind(first).is_some() && kind(first) == kind(second));
            swaps.extend(like.map(|(other, _)| Fault::Swap { pins: [one, other] }));
        }
        swaps
    }

    /// Every resistor and every conductor of a cable, open, with each level that the net behind it may have.
    fn broken(&self) -> Vec<Fault> {
        let opens = self.opens.iter().enumerate();
        opens
            .flat_map(|(open, what)| {
                let floats: &[Float] = match what.what {
                    OpenTarget::Light(_) => &[Float::Kept],
                    // Without a button that is pressed, an input is at 0 with its resistor, too.
                    OpenTarget::Line if what.is_pull_down => &[Float::At(true), Float::Kept],
                    _ => &[Float::At(false), Float::At(true)],
                };
                floats.iter().map(move |&floats| Fault::Open { open, floats })
            })
            .collect()
    }
}
