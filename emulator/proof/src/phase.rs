//! A phase of the clock: the levels that are known when it begins and when it ends, and how each net moves in it.

use crate::clock::{Clock, Motion};
use crate::limits::Limits;
use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist};
use gray1_machine::tables::Known;
use std::ops::Range;

/// A phase of the clock, and how each net moves in it.
pub(crate) struct Phase {
    pub name: String,
    /// The levels that are certain when it begins, and when it ends.
    pub start: Known,
    pub end: Known,
    pub motion: Vec<Motion>,
    /// The order in which nets were found to move: the nets that move a net were found before it.
    pub found: Vec<u32>,
    pub limits: Limits,
}

impl Phase {
    /// Creates a phase in which nothing moves.
    pub fn still(name: &str, start: Known, end: Known, limits: &Limits) -> Phase {
        let (motion, found) = (vec![Motion::Stable; start.len()], vec![0; start.len()]);
        Phase { name: name.to_owned(), start, end, motion, found, limits: *limits }
    }

    /// Sets how the nets of the clock move, which is known before the phase is examined.
    pub fn set_clock(&mut self, clock: &Clock, moves: &[Motion]) {
        clock.nets.iter().zip(moves).for_each(|(&net, moves)| self.motion[net] = *moves);
    }

    pub fn moves(&self, net: NetId) -> bool {
        self.motion[net] != Motion::Stable
    }

    /// Returns the levels that are certain throughout the phase.
    pub fn certain(&self) -> Known {
        (0..self.start.len()).map(|net| self.start[net].filter(|_| !self.moves(net))).collect()
    }

    /// Returns the lines of a chip that move.
    pub fn moving(&self, chip: &Chip) -> u32 {
        (0..).zip(&chip.reads).fold(0, |mask, (line, &net)| mask | u32::from(self.moves(net)) << line)
    }

    /// Returns the lines of a chip's own loops that do not move.
    pub fn stable_own_lines(&self, chip: &Chip) -> u32 {
        chip.own_lines() & !self.moving(chip)
    }

    /// Whether a RAM may be written in this phase.
    pub fn writes(&self, ram: &Chip) -> bool {
        let write = write_line(ram);
        self.moves(write) || self.start[write] != Some(false)
    }

    /// Returns the nets that move in this way, in the order of the board file.
    pub fn nets(&self, netlist: &Netlist, motion: Motion) -> impl Iterator<Item = NetId> {
        netlist.listing.iter().copied().filter(move |&net| self.motion[net] == motion)
    }
}

/// Returns the lines that write to RAM or open what leaves the machine.
pub(crate) fn outward_strobes(netlist: &Netlist) -> Vec<NetId> {
    let rams = netlist.panel.memory.iter().map(|&ram| write_line(&netlist.chips[ram]));
    rams.chain(netlist.panel.outlets().map(|outlet| outlet.enable[0])).collect()
}

/// Returns the RAMs that together hold a byte at each address, each with the bits that it holds.
pub(crate) fn memory(netlist: &Netlist) -> impl Iterator<Item = (ChipId, Range<usize>)> {
    netlist.panel.memory.iter().scan(0, |end, &id| {
        let first = *end;
        *end += netlist.chips[id].data.len();
        Some((id, first..*end))
    })
}

/// Returns the net on the write line of a RAM.
pub(crate) fn write_line(ram: &Chip) -> NetId {
    ram.reads[ram.reads.len() - 1]
}
