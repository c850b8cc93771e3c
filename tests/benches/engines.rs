//! `cargo bench --bench engines`: the speed of the engines in a whole search for the eight queens, and the time of the
//! command from the start of its process to the first byte of a program and to the end of a search.
//!
//! `GRAY1_BASELINE=PATH` times another `gray1` as well, in alternating rounds, so that other load on the computer
//! disturbs both alike.

#![allow(clippy::disallowed_methods)] // `test_support::process` waits in steps, which would be measured too

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, IsaEngine, Noise};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedEngine};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const QUEENS: &str = "programs/queens.g1";
/// A program for longer searches: 0.9 and 361 million cycles.
const LONGER: &str = "programs/nqueens.g1";
const LONGEST: &str = "programs/queens-brute.g1";
/// Each figure is the best of this many rounds, because disturbances only make a measurement slower.
const ROUNDS: usize = 15;

fn main() {
    let image = queens();
    let mut chips =
        ChipsEngine::power_up(&Board::gray1(), &image, Noise::Random(1)).expect("the board settles");
    let mut fast = IsaEngine::power_up(&image, Noise::Random(1));
    let (cycles, chips_time) = search(&mut chips, 1);
    let (fast_cycles, fast_time) = search(&mut fast, 50);
    assert_eq!(cycles, fast_cycles, "the engines agree");
    let speed = |time: Duration| cycles as f64 / time.as_secs_f64() / 1e6;
    println!("the search for the eight queens, {cycles} machine cycles, best of {ROUNDS} rounds");
    println!("  chips engine  {:8.2} million cycles a second", speed(chips_time));
    println!("  isa engine    {:8.2} million cycles a second", speed(fast_time));
    println!("  ratio         {:8.1}", chips_time.as_secs_f64() / fast_time.as_secs_f64());
    let timed_time = timed(&image, cycles);
    println!("  timed engine  {:8.3} million cycles a second", speed(timed_time));
    println!("  chips / timed {:8.1}", timed_time.as_secs_f64() / chips_time.as_secs_f64());

    commands();
}

/// Prints the times of the command, with process start and assembly, and those of the baseline.
fn commands() {
    let this = env!("CARGO_BIN_EXE_gray1");
    let baseline = std::env::var("GRAY1_BASELINE").ok();
    let binaries: Vec<&str> = [Some(this), baseline.as_deref()].into_iter().flatten().collect();
    let head = if binaries.len() == 2 { "        this  baseline" } else { "" };
    println!("as a command, in milliseconds, best of {ROUNDS} rounds{head}");
    let folder = std::env::temp_dir().join(format!("gray1-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a program");
    let short = folder.join("short.g1");
    std::fs::write(&short, "lda #65\nsta OUT\nhalt: jmp halt\n").expect("a program");
    row("process start", &binaries, process_start);
    for engine in ["chips", "isa"] {
        row(&format!("{engine}: to the first byte"), &binaries, |binary| first_byte(binary, engine, &short));
    }
    for (engine, program) in
        [("chips", QUEENS), ("isa", QUEENS), ("chips", LONGER), ("isa", LONGEST), ("timed", QUEENS)]
    {
        row(&format!("{engine}: all of {program}"), &binaries, |binary| whole_run(binary, engine, program));
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn row(name: &str, binaries: &[&str], measure: impl Fn(&str) -> Duration) {
    let mut least = vec![Duration::MAX; binaries.len()];
    for _ in 0..ROUNDS {
        for (least, binary) in least.iter_mut().zip(binaries) {
            *least = (*least).min(measure(binary));
        }
    }
    let times: String = least.iter().map(|time| format!("{:10.2}", time.as_secs_f64() * 1e3)).collect();
    println!("  {name:<38}{times}");
}

fn process_start(binary: &str) -> Duration {
    let start = Instant::now();
    let status = Command::new(binary).arg("--version").stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()));
    start.elapsed()
}

/// The time from the start of the process until the first byte that the program sends, in its second cycle.
fn first_byte(binary: &str, engine: &str, program: &Path) -> Duration {
    let start = Instant::now();
    let mut child = Command::new(binary)
        .args(["run", "--display", "none", "--engine", engine])
        .arg(program)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut byte = [0];
    child.stdout.take().expect("a pipe").read_exact(&mut byte).expect("a byte");
    let time = start.elapsed();
    assert!(byte == *b"A" && child.wait().is_ok_and(|status| status.success()));
    time
}

fn whole_run(binary: &str, engine: &str, program: &str) -> Duration {
    let start = Instant::now();
    let status = Command::new(binary)
        .args(["run", program, "--display", "none", "--engine", engine])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()));
    start.elapsed()
}

fn queens() -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(QUEENS);
    let source = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let assembly = assemble(&MemoryLoader::new([(QUEENS, source)]), QUEENS, &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}

/// The cycles of a whole search, and its time. Short searches are repeated to be measurable.
fn search(engine: &mut dyn Engine, repeat: u32) -> (u64, Duration) {
    let start = engine.state();
    let mut cycles = 0;
    let time = best(|| {
        let mut time = Duration::ZERO;
        for _ in 0..repeat {
            engine.set_state(&start).expect("the board settles");
            let begun = Instant::now();
            cycles = engine.run(u64::MAX, &mut ()).expect("the board settles");
            time += begun.elapsed();
        }
        time / repeat
    });
    (cycles, time)
}

/// The time of a whole search on the timed engine, with the transients and capacitors that `gray1 run` uses.
fn timed(image: &Image, cycles: u64) -> Duration {
    let conditions = Conditions {
        half_period: 1_100 * NANOSECOND,
        delays: Delays::Random(1),
        transients: Some(1),
        capacitor: 1_000,
    };
    let rounds = (0..3).map(|_| {
        let mut engine = TimedEngine::power_up(&Board::gray1(), image, Noise::Random(1), &conditions)
            .expect("the board has timing data");
        let begun = Instant::now();
        assert_eq!(engine.run(u64::MAX, &mut ()).expect("nothing breaks"), cycles);
        begun.elapsed()
    });
    rounds.min().unwrap_or_default()
}

fn best(mut measure: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| measure()).min().unwrap_or_default()
}
