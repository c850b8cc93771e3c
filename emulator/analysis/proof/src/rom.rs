//! A ROM of a netlist with its cells, and which of its loops count.

use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist};

/// A ROM whose table is known: any but the program.
#[derive(Clone, Copy)]
pub(crate) struct Rom<'a> {
    pub chip: &'a Chip,
    pub cells: &'a [u8],
    /// Its own lines that step by themselves, as those of the sequencer and the counter do. They are named in the
    /// panel; all other loops are registers.
    pub counting: u32,
}

impl<'a> Rom<'a> {
    /// The ROM of this number, if its table is known.
    pub fn of(netlist: &'a Netlist, id: ChipId) -> Option<Rom<'a>> {
        let chip = &netlist.chips[id];
        let counting = chip.own.iter().filter(|(line, _)| steps(netlist, chip.reads[*line]));
        let counting = counting.fold(0, |mask, (line, _)| mask | 1 << line);
        Some(Rom { chip, cells: netlist.table(id)?, counting })
    }

    /// Its own lines that do not step by themselves.
    pub fn registers(&self) -> u32 {
        self.chip.own_lines() & !self.counting
    }

    pub fn cell(&self, address: u32) -> u8 {
        self.cells[address as usize]
    }

    /// The next levels of its own lines if it stays at this address.
    pub fn next(&self, address: u32) -> u32 {
        self.chip.fed_back(self.cell(address))
    }

    /// Whether its own lines stay as they are at this address.
    pub fn rests(&self, address: u32) -> bool {
        self.chip.rests(address, self.cell(address))
    }
}

/// Whether a chip drives the sequencer or the counter.
pub(crate) fn counts(netlist: &Netlist, id: ChipId) -> bool {
    netlist.chips[id].data.iter().any(|net| steps(netlist, *net))
}

fn steps(netlist: &Netlist, net: NetId) -> bool {
    netlist.panel.sequence.contains(&net) || netlist.panel.counter.contains(&net)
}

/// The inputs for pads and keys: all but the oscillator and the reset line.
pub(crate) fn pads_and_keys(netlist: &Netlist) -> impl Iterator<Item = NetId> {
    let lines = [netlist.panel.oscillator[0], netlist.panel.reset[0]];
    netlist.inputs.iter().cloned().flatten().filter(move |net| !lines.contains(net))
}

pub(crate) fn names(netlist: &Netlist, nets: impl IntoIterator<Item = NetId>) -> Vec<String> {
    nets.into_iter().map(|net| netlist.nets[net].name.clone()).collect()
}

pub(crate) fn chip_names(netlist: &Netlist, chips: &[ChipId]) -> Vec<String> {
    chips.iter().map(|&chip| netlist.chips[chip].name.clone()).collect()
}

/// Nets in the order of the board file, each once.
pub(crate) fn listed(netlist: &Netlist, nets: Vec<NetId>) -> Vec<NetId> {
    netlist.listing.iter().copied().filter(|net| nets.contains(net)).collect()
}

/// A net and its level.
pub(crate) type Level = (NetId, bool);

/// A net and its level in words.
pub(crate) fn level_name(netlist: &Netlist, (net, level): Level) -> String {
    format!("{}={}", netlist.nets[net].name, u8::from(level))
}

/// The chip that drives a net.
pub(crate) fn driver(netlist: &Netlist, net: NetId) -> Option<ChipId> {
    netlist.nets[net].driver.map(|pin| pin.chip)
}
