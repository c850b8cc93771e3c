//! Checks that the guide for bringing up a machine lists what the chips engine shows while every ROM that is not
//! inserted yet gives 0, 1 or noise. A RAM that is not inserted yet stays in, since nothing can be simulated in its
//! place.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_isa::{Image, Opcode, Word};
use gray1_kit::{Assembly, pack, sockets};
use gray1_machine::board::{Board, Chip, Lines};
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise};

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

/// A stage, read from the guide.
struct Stage {
    insert: Vec<String>,
    low: Vec<String>,
    high: Vec<String>,
    /// The first table: its head, then its rows.
    table: Vec<Vec<String>>,
}

fn stages(guide: &str) -> Vec<Stage> {
    let stage = |text: &str| {
        let listed = |before: &str, after: &str| {
            let names = text.split_once(before).map(|(_, rest)| rest.split(after).next().unwrap().to_owned());
            Lines::try_from(names.unwrap_or_default()).unwrap().names().to_vec()
        };
        let rows =
            text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        let cells =
            |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('*', "")).collect();
        Stage {
            insert: listed("- Insert ", ".\n"),
            low: listed("to ground holds ", " ("),
            high: listed("inputs are at 1: ", ".\n"),
            table: rows.map(cells).filter(|row: &Vec<String>| !row[0].starts_with('-')).collect(),
        }
    };
    guide.split("\n## ").skip(2).map(stage).collect()
}

/// The data of a missing chip.
fn floating(level: Option<bool>, seed: u32, chip: usize) -> u8 {
    match level {
        Some(true) => 0xFF,
        Some(false) => 0,
        None => ((seed ^ chip as u32).wrapping_mul(0x9E37_79B9) >> 20) as u8,
    }
}

fn check(stage: &Stage, inserted: &[String], level: Option<bool>, seed: u32) -> usize {
    let mut board = Board::built();
    let missing: Vec<(usize, String)> = board
        .chips
        .iter()
        .enumerate()
        .filter(|(_, chip)| {
            matches!(chip, Chip::Rom { .. }) && !inserted.iter().any(|name| name == chip.name())
        })
        .map(|(number, chip)| (number, chip.name().to_owned()))
        .collect();
    let held: Vec<u8> = missing
        .iter()
        .map(|(number, name)| {
            let data = board.chip(name).unwrap().data().names().to_vec();
            let mask = data
                .iter()
                .zip(0..)
                .filter(|(net, _)| !stage.low.contains(net))
                .fold(0, |mask, (_, line)| mask | 1 << line);
            floating(level, seed, *number) & mask
        })
        .collect();
    let program = program();
    for ((number, name), byte) in missing.iter().zip(held) {
        // A missing program chip is simulated by one that holds the same byte everywhere.
        if !board.burn(name, |_| byte) {
            let Chip::Rom { burn, address, .. } = &mut board.chips[*number] else { unreachable!() };
            *burn = gray1_machine::burn::Burn::Cells(vec![byte; 1 << address.len()]);
        }
    }
    let mut engine = ChipsEngine::power_up(&board, &program, Noise::Random(seed.into())).unwrap();
    let force =
        |engine: &mut ChipsEngine, net: &str, level: bool| assert!(engine.force(net, u16::from(level)));
    let level_of = |engine: &ChipsEngine, net: &str| engine.net(net).unwrap() == 1;
    if !stage.high.is_empty() {
        engine.press(Inputs { pad: Some((5, 2)), keys: 0 }).unwrap();
        assert!(stage.high.iter().all(|net| level_of(&engine, net)), "{:?}", stage.high);
    }
    let mut compared = 0;
    let (head, rows) = stage.table.split_first().unwrap();
    match head[2].as_str() {
        "phase 0" => {
            force(&mut engine, "RSTIN", true);
            (0..40).for_each(|_| engine.phase(&mut ()).unwrap());
            for phase in 0..4 {
                for row in rows {
                    let seen = if level_of(&engine, &row[0]) { "1" } else { "0" };
                    assert_eq!(seen, row[2 + phase], "{} in phase {phase}, {level:?}", row[0]);
                    compared += 1;
                }
                engine.phase(&mut ()).unwrap();
            }
        }
        "rises in a turn of 4,096 cycles" => {
            (0..8).for_each(|_| engine.phase(&mut ()).unwrap());
            let mut levels: Vec<bool> = rows.iter().map(|row| level_of(&engine, &row[0])).collect();
            let mut rises = vec![0; rows.len()];
            for _ in 0..4 * 4096 {
                engine.phase(&mut ()).unwrap();
                for (number, row) in rows.iter().enumerate() {
                    let now = level_of(&engine, &row[0]);
                    rises[number] += usize::from(now && !levels[number]);
                    levels[number] = now;
                }
            }
            for (row, rises) in rows.iter().zip(rises) {
                assert_eq!(rises.to_string(), row[2], "{} {level:?}", row[0]);
                compared += 1;
            }
        }
        "word" => {
            for row in rows {
                for (bus, shown) in [("PC", &row[1]), ("W", &row[2]), ("A", &row[3]), ("C", &row[4])] {
                    if shown != "not known" {
                        let shown = u16::from_str_radix(shown, 16).unwrap();
                        assert_eq!(engine.net(bus), Some(shown), "{bus} in cycle {} {level:?}", row[0]);
                        compared += 1;
                    }
                }
                engine.run(1, &mut ()).unwrap();
            }
        }
        other => panic!("a table of {other}"),
    }
    compared
}

/// The guide of a board.
fn guide(board: &Board) -> String {
    let sockets = sockets(board, &program()).unwrap();
    let files = pack(board, &sockets, &sockets, &Assembly::new(board).unwrap());
    let guide = files.into_iter().find(|file| file.name == "bring-up.md").unwrap();
    String::from_utf8(guide.bytes).unwrap()
}

#[test]
fn what_is_promised_is_what_the_engine_shows() {
    let board = Board::built();
    let guide = guide(&board);
    let stages = stages(&guide);
    assert_eq!(stages.len(), 8);
    let mut inserted: Vec<String> = Vec::new();
    let mut compared = Vec::new();
    for stage in &stages {
        inserted.extend(stage.insert.iter().cloned());
        let cases = [(Some(false), 1), (Some(true), 2), (None, 3), (None, 4), (None, 5)];
        let counts = cases.map(|(level, seed)| check(stage, &inserted, level, seed));
        assert!(counts.iter().all(|count| *count == counts[0]));
        compared.push(counts[0]);
    }
    // Every chip gets into its socket, and something is promised in each stage.
    assert_eq!(inserted.len(), board.chips.len() + 1, "RAM has a buffer");
    assert_eq!(compared, [20, 18, 28, 152, 48, 48, 64, 48], "{guide}");
    // Pins are those of the part.
    assert!(guide.contains("| PC0 | PCL pin 13 |") && guide.contains("TAKE (ALUH pin 19)"));
}

/// Two faults whose effects were derived by hand: a counter without TICK stands still, and a stuck carry shows in the
/// first row that it changes.
#[test]
fn faults_are_told_by_what_they_show() {
    let guide = guide(&Board::built());
    let row = |net: &str, shows: &str| {
        let start = format!("| {net} | {shows} |");
        guide.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}")).to_owned()
    };
    assert!(row("PC0", "stands still").contains("PCL pin 28 (TICK) at 0"));
    assert!(row("S0", "stays at 0").contains("SEQ missing or dead; SEQ pin 12 (OSC) at 0"));
    assert!(row("MT", "stays at 0").contains("FLAGS pin 7 (RST) at 1"));
    assert!(row("RST", "stays at 0").contains("SEQ pin 9 (RSTIN) at 0"));
    // RAM is written while its pin is low, and what is written passes its buffer.
    let ram = guide.split("\n## ").find(|text| text.starts_with("6. RAM")).unwrap();
    let row =
        |net: &str| ram.lines().find(|line| line.starts_with(&format!("| {net} | open, or what"))).unwrap();
    assert!(row("M0").contains("RAM pin 27 (WEN) at 1"), "{}", row("M0"));
    assert!(ram.contains("- Insert RAM RAMBUF IODEC DMUX.\n") && ram.contains("RAMBUF pin 12 (A0)"), "{ram}");
    // A counter that has come to rest shows nothing of how it got there.
    assert!(!guide.contains("| rises: 1; at 1 for 0.0 %"), "{guide}");
}
