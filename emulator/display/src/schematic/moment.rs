//! The changes of levels in a phase, and the levels that make a difference then.

use crate::schematic::blocks::{Block, Cable, Schematic, Source};
use gray1_machine::netlist::{Chip, ChipId, Holds, NetId, Netlist, number};

/// The board at the end of a phase, and at the end of the one before.
pub struct Moment<'a> {
    netlist: &'a Netlist,
    now: &'a [bool],
    before: &'a [bool],
    /// For each chip, a mask of the lines of `reads` that matter.
    matter: Vec<u32>,
}

/// The activity of a cable or a block in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// No line of it matters: if any single one had the other level, the chips that read it would give the same data.
    Idle,
    /// It holds its level, and a chip needs it.
    Steady,
    /// A line of it has changed in this phase.
    Moved,
}

impl<'a> Moment<'a> {
    /// The levels of all nets by number, now and a phase ago.
    pub fn new(netlist: &'a Netlist, now: &'a [bool], before: &'a [bool]) -> Moment<'a> {
        let matter = netlist.chips.iter().map(|chip| matter(netlist, chip, now)).collect();
        Moment { netlist, now, before, matter }
    }

    /// Whether a chip would give different data if only this one of its lines had the other level.
    pub fn matters(&self, chip: ChipId, line: usize) -> bool {
        self.matter[chip] >> line & 1 == 1
    }

    /// The activity of a cable.
    pub fn of_cable(&self, schematic: &Schematic, cable: &Cable) -> Activity {
        if cable.nets.iter().any(|net| self.has_moved(*net)) {
            return Activity::Moved;
        }
        let Source::Chips(chips) = &schematic.blocks()[cable.to].source else { return Activity::Idle };
        let is_needed = chips.clone().any(|id| {
            let lines = self.netlist.chips[id].reads.iter().enumerate();
            lines.into_iter().any(|(line, net)| self.matters(id, line) && cable.nets.contains(net))
        });
        if is_needed { Activity::Steady } else { Activity::Idle }
    }

    /// The activity of a block's outputs.
    pub fn of_block(&self, schematic: &Schematic, index: usize) -> Activity {
        let block = &schematic.blocks()[index];
        if block.drives.iter().any(|net| self.has_moved(*net)) {
            return Activity::Moved;
        }
        let cables = schematic.cables().iter().filter(|cable| cable.from == index);
        let activity = cables.map(|cable| self.of_cable(schematic, cable)).max();
        // If no chip reads the block, the user sees it, as with the display.
        activity.unwrap_or(Activity::Steady)
    }

    /// The outputs of a block as hexadecimal numbers, one for each of its chips.
    pub fn value(&self, block: &Block) -> String {
        match &block.source {
            Source::OutputSink => self.number(&block.drives),
            Source::Chips(chips) => {
                let values = self.netlist.chips[chips.clone()].iter().map(|chip| self.number(&chip.data));
                values.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The levels of these nets, the lowest first, as a hexadecimal number.
    pub fn number(&self, nets: &[NetId]) -> String {
        let digits = nets.len().div_ceil(4);
        format!("{:0digits$X}", number(self.now, nets))
    }

    /// Whether a net has changed in this phase.
    pub fn has_moved(&self, net: NetId) -> bool {
        self.now[net] != self.before[net]
    }
}

/// The lines of a chip that matter: if one of them had the other level, the chip would give different data. Other cells
/// of a program chip or a RAM are assumed to hold something different; data inputs that are not written do not matter.
fn matter(netlist: &Netlist, chip: &Chip, levels: &[bool]) -> u32 {
    let lines = chip.reads.len();
    match chip.holds {
        Holds::Program { .. } => (1 << lines) - 1,
        Holds::Ram { address } => {
            let is_written = chip.reads.last().is_some_and(|write| levels[*write]);
            let all = (1 << lines) - 1;
            let data = all & !(1 << (lines - 1)) & !((1 << address) - 1);
            if is_written { all } else { all & !data }
        }
        Holds::Table(table) => {
            let table = &netlist.tables[table];
            let address = number(levels, &chip.reads) as usize;
            (0..lines)
                .filter(|line| table[address] != table[address ^ 1 << line])
                .fold(0, |mask, line| mask | 1 << line)
        }
    }
}
