//! `cargo bench -p gray1-debugger`: the cost of debugging compared with a plain run, and the time for going backwards.

#![allow(clippy::unwrap_used)] // a panic is how a benchmark reports an error

use gray1_debugger::{
    Access, Breakpoint, Debugger, Direction, History, LineDepth, Position, Source, StopReason, Trigger,
};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, Script};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const CYCLES: u64 = 3_000_000;
const LONG: u64 = 100_000_000;
const STEPS: u32 = 50;
/// Each figure is the best of this many measurements: disturbances only ever make a measurement slower.
const MEASUREMENTS: usize = 5;

static NEVER: AtomicBool = AtomicBool::new(false);

fn main() {
    let plain = best(|| {
        let mut machine = machine();
        let start = Instant::now();
        machine.run(CYCLES, &mut ()).unwrap();
        start.elapsed()
    });
    println!("{CYCLES} cycles, plain run: {:.1} ms", plain.as_secs_f64() * 1e3);
    let report = |what: &str, time: Duration, most: f64| {
        let ratio = time.as_secs_f64() / plain.as_secs_f64();
        println!("  {what:<34} {ratio:5.2} times as long (at most {most})");
        assert!(ratio <= most || cfg!(debug_assertions), "{what} takes too long");
    };
    let recorded = best(|| {
        let mut history = History::new(machine(), Script::default()).unwrap();
        let start = Instant::now();
        history.go(Position::start_of(CYCLES), &NEVER).unwrap();
        start.elapsed()
    });
    report("history recorded", recorded, 1.1);
    report("debugged, no breakpoints", debugged(0, false), 1.5);
    report("debugged, ten bytes watched", debugged(10, false), 3.0);
    report("run ahead, no breakpoints", debugged(0, true), 0.25);
    report("run ahead, ten bytes watched", debugged(10, true), 0.25);

    let mut history = History::new(machine(), Script::default()).unwrap();
    history.go(Position::start_of(LONG), &NEVER).unwrap();
    println!(
        "{LONG} cycles recorded in {} checkpoints, {} bytes",
        history.checkpoints().len(),
        history.size()
    );
    let mut slowest = Duration::ZERO;
    for cycle in (0..40).map(|step| LONG - 1 - step * 2_499_999) {
        let start = Instant::now();
        history.go(Position { cycle, phase: 2 }, &NEVER).unwrap();
        slowest = slowest.max(start.elapsed());
    }
    println!("  the slowest of 40 jumps back        {:.1} ms (at most 200)", slowest.as_secs_f64() * 1e3);
    assert!(slowest < Duration::from_millis(200));
    steps_back();
}

/// Steps back late in a long run, where the checkpoints are far apart.
fn steps_back() {
    let source = Source::of_image(image());
    let mut debugger = Debugger::new(machine(), Board::gray1(), source, Script::default()).unwrap();
    debugger.history_mut().go(Position::start_of(LONG), &NEVER).unwrap();
    debugger.history_mut().go(Position::start_of(LONG - 5000), &NEVER).unwrap();
    let rare = Trigger::Instructions(vec![9]);
    debugger.add_breakpoint(Breakpoint::new("", rare.clone()));
    let targets = [
        ("back to a line", Some(Trigger::Line(LineDepth::Innermost))),
        ("back to an instruction", Some(rare.clone())),
        ("back to a breakpoint", None),
    ];
    let per_step = |start: Instant| start.elapsed().as_secs_f64() * 1e3 / f64::from(STEPS);
    for (name, target) in targets {
        let start = Instant::now();
        for _ in 0..STEPS {
            debugger
                .seek(Direction::Backward, target.as_ref(), Position::NEVER, &NEVER, &mut |_, _| ())
                .unwrap();
        }
        println!("  {name:<34} {:.2} ms", per_step(start));
    }
    let start = Instant::now();
    for _ in 0..STEPS {
        let here = debugger.position();
        debugger.find(Direction::Backward, &rare, here, &NEVER).unwrap();
    }
    println!("  finding an instruction             {:.2} ms", per_step(start));
}

/// The time for a run in the debugger with this many watched bytes, none of which ever changes.
fn debugged(watched: u16, is_scouted: bool) -> Duration {
    best(|| {
        let source = Source::of_image(image());
        let mut debugger = Debugger::new(machine(), Board::gray1(), source, Script::default()).unwrap();
        debugger.history_mut().set_scouted(is_scouted);
        for byte in 0..watched {
            // One of the bytes is stored to all the time, always with the same value.
            let trigger = Trigger::Ram(2 + byte, 2 + byte, Access::Change);
            debugger.add_breakpoint(Breakpoint::new("", trigger));
        }
        let end = Position::start_of(CYCLES);
        let start = Instant::now();
        let result = debugger.seek(Direction::Forward, None, end, &NEVER, &mut |_, _| ());
        assert_eq!(result, Ok(StopReason::Limit));
        start.elapsed()
    })
}

/// Counts in two bytes forever, and stores to a third byte the value that is already there.
fn image() -> Image {
    let ram = |opcode, address| Word::new(opcode, false, address);
    Image::from_words([
        Word::constant(Opcode::Lda, 7),
        ram(Opcode::Sta, 2),
        ram(Opcode::Lda, 0),
        Word::constant(Opcode::Add, 1),
        ram(Opcode::Sta, 0),
        Word::jump(Opcode::Jc, 8),
        ram(Opcode::Sta, 2000),
        Word::jump(Opcode::Jmp, 2),
        ram(Opcode::Lda, 1),
        Word::constant(Opcode::Add, 1),
        ram(Opcode::Sta, 1),
        Word::jump(Opcode::Jmp, 0),
    ])
}

/// The machine, with the final value already in the byte that never changes.
fn machine() -> ChipsEngine {
    let mut machine = ChipsEngine::power_up(&Board::gray1(), &image(), Noise::Zeros).unwrap();
    let mut state = machine.state();
    state.ram[2] = 7;
    machine.set_state(&state).unwrap();
    machine
}

fn best(mut measure: impl FnMut() -> Duration) -> Duration {
    (0..MEASUREMENTS).map(|_| measure()).min().unwrap_or_default()
}
