//! The addresses that the data lines of a ring may see, those that they must never see, and what prevents the latter.
//!
//! A *set* is a set of address lines of a chip that have moved since the ring was at rest, as a mask.

use crate::limits::Visits;
use crate::ring::{Movers, Ring, State};
use gray1_machine::logic::{ones, values};
use gray1_machine::netlist::NetId;
use std::collections::{BTreeMap, BTreeSet};

/// With more moving lines than this on one chip, the addresses that they can form are not examined.
const MAX_LINES: u32 = 12;

/// A net of the ring moves more than once, or it is not known what moves it.
pub struct Unclear;

/// The exploration of every order in which a ring can move from one state of rest.
pub struct RingMoves<'a> {
    pub ring: &'a Ring<'a>,
    pub start: State,
    /// For each chip, the sets of address lines that have moved at some time.
    pub moved: Vec<BTreeSet<u32>>,
}

impl RingMoves<'_> {
    pub fn of<'a>(
        ring: &'a Ring,
        start: State,
        movers: Movers,
        visits: &mut Visits,
    ) -> Result<RingMoves<'a>, Unclear> {
        let mut moved = vec![BTreeSet::from([0]); ring.chips.len()];
        let mut back = 0;
        let explored = ring.explore(start, movers, visits, |before, after| {
            back |= (before ^ start) & !(after ^ start);
            for (chip, moved) in moved.iter_mut().enumerate() {
                moved.insert(ring.address(chip, after) ^ ring.address(chip, start));
            }
        });
        match explored {
            Ok(explored) if explored.counted.withdrawn == 0 && back == 0 => {
                Ok(RingMoves { ring, start, moved })
            }
            _ => Err(Unclear),
        }
    }
}

/// A data line, and the sets of address lines of its chip that can have moved when it is looked up.
pub struct Line {
    /// The index of the chip in the ring.
    pub chip: usize,
    /// The address lines that move and on which it depends.
    lines: u32,
    /// The expected sets.
    expected: BTreeSet<u32>,
    /// The minimal sets of lines that move it.
    movers: Vec<u32>,
    /// The sets that must never be seen.
    pub unwanted: Vec<u32>,
}

impl Line {
    pub fn of(explored: &RingMoves, index: usize, bit: usize) -> Result<Line, Unclear> {
        let (rom, at) = (explored.ring.roms[index], explored.ring.address(index, explored.start));
        let moves = |set: u32| (rom.cell(at) ^ rom.cell(at ^ set)) >> bit & 1 == 1;
        let all = explored.moved[index].iter().fold(0, |all, set| all | set);
        if all.count_ones() > MAX_LINES {
            return Err(Unclear);
        }
        let depends = |line: u32| values(all).any(|set| moves(set) != moves(set ^ line));
        let lines = ones(all).filter(|&line| depends(line)).fold(0, |lines, line| lines | line);
        let expected: BTreeSet<u32> = explored.moved[index].iter().map(|set| set & lines).collect();
        let mut sets: Vec<u32> = values(lines).collect();
        sets.sort_by_key(|set| (set.count_ones(), *set));
        let (mut unwanted, mut moved): (Vec<u32>, Vec<u32>) = (vec![], vec![]);
        for set in sets {
            let has_moved = |moved: &[u32]| moved.iter().any(|before| before & !set == 0);
            let is_still_due = || expected.iter().any(|&later| set & !later == 0 && !moves(later));
            match (moves(set), expected.contains(&set)) {
                (true, false) if is_still_due() => unwanted.push(set),
                (false, false) if has_moved(&moved) => unwanted.push(set),
                (true, _) => moved.push(set),
                // It moves back although all data lines see the same address: that is not caused by a race.
                (false, true) if has_moved(&moved) => return Err(Unclear),
                (false, _) => {}
            }
        }
        let is_least = |set: &u32| !moved.iter().any(|less| less != set && less & !set == 0);
        let movers = moved.iter().copied().filter(is_least).collect();
        Ok(Line { chip: index, lines, expected, movers, unwanted })
    }
}

/// Which lines move which in a ring.
pub struct Causes<'a> {
    pub ring: &'a Ring<'a>,
    pub lines: &'a BTreeMap<NetId, Line>,
}

impl Causes<'_> {
    /// Finds what prevents a data line from seeing a set of moved lines: the ways round from a line that is not in the set
    /// to a line that is, and that cannot move without the first. Of several such pairs, this takes the one with the
    /// longest way. If the only way is through the data line itself, it has seen the first line by then.
    pub fn rounds(&self, net: NetId, unwanted: u32) -> Result<Vec<Vec<NetId>>, Unclear> {
        let line = &self.lines[&net];
        let read = |pin: u32| self.ring.roms[line.chip].chip.reads[pin.trailing_zeros() as usize];
        let needs = |later: u32, first: u32| {
            line.expected.iter().all(|expected| expected & later == 0 || expected & first != 0)
        };
        let mut best: Option<Vec<Vec<NetId>>> = None;
        let shortest = |ways: &[Vec<NetId>]| ways.iter().map(Vec::len).min().unwrap_or(usize::MAX);
        for first in ones(line.lines & !unwanted) {
            for later in ones(unwanted).filter(|&later| needs(later, first)) {
                let Some(mut ways) = self.ways(read(first), read(later), &[]) else { continue };
                ways.retain(|way| way.get(1) != Some(&net)); // it has seen the first
                if best.as_ref().is_none_or(|best| shortest(best) < shortest(&ways)) {
                    best = Some(ways);
                }
            }
        }
        best.ok_or(Unclear)
    }

    /// Returns all ways by which a net moves because another did, each net once; none if it can move without that.
    /// `later` are nets that move after it.
    fn ways(&self, from: NetId, to: NetId, later: &[NetId]) -> Option<Vec<Vec<NetId>>> {
        if from == to {
            return Some(vec![vec![from]]);
        }
        let line = self.lines.get(&to)?;
        let chip = self.ring.roms[line.chip].chip;
        let later: Vec<NetId> = later.iter().copied().chain([to]).collect();
        let mut all = Vec::new();
        for &movers in &line.movers {
            let nets = ones(movers).map(|pin| chip.reads[pin.trailing_zeros() as usize]);
            let nets: Vec<NetId> = nets.collect();
            if nets.iter().any(|net| later.contains(net)) {
                continue; // it has moved by then
            }
            // All of these have to move, so any one of them is enough: take the one with the longest way.
            let ways: Vec<Vec<Vec<NetId>>> =
                nets.iter().filter_map(|&net| self.ways(from, net, &later)).collect();
            if ways.iter().any(Vec::is_empty) {
                continue; // a net that has to move here moves later
            }
            let longest = ways.into_iter().max_by_key(|ways| ways.iter().map(Vec::len).min());
            all.extend(longest?.into_iter().map(|way| way.into_iter().chain([to]).collect()));
        }
        Some(all)
    }
}
