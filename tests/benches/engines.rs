//! `cargo bench`: how fast the engines run a whole search for the eight queens, side by side in one run, and how
//! long the command takes for it from start to end.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedEngine};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const QUEENS: &str = "programs/queens.g1";
/// Each figure is the best of this many rounds: what disturbs a measurement only ever makes it slower.
const ROUNDS: usize = 15;

fn main() {
    let image = queens();
    let mut chips =
        ChipsEngine::power_up(&Board::gray1(), &image, Noise::Random(1)).expect("the board settles");
    let mut fast = FastEngine::power_up(&image, Noise::Random(1));
    let (cycles, chips_time) = search(&mut chips, 1);
    let (fast_cycles, fast_time) = search(&mut fast, 50);
    assert_eq!(cycles, fast_cycles, "the engines agree");
    let speed = |time: Duration| cycles as f64 / time.as_secs_f64() / 1e6;
    println!("the search for the eight queens, {cycles} machine cycles, best of {ROUNDS} rounds");
    println!("  chips engine  {:8.2} million cycles a second", speed(chips_time));
    println!("  fast engine   {:8.2} million cycles a second", speed(fast_time));
    println!("  ratio         {:8.1}", chips_time.as_secs_f64() / fast_time.as_secs_f64());
    let timed_time = timed(&image, cycles);
    println!("  timed engine  {:8.3} million cycles a second", speed(timed_time));
    println!("  chips / timed {:8.1}", timed_time.as_secs_f64() / chips_time.as_secs_f64());

    println!("as a command, process start and assembly included");
    for engine in ["chips", "fast"] {
        println!("  {engine:<6}        {:8.2} ms", command(engine).as_secs_f64() * 1e3);
    }
    let power_up = best(|| {
        let start = Instant::now();
        let engine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Random(1));
        assert!(engine.is_ok());
        start.elapsed()
    });
    println!("  of which to build the board and burn its ROMs {:.2} ms", power_up.as_secs_f64() * 1e3);
}

fn queens() -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(QUEENS);
    let source = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let assembly = assemble(&MemoryLoader::new([(QUEENS, source)]), QUEENS, &Options::default());
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}

/// The cycles of a whole search, and the time for it; short ones are repeated to be measured.
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

/// The time for a whole search in nanoseconds' steps, with transients and capacitors as `gray1 run` has them.
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
        assert_eq!(engine.run(u64::MAX, &mut ()).unwrap(), cycles, "nothing breaks");
        begun.elapsed()
    });
    rounds.min().unwrap_or_default()
}

fn command(engine: &str) -> Duration {
    best(|| {
        let start = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_gray1"))
            .args(["run", QUEENS, "--display", "none", "--engine", engine])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::null())
            .status();
        assert!(status.is_ok_and(|status| status.success()));
        start.elapsed()
    })
}

fn best(mut measure: impl FnMut() -> Duration) -> Duration {
    (0..ROUNDS).map(|_| measure()).min().unwrap_or_default()
}
