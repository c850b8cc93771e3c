//! The board with a function on every net, which covers all its possible levels at once.
//!
//! The variables are the levels that nothing else determines: the values of registers, the words of the program, bytes
//! of RAM, pads and keys. Looking up a chip composes its table with the functions on its lines. Nothing is known about
//! the program and RAM, so a cell that is read for the first time gets new variables. Different functions on the
//! address lines count as different cells, even if the addresses are equal in some states: that only adds
//! possibilities.

use super::burned::{Repair, RomDiagrams};
use crate::limits::Limits;
use gray1_machine::board::Outlet;
use gray1_machine::logic::{Diagrams, FALSE, Function, TRUE, TooLarge, Variable};
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist};
use std::collections::BTreeMap;
use std::ops::Not;
use std::sync::atomic::{AtomicBool, Ordering};

/// A net can have this many different variables: one for each cell of program or RAM that appears on it.
const COPIES: Variable = 64;

/// The reason why a phase cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    TooLarge(TooLarge),
    /// These chips keep changing each other, in some states.
    Unsettled(Vec<ChipId>),
    Stopped,
}

impl From<TooLarge> for Trouble {
    fn from(too_large: TooLarge) -> Trouble {
        Trouble::TooLarge(too_large)
    }
}

pub(crate) type Result<T> = std::result::Result<T, Trouble>;

/// Returns an error if the proof is to be stopped.
pub(crate) fn unless_stopped(stop: &AtomicBool) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(Trouble::Stopped) } else { Ok(()) }
}

/// A memory with unknown cells. All program chips for one byte of the words are burned alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Memory {
    Program { byte: usize },
    Ram(ChipId),
}

/// The board, with the functions on its nets.
#[derive(Clone)]
pub(crate) struct SymbolicBoard<'a> {
    pub netlist: &'a Netlist,
    pub diagrams: Diagrams,
    /// The functions, by net.
    pub levels: Vec<Function>,
    /// The lookups, in their order.
    pub lookups: Vec<Lookup>,
    roms: RomDiagrams,
    /// The first variable of each net, and the number of its variables that are in use.
    variables: Vec<Variable>,
    taken: Vec<Variable>,
    /// The cells of the program and of RAM chips that have been read, by the functions on the address lines.
    contents: BTreeMap<(Memory, Vec<Function>), Vec<Function>>,
    /// Whether a cell of RAM that was not written holds 0; otherwise it is not known.
    pub(super) has_blank_memory: bool,
    /// The chips that have to be looked up.
    pub(super) changed: Vec<bool>,
    most_sweeps: usize,
}

/// One lookup of a chip.
#[derive(Clone)]
pub(crate) struct Lookup {
    pub chip: ChipId,
    /// The functions on the lines that it reads, and its output.
    pub reads: Vec<Function>,
    pub data: Vec<Function>,
}

impl<'a> SymbolicBoard<'a> {
    /// Creates a board with all nets at 0.
    pub fn new(netlist: &'a Netlist, limits: &Limits, repair: Option<Repair>) -> Result<SymbolicBoard<'a>> {
        let mut variables = vec![0; netlist.nets.len()];
        for (net, first) in order(netlist).into_iter().zip((0..).step_by(COPIES as usize)) {
            variables[net] = first;
        }
        Ok(SymbolicBoard {
            netlist,
            diagrams: Diagrams::new(limits.nodes),
            levels: vec![FALSE; netlist.nets.len()],
            lookups: Vec::new(),
            roms: RomDiagrams::new(netlist, limits.nodes, repair)?,
            variables,
            taken: vec![0; netlist.nets.len()],
            contents: BTreeMap::new(),
            has_blank_memory: false,
            changed: vec![false; netlist.chips.len()],
            most_sweeps: limits.sweeps,
        })
    }

    /// Replaces a variable by a function everywhere.
    pub fn replace(&mut self, variable: Function, by: Function) -> Result<()> {
        for level in &mut self.levels {
            *level = self.diagrams.replace(*level, variable, by)?;
        }
        for ((memory, mut address), mut cell) in std::mem::take(&mut self.contents) {
            for level in address.iter_mut().chain(&mut cell) {
                *level = self.diagrams.replace(*level, variable, by)?;
            }
            self.contents.insert((memory, address), cell);
        }
        Ok(())
    }

    /// Returns a new variable for a net. Only a board that never settles needs more than there are.
    pub fn fresh(&mut self, net: NetId) -> Result<Function> {
        if self.taken[net] == COPIES {
            return Err(Trouble::Unsettled(
                self.netlist.nets[net].driver.iter().map(|pin| pin.chip).collect(),
            ));
        }
        self.taken[net] += 1;
        Ok(self.diagrams.variable(self.variables[net] + self.taken[net] - 1)?)
    }

    /// Returns the functions on these nets.
    pub fn on(&self, nets: &[NetId]) -> Vec<Function> {
        nets.iter().map(|&net| self.levels[net]).collect()
    }

    /// Returns the byte that an outlet shows.
    pub fn shown(&self, outlet: &Outlet<Vec<NetId>>) -> Vec<Function> {
        let byte = self.on(&outlet.latch);
        if outlet.inverted { byte.into_iter().map(Not::not).collect() } else { byte }
    }

    /// Returns the current output of a chip on a data line.
    pub fn gives(&mut self, id: ChipId, bit: usize) -> Result<Function> {
        let chip = &self.netlist.chips[id];
        match chip.holds {
            Holds::Table(table) => {
                let reads = self.on(&chip.reads);
                Ok(self.roms.look_up(table, bit, &reads, &mut self.diagrams)?)
            }
            Holds::Program { byte } => Ok(self.cell(Memory::Program { byte }, &chip.reads)?[bit]),
            Holds::Ram { address } => {
                let cell = self.cell(Memory::Ram(id), &chip.reads[..address])?[bit];
                let (write, input) = (self.levels[self.write(id)], self.levels[chip.reads[address + bit]]);
                Ok(self.diagrams.choose(write, input, cell)?)
            }
        }
    }

    /// Flips nets, and looks up chips until nothing changes any more. Chips without a live data line are left for a
    /// phase in which they have one.
    pub fn flip(&mut self, nets: &[NetId], live: &[bool]) -> Result<()> {
        for &net in nets {
            self.set(net, !self.levels[net]);
        }
        let netlist = self.netlist;
        let is_live = |id: &ChipId| netlist.chips[*id].data.iter().any(|net| live[*net]);
        let chips: Vec<ChipId> = (0..netlist.chips.len()).filter(is_live).collect();
        for _ in 0..self.most_sweeps {
            if !chips.iter().any(|&id| self.changed[id]) {
                return Ok(());
            }
            for &id in &chips {
                if std::mem::take(&mut self.changed[id]) {
                    self.look_up(id)?;
                }
            }
        }
        Err(Trouble::Unsettled(chips.into_iter().filter(|&id| self.changed[id]).collect()))
    }

    /// Looks up a chip, and puts its output on its nets.
    fn look_up(&mut self, id: ChipId) -> Result<()> {
        let chip = &self.netlist.chips[id];
        let data = (0..chip.data.len()).map(|bit| self.gives(id, bit)).collect::<Result<Vec<_>>>()?;
        if let Holds::Ram { address } = chip.holds
            && self.levels[self.write(id)] != FALSE
        {
            self.contents.insert((Memory::Ram(id), self.on(&chip.reads[..address])), data.clone());
        }
        for (&net, &level) in chip.data.iter().zip(&data) {
            self.set(net, level);
        }
        self.lookups.push(Lookup { chip: id, reads: self.on(&chip.reads), data });
        Ok(())
    }

    pub(super) fn set(&mut self, net: NetId, level: Function) {
        if std::mem::replace(&mut self.levels[net], level) != level {
            for pin in &self.netlist.nets[net].readers {
                self.changed[pin.chip] = true;
            }
        }
    }

    /// Returns the cell of the program or of a RAM at the address on these lines: new variables if it is read for the
    /// first time.
    pub fn cell(&mut self, memory: Memory, address: &[NetId]) -> Result<Vec<Function>> {
        let key = (memory, self.on(address));
        if let Some(known) = self.contents.get(&key) {
            return Ok(known.clone());
        }
        let netlist = self.netlist;
        let lines = match memory {
            Memory::Program { byte } => &netlist.panel.word[8 * byte..8 * byte + 8],
            Memory::Ram(chip) => &netlist.chips[chip].data[..],
        };
        if self.has_blank_memory && matches!(memory, Memory::Ram(_)) {
            return Ok(vec![FALSE; lines.len()]);
        }
        let cell = lines.iter().map(|&net| self.fresh(net)).collect::<Result<Vec<_>>>()?;
        self.contents.insert(key, cell.clone());
        Ok(cell)
    }

    /// Returns the cells of the program that have been read: which byte of a word, the address, and the variables.
    pub fn program(&self) -> impl Iterator<Item = (usize, &[Function], &[Function])> {
        self.contents.iter().filter_map(|((memory, address), cell)| match memory {
            Memory::Program { byte } => Some((*byte, &address[..], &cell[..])),
            Memory::Ram(_) => None,
        })
    }

    /// Returns the states in which the cells of the program that have been read agree: at equal addresses there are
    /// equal bytes.
    pub fn agrees(&mut self) -> Result<Function> {
        let cells = self.program().map(|(byte, address, cell)| (byte, address.to_vec(), cell.to_vec()));
        let cells: Vec<_> = cells.collect();
        let mut agrees = TRUE;
        for (number, (byte, address, cell)) in cells.iter().enumerate() {
            for (_, other, held) in cells[..number].iter().filter(|(other, ..)| other == byte) {
                let elsewhere = self.diagrams.differ_anywhere(address, other)?;
                if elsewhere == TRUE {
                    continue;
                }
                let differs = self.diagrams.differ_anywhere(cell, held)?;
                let wrong = self.diagrams.choose(elsewhere, FALSE, differs)?;
                agrees = self.diagrams.and(agrees, !wrong)?;
            }
        }
        Ok(agrees)
    }

    /// Returns the net on the write line of a RAM.
    fn write(&self, ram: ChipId) -> NetId {
        crate::phase::write_line(&self.netlist.chips[ram])
    }
}

/// Returns the nets in the order of their variables. Related nets are next to each other, which keeps the diagrams
/// small: first the word, then the data bit by bit, then counter and target bit by bit, and last the rows of the
/// display.
fn order(netlist: &Netlist) -> Vec<NetId> {
    let panel = &netlist.panel;
    let memory: Vec<NetId> = panel.memory.iter().flat_map(|&ram| netlist.chips[ram].data.clone()).collect();
    let bit_by_bit = |buses: &[&[NetId]]| {
        let lines = buses.iter().map(|bus| bus.len()).max().unwrap_or(0);
        (0..lines)
            .flat_map(|bit| buses.iter().filter_map(move |bus| bus.get(bit).copied()))
            .collect::<Vec<_>>()
    };
    let data = bit_by_bit(&[
        &panel.accumulator,
        &memory,
        &panel.pad_column,
        &panel.pad_row,
        &panel.keys,
        &panel.accumulator_master,
        &panel.port.latch,
    ]);
    let flags = [&panel.carry, &panel.carry_master, &panel.jump_master, &panel.tick_master];
    let program = bit_by_bit(&[&panel.counter, &panel.target]);
    let rows: Vec<NetId> = panel.display.iter().flat_map(|row| row.latch.clone()).collect();
    let others = netlist.listing.iter().copied().filter(|net| !rows.contains(net));
    let word = panel.word.iter().rev().copied();
    let all = word.chain(data).chain(flags.into_iter().flatten().copied()).chain(program).chain(others);
    let mut ordered: Vec<NetId> = Vec::new();
    for net in all.chain(rows.iter().copied()) {
        if !ordered.contains(&net) {
            ordered.push(net);
        }
    }
    ordered
}
