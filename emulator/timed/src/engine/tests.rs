//! Conditions for sleep; sleep changes nothing; and that transients are what they are if each lookup draws
//! a number in turn.

use super::*;
use crate::conditions::{Delays, NANOSECOND};
use gray1_machine::{Random, Script};
use proptest::prelude::*;
use std::collections::BTreeMap;
use test_support::engines::Seen;
use test_support::random::{endless_program, program, script};

/// A board whose transients are this much more frequent.
fn board(is_built: bool, times: u64) -> Board {
    let source = match is_built {
        false => include_str!("../../../machine/src/board/gray1.ron"),
        true => include_str!("../../../machine/src/board/built.ron"),
    };
    let often = format!("in_a_billion: {}", 300 * times);
    Board::parse(&source.replace("in_a_billion: 300", &often), "board.ron").unwrap()
}

fn delays() -> impl Strategy<Value = Delays> {
    prop_oneof![
        1 => Just(Delays::Worst),
        1 => Just(Delays::Best),
        6 => any::<u64>().prop_map(Delays::Random),
    ]
}

fn capacitor() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![0, 40, 100, 220, 1_000, 5_000])
}

/// The shortest half period with which a machine with these delays may sleep.
fn shortest(board: &TimedBoard, delays: Delays, capacitor: u64) -> u64 {
    let may_sleep = |half_period| {
        let conditions = Conditions { half_period, delays, transients: None, capacitor };
        board.meets_deadlines(&conditions, &board.line_timings(&conditions))
    };
    let (mut too_short, mut enough) = (0, 10_000 * NANOSECOND);
    while enough - too_short > 1 {
        let middle = (too_short + enough) / 2;
        *(if may_sleep(middle) { &mut enough } else { &mut too_short }) = middle;
    }
    enough
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// If it were not, what comes after a sleep could be different.
    #[test]
    fn a_machine_that_may_sleep_is_at_rest_at_the_end_of_each_gap(
        program in prop_oneof![program(), endless_program()], script in script(), is_built: bool, delays in delays(), capacitor in capacitor(), seed: u64,
    ) {
        let board = TimedBoard::new(&board(is_built, 1), &program.image(), Noise::Random(seed)).unwrap();
        let half_period = shortest(&board, delays, capacitor);
        let conditions = Conditions { half_period, delays, transients: Some(seed), capacitor };
        let mut engine = TimedEngine::on(&Arc::new(board), &conditions);
        prop_assert!(engine.can_sleep);
        engine.set_sleep(false);
        let script = Script::from_ron(&script).unwrap();
        for cycle in 0..150 {
            if script.next_change(cycle.max(1) - 1) == Some(cycle) {
                engine.press(script.inputs_at(cycle)).unwrap();
            }
            for edge in 1..=PHASES {
                engine.edge(edge).unwrap();
                let noise = engine.flow.noise.as_ref().unwrap();
                prop_assert!(noise.counted() < 1 << 10, "{} lookups in a phase", noise.counted());
                if edge == 2 {
                    let reference = &engine.reference;
                    let is_at_rest =
                        engine.flow.is_at_rest_with(&engine.board.circuit, |chip| reference.gives(chip) as u8);
                    let has_noise = || noise_in(&engine, cycle);
                    prop_assert!(is_at_rest || has_noise(), "cycle {}, {} ps, {:?}", cycle, half_period, delays);
                    engine.compare(edge);
                }
            }
            engine.compare(0);
            prop_assert!(engine.failure.is_none() || noise_in(&engine, cycle));
            engine.follow_cycle();
            if engine.halted || noise_in(&engine, cycle) {
                break;
            }
        }
    }

    #[test]
    fn sleeping_changes_nothing(
        program in prop_oneof![program(), endless_program()], script in script(), is_built: bool, delays in delays(), capacitor in capacitor(), seed: u64,
        times in prop::sample::select(vec![1, 20, 100, 1_000]), faster in 80..130u64,
        pieces in prop::collection::vec(1..120u64, 8),
    ) {
        let board = board(is_built, times);
        let board = Arc::new(TimedBoard::new(&board, &program.image(), Noise::Random(seed)).unwrap());
        let half_period = shortest(&board, delays, capacitor) * 100 / faster.max(100);
        let conditions = Conditions { half_period, delays, transients: Some(seed), capacitor };
        let script = Script::from_ron(&script).unwrap();
        let [mut sleeping, mut awake] = [(); 2].map(|()| TimedEngine::on(&board, &conditions));
        prop_assert_eq!(sleeping.sleeps, faster <= 100);
        awake.set_sleep(false);
        let [mut heard, mut expected] = [Seen::default(), Seen::default()];
        for piece in pieces {
            let result = script.run(&mut sleeping, piece, &mut heard);
            // The same in other pieces.
            let other = script.run(&mut awake, piece / 2, &mut expected);
            let other = other.and_then(|ran| {
                Ok(ran + script.run(&mut awake, piece - piece / 2, &mut expected)?)
            });
            let told = |engine: &TimedEngine| {
                engine.failure().map(|failure| (failure.cycle, failure.net.clone(), failure.by_transient))
            };
            prop_assert_eq!(told(&sleeping), told(&awake));
            prop_assert_eq!(&heard, &expected);
            prop_assert_eq!((sleeping.cycle, sleeping.now()), (awake.cycle, awake.now()));
            prop_assert_eq!(sleeping.executed(), awake.executed());
            if result.is_err() || other.is_err() {
                break;
            }
            prop_assert_eq!(sleeping.state(), awake.state());
            prop_assert_eq!(sleeping.word(), awake.word());
        }
    }
}

/// Whether a transient may have begun in this cycle or the one before.
fn noise_in(engine: &TimedEngine, cycle: u64) -> bool {
    let mut noise = crate::noise::TransientNoise::again(engine.flow.noise.as_ref().unwrap());
    noise.candidate((cycle.saturating_sub(1), 0), cycle).is_some()
}

/// The lives of machines with these capacitors, sorted, and how many failed by each letter that begins a net's name.
fn lives(times: u64, capacitor: u64, in_order: bool) -> (Vec<u64>, BTreeMap<String, u64>) {
    const MACHINES: u64 = 400;
    let program = "loop: lda $000\nadd #37\nsta $000\nsta $FE3\nsta $FE9\njc loop\nshr $000\nsta $001\nnor $001\njmp loop\n";
    let board = board(false, times);
    let board = Arc::new(TimedBoard::new(&board, &assembled(program), Noise::Zeros).unwrap());
    let half_period = board.paths().half_period(capacitor);
    let (mut lives, mut nets) = (Vec::new(), BTreeMap::new());
    for seed in 1..=MACHINES {
        let conditions =
            Conditions { half_period, delays: Delays::Random(seed), transients: Some(seed), capacitor };
        let mut engine = TimedEngine::on(&board, &conditions);
        if in_order {
            engine.set_sleep(false);
            engine.flow.noise.as_mut().unwrap().in_order = Some(Random::new(seed, 0x5EED));
        }
        let _ = engine.run(5_000, &mut ()); // it may fail: that is what is looked at
        lives.push(engine.cycle());
        if let Some(failure) = engine.failure() {
            let kind = failure.net.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
            *nets.entry(kind.to_owned()).or_default() += 1;
        }
    }
    lives.sort_unstable();
    (lives, nets)
}

fn assembled(source: &str) -> Image {
    let assembly = gray1_assembler::assemble(
        &gray1_assembler::MemoryLoader::new([("p.g1", source)]),
        "p.g1",
        &gray1_assembler::Options::default(),
    );
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}

/// Kolmogorov and Smirnov's test, and a comparison of what has failed.
#[test]
fn machines_fail_as_they_do_if_each_lookup_draws_a_number() {
    for (times, capacitor) in [(40, 0), (100, 116)] {
        let [(drawn, nets), (expected, others)] =
            [false, true].map(|in_order| lives(times, capacitor, in_order));
        let machines = drawn.len() as f64;
        let until = |lives: &[u64], cycle| lives.partition_point(|life| *life <= cycle) as f64 / machines;
        let distance = |cycle| (until(&drawn, cycle) - until(&expected, cycle)).abs();
        let largest = drawn.iter().chain(&expected).map(|&cycle| distance(cycle)).fold(0.0, f64::max);
        let middle = |lives: &[u64]| lives[lives.len() / 2];
        println!("{capacitor} pF: {largest}, half after {} and {}", middle(&drawn), middle(&expected));
        println!("{nets:?}\n{others:?}");
        assert!(largest < 1.36 * (2.0 / machines).sqrt(), "{capacitor} pF: {largest}");
        for net in nets.keys().chain(others.keys()) {
            let [one, other] = [&nets, &others].map(|nets| nets.get(net).copied().unwrap_or(0));
            let deviation = ((one + other) as f64).sqrt();
            assert!((one.abs_diff(other) as f64) < 3.5 * deviation, "{net}: {one}, {other}");
        }
    }
}
