//! Answers about the board: the drawing, what moves on it, one chip in full.

use serde::Serialize;

/// The drawing of the board. The blocks stand on a diagonal; a cable leaves its block to the side and goes up or down
/// to the one that reads it.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// The name of the board.
    pub name: String,
    /// The blocks, in the order of the diagonal.
    pub blocks: Vec<Block>,
    /// The cables, by the block that drives them.
    pub cables: Vec<Cable>,
    /// The chips, in the order of the board file.
    pub chips: Vec<ChipName>,
    /// All nets, in the order of the digits of `levels`.
    pub nets: Vec<String>,
    /// All buses, in the order of `levels.buses`.
    pub buses: Vec<String>,
}

/// A box of the drawing.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    /// The name of the chip, of the first and the last of several, or of the nets of an input.
    pub name: String,
    /// Its chips; none if it represents inputs from outside of the board.
    pub chips: Vec<String>,
    /// Its description, in a line.
    pub about: String,
    /// The nets that it drives, in few words.
    pub gives: String,
}

/// All nets that lead from one block to another.
#[derive(Clone, Debug, Serialize)]
pub struct Cable {
    /// The block that drives them.
    pub from: usize,
    /// The block that reads them.
    pub to: usize,
    /// The numbers of the nets.
    pub nets: Vec<usize>,
    /// Their names, in few words.
    pub name: String,
}

/// A chip of the board.
#[derive(Clone, Debug, Serialize)]
pub struct ChipName {
    /// Its name.
    pub name: String,
    /// Its part.
    pub part: String,
    /// Its contents.
    pub burned: String,
}

/// The activity of the board in a phase.
#[derive(Clone, Debug, Serialize)]
pub struct Levels {
    /// For each block, its outputs.
    pub blocks: Vec<Now>,
    /// For each cable, its levels.
    pub cables: Vec<Now>,
    /// For each bus, its levels.
    pub buses: Vec<Now>,
    /// For each chip.
    pub chips: Vec<ChipNow>,
    /// The level of each net, a digit each.
    pub nets: String,
    /// The same a phase ago.
    pub before: String,
}

/// A block, a cable or a bus in a phase.
#[derive(Clone, Debug, Serialize)]
pub struct Now {
    /// A hexadecimal number for each of its chips, or for each range of nets in the name of a cable.
    pub value: String,
    /// Whether that has changed in this phase, or matters.
    pub activity: Activity,
}

/// The activity of something in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// It makes no difference at the moment.
    Idle,
    /// A chip needs it.
    Steady,
    /// It has changed in this phase.
    Moved,
}

/// A chip in a phase.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChipNow {
    /// The address that it sees.
    pub address: u32,
    /// Its data.
    pub data: u16,
    /// Whether one of them has changed in this phase.
    pub moved: bool,
}

/// A chip in full.
#[derive(Clone, Debug, Serialize)]
pub struct Chip {
    /// Its name.
    pub name: String,
    /// Its part.
    pub part: String,
    /// The kind of part.
    pub part_about: String,
    /// Its contents: the name of a function, `RAM`, or that its cells are its own.
    pub burned: String,
    /// The purpose of the contents, and how the table achieves it.
    pub about: String,
    /// Whether its cells can be changed.
    pub can_burn: bool,
    /// The lines it reads, lowest first.
    pub reads: Vec<Pin>,
    /// The lines it drives, lowest first.
    pub gives: Vec<Pin>,
    /// Its table.
    #[serde(flatten)]
    pub cells: ChipCells,
}

/// The table of a chip, around the cell that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct ChipCells {
    /// The address that is shown.
    pub at: u32,
    /// The address that it looks up now.
    pub now: u32,
    /// The address a phase ago.
    pub before: u32,
    /// The highest address.
    pub last: u32,
    /// The fields of the address shown, lowest first; none if no function defines them.
    pub address_fields: Vec<Field>,
    /// The fields of its cell.
    pub data_fields: Vec<Field>,
    /// The cells around the one shown, in the order of their addresses.
    pub table: Vec<Cell>,
    /// The cells that differ from the one shown in one address line.
    pub neighbours: Vec<Neighbour>,
}

/// A pin of a chip.
#[derive(Clone, Debug, Serialize)]
pub struct Pin {
    /// Its name: A0, I3, WE, D7.
    pub pin: String,
    /// The net.
    pub net: String,
    /// The chip that drives it, or the chips that read it.
    pub others: Vec<String>,
    /// Its level.
    pub level: bool,
    /// Its level a phase ago.
    pub before: bool,
    /// Whether the output of the chip depends on this line at the current address.
    pub matters: bool,
}

/// A field of an address or of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The number of its lines.
    pub width: u32,
    /// Its value.
    pub value: u32,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cell {
    /// Its address.
    pub address: u32,
    /// Its contents.
    pub data: u8,
}

/// A cell that differs in one address line.
#[derive(Clone, Debug, Serialize)]
pub struct Neighbour {
    /// The net on that line.
    pub net: String,
    /// Its address.
    pub address: u32,
    /// Its contents.
    pub data: u8,
}
