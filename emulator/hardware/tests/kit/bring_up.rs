//! Checks that the guide for bringing up a machine lists what the chips engine shows while every ROM that is not
//! inserted yet gives 0, 1 or noise. A RAM that is not inserted yet stays in, since nothing can be simulated in its
//! place.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kit::{Assembly, BringUpStage, Measurement, bring_up_stages, sockets};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Chip, Stage, Watch};
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise};
use std::collections::BTreeMap;

/// Sends a byte, stores to both planes, counts and jumps.
fn program() -> Image {
    let store = |place| Word::new(Opcode::Sta, false, place);
    let words = [
        Word::constant(Opcode::Lda, 0x5A),
        store(0xFF0),
        store(0xFE3),
        store(0xFEB),
        store(0x123),
        Word::constant(Opcode::Add, 0xC7),
        Word::new(Opcode::Add, false, 0x123),
        Word::jump(Opcode::Jc, 9),
        Word::jump(Opcode::Jmp, 1),
        Word::jump(Opcode::Jmp, 5),
    ];
    Image::from_words(
        words.into_iter().chain((10..4096).map(|i| Word::constant(Opcode::Nor, i as u8 ^ 0x35))),
    )
}

/// The data of a missing chip.
fn floating(level: Option<bool>, seed: u32, chip: usize) -> u8 {
    match level {
        Some(true) => 0xFF,
        Some(false) => 0,
        None => ((seed ^ chip as u32).wrapping_mul(0x9E37_79B9) >> 20) as u8,
    }
}

/// The machine with these chips inserted, and with what the stage holds.
fn machine(stage: &Stage, inserted: &[String], level: Option<bool>, seed: u32) -> ChipsEngine {
    let mut board = Board::built();
    for number in 0..board.chips.len() {
        let Chip::Rom { name, address, data, .. } = board.chips[number].clone() else { continue };
        if inserted.contains(&name) {
            continue;
        }
        let lines = (0..).zip(data.names()).filter(|(_, net)| !stage.low.names().contains(net));
        let byte = floating(level, seed, number) & lines.fold(0, |mask, (line, _)| mask | 1 << line);
        // A missing program chip is simulated by one that holds the same byte everywhere.
        if !board.burn(&name, |_| byte) {
            let Chip::Rom { burn, .. } = &mut board.chips[number] else { unreachable!() };
            *burn = gray1_machine::burn::Burn::Cells(vec![byte; 1 << address.len()]);
        }
    }
    let mut engine = ChipsEngine::power_up(&board, &program(), Noise::Random(seed.into())).unwrap();
    if !stage.high.is_empty() {
        engine.press(Inputs { pad: Some((5, 2)), keys: 0 }).unwrap();
        assert!(stage.high.names().iter().all(|net| engine.net(net) == Some(1)), "{:?}", stage.high);
    }
    engine
}

/// Compares the measurements of a stage with the levels of the engine; returns the number of levels.
fn check(stage: &Stage, guide: &BringUpStage, engine: &mut ChipsEngine) -> usize {
    let (phases, mut compared) = (engine_phases(stage, engine), 0);
    for Measurement { net, expected, .. } in &guide.measurements {
        let levels: Vec<bool> = phases.iter().map(|nets| nets[net]).collect();
        if stage.watch == Watch::Turn {
            let rises = levels.windows(2).filter(|pair| !pair[0] && pair[1]).count();
            let promised = expected.split_once(" rises in a turn").map_or("0", |(count, _)| count);
            assert_eq!(rises.to_string(), promised, "{net}: {expected}");
            compared += 1;
            continue;
        }
        let step = if stage.watch == Watch::Phases { 1 } else { 4 };
        let promised = expected.split(' ').take_while(|level| ["0", "1", "?"].contains(level));
        for (level, promised) in levels.iter().skip(step / 4).step_by(step).zip(promised) {
            assert!(promised == "?" || promised == u8::from(*level).to_string(), "{net}: {expected}");
            compared += usize::from(promised != "?");
        }
    }
    compared
}

/// The levels of all nets after each phase that a stage watches.
fn engine_phases(stage: &Stage, engine: &mut ChipsEngine) -> Vec<BTreeMap<String, bool>> {
    let names: Vec<String> = engine.netlist().nets.iter().map(|net| net.name.clone()).collect();
    let phases = match stage.watch {
        Watch::Phases => {
            assert!(engine.force("RSTIN", 1));
            (0..40).for_each(|_| engine.phase(&mut ()).unwrap());
            4
        }
        Watch::Turn => {
            (0..8).for_each(|_| engine.phase(&mut ()).unwrap());
            4 * 4096 + 1
        }
        Watch::Run(cycles) => 4 * cycles.min(12),
    };
    let look = |_| {
        let levels = names.iter().map(|net| (net.clone(), engine.net(net) == Some(1))).collect();
        engine.phase(&mut ()).unwrap();
        levels
    };
    (0..phases).map(look).collect()
}

/// The stages of the board of `gray1 build`, and what its guide has about them.
fn stages() -> (Vec<Stage>, Vec<BringUpStage>) {
    let board = Board::built();
    let sockets = sockets(&board, &program()).unwrap();
    let guide = bring_up_stages(&board, &sockets, &Assembly::new(&board).unwrap());
    (board.hardware.unwrap().bring_up, guide)
}

#[test]
fn what_is_promised_is_what_the_engine_shows() {
    let (stages, guide) = stages();
    assert_eq!((stages.len(), guide.len()), (8, 9));
    let (mut inserted, mut compared): (Vec<String>, Vec<usize>) = Default::default();
    for (stage, guide) in stages.iter().zip(&guide[1..]) {
        inserted.extend(guide.insert.iter().cloned());
        let cases = [(Some(false), 1), (Some(true), 2), (None, 3), (None, 4), (None, 5)];
        let counts =
            cases.map(|(level, seed)| check(stage, guide, &mut machine(stage, &inserted, level, seed)));
        assert!(counts.iter().all(|count| *count == counts[0]));
        compared.push(counts[0]);
    }
    // Every chip gets into its socket, and something is promised in each stage.
    assert_eq!(inserted.len(), Board::built().chips.len() + 1, "RAM has a buffer");
    assert_eq!(compared, [20, 18, 28, 152, 188, 88, 64, 344]);
    // Pins are those of the part; a reversed chip is saved by the limit of the supply.
    let text = format!("{guide:?}");
    assert!(text.contains("at: \"PCL pin 13\"") && text.contains("holds TAKE (ALUH pin 19) at 0"));
    let limits = ["100 mA", "200 mA", "300 mA"];
    for (stage, limit) in guide[1..].iter().zip(limits) {
        assert!(stage.steps[0].contains(limit), "{}", stage.steps[0]);
    }
}

/// Two faults whose effects were derived by hand: a counter without TICK stands still, and a stuck carry shows in the
/// first row that it changes.
#[test]
fn faults_are_told_by_what_they_show() {
    let guide = stages().1;
    let causes = |number: usize, net: &str, shows: &str| {
        let symptoms = &guide[number - 1].symptoms;
        let found = symptoms.iter().find(|row| row.net == net && row.shows.starts_with(shows));
        found.unwrap_or_else(|| panic!("{net} {shows}")).causes.clone()
    };
    assert!(causes(3, "PC0", "stands still").contains("PCL pin 28 (TICK) at 0"));
    assert!(causes(2, "S0", "stays at 0").contains("SEQ missing or dead; SEQ pin 12 (OSC) at 0"));
    assert!(causes(3, "MT", "stays at 0").contains("FLAGS pin 7 (RST) at 1"));
    assert!(causes(2, "RST", "stays at 0").contains("SEQ pin 9 (RSTIN) at 0"));
    // RAM is written while its pin is low, and what is written passes its buffer.
    assert!(causes(6, "M0", "open, or what").contains("RAM pin 27 (WEN) at 1"));
    assert_eq!(guide[5].insert, ["RAM", "RAMBUF", "IODEC", "DMUX"]);
    assert!(guide[5].symptoms.iter().any(|row| row.causes.contains("RAMBUF pin 12 (A0)")));
    // No row looks like the right measurement, and a counter that has come to rest shows nothing of how it got there.
    for (row, stage) in guide.iter().flat_map(|stage| stage.symptoms.iter().map(move |row| (row, stage))) {
        let right = stage.measurements.iter().find(|one| one.net == row.net).unwrap();
        let (shows, expected) = (row.shows.strip_prefix("rises: "), right.expected.split_once(" rises"));
        if let (Some(shows), Some((count, _))) = (shows, expected) {
            let percent = |text: &str| text.rsplit(' ').nth(1).unwrap().parse::<f64>().unwrap();
            let is_alike = (percent(shows) - percent(&right.expected)).abs() < 1.9;
            assert!(!(is_alike && shows.starts_with(&format!("{count};"))), "{row:?}");
        }
        assert!(!row.shows.starts_with("rises: 1; at 1 for 0.0 %"), "{row:?}");
    }
}
