//! One cycle of a board, run for all states at once and compared with the instruction set.

use crate::cycle::{self, Lookup, Memory, Start, SymbolicBoard, live, unless_stopped};
use crate::instruction_set::{After, Before};
use crate::phase::{Phase, memory, write_line};
use gray1_machine::PHASES;
use gray1_machine::logic::{FALSE, Function, TRUE};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::Tables;
use std::sync::atomic::AtomicBool;

/// One cycle of a board, run and compared.
pub(crate) struct Cycle<'a> {
    pub board: SymbolicBoard<'a>,
    /// The function on each net when the cycle begins.
    pub first: Vec<Function>,
    /// The nets that are variables then, and the states in which the board is at rest.
    pub state: Vec<NetId>,
    pub rests: Function,
    pub before: Before,
    pub after: After,
    /// The differences from the instruction set.
    pub wrong: Vec<Difference>,
    /// The number of lookups up to the end of each phase, in the order 1, 2, 3, 0.
    pub ends: Vec<usize>,
}

/// A difference between the board and the instruction set.
#[derive(Clone, Copy)]
pub(crate) struct Difference {
    pub what: What,
    /// The states in which it occurs.
    pub states: Function,
    /// The number of lookups before it.
    pub lookups: usize,
}

/// The subject of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Stores to RAM and their phase.
    Store,
    /// The phase in which the enable of the port, or of a row, opens: by index of the outlets.
    Strobe(usize),
    /// The byte that the port, or a row, shows.
    Shown(usize),
    Accumulator,
    Carry,
    Counter,
    Target,
    Jumped,
}

/// Runs a cycle from these states, which are those in which phase 1 can begin, and compares it with the instruction set.
pub(crate) fn run<'a>(start: Start<'a>, phases: &[Phase], stop: &AtomicBool) -> cycle::Result<Cycle<'a>> {
    let Start { mut board, cut, free, rests, word, agrees } = start;
    let netlist = board.netlist;
    let panel = &netlist.panel;
    let mut byte = Vec::new();
    for (ram, bit) in memory_bits(netlist) {
        byte.push(board.cell(Memory::Ram(ram), &panel.word[..netlist.chips[ram].address().len()])?[bit]);
    }
    let possible = board.diagrams.and(rests, agrees)?;
    let before = Before {
        word,
        counter: board.on(&panel.counter),
        accumulator: board.on(&panel.accumulator),
        carry: board.levels[panel.carry[0]],
        byte,
        pad_column: board.on(&panel.pad_column),
        pad_row: board.on(&panel.pad_row),
        keys: board.on(&panel.keys),
        outlets: panel.outlets().map(|outlet| board.shown(outlet)).collect(),
    };
    let first = board.levels.clone();
    let after = After::of(&before, &mut board.diagrams)?;
    let mut comparison = Comparison { board, before: &before, after: &after, possible, wrong: vec![] };
    let mut ends = Vec::new();
    for phase in (1..=PHASES).map(|phase| phase % PHASES) {
        unless_stopped(stop)?;
        let live = live(netlist, &phases[phase], &cut);
        let seen = comparison.board.lookups.len();
        comparison.board.flip(&panel.oscillator, &live)?;
        comparison.stores(seen, phase == 1)?;
        comparison.strobes(phase == 1)?;
        ends.push(comparison.board.lookups.len());
    }
    comparison.registers()?;
    let Comparison { board, wrong, .. } = comparison;
    Ok(Cycle { board, first, state: free, rests, before, after, wrong, ends })
}

/// Returns the RAM and data line of each bit of a byte: those in the panel or, where nothing reads one, a twin that is
/// written by the same lines.
fn memory_bits(netlist: &Netlist) -> Vec<(ChipId, usize)> {
    let (mut tables, unknown) = (Tables::new(netlist), vec![None; netlist.nets.len()]);
    let mut is_read = |net: NetId| {
        let mut readers = netlist.nets[net].readers.iter();
        readers.any(|pin| tables.facts(pin.chip, &unknown).moves[pin.line] != 0)
    };
    let mut find = |ram: ChipId, bit: usize| {
        let (chip, first) = (&netlist.chips[ram], netlist.chips[ram].address().len());
        let twins = netlist.chips.iter().enumerate().filter(|(_, twin)| {
            twin.is_ram() && twin.address() == chip.address() && write_line(twin) == write_line(chip)
        });
        let mut bits = twins.flat_map(|(id, twin)| (0..twin.data.len()).map(move |bit| (id, twin, bit)));
        let twin = bits.find(|(_, twin, other)| {
            twin.reads[first + other] == chip.reads[first + bit] && is_read(twin.data[*other])
        });
        twin.filter(|_| !is_read(chip.data[bit])).map_or((ram, bit), |(id, _, other)| (id, other))
    };
    let bits = netlist.panel.memory.iter().flat_map(|&ram| {
        let bits = 0..netlist.chips[ram].data.len();
        bits.map(|bit| find(ram, bit)).collect::<Vec<_>>()
    });
    bits.collect()
}

impl Cycle<'_> {
    /// Returns the phase of a lookup.
    pub fn phase_of(&self, lookup: usize) -> usize {
        (1 + self.ends.iter().filter(|&&end| end <= lookup).count()) % PHASES
    }
}

/// Compares the board with the instruction set.
struct Comparison<'a, 'b> {
    board: SymbolicBoard<'a>,
    before: &'b Before,
    after: &'b After,
    possible: Function,
    wrong: Vec<Difference>,
}

impl Comparison<'_, '_> {
    /// RAM must be written by a store, at the address in the word and with the accumulator, and otherwise never.
    fn stores(&mut self, seen: usize, is_due: bool) -> cycle::Result<()> {
        let netlist = self.board.netlist;
        for index in seen..self.board.lookups.len() {
            let Lookup { chip, reads, .. } = self.board.lookups[index].clone();
            let Some((_, bits)) = memory(netlist).find(|(ram, _)| *ram == chip) else { continue };
            let input = &self.before.accumulator[bits];
            let write = reads[reads.len() - 1];
            let wanted: Vec<Function> = self.before.word[..12].iter().chain(input).copied().collect();
            let elsewhere = self.board.diagrams.differ_anywhere(&reads[..reads.len() - 1], &wanted)?;
            let diagrams = &mut self.board.diagrams;
            let unwanted = if is_due { !self.after.stores } else { TRUE };
            let wrong = diagrams.or(elsewhere, unwanted)?;
            let states = diagrams.and(write, wrong)?;
            self.note(What::Store, states)?;
        }
        for &ram in &netlist.panel.memory {
            let write = self.board.levels[write_line(&netlist.chips[ram])];
            let wanted = if is_due { self.after.stores } else { FALSE };
            let states = self.board.diagrams.differ(write, wanted)?;
            self.note(What::Store, states)?;
        }
        Ok(())
    }

    /// Checks that the enables of the port and the rows open when a store is for them, and never otherwise.
    fn strobes(&mut self, is_due: bool) -> cycle::Result<()> {
        for (index, outlet) in self.board.netlist.panel.outlets().enumerate() {
            let enable = self.board.levels[outlet.enable[0]];
            let wanted = if is_due { self.after.taken[index] } else { FALSE };
            let states = self.board.diagrams.differ(enable, wanted)?;
            self.note(What::Strobe(index), states)?;
        }
        Ok(())
    }

    /// Compares the state after the cycle.
    fn registers(&mut self) -> cycle::Result<()> {
        let netlist = self.board.netlist;
        let (panel, after) = (&netlist.panel, self.after);
        for (what, nets, wanted) in [
            (What::Accumulator, &panel.accumulator, &after.accumulator[..]),
            (What::Carry, &panel.carry, &[after.carry]),
            (What::Counter, &panel.counter, &after.counter),
            (What::Target, &panel.target, &after.target),
            (What::Jumped, &panel.jump_master, &[after.jumped]),
        ] {
            let states = self.board.diagrams.differ_anywhere(&self.board.on(nets), wanted)?;
            self.note(what, states)?;
        }
        for (index, outlet) in panel.outlets().enumerate() {
            let shown = self.board.shown(outlet);
            let states = self.board.diagrams.differ_anywhere(&shown, &after.outlets[index])?;
            self.note(What::Shown(index), states)?;
        }
        Ok(())
    }

    /// Records that something is wrong in some states, if these include states in which a cycle can begin.
    fn note(&mut self, what: What, states: Function) -> cycle::Result<()> {
        let states = self.board.diagrams.and(states, self.possible)?;
        if states != FALSE {
            self.wrong.push(Difference { what, states, lookups: self.board.lookups.len() });
        }
        Ok(())
    }
}
