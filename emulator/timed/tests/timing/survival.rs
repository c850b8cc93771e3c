//! The crash that the article describes: without capacitors, transients corrupt storage loops after a while; with 1 nF
//! they do not.

use crate::timing::support::{NANOFARAD, assembled, at, queens};
use gray1_machine::board::Board;
use gray1_machine::{Engine, Noise};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedBoard, TimedEngine};
use std::sync::Arc;
use test_support::engines::Sent;

/// The number of cycles of the queens program.
const WHOLE: u64 = 63_407;

fn life(seed: u64, capacitor: u64) -> (TimedEngine, Sent) {
    let slow_enough = at(100, Delays::Worst, NANOFARAD).half_period;
    let conditions = Conditions {
        half_period: slow_enough,
        delays: Delays::Random(seed),
        transients: Some(seed),
        capacitor,
    };
    let mut engine = TimedEngine::on(queens(), &conditions);
    let mut printed = Sent::default();
    let _ = engine.run(u64::MAX, &mut printed); // it may fail: that is what is looked at
    (engine, printed)
}

#[test]
fn without_capacitors_queens_dies() {
    let mut deaths = Vec::new();
    for seed in 1..=8 {
        let (engine, _) = life(seed, 0);
        if let Some(failure) = engine.failure() {
            assert!(failure.by_transient, "seed {seed}: {failure}");
            assert_eq!(failure.cycle, engine.cycle());
            deaths.push(engine.cycle());
        }
    }
    deaths.sort_unstable();
    println!("8 machines died after {deaths:?}");
    assert!(deaths.len() >= 6, "{deaths:?}");
    let middle = deaths[deaths.len() / 2];
    assert!((5_000..WHOLE).contains(&middle), "{deaths:?}");
}

#[test]
fn with_1_nanofarad_it_finds_the_92() {
    for seed in 1..=3 {
        let (engine, printed) = life(seed, NANOFARAD);
        assert_eq!(engine.failure(), None, "seed {seed}");
        assert_eq!((engine.cycle(), engine.halted()), (WHOLE, true));
        let text = String::from_utf8(printed.0).unwrap();
        assert_eq!((text.lines().count(), text.lines().last()), (93, Some("92")));
    }
}

/// The parts that `docs/building.md` lists: 470 pF behind 100 ohms, and an oscillator of 1 MHz.
#[test]
fn as_it_is_built_it_finds_the_92() {
    let image = assembled(include_str!("../../../../programs/queens.g1"));
    let board = Arc::new(TimedBoard::new(&Board::built(), &image, Noise::Random(1)).unwrap());
    let half_period = 500 * NANOSECOND;
    let conditions = Conditions { half_period, delays: Delays::Worst, transients: Some(1), capacitor: 470 };
    let mut engine = TimedEngine::on(&board, &conditions);
    engine.set_sleep(false);
    let mut printed = Sent::default();
    let _ = engine.run(u64::MAX, &mut printed); // it may fail: that is what is looked at
    assert_eq!(engine.failure(), None);
    assert_eq!((engine.cycle(), engine.halted()), (WHOLE, true));
    assert!(String::from_utf8(printed.0).unwrap().ends_with("\n92\n"));
}

#[test]
fn a_seed_gives_the_same_failure_each_time_and_another_seed_another() {
    let story = |seed| life(seed, 0).0.failure().cloned();
    let once = story(2);
    assert!(once.is_some());
    assert_eq!(once, story(2));
    assert_ne!(once, story(3));
}

#[test]
fn without_transients_no_capacitor_is_needed() {
    let mut engine = TimedEngine::on(queens(), &at(100, Delays::Random(5), 0));
    engine.set_sleep(false);
    let _ = engine.run(20_000, &mut ());
    assert_eq!((engine.failure(), engine.cycle()), (None, 20_000));
}
