//! A ROM of a netlist with its cells, and which of its loops count.

use gray1_machine::logic::values;
use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist, Pin};
use gray1_machine::tables::{Known, Tables};

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
    /// Creates the ROM of this number, if its table is known.
    pub fn of(netlist: &'a Netlist, id: ChipId) -> Option<Rom<'a>> {
        let chip = &netlist.chips[id];
        let counting = chip.own.iter().filter(|(line, _)| steps(netlist, chip.reads[*line]));
        let counting = counting.fold(0, |mask, (line, _)| mask | 1 << line);
        Some(Rom { chip, cells: netlist.table(id)?, counting })
    }

    /// Returns its own lines that do not step by themselves.
    pub fn registers(&self) -> u32 {
        self.chip.own_lines() & !self.counting
    }

    /// Returns the lines whose levels are not known, as a mask; and the levels of the others.
    pub fn free(&self, level: impl Fn(NetId) -> Option<bool>) -> (u32, u32) {
        let lines = (0..).zip(&self.chip.reads);
        lines.fold((0, 0), |(free, levels), (line, &net)| match level(net) {
            Some(level) => (free, levels | u32::from(level) << line),
            None => (free | 1 << line, levels),
        })
    }

    /// Whether a line makes a difference to the data at some levels of the free lines.
    pub fn cares(&self, line: usize, (free, levels): (u32, u32)) -> bool {
        let differs = |address: u32| self.cell(address) != self.cell(address ^ 1 << line);
        free >> line & 1 == 1 && values(free).any(|value| differs(value | levels))
    }

    pub fn cell(&self, address: u32) -> u8 {
        self.cells[address as usize]
    }

    /// Returns the next levels of its own lines if it stays at this address.
    pub fn next(&self, address: u32) -> u32 {
        self.chip.fed_back(self.cell(address))
    }

    /// Whether its own lines stay as they are at this address.
    pub fn rests(&self, address: u32) -> bool {
        self.chip.rests(address, self.cell(address))
    }
}

/// Returns the nets that can still change a data line when these levels are known.
pub(crate) fn heard(tables: &mut Tables, netlist: &Netlist, pin: Pin, known: &Known) -> Vec<NetId> {
    let facts = tables.facts(pin.chip, known);
    let lines = netlist.chips[pin.chip].reads.iter().zip(&facts.moves);
    lines.filter(|(_, moves)| **moves >> pin.line & 1 == 1).map(|(&net, _)| net).collect()
}

/// Whether a chip drives the sequencer or the counter.
pub(crate) fn counts(netlist: &Netlist, id: ChipId) -> bool {
    netlist.chips[id].data.iter().any(|net| steps(netlist, *net))
}

fn steps(netlist: &Netlist, net: NetId) -> bool {
    netlist.panel.sequence.contains(&net) || netlist.panel.counter.contains(&net)
}

/// Returns the chips on which something depends that the panel names, or that is stored in RAM.
pub(crate) fn used(netlist: &Netlist) -> Vec<bool> {
    let panel = &netlist.panel;
    let named = panel.outlets().flat_map(|outlet| outlet.latch.iter().chain(&outlet.enable));
    let numbers = [&panel.counter, &panel.accumulator, &panel.carry, &panel.sequence];
    let stored = panel.memory.iter().flat_map(|&ram| &netlist.chips[ram].reads);
    let mut nets: Vec<NetId> = named.chain(numbers.into_iter().flatten()).chain(stored).copied().collect();
    let mut used = vec![false; netlist.chips.len()];
    while let Some(net) = nets.pop() {
        if let Some(chip) = driver(netlist, net)
            && !std::mem::replace(&mut used[chip], true)
        {
            nets.extend(&netlist.chips[chip].reads);
        }
    }
    used
}

/// Returns the inputs for pads and keys: all but the oscillator and the reset line.
pub(crate) fn pads_and_keys(netlist: &Netlist) -> impl Iterator<Item = NetId> {
    let lines = netlist.panel.oscillator.iter().chain(&netlist.panel.reset);
    netlist.inputs.iter().cloned().flatten().filter(move |net| !lines.clone().any(|line| line == net))
}

pub(crate) fn names(netlist: &Netlist, nets: impl IntoIterator<Item = NetId>) -> Vec<String> {
    nets.into_iter().map(|net| netlist.nets[net].name.clone()).collect()
}

pub(crate) fn chip_names(netlist: &Netlist, chips: &[ChipId]) -> Vec<String> {
    chips.iter().map(|&chip| netlist.chips[chip].name.clone()).collect()
}

/// Returns nets in the order of the board file, each once.
pub(crate) fn listed(netlist: &Netlist, nets: Vec<NetId>) -> Vec<NetId> {
    netlist.listing.iter().copied().filter(|net| nets.contains(net)).collect()
}

/// A net and its level.
pub(crate) type Level = (NetId, bool);

/// Returns a net and its level in words.
pub(crate) fn level_name(netlist: &Netlist, (net, level): Level) -> String {
    format!("{}={}", netlist.nets[net].name, u8::from(level))
}

/// Returns nets and their levels in words.
pub(crate) fn level_names(netlist: &Netlist, levels: &[Level]) -> String {
    levels.iter().map(|&level| level_name(netlist, level)).collect::<Vec<_>>().join(" ")
}

/// Returns the chip that drives a net.
pub(crate) fn driver(netlist: &Netlist, net: NetId) -> Option<ChipId> {
    netlist.nets[net].driver.map(|pin| pin.chip)
}
