//! The ways in which the lines around a ring can move in a phase.

use crate::clock::Motion;
use crate::phase::Phase;
use crate::ring::{Movers, Ring, State};
use crate::rom::{Level, driver, heard, listed};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::Tables;

/// One way in which the lines around a ring can move: their levels before and after.
#[derive(Clone)]
pub(crate) struct Surroundings {
    /// Nets with the levels that are known, before and after.
    pub levels: Vec<(NetId, Option<bool>, Option<bool>)>,
}

impl Surroundings {
    /// Returns the level of a net before or after.
    pub fn level(&self, net: NetId, after: bool) -> Option<bool> {
        let known = self.levels.iter().find(|(known, _, _)| *known == net);
        known.and_then(|&(_, from, to)| if after { to } else { from })
    }

    /// Returns the same with nothing known about one net.
    pub fn without(&self, net: NetId) -> Surroundings {
        let others = self.levels.iter().copied().filter(|(other, _, _)| *other != net);
        Surroundings { levels: others.collect() }
    }

    pub fn ends(&self) -> Vec<Level> {
        self.levels.iter().filter_map(|&(net, _, to)| Some((net, to?))).collect()
    }

    /// Returns the movements of the lines from outside, as far as the ring depends on them.
    pub fn movers(&self, ring: &Ring, phase: &Phase) -> Movers {
        let cares = self.cares(ring);
        let pins = |moves: &dyn Fn(NetId) -> bool| {
            ring.pins_where(|net| !ring.drives(net) && phase.moves(net) && moves(net)) & cares
        };
        let known = |net: NetId| self.level(net, false).zip(self.level(net, true));
        let once = |net: NetId| phase.motion[net] == Motion::Once;
        Movers {
            once: pins(&|net| once(net) && known(net).is_some_and(|(from, to)| from != to)),
            perhaps: pins(&|net| once(net) && known(net).is_none()),
            glitching: pins(&|net| phase.motion[net] == Motion::Glitches),
            ..Movers::default()
        }
    }

    /// Returns the pins that make a difference to their chip while the known lines have these levels, before or after.
    pub fn cares(&self, ring: &Ring) -> State {
        ring.pins.iter().enumerate().fold(0, |cares, (pin, is)| {
            let rom = ring.roms[is.chip];
            let before = |net: NetId| self.level(net, false);
            let free = rom.free(|net| before(net).filter(|&level| self.level(net, true) == Some(level)));
            cares | State::from(rom.cares(is.line, free)) << pin
        })
    }
}

/// Returns all ways in which the lines from outside can move: for those that move once, all possible levels before and
/// after. If there are too many, each further line may or may not move.
pub(crate) fn surroundings(
    netlist: &Netlist,
    phase: &Phase,
    chips: &[ChipId],
    tables: &mut Tables,
) -> Vec<Surroundings> {
    let mut all = vec![Surroundings { levels: vec![] }];
    for net in listed(netlist, chips.iter().flat_map(|&chip| netlist.chips[chip].reads.clone()).collect()) {
        let inside = driver(netlist, net).is_some_and(|chip| chips.contains(&chip));
        let (start, end) = (phase.start[net], phase.end[net]);
        let levels = |known: Option<bool>| {
            [false, true].into_iter().filter(move |level| known.is_none_or(|known| known == *level))
        };
        let choices: Vec<(Option<bool>, Option<bool>)> = match phase.motion[net] {
            Motion::Stable => vec![(start, start)],
            Motion::Once if !inside && all.len() < phase.limits.surroundings => {
                levels(start).flat_map(|from| levels(end).map(move |to| (Some(from), Some(to)))).collect()
            }
            Motion::Once if !inside => vec![(start, end)],
            _ => continue,
        };
        let more = |known: &Surroundings, (from, to)| {
            let mut known = known.clone();
            known.levels.push((net, from, to));
            known
        };
        all = all.iter().flat_map(|known| choices.iter().map(|&choice| more(known, choice))).collect();
    }
    let moved = |net: NetId| phase.motion[net] == Motion::Once;
    let mut source = |net| if moved(net) { source(netlist, net, tables) } else { (net, false) };
    let sources: Vec<(NetId, bool)> = all[0].levels.iter().map(|(net, ..)| source(*net)).collect();
    // At rest, the copies of a line agree.
    all.retain(|known| {
        let copies = known.levels.iter().zip(&sources);
        copies.clone().enumerate().all(|(index, (&(_, from, to), source))| {
            copies.clone().take(index).filter(|(_, other)| other.0 == source.0).all(
                |(&(_, start, end), other)| {
                    let agrees = |one: Option<bool>, two: Option<bool>| {
                        one.zip(two).is_none_or(|(one, two)| one ^ two == source.1 ^ other.1)
                    };
                    agrees(from, start) && agrees(to, end)
                },
            )
        })
    });
    all
}

/// Returns the net of which a net is a copy through buffers and inverters, and whether it is its opposite.
fn source(netlist: &Netlist, mut net: NetId, tables: &mut Tables) -> (NetId, bool) {
    let (unknown, mut inverted) = (vec![None; netlist.nets.len()], false);
    for _ in 0..netlist.chips.len() {
        let Some(pin) = netlist.nets[net].driver else { break };
        let Some(cells) = netlist.table(pin.chip) else { break };
        let &[line] = &heard(tables, netlist, pin, &unknown)[..] else { break };
        inverted ^= cells[0] >> pin.line & 1 == 1;
        net = line;
    }
    (net, inverted)
}
