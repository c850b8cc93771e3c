//! The chips engine: the recorded levels equal those of a machine that is stepped phase by phase.

use crate::waves::support::{self, Shown, TICKS, chaos, engine, record, wave};
use gray1_display::waves::{ChipsRecorder, Window};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Chip};
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise};
use std::collections::BTreeMap;

/// The cycles in which the tests compare every level.
const CYCLES: u64 = 99;

/// The level of each line of a variable, highest first, on a machine: found from the names in the file alone.
fn expected(board: &Board, machine: &ChipsEngine, word: Word, variable: &Shown) -> String {
    let binary = |number: u64, width: usize| format!("{number:0width$b}");
    let lines = |lines: &[String]| -> String {
        lines.iter().rev().map(|net| machine.net(net).unwrap().to_string()).collect()
    };
    let (scope, name) = variable.path.rsplit_once('.').unwrap();
    let chip = scope.strip_prefix("gray1.").and_then(|chip| board.chip(chip));
    match (scope, name, chip) {
        ("gray1.program", "cycle", _) => binary(machine.cycle(), 64),
        ("gray1.program", "phase", _) => binary(machine.phase_number().into(), 8),
        ("gray1.program", "pc", _) => binary(machine.running().into(), 16),
        ("gray1.program", "instruction", _) => {
            format!("{:10}", word.to_string()).bytes().map(|letter| binary(letter.into(), 8)).collect()
        }
        (_, "address", Some(chip)) => lines(chip.address().names()),
        (_, "data", Some(chip)) => lines(chip.data().names()),
        (_, "input", Some(Chip::Ram { input, .. })) => lines(input.names()),
        (_, "write", Some(Chip::Ram { write, .. })) => lines(write.names()),
        _ => match (board.buses.get(name), variable.range) {
            (Some(bus), Some((high, low))) => lines(&bus.names()[low..=high]),
            _ => lines(&[name.to_owned()]),
        },
    }
}

/// Inputs with a pad that is pressed and released.
fn inputs(cycle: u64) -> Inputs {
    Inputs {
        pad: (cycle % 7 < 3).then_some(((cycle % 8) as u8, (cycle / 8 % 8) as u8)),
        keys: cycle as u8 & 0x7F,
    }
}

#[test]
fn every_value_is_that_of_the_machine_in_every_phase() {
    let board = Board::gray1();
    let image = chaos(5);
    let mut machine = engine(&board, &image);
    let mut recorder = recorder(&board, 0..=u64::MAX);
    while machine.cycle() < CYCLES {
        machine.press(inputs(machine.cycle())).unwrap();
        assert_eq!(recorder.run(&mut machine, 3, &mut ()).unwrap(), 3, "it halts early");
    }
    let wave = wave(recorder.finish().unwrap());
    let ticks: Vec<u64> = (0..=CYCLES * 4).map(|phase| phase * TICKS).collect();
    assert_eq!(wave.times, ticks);
    assert!(wave.variables.len() > 290, "{} variables", wave.variables.len());

    let mut machine = engine(&board, &image);
    let mut compared = 0;
    for tick in 0..ticks.len() - 1 {
        if machine.cycle().is_multiple_of(3) && machine.phase_number() == 0 {
            machine.press(inputs(machine.cycle())).unwrap();
        }
        let word = image.word(machine.running());
        for variable in &wave.variables {
            let right = expected(&board, &machine, word, variable);
            assert_eq!(variable.at(tick), right, "{} at step {tick}", variable.path);
            compared += 1;
        }
        machine.phase(&mut ()).unwrap();
    }
    println!("{compared} values are right");
    assert!(compared > 110_000);
}

#[test]
fn a_change_is_written_when_there_is_one() {
    let board = Board::gray1();
    let wave = wave(record(&board, &chaos(5), 0..=30, 31));
    let mut changes = 0;
    for variable in &wave.variables {
        let values = &variable.changes;
        assert!(values.windows(2).all(|pair| pair[0].1 != pair[1].1), "{}", variable.path);
        changes += values.len();
    }
    assert!(changes > 3_000, "{changes} changes");
    // A reader may drop repeated values, so this checks the lines themselves.
    let text = String::from_utf8(record(&Board::gray1(), &chaos(5), 0..=30, 31)).unwrap();
    let (_, body) = text.split_once("$enddefinitions $end\n").unwrap();
    let mut values = BTreeMap::new();
    for line in body.lines().filter(|line| !line.starts_with('#')) {
        let (value, signal) = line.split_once(' ').unwrap_or_else(|| line.split_at(1));
        assert_ne!(values.insert(signal, value), Some(value), "{line}");
    }
    assert!(values.len() > 130);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let board = Board::gray1();
    let whole = record(&board, &chaos(2), 10..=300, 400);
    assert_eq!(whole, record(&board, &chaos(2), 10..=300, 400));
    // The pieces in which the machine runs do not matter, either.
    let mut machine = engine(&board, &chaos(2));
    let mut recorder = recorder(&board, 10..=300);
    for piece in (1..).take_while(|piece| piece * (piece + 1) / 2 <= 400) {
        recorder.run(&mut machine, piece, &mut ()).unwrap();
    }
    assert_eq!(whole, recorder.finish().unwrap());
}

#[test]
fn a_window_shows_its_cycles_from_the_first_to_the_last() {
    let board = Board::gray1();
    for (window, shown) in [
        (0..=0, 0..1),
        (7..=7, 7..8),
        (100..=103, 100..104),
        (390..=u64::MAX, 390..400),
        (0..=u64::MAX, 0..400),
    ] {
        let wave = wave(record(&board, &chaos(2), window.clone(), 400));
        let ticks: Vec<u64> = (shown.start * 4..=shown.end * 4).map(|phase| phase * TICKS).collect();
        assert_eq!(wave.times, ticks, "{window:?}");
        for variable in &wave.variables {
            let first = variable.at(0);
            assert!(first.bytes().all(|digit| b"01".contains(&digit)), "{} begins {first}", variable.path);
        }
    }
}

#[test]
fn a_window_that_never_comes_gives_a_file_without_values() {
    let board = Board::gray1();
    let mut machine = engine(&board, &chaos(2));
    let mut recorder = recorder(&board, 1000..=2000);
    recorder.run(&mut machine, 100, &mut ()).unwrap();
    assert!(recorder.is_empty());
    let wave = wave(recorder.finish().unwrap());
    assert!(wave.variables.len() > 290);
    assert!(
        wave.variables.iter().all(|variable| variable.changes.iter().all(|(_, value)| value.contains('x')))
    );
}

#[test]
fn a_recorded_run_is_the_same_run() {
    let board = Board::gray1();
    for seed in 0..6 {
        let mut plain = engine(&board, &chaos(seed));
        let mut recorded = engine(&board, &chaos(seed));
        let mut recorder = recorder(&board, 50..=120);
        let (mut told, mut told_recorded) = (support::Told::default(), support::Told::default());
        for piece in [1, 60, 100, 39, 500] {
            assert_eq!(
                plain.run(piece, &mut told).unwrap(),
                recorder.run(&mut recorded, piece, &mut told_recorded).unwrap()
            );
            assert!(plain.state() == recorded.state(), "seed {seed}");
            assert_eq!(plain.executed(), recorded.executed());
        }
        assert_eq!(told, told_recorded);
    }
}

#[test]
fn a_run_stops_at_its_halt() {
    let image = Image::from_words([Word::constant(Opcode::Lda, 7)]);
    let mut machine = engine(&Board::gray1(), &image);
    let mut recorder = recorder(&Board::gray1(), 0..=u64::MAX);
    assert_eq!(recorder.run(&mut machine, 100, &mut ()).unwrap(), 2);
    assert_eq!(recorder.run(&mut machine, 100, &mut ()).unwrap(), 0);
    assert_eq!(wave(recorder.finish().unwrap()).times.len(), 9, "eight phases, and the end of the last");
}

/// A reset takes the machine back to cycle 0, but time in a file only increases.
#[test]
fn a_recording_ends_when_the_machine_begins_anew() {
    let board = Board::gray1();
    let mut machine = engine(&board, &chaos(2));
    let start = machine.state();
    let mut recorder = recorder(&board, 0..=u64::MAX);
    recorder.run(&mut machine, 50, &mut ()).unwrap();
    machine.set_state(&start).unwrap();
    assert_eq!(recorder.run(&mut machine, 100, &mut ()).unwrap(), 100);
    let bytes = recorder.finish().unwrap();
    assert_eq!(bytes, record(&board, &chaos(2), 0..=u64::MAX, 50));
}

#[test]
fn late_cycles_are_drawn_as_long_as_there_are_numbers_for_them() {
    let board = Board::gray1();
    let last = i64::MAX as u64 / (4 * TICKS) - 1;
    for (cycle, shown) in [(last - 9, 10), (last - 1, 2), (last + 1, 0), (u64::MAX / 2, 0)] {
        let mut machine = engine(&board, &chaos(2));
        machine.set_state(&gray1_machine::State { cycle, ..machine.state() }).unwrap();
        let mut recorder = recorder(&board, 0..=u64::MAX);
        assert_eq!(recorder.run(&mut machine, 20, &mut ()).unwrap(), 20);
        assert_eq!(recorder.is_empty(), shown == 0);
        let times = wave(recorder.finish().unwrap()).times;
        if shown > 0 {
            assert_eq!((times[0], times.len() - 1), (cycle * 4 * TICKS, shown * 4));
        }
    }
}

#[test]
fn the_tree_has_the_board_on_top_and_a_scope_for_each_chip() {
    let board = Board::gray1();
    let wave = wave(record(&board, &chaos(2), 0..=0, 1));
    let numbers = wave.variables.iter().filter(|variable| variable.is_integer);
    let numbers: Vec<_> = numbers.map(|variable| &*variable.path).collect();
    assert_eq!(numbers, ["gray1.program.cycle", "gray1.program.phase", "gray1.program.pc"]);
    let mut scopes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for variable in &wave.variables {
        let (scope, name) = variable.path.rsplit_once('.').unwrap();
        let range = variable.range.map_or(String::new(), |(high, low)| format!("[{high}:{low}]"));
        scopes.entry(scope).or_default().push(format!("{name}{range}"));
    }
    assert_eq!(scopes.len(), 2 + board.chips.len());
    for bus in board.buses.keys() {
        let there = scopes["gray1"].iter().filter(|name| name.split('[').next() == Some(bus)).count();
        assert_eq!(there, 1, "{bus}");
    }
    for (scope, names) in [
        ("gray1.program", "cycle[63:0] phase[7:0] pc[15:0] instruction[79:0]"),
        ("gray1.SEQ", "address[4:0] data[4:0] S[1:0] PH1 PH2 RST OSC RSTIN"),
        ("gray1.RAMH", "address[11:0] input[3:0] write data[3:0] M[7:4] W[11:0] A[7:4] WE"),
        ("gray1.PCL", "address[14:0] data[6:0] PC[5:0] TICKH TG[5:0] LOAD TICK PARH"),
        ("gray1.ALUL", "address[12:0] data[5:0] R[3:0] C4 ZL W[15:13] A[3:0] X[3:0] X4 RST"),
        ("gray1.GREEN3", "address[16:0] data[7:0] GREEN3[7:0] A[7:0] GE3"),
    ] {
        assert_eq!(scopes[scope].join(" "), names, "{scope}");
    }
    assert!(wave.signals < 140, "{} signals: equal signals have to be in the file once", wave.signals);
}

/// Other boards may use any names.
#[test]
fn other_boards_are_shown_too() {
    let source = include_str!("../../../machine/src/board/gray1.ron")
        .replace("name: \"XMUX\"", "name: \"the $end of X\"")
        .replace("\"TG\": \"TG0-11\",", "\"Goal\": \"TG0-11\", \"Half\": \"TG6-11\",")
        .replace("\"KEYS\": \"KEYS0-6\",", "")
        .replace("\"M\": \"M0-7\",", "\"M\": \"M7 M6 M5 M4 M3 M2 M1 M0\",");
    let board = Board::parse(&source, "other.ron").unwrap();
    let wave = wave(record(&board, &chaos(2), 0..=40, 41));
    let find = |path: &str| wave.variables.iter().find(|variable| variable.path == path).unwrap();
    assert_eq!(find("gray1.the__end_of_X.W").range, Some((7, 0)));
    assert_eq!(find("gray1.Half").range, Some((5, 0)));
    assert_eq!(find("gray1.TGH.Goal").range, Some((11, 6)));
    assert_eq!(find("gray1.KMUX.KEYS").range, Some((6, 0)));
    assert_eq!(find("gray1.KEYS3").range, None);
    assert!(find("gray1.Goal").changes.len() > 1);
    // A bus whose lines are not in the order of their numbers, so `M0-3` is not a part of it.
    assert_eq!(find("gray1.RAML.M").range, Some((3, 0)));
    for step in 0..wave.times.len() {
        let low = find("gray1.RAML.M").at(step);
        assert_eq!(low, find("gray1.RAML.data").at(step));
        assert!(low.chars().rev().eq(find("gray1.M").at(step)[..4].chars()));
    }
}

fn recorder(board: &Board, window: Window) -> ChipsRecorder<Vec<u8>> {
    ChipsRecorder::begin(board, window, Vec::new()).unwrap()
}

/// An error of the machine has to be reported even if the file cannot be written.
#[test]
fn a_full_disk_is_an_error() {
    struct Full(u64);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            if self.0 > 20_000 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl std::io::Seek for Full {
        fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
            Ok(self.0)
        }
    }
    let board = Board::gray1();
    let mut machine = ChipsEngine::power_up(&board, &chaos(5), Noise::Zeros).unwrap();
    let mut recorder = ChipsRecorder::begin(&board, 0..=u64::MAX, Full(0)).unwrap();
    let failed = recorder.run(&mut machine, 5_000, &mut ()).is_err() || recorder.finish().is_err();
    assert!(failed);
}
