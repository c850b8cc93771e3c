//! Blocks and the cables between them.

use gray1_machine::names::{neighbours, run};
use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist};
use std::collections::BTreeMap;
use std::ops::Range;

/// The drawing of a board.
#[derive(Clone, Debug)]
pub struct Schematic {
    blocks: Vec<Block>,
    cables: Vec<Cable>,
}

/// A box of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name of the chip, of several chips with their first and last number, or of the nets of an input.
    pub name: String,
    /// The chips or the input that it stands for.
    pub source: Source,
    /// The nets that it drives.
    pub drives: Vec<NetId>,
    /// Whether it also reads some of them, as a latch does.
    pub holds_itself: bool,
}

/// The source of a block's levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Outside the board: the oscillator, pads, keys.
    OutputSink,
    /// Chips of the same kind, side by side.
    Chips(Range<ChipId>),
}

/// All nets that lead from one block to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cable {
    /// The index of the block that drives them.
    pub from: usize,
    /// The index of the block that reads them.
    pub to: usize,
    /// The nets.
    pub nets: Vec<NetId>,
}

impl Schematic {
    /// The drawing of a board.
    pub fn of(netlist: &Netlist) -> Schematic {
        let mut blocks: Vec<Block> = netlist.inputs.iter().map(|nets| input(netlist, nets.clone())).collect();
        let mut first = 0;
        for group in netlist.chips.chunk_by(are_alike) {
            let chips = first..first + group.len();
            first = chips.end;
            blocks.push(block(group, chips));
        }
        let mut block_of = vec![0; netlist.nets.len()];
        for (index, block) in blocks.iter().enumerate() {
            block.drives.iter().for_each(|net| block_of[*net] = index);
        }
        let mut cables: BTreeMap<(usize, usize), Vec<NetId>> = BTreeMap::new();
        for (to, block) in blocks.iter().enumerate() {
            let Source::Chips(chips) = &block.source else { continue };
            for net in netlist.chips[chips.clone()].iter().flat_map(|chip| &chip.reads) {
                let nets = cables.entry((block_of[*net], to)).or_default();
                if block_of[*net] != to && !nets.contains(net) {
                    nets.push(*net);
                }
            }
        }
        let cables = cables.into_iter().filter(|((from, to), _)| from != to);
        let cables = cables.map(|((from, to), nets)| Cable { from, to, nets }).collect();
        Schematic { blocks, cables }
    }

    /// The blocks, in the order of the diagonal.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The cables, by the block that drives them.
    pub fn cables(&self) -> &[Cable] {
        &self.cables
    }

    /// The block that a chip is in.
    pub fn block_of(&self, chip: ChipId) -> Option<usize> {
        let is_in = |block: &Block| matches!(&block.source, Source::Chips(chips) if chips.contains(&chip));
        self.blocks.iter().position(is_in)
    }
}

fn input(netlist: &Netlist, nets: Range<NetId>) -> Block {
    let names: Vec<&str> = nets.clone().map(|net| netlist.nets[net].name.as_str()).collect();
    let name = run(&names);
    Block { name, source: Source::OutputSink, drives: nets.collect(), holds_itself: false }
}

fn block(group: &[Chip], chips: Range<ChipId>) -> Block {
    let names: Vec<&str> = group.iter().map(|chip| chip.name.as_str()).collect();
    Block {
        name: run(&names),
        source: Source::Chips(chips),
        drives: group.iter().flat_map(|chip| chip.data.iter().copied()).collect(),
        holds_itself: group.iter().any(Chip::holds_itself),
    }
}

/// Whether two chips can be drawn as one: their names are numbered consecutively, and their tables are the same.
fn are_alike(one: &Chip, other: &Chip) -> bool {
    let are_neighbours = neighbours(&[&one.name, &other.name]).len() == 1;
    are_neighbours && one.part == other.part && one.holds == other.holds
}
