//! The timed engine: every change that it reports is in the file, at its time.

use crate::waves::support::{Wave, chaos, wave};
use gray1_display::waves::{TimedRecorder, Window};
use gray1_machine::board::Board;
use gray1_machine::{Engine, Inputs, Noise};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedEngine};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An oscillator that is slow enough for all parts.
const SLOW: Conditions = Conditions {
    half_period: 1_500 * NANOSECOND,
    delays: Delays::Random(1),
    transients: Some(1),
    capacitor: 1_000,
};

fn engine(conditions: &Conditions) -> TimedEngine {
    TimedEngine::power_up(&Board::gray1(), &chaos(5), Noise::Random(1), conditions).unwrap()
}

fn recorder(window: Window) -> TimedRecorder<Vec<u8>> {
    TimedRecorder::begin(&Board::gray1(), window, Vec::new()).unwrap()
}

/// The file of a run in pieces with different keys held.
fn record(window: Window, pieces: &[(u64, u8)]) -> Wave {
    let (mut machine, mut recorder) = (engine(&SLOW), recorder(window));
    for &(piece, keys) in pieces {
        machine.press(Inputs { pad: None, keys }).unwrap();
        assert_eq!(recorder.run(&mut machine, piece, &mut ()).unwrap(), piece);
    }
    wave(recorder.finish().unwrap())
}

/// All changes of nets, by time.
type Changes = BTreeMap<u64, Vec<(usize, bool)>>;

#[test]
fn every_change_is_there_at_its_time() {
    let board = Board::gray1();
    let pieces = [(1, 0), (2, 0b101), (30, 0b110)];
    let wave = record(0..=u64::MAX, &pieces);

    let log = Rc::new(RefCell::new(Changes::new()));
    let mut machine = engine(&SLOW);
    let nets = machine.netlist().nets.iter().map(|net| net.name.clone()).collect::<Vec<_>>();
    let shared = Rc::clone(&log);
    machine.watch(move |time, net, level| {
        shared.borrow_mut().entry(time).or_default().push((net, level));
    });
    for (piece, keys) in pieces {
        machine.press(Inputs { pad: None, keys }).unwrap();
        machine.run(piece, &mut ()).unwrap();
    }
    let mut changes = log.take();
    // The board has settled in the first phase, before the watcher starts.
    let (_, start) = changes.pop_first().unwrap();
    let mut levels = BTreeMap::new();
    let mut step = |told: &[(usize, bool)]| {
        for &(net, level) in told {
            levels.insert(nets[net].clone(), level);
        }
        levels.clone()
    };
    let mut steps = vec![step(&start[..nets.len()])];
    let first_edge = SLOW.half_period;
    changes.insert(first_edge, start[nets.len()..].to_vec());
    steps.extend(changes.values().map(|told| step(told)));
    let times: Vec<u64> = [0].into_iter().chain(changes.keys().copied()).chain([machine.now()]).collect();
    assert_eq!(wave.times, times);
    assert!(times.len() > 1_500, "{} times", times.len());

    let digits = |lines: &[String], levels: &BTreeMap<String, bool>| -> String {
        lines.iter().rev().map(|net| if levels[net] { '1' } else { '0' }).collect()
    };
    for (number, levels) in steps.iter().enumerate() {
        for variable in &wave.variables {
            let (scope, name) = variable.path.rsplit_once('.').unwrap();
            let right = match (scope, name) {
                ("gray1", name) => match board.buses.get(name) {
                    Some(bus) => digits(bus.names(), levels),
                    None => digits(&[name.to_owned()], levels),
                },
                (chip, "address") => {
                    digits(board.chip(&chip["gray1.".len()..]).unwrap().address().names(), levels)
                }
                _ => continue,
            };
            assert_eq!(variable.at(number), right, "{} at {} ps", variable.path, times[number]);
        }
    }
}

#[test]
fn cycles_and_phases_are_told_at_the_edges() {
    let wave = record(0..=u64::MAX, &[(40, 0)]);
    let find = |name: &str| wave.variables.iter().find(|variable| variable.path == name).unwrap();
    let number = |name: &str, step| u64::from_str_radix(find(name).at(step), 2).unwrap();
    let mut machine = engine(&SLOW);
    for (step, &time) in wave.times.iter().enumerate() {
        let edge = time / SLOW.half_period;
        let (cycle, phase) = (number("gray1.program.cycle", step), number("gray1.program.phase", step));
        if time < 160 * SLOW.half_period {
            assert_eq!((cycle, phase), (edge / 4, edge % 4), "{time} ps");
            machine.run(cycle - machine.cycle(), &mut ()).unwrap();
            let pc = machine.registers().pc;
            assert_eq!(number("gray1.program.pc", step), u64::from(pc), "{time} ps");
            let text = format!("{:10}", chaos(5).word(pc).to_string());
            let digits: String = text.bytes().map(|letter| format!("{letter:08b}")).collect();
            assert_eq!(find("gray1.program.instruction").at(step), digits);
        }
    }
}

/// The file of a window equals that part of the whole file.
#[test]
fn a_window_shows_its_cycles() {
    let whole = record(0..=u64::MAX, &[(60, 0)]);
    for (window, first, behind) in [(0..=0, 0, 1), (1..=3, 1, 4), (17..=20, 17, 21), (20..=20, 20, 21)] {
        for pieces in [&[(60, 0)][..], &[(16, 0), (1, 0), (1, 0), (42, 0)], &[(17, 0), (43, 0)]] {
            let part = record(window.clone(), pieces);
            let times = (4 * first * SLOW.half_period)..(4 * behind * SLOW.half_period);
            let start = whole.times.partition_point(|time| *time < times.start);
            let count = whole.times[start..].partition_point(|time| *time < times.end);
            let shown = part.times.len() - 1;
            assert_eq!(part.times[..shown], whole.times[start..start + count], "{window:?} in {pieces:?}");
            assert_eq!(part.times[shown], times.end);
            for (variable, other) in part.variables.iter().zip(&whole.variables) {
                for step in 0..shown {
                    assert_eq!(variable.at(step), other.at(start + step), "{window:?} {}", variable.path);
                }
            }
        }
    }
}

#[test]
fn a_recorded_run_is_the_same_run() {
    let (mut plain, mut recorded) = (engine(&SLOW), engine(&SLOW));
    let mut recorder = recorder(30..=50);
    for piece in [10, 25, 10, 100] {
        assert_eq!(plain.run(piece, &mut ()).unwrap(), piece);
        assert_eq!(recorder.run(&mut recorded, piece, &mut ()).unwrap(), piece);
        assert!(plain.state() == recorded.state());
        assert_eq!(plain.now(), recorded.now());
    }
}

#[test]
fn a_recording_ends_when_the_machine_begins_anew() {
    let (mut machine, mut recorder) = (engine(&SLOW), recorder(0..=u64::MAX));
    let start = machine.state();
    recorder.run(&mut machine, 20, &mut ()).unwrap();
    let end = machine.now();
    machine.set_state(&start).unwrap();
    assert_eq!(recorder.run(&mut machine, 100, &mut ()).unwrap(), 100);
    assert_eq!(wave(recorder.finish().unwrap()).times.last(), Some(&end));
}

#[test]
fn a_window_that_never_comes_gives_a_file_without_values() {
    let (mut machine, mut recorder) = (engine(&SLOW), recorder(51..=60));
    recorder.run(&mut machine, 50, &mut ()).unwrap();
    assert!(recorder.is_empty());
    assert_eq!(wave(recorder.finish().unwrap()).times, [0, 1]);
}

/// Waveforms are used above all to see how a machine with too fast an oscillator fails.
#[test]
fn a_failure_is_recorded_up_to_its_end() {
    let fast = Conditions { half_period: 300 * NANOSECOND, ..SLOW };
    let (mut machine, mut recorder) = (engine(&fast), recorder(0..=u64::MAX));
    assert!(recorder.run(&mut machine, 1_000, &mut ()).is_err());
    assert!(machine.failure().is_some());
    assert!(recorder.run(&mut machine, 1_000, &mut ()).is_err());
    let wave = wave(recorder.finish().unwrap());
    assert_eq!(wave.times.last(), Some(&machine.now()));
    assert!(wave.times.len() > 10);
}
