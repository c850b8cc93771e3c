//! The board as plain data for other programs: every chip, the nets on its lines, and its cells.
//!
//! Everything is referred to by name, and every table is included, so that other programs need nothing else of this
//! project to simulate or check the board.

use super::netlist::{Chip, Holds, NetId};
use super::{Bench, Board, Panel};
use gray1_text::hex;
use serde::Serialize;

/// A board described by names.
#[derive(Clone, Debug, Serialize)]
pub struct Wiring<'a> {
    /// The name of the board.
    pub board: &'a str,
    /// The nets that are driven from outside.
    pub inputs: Vec<&'a str>,
    /// The chips, in the order of the board file.
    pub chips: Vec<WiredChip<'a>>,
    /// The distinct tables: two hexadecimal digits for each cell.
    pub tables: Vec<String>,
    /// The nets and chips of the registers, RAM, display, port and inputs.
    pub panel: Panel<Vec<&'a str>, &'a str>,
    /// Those of a board without a CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<Bench<Vec<&'a str>>>,
}

/// A chip and the nets on its lines, lowest first.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct WiredChip<'a> {
    pub name: &'a str,
    pub part: &'a str,
    pub address: Vec<&'a str>,
    pub data: Vec<&'a str>,
    #[serde(flatten)]
    pub contents: Contents<'a>,
}

/// The contents of a chip.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Contents<'a> {
    /// A table, by its index.
    Rom {
        #[allow(missing_docs)]
        table: usize,
    },
    /// The low byte (0) or the high byte (1) of each word of the program.
    Program {
        #[allow(missing_docs)]
        byte: usize,
    },
    /// Cells that take the input while the write line is 1; the output then follows the input.
    Ram {
        #[allow(missing_docs)]
        input: Vec<&'a str>,
        #[allow(missing_docs)]
        write: &'a str,
    },
}

impl Board {
    /// The board described by names.
    pub fn wiring(&self) -> Wiring<'_> {
        let netlist = &**self.netlist();
        let name = |net: NetId| netlist.nets[net].name.as_str();
        let names = |nets: &[NetId]| nets.iter().map(|&net| name(net)).collect::<Vec<_>>();
        let contents = |chip: &Chip| match chip.holds {
            Holds::Table(table) => Contents::Rom { table },
            Holds::Program { byte } => Contents::Program { byte },
            Holds::Ram { address } => {
                let write = chip.reads.len() - 1;
                Contents::Ram { input: names(&chip.reads[address..write]), write: name(chip.reads[write]) }
            }
        };
        let chips = netlist.chips.iter().map(|chip| WiredChip {
            name: &chip.name,
            part: &chip.part,
            address: names(chip.address()),
            data: names(&chip.data),
            contents: contents(chip),
        });
        Wiring {
            board: &self.name,
            inputs: netlist.inputs.iter().cloned().flatten().map(name).collect(),
            chips: chips.collect(),
            tables: netlist.tables.iter().map(|cells| hex(cells)).collect(),
            panel: netlist.panel.map(|nets| names(nets), |&chip| netlist.chips[chip].name.as_str()),
            bench: netlist.bench.as_ref().map(|bench| bench.map(|nets| names(nets))),
        }
    }
}
