//! A board with its program as Boolean functions.

use crate::why::function::Function;
use crate::why::levels::Levels;
use gray1_isa::Image;
use gray1_machine::Netlist;
use gray1_machine::netlist::{ChipId, Holds, NetId, Pin};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A board with its program.
pub struct Circuit {
    netlist: Arc<Netlist>,
    /// For each ROM, the functions of its data lines, shared by chips with the same contents; `None` for a RAM.
    functions: Vec<Option<Rc<[Function]>>>,
    /// The cells of the program chips.
    program: [Vec<u8>; 2],
}

/// A data line of a chip.
pub(crate) enum DataLine<'a> {
    Rom(&'a Function),
    /// A data line of a RAM, with this many address lines.
    Ram {
        address: usize,
        line: usize,
    },
}

impl Circuit {
    /// Creates the circuit of a board with a program.
    pub fn new(netlist: &Arc<Netlist>, image: &Image) -> Circuit {
        let program = image.to_proms();
        let mut known: HashMap<(Holds, usize), Rc<[Function]>> = HashMap::new();
        let functions = netlist.chips.iter().map(|chip| {
            let cells = match chip.holds {
                Holds::Table(table) => &netlist.tables[table],
                Holds::Program { byte } => &program[byte],
                Holds::Ram { .. } => return None,
            };
            let functions = known
                .entry((chip.holds, chip.data.len()))
                .or_insert_with(|| Function::all(cells, chip.data.len()).into());
            Some(Rc::clone(functions))
        });
        Circuit { functions: functions.collect(), netlist: Arc::clone(netlist), program }
    }

    /// Returns the board.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// Returns the data line that drives a net; `None` for an input.
    pub fn driver(&self, net: NetId) -> Option<Pin> {
        self.netlist.nets[net].driver
    }

    /// Returns the levels on the lines of a chip; for a RAM, the lowest ones are the address.
    pub fn lines_of(&self, chip: ChipId, levels: &Levels) -> u32 {
        levels.number(&self.netlist.chips[chip].reads)
    }

    /// Returns the cell of a ROM at an address; `None` for a RAM.
    pub fn cell(&self, chip: ChipId, address: u32) -> Option<u8> {
        let cells = match self.netlist.chips[chip].holds {
            Holds::Table(table) => &self.netlist.tables[table],
            Holds::Program { byte } => &self.program[byte],
            Holds::Ram { .. } => return None,
        };
        cells.get(address as usize).copied()
    }

    pub(crate) fn line(&self, pin: Pin) -> DataLine<'_> {
        match (&self.functions[pin.chip], self.netlist.chips[pin.chip].holds) {
            (Some(functions), _) => DataLine::Rom(&functions[pin.line]),
            (None, Holds::Ram { address }) => DataLine::Ram { address, line: pin.line },
            (None, _) => DataLine::Ram { address: 0, line: pin.line },
        }
    }
}

impl DataLine<'_> {
    /// Returns the unknown lines that can still change the level. The contents of a RAM are not considered, so all its
    /// address lines can.
    pub fn open_lines(&self, lines: u32, known: u32, reads: usize) -> u32 {
        let (address, line) = match *self {
            DataLine::Rom(function) => return function.open_lines(lines, known),
            DataLine::Ram { address, line } => (address, line),
        };
        let write = 1 << (reads - 1);
        let selects = (1 << address) - 1;
        let open = match (known & write != 0, lines & write != 0) {
            (true, true) => 1 << (address + line),
            (true, false) => selects,
            (false, _) => selects | 1 << (address + line) | write,
        };
        open & !known
    }
}
