//! Tests with a model of a ring in which each data line sees the change of each address line at a separate time. Every
//! order is tried, with all races won and with one of them lost.

use super::*;
use gray1_machine::board::Board;
use std::collections::{BTreeSet, HashSet};

/// A ring from one state of rest; the nets in `moved` move from outside.
struct Split<'a> {
    netlist: &'a Netlist,
    levels: Vec<bool>,
    /// The data lines, as nets, and their chips.
    lines: Vec<(ChipId, NetId)>,
    outside: BTreeSet<NetId>,
    races: Vec<Race>,
}

/// The nets that have moved, and for each data line the address lines that it has seen move.
type Seen = (BTreeSet<NetId>, Vec<u32>);

impl Split<'_> {
    fn level(&self, (id, net): (ChipId, NetId), seen: u32) -> bool {
        let chip = &self.netlist.chips[id];
        let address = chip.reads.iter().enumerate();
        let address =
            address.fold(seen, |address, (line, &net)| address ^ u32::from(self.levels[net]) << line);
        let bit = chip.data.iter().position(|data| *data == net).unwrap();
        self.netlist.table(id).unwrap()[address as usize] >> bit & 1 == 1
    }

    /// Whether the races allow a data line to see one more line move.
    fn may_see(&self, (chip, net): (ChipId, NetId), seen: u32, line: usize) -> bool {
        let reads = &self.netlist.chips[chip].reads;
        let has_seen =
            |net: NetId| reads.iter().enumerate().any(|(line, read)| *read == net && seen >> line & 1 == 1);
        self.races.iter().all(|race| {
            race.line != net || *race.round.last().unwrap() != reads[line] || has_seen(race.round[0])
        })
    }

    /// Returns the nets that have moved in the end, if they are the same in every order and none of them moves back.
    fn end(&self) -> Option<BTreeSet<NetId>> {
        let start = (self.outside.clone(), vec![0; self.lines.len()]);
        let mut known: HashSet<Seen> = HashSet::from([start.clone()]);
        let mut ends = BTreeSet::new();
        let mut open = vec![start];
        while let Some((moved, seen)) = open.pop() {
            let mut next: Vec<Seen> = vec![];
            for (index, &(chip, net)) in self.lines.iter().enumerate() {
                for (line, read) in self.netlist.chips[chip].reads.iter().enumerate() {
                    if moved.contains(read)
                        && seen[index] >> line & 1 == 0
                        && self.may_see((chip, net), seen[index], line)
                    {
                        let mut after = seen.clone();
                        after[index] |= 1 << line;
                        next.push((moved.clone(), after));
                    }
                }
                let has_moved = moved.contains(&net);
                if self.level((chip, net), seen[index]) != self.levels[net] ^ has_moved {
                    if has_moved {
                        return None;
                    }
                    let moved = moved.iter().copied().chain([net]).collect();
                    next.push((moved, seen.clone()));
                }
            }
            if next.is_empty() {
                ends.insert(moved);
            }
            open.extend(next.into_iter().filter(|state| known.insert(state.clone())));
        }
        if ends.len() == 1 { ends.pop_first() } else { None }
    }

    /// Returns the races that occur from this state: those that change the final state if they are lost.
    fn needed(&self) -> BTreeSet<Race> {
        let without = |race: &Race| {
            let races = self.races.iter().filter(|other| *other != race).cloned().collect();
            Split {
                levels: self.levels.clone(),
                lines: self.lines.clone(),
                outside: self.outside.clone(),
                races,
                ..*self
            }
        };
        self.races.iter().filter(|race| without(race).end().is_none()).cloned().collect()
    }
}

fn lines(netlist: &Netlist, chips: &[&str]) -> Vec<(ChipId, NetId)> {
    let chips = chips.iter().map(|name| netlist.chip(name).unwrap());
    chips.flat_map(|chip| netlist.chips[chip].data.iter().map(move |&net| (chip, net))).collect()
}

#[test]
fn a_clock_that_wins_its_races_goes_on_by_one_state_and_each_of_them_is_needed() {
    let board = Board::gray1();
    let netlist = &**board.netlist();
    let races = Prover::new(&board).races().unwrap().races;
    let races: Vec<Race> = races.into_iter().map(|(race, _)| race).collect();
    let clock = Clock::find(netlist, &Limits::default()).unwrap();
    let mut needed = BTreeSet::new();
    for edge in clock.phases.iter().chain(&clock.held) {
        let mut levels = vec![false; netlist.nets.len()];
        for (&net, &level) in clock.nets.iter().zip(&edge.levels) {
            levels[net] = level;
        }
        let outside = BTreeSet::from([netlist.panel.oscillator[0]]);
        let split = Split { netlist, levels, lines: lines(netlist, &["SEQ"]), outside, races: races.clone() };
        let moves = clock.nets.iter().zip(&edge.moves).filter(|(_, moves)| **moves == Motion::Once);
        assert_eq!(split.end(), Some(moves.map(|(&net, _)| net).collect()));
        needed.extend(split.needed());
    }
    let sequencer = netlist.chip("SEQ").unwrap();
    assert_eq!(needed, races.into_iter().filter(|race| race.chip == sequencer).collect());
}

/// One step to each line of the lower half, and the step before it. (Those of the upper half take too many states.)
#[test]
fn a_counter_that_wins_its_races_takes_one_step_and_each_of_them_is_needed() {
    let board = Board::gray1();
    let netlist = &**board.netlist();
    let races = Prover::new(&board).races().unwrap().races;
    let lower = netlist.chip("PCL").unwrap();
    let races: Vec<Race> = races
        .into_iter()
        .map(|(race, _)| race)
        .filter(|race| race.chip == lower && race.round.len() == 2)
        .collect();
    let mut needed = BTreeSet::new();
    for number in [0, 1, 2, 3, 6, 7, 14, 15, 30, 31, 62] {
        let (code, next) = (gray1_isa::gray(number), gray1_isa::gray(number + 1));
        let mut levels = vec![false; netlist.nets.len()];
        for (bit, &net) in netlist.panel.counter.iter().enumerate() {
            levels[net] = code >> bit & 1 == 1;
        }
        let net = |name: &str| netlist.net(name).unwrap();
        levels[net("TICK")] = code.count_ones() % 2 == 1;
        for name in ["PARH", "TICKH"] {
            levels[net(name)] = (code >> 6).count_ones() % 2 == 1;
        }
        let outside = BTreeSet::from([net("TICK")]);
        let split = Split { netlist, levels, lines: lines(netlist, &["PCL"]), outside, races: races.clone() };
        let step = netlist.panel.counter[(code ^ next).trailing_zeros() as usize];
        assert_eq!(split.end(), Some(BTreeSet::from([net("TICK"), step])), "{number}");
        needed.extend(split.needed());
    }
    assert_eq!(needed, races.into_iter().collect());
}
