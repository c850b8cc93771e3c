//! If each path through a chip has its own delay, the timed engine loses exactly those races that the proof finds and
//! that the delays of the parts do not win. The computed margins are right, and capacitors win these races.

use crate::timing::support::{NANOFARAD, at, paths, queens, stress_for, timed_board};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::Engine;
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, NetId};
use gray1_proof::Prover;
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedBoard, TimedEngine};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

/// The capacitor, in picofarads, with which all races are won.
const ENOUGH: u64 = 433;
/// The number of cycles in which the counter takes all its values.
const ROUND: u64 = 4_100;

/// A path from the address line of a net to the data line of another.
type PathOf = (ChipId, NetId, NetId);

/// Each path that is part of a race, and how much it may be too late with this capacitor, in picoseconds.
fn races(capacitor: u64) -> BTreeMap<PathOf, i64> {
    let mut late = BTreeMap::new();
    for (race, _) in Prover::new(&Board::gray1()).races().unwrap().races {
        let (path, way) = paths().race(race.chip, &race.round, capacitor);
        let by = late.entry((race.chip, race.round[0], race.line)).or_insert(i64::MIN);
        *by = (*by).max(path as i64 - way as i64);
    }
    late
}

/// A program that changes A at each value of the counter.
fn counting() -> &'static Arc<TimedBoard> {
    static BOARD: OnceLock<Arc<TimedBoard>> = OnceLock::new();
    BOARD.get_or_init(|| timed_board(&Image::from_words([Word::constant(Opcode::Add, 1); 4_095])))
}

/// Conditions in which every path but one has the shortest delay.
fn late(from: NetId, to: NetId, percent: u64, capacitor: u64) -> Conditions {
    at(percent, Delays::LatePath { from, to }, capacitor)
}

/// `S1` through SEQ, by hand: OSC takes 150 ns at most; OSC to S0 takes 60 ns at least, its filter ln 2 times 100 ohms
/// times the capacitor, and S0 to S1 another 60 ns.
#[test]
fn the_race_of_the_sequencer_is_the_one_found_by_hand() {
    let netlist = paths().netlist();
    let [chip, osc, s0] =
        [netlist.chip("SEQ").unwrap(), netlist.net("OSC").unwrap(), netlist.net("S0").unwrap()];
    for (capacitor, filter) in [(0, 0), (220, 15_249), (432, 29_943), (433, 30_013), (NANOFARAD, 69_314)] {
        assert_eq!(paths().race(chip, &[osc, s0], capacitor), (150_000, 120_000 + filter), "{capacitor} pF");
    }
    assert!(races(ENOUGH - 1).values().any(|late| *late >= 0));
    assert!(races(ENOUGH).values().all(|late| *late < 0));
}

/// The first pulse on a line of SEQ or the counter that is shorter than any delay: its net and its length.
fn first_pulse(from: NetId, to: NetId) -> Option<(NetId, i64)> {
    let mut engine = TimedEngine::on(counting(), &late(from, to, 100, 0));
    let netlist = engine.netlist();
    let chips = ["SEQ", "PCL", "PCH"].map(|name| netlist.chip(name).unwrap());
    let lines: Vec<NetId> = chips.iter().flat_map(|&chip| netlist.chips[chip].data.clone()).collect();
    let found = Rc::new(RefCell::new(None));
    let (shared, start) = (Rc::clone(&found), engine.now());
    let mut changed: BTreeMap<NetId, u64> = BTreeMap::new();
    engine.watch(move |time, net, _| {
        if time > start && lines.contains(&net) {
            let before = changed.insert(net, time).unwrap_or(0);
            if time - before < 60 * NANOSECOND {
                shared.borrow_mut().get_or_insert((net, (time - before) as i64));
            }
        }
    });
    let _ = engine.run(ROUND, &mut ()); // it fails
    *found.borrow()
}

#[test]
fn a_late_path_loses_its_race_by_as_much_as_is_computed() {
    for ((_, from, to), late) in races(0) {
        let names = [from, to].map(|net| &*paths().netlist().nets[net].name);
        assert_eq!(first_pulse(from, to), Some((to, late)), "{names:?}");
    }
}

#[test]
fn a_lost_race_breaks_the_machine_and_a_capacitor_wins_it() {
    for (_, from, to) in races(0).into_keys() {
        let names = [from, to].map(|net| &*paths().netlist().nets[net].name);
        // A pulse that circulates in a loop may be at the right level when it is compared.
        let fails = [100, 98, 95].iter().any(|percent| {
            let mut engine = TimedEngine::on(counting(), &late(from, to, *percent, 0));
            engine.run(ROUND, &mut ()).is_err()
        });
        assert!(fails, "{names:?}");
        let mut engine = TimedEngine::on(counting(), &late(from, to, 100, ENOUGH));
        assert!(engine.run(ROUND, &mut ()).is_ok(), "{names:?}");
    }
}

/// Tests all paths of SEQ, and some of those of the other chips.
#[test]
fn a_late_path_that_runs_no_race_does_no_harm() {
    let (netlist, races) = (paths().netlist(), races(0));
    let chips = netlist.chips.iter().enumerate().flat_map(|(id, chip)| {
        chip.reads.iter().flat_map(move |&from| chip.data.iter().map(move |&to| (id, from, to)))
    });
    let sequencer = netlist.chip("SEQ").unwrap();
    let others = chips.filter(|path| !races.contains_key(path));
    let (its_own, others): (Vec<PathOf>, Vec<PathOf>) = others.partition(|(id, ..)| *id == sequencer);
    for (chip, from, to) in its_own.into_iter().chain(others.into_iter().step_by(67)) {
        let mut engine = TimedEngine::on(counting(), &late(from, to, 100, 0));
        let names = [from, to].map(|net| &*netlist.nets[net].name);
        assert!(engine.run(1_100, &mut ()).is_ok(), "{} {names:?}", netlist.chips[chip].name);
    }
}

/// docs/timing.md has these numbers.
#[test]
fn of_twelve_machines_without_capacitors_most_fail_and_with_1_nanofarad_none() {
    let failed = |capacitor| {
        let seeds = (1..=12).filter(|&seed| {
            let mut engine = TimedEngine::on(queens(), &at(100, Delays::Paths(seed), capacitor));
            engine.run(5_000, &mut ()).is_err()
        });
        seeds.count()
    };
    let without = failed(0);
    assert!((8..=12).contains(&without), "{without} of 12 machines");
    assert_eq!((failed(ENOUGH), failed(NANOFARAD)), (0, 0));
}

/// The longest paths are as long as before, since each delay stays within the limits of its part.
#[test]
fn what_is_a_safe_frequency_for_lines_is_one_for_paths() {
    for seed in 1..=4 {
        let engine = stress_for(3_000, &at(100, Delays::Paths(seed), NANOFARAD));
        assert_eq!(engine.failure(), None, "seed {seed}");
    }
}

/// With equal delays for all paths, nothing is different from delays by line.
#[test]
fn equal_paths_are_lines() {
    let changes = |delays, capacitor| {
        let mut engine = TimedEngine::on(queens(), &at(100, delays, capacitor));
        let changes = Rc::new(RefCell::new(Vec::new()));
        let shared = Rc::clone(&changes);
        engine.watch(move |time, net, level| shared.borrow_mut().push((time, net, level)));
        engine.run(200, &mut ()).unwrap();
        engine.unwatch();
        let mut changes = changes.take();
        changes.sort_unstable(); // the order of changes at the same time does not matter
        changes
    };
    let nowhere = queens().netlist().panel.oscillator[0];
    for capacitor in [0, NANOFARAD] {
        let by_path = changes(Delays::LatePath { from: nowhere, to: nowhere }, capacitor);
        assert!(by_path == changes(Delays::Best, capacitor), "{capacitor} pF");
    }
}
