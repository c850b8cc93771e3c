//! Chips and loops that may have no state of rest between two phases.
//!
//! The other claims assume that each chip with a storage loop is at rest when a phase begins. There are two kinds of
//! loops for which this may be false: a chip that, with its other lines at some levels, has no cell that keeps its own
//! lines as they are; and a loop through several chips. Whether the latter holds, steps or runs forever cannot be
//! derived from a single table. The counter, which is named in the panel, is an exception.

use crate::phase::Phase;
use crate::rom::{Rom, chip_names, counts, driver, heard};
use crate::undecided::Undecided;
use gray1_machine::logic::components;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::Tables;
use std::collections::BTreeSet;

/// Chips with a loop that may have no state of rest at the end of some phase.
pub(crate) fn restless(netlist: &Netlist, phases: &[Phase]) -> Vec<Undecided> {
    let roms = (0..netlist.chips.len()).filter_map(|id| Rom::of(netlist, id));
    let restless = roms.filter_map(|rom| {
        let phase = phases.iter().find(|phase| !can_rest(rom, phase))?;
        Some(Undecided::NeverRests { chip: rom.chip.name.clone(), phase: phase.name.clone() })
    });
    restless.collect()
}

/// Whether a chip with a loop can rest whatever the levels of its other lines at the end of a phase.
fn can_rest(rom: Rom, phase: &Phase) -> bool {
    let own = rom.chip.own_lines();
    if own == 0 {
        return true;
    }
    let (free, levels) = rom.free(|net| phase.end[net].filter(|_| !rom.chip.data.contains(&net)));
    let mask = (rom.cells.len() - 1) as u32 & !free;
    let mut rests = vec![false; rom.cells.len()]; // by address with the chip's own lines at 0
    for address in (0..rom.cells.len() as u32).filter(|address| address & mask == levels) {
        rests[(address & !own) as usize] |= rom.rests(address);
    }
    (0..).zip(&rests).all(|(others, &rests)| rests || others & own != 0 || others & mask != levels)
}

/// Loops through several chips, other than the counter, that nothing cuts at the end of a phase: the chips, and the
/// phase.
pub(crate) fn loops_across<'a>(netlist: &Netlist, phases: &'a [Phase]) -> Vec<(Vec<ChipId>, &'a Phase)> {
    let mut tables = Tables::new(netlist);
    let mut found: Vec<(Vec<ChipId>, &Phase)> = Vec::new();
    for phase in phases {
        let drivers = netlist.nets.iter().map(|net| net.driver);
        let mut heard = |pin| heard(&mut tables, netlist, pin, &phase.end);
        let reads: Vec<Vec<NetId>> = drivers.map(|pin| pin.map_or(vec![], &mut heard)).collect();
        for chips in across(netlist, &reads) {
            if !chips.iter().all(|&chip| counts(netlist, chip)) && !found.iter().any(|(old, _)| *old == chips)
            {
                found.push((chips, phase));
            }
        }
    }
    found
}

/// Returns the chips of each loop of nets that goes through more than one chip.
fn across(netlist: &Netlist, reads: &[Vec<NetId>]) -> Vec<Vec<ChipId>> {
    let mut loops = components(reads);
    loops.sort_unstable_by_key(|nets| nets.iter().min().copied());
    let chips = loops.into_iter().map(|nets| {
        let chips = nets.into_iter().filter_map(|net| driver(netlist, net));
        Vec::from_iter(chips.collect::<BTreeSet<_>>())
    });
    chips.filter(|chips| chips.len() > 1).collect()
}

/// Returns the reasons why such loops leave a claim undecided.
pub(crate) fn undecided(netlist: &Netlist, loops: &[(Vec<ChipId>, &Phase)]) -> Vec<Undecided> {
    let each = loops.iter().map(|(chips, phase)| Undecided::LoopAcross {
        chips: chip_names(netlist, chips),
        phase: phase.name.clone(),
    });
    each.collect()
}
