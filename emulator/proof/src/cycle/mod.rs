//! One machine cycle for all states at once.

mod board;
mod burned;
mod power_up;
mod start;

pub(crate) use board::{Lookup, Memory, Result, SymbolicBoard, Trouble, unless_stopped};
pub(crate) use burned::Repair;
pub(crate) use start::Start;

use crate::phase::Phase;
use crate::rom::heard;
use gray1_machine::netlist::{NetId, Netlist};
use gray1_machine::tables::Tables;

/// Returns the nets that matter in a phase: those of chips that hold themselves (the clock too, even if nothing else
/// listens to it in this phase), those that the panel names, those that leave the machine or are stored in RAM, and all
/// nets that can influence these according to the tables, given the levels that do not move.
pub(crate) fn live(netlist: &Netlist, phase: &Phase, held: &[NetId]) -> Vec<bool> {
    let known = phase.certain();
    let panel = &netlist.panel;
    let outlets = panel.outlets().flat_map(|outlet| outlet.latch.iter().chain(&outlet.enable));
    let registers = [&panel.accumulator, &panel.carry, &panel.counter].into_iter().flatten();
    let rams = panel.memory.iter().map(|&ram| &netlist.chips[ram]);
    let ports = rams.flat_map(|ram| {
        let reads = if phase.writes(ram) { 0 } else { ram.reads.len() - 1 };
        &ram.reads[reads..]
    });
    let loops = netlist.chips.iter().filter(|chip| chip.holds_itself()).flat_map(|chip| &chip.data);
    let own = held.iter().chain(loops).chain(outlets).chain(registers).chain(ports);
    let mut open: Vec<NetId> = own.copied().collect();
    let mut tables = Tables::new(netlist);
    let mut live = vec![false; netlist.nets.len()];
    while let Some(net) = open.pop() {
        if std::mem::replace(&mut live[net], true) {
            continue;
        }
        let Some(pin) = netlist.nets[net].driver else { continue };
        open.extend(heard(&mut tables, netlist, pin, &known));
    }
    live
}
