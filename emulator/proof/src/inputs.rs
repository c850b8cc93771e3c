//! The influence of lines from outside that move at any time.
//!
//! Nothing synchronises the pads and the keys, nor the reset button where anything but the clock reads it. A net is
//! *reached* in a phase if a table can pass a movement of such a line on to it, given the levels that are certain in
//! that phase. No register, no write line of RAM and no enable of an outlet may be reached in any phase. The master of
//! the accumulator and that of the carry are excepted for pads and keys: they take the byte that an instruction reads.
//! So are registers on which nothing depends.

use crate::clock::Clock;
use crate::limits::Limits;
use crate::motion::moved_phases;
use crate::phase::{Phase, write_line};
use crate::rom::{driver, listed, names, pads_and_keys, used};
use crate::undecided::Undecided;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::{Known, Tables};

/// Finds what the pads and keys disturb in these phases.
pub(crate) fn of_pads_and_keys<'a>(
    netlist: &Netlist,
    clock: &Clock,
    phases: impl IntoIterator<Item = &'a Phase>,
) -> Option<Undecided> {
    let inputs: Vec<NetId> = pads_and_keys(netlist).collect();
    let panel = &netlist.panel;
    let excepted: Vec<NetId> = panel.accumulator_master.iter().chain(&panel.carry_master).copied().collect();
    disturbance(netlist, clock, phases, &inputs, &excepted)
}

/// Finds what the line of the reset button disturbs by paths outside the clock, while RST is 0 and while it is 1.
pub(crate) fn of_the_button(netlist: &Netlist, clock: &Clock, limits: &Limits) -> Vec<Undecided> {
    let reset = [netlist.panel.reset[0]];
    if clock.readers_outside(netlist, reset[0]).next().is_none() {
        return vec![];
    }
    let phases = [false, true].map(|held| moved_phases(netlist, clock, limits, held, &reset));
    phases.iter().filter_map(|phases| disturbance(netlist, clock, phases, &reset, &[])).collect()
}

/// Finds the first phase in which these lines reach a net that they must not reach.
fn disturbance<'a>(
    netlist: &Netlist,
    clock: &Clock,
    phases: impl IntoIterator<Item = &'a Phase>,
    inputs: &[NetId],
    excepted: &[NetId],
) -> Option<Undecided> {
    let (mut tables, used) = (Tables::new(netlist), used(netlist));
    phases.into_iter().find_map(|phase| {
        let mut reached = vec![false; netlist.nets.len()];
        inputs.iter().for_each(|&net| reached[net] = true);
        let is_outside = |chip: ChipId, _| !clock.chips.contains(&chip);
        pass_on(netlist, &mut tables, &phase.certain(), &mut reached, is_outside);
        let keeps = |net: NetId| {
            driver(netlist, net).is_some_and(|chip| used[chip] && netlist.chips[chip].reads.contains(&net))
        };
        let registers = (0..netlist.nets.len()).filter(|&net| keeps(net));
        let rams = netlist.chips.iter().filter(|chip| chip.is_ram());
        let writes = rams.clone().map(write_line);
        let written = rams.filter(|ram| phase.writes(ram)).flat_map(|ram| ram.reads.iter().copied());
        let outlets = netlist.panel.outlets().flat_map(|outlet| outlet.latch.iter().chain(&outlet.enable));
        let matter = registers.chain(writes).chain(written).chain(outlets.copied());
        let wrong: Vec<NetId> = matter.filter(|net| reached[*net] && !excepted.contains(net)).collect();
        (!wrong.is_empty()).then(|| Undecided::Reached {
            inputs: names(netlist, listed(netlist, inputs.to_vec())),
            phase: phase.name.clone(),
            nets: names(netlist, listed(netlist, wrong)),
        })
    })
}

/// Adds to the nets that move all to which a table can pass a movement on, as long as these levels are known.
/// `can_move` excludes chips with their data lines.
pub(crate) fn pass_on(
    netlist: &Netlist,
    tables: &mut Tables,
    known: &Known,
    moves: &mut [bool],
    can_move: impl Fn(ChipId, NetId) -> bool,
) {
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for (id, chip) in netlist.chips.iter().enumerate() {
            let facts = tables.facts(id, known);
            let passed = chip.reads.iter().zip(&facts.moves).filter(|(net, _)| moves[**net]);
            let passed = passed.fold(0, |all, (_, moves)| all | moves);
            for (bit, &net) in chip.data.iter().enumerate() {
                let is_moved = passed >> bit & 1 == 1 && can_move(id, net);
                is_new |= is_moved && !std::mem::replace(&mut moves[net], true);
            }
        }
    }
}
