//! `cargo bench --bench performance`: measures the tables of `docs/internals/performance.md`, and writes them if `UPDATE=1` is
//! set.
//!
//! It measures every engine, the same program translated to C, and campaigns of faults. Without a C compiler, the table
//! says so.

#[path = "c_program/c.rs"]
mod c;
#[path = "c_program/translate.rs"]
mod translate;

use gray1_hardware::faults::{Campaign, Circuit, Model, Reference, Watch, presses};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise, State};
use gray1_timed::{Conditions, Delays, NANOSECOND, TimedEngine};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use test_support::golden::updates;
use test_support::programs::assembled;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/internals/performance.md");
/// Each figure is the best of this many rounds, because disturbances only make a measurement slower.
const ROUNDS: usize = 5;
/// The limits on the cycles of an engine in a round, in the order of the table.
const MAX_CYCLES: [u64; 3] = [2_000_000, 200_000_000, 1_000_000_000];
/// The number of wrong bits in the campaign of cells.
const CELL_FAULTS: usize = 2_000;
const MISSING: &str = "not installed";

fn main() {
    let folder = std::env::temp_dir().join(format!("gray1-performance-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for sources");
    let mut engines = String::from(
        "| program | timed | chips, portable | chips | `gcc -O2` |\n|---|---:|---:|---:|---:|\n",
    );
    let programs: [(&str, &[(&str, i64)]); 4] =
        [("queens", &[]), ("queens-brute", &[]), ("queens-masks", &[]), ("nqueens", &[("N", 12)])];
    for (name, constants) in programs {
        let image = assembled(name, constants).image;
        engines += &row(&folder, name, &image);
    }
    let _ = std::fs::remove_dir_all(folder);
    for (name, table) in [("engines", engines), ("faults", faults())] {
        println!("{table}");
        if updates() {
            write(name, &table);
        }
    }
}

/// The speed of each engine with a program, and of the program in C.
fn row(folder: &Path, name: &str, image: &Image) -> String {
    let noise = Noise::Zeros;
    let conditions = Conditions {
        half_period: 1_100 * NANOSECOND,
        delays: Delays::Random(1),
        transients: Some(1),
        capacitor: 1_000,
    };
    let board = Board::gray1();
    let mut equipped = board.clone();
    equipped.set_accelerators(|_| true, gray1_native::translate);
    let chips = |board: &Board| -> Box<dyn Engine> {
        Box::new(ChipsEngine::power_up(board, image, noise).expect("the board settles"))
    };
    let mut engines: [Option<Box<dyn Engine>>; 3] = [
        Some(Box::new(TimedEngine::power_up(&board, image, noise, &conditions).expect("a board with times"))),
        Some(chips(&board)),
        gray1_native::IS_SUPPORTED.then(|| chips(&equipped)),
    ];
    let translated = c::compiled(folder, name, &translate::translated(image));
    let mut speeds = [0f64; 4];
    for _ in 0..ROUNDS {
        for ((engine, most), speed) in engines.iter_mut().zip(MAX_CYCLES).zip(&mut speeds) {
            if let Some(engine) = engine {
                *speed = speed.max(run(engine.as_mut(), most));
            }
        }
        if let Some(program) = &translated {
            let (cycles, _) = c::run(program, 1);
            let repeats = (MAX_CYCLES[2] / cycles).max(1) as u32;
            let (_, time) = c::run(program, repeats);
            speeds[3] = speeds[3].max(per_second(cycles * u64::from(repeats), time));
        }
    }
    let speeds = speeds.map(|speed| match speed {
        0.0 => MISSING.to_owned(),
        speed if speed < 1e6 => format!("{:.2}", speed / 1e6),
        speed if speed < 1e8 => format!("{:.1}", speed / 1e6),
        speed => format!("{:.0}", speed / 1e6),
    });
    format!("| `{name}` | {} |\n", speeds.join(" | "))
}

/// Cycles per second. A program that halts is started again.
fn run(engine: &mut dyn Engine, most: u64) -> f64 {
    let start = State::after_reset(Noise::Zeros);
    let begun = Instant::now();
    let mut left = most;
    while left > 0 {
        engine.set_state(&start).expect("the board settles");
        left -= engine.run(left, &mut ()).expect("nothing breaks");
    }
    per_second(most, begun.elapsed())
}

fn per_second(cycles: u64, time: Duration) -> f64 {
    cycles as f64 / time.as_secs_f64()
}

/// The cycles that fault campaigns run, and the cycles if every machine ran to its end. The program is the
/// self-test, with its pads and keys pressed.
fn faults() -> String {
    let (board, image) = (Board::built(), assembled("selftest", &[]).image);
    let (noise, max_cycles, stop) = (Noise::Random(1), 1_000_000, AtomicBool::new(false));
    let circuit = Circuit::new(&board, &image).expect("a board that can be built");
    let script = presses(&image, noise, max_cycles, &stop);
    let conditions = gray1_hardware::faults::Conditions { noise, script, max_cycles };
    let reference = Reference::run(&circuit, conditions, &stop).expect("the self-test runs");
    let mut table = String::from(
        "| faults | machines | cycles of all | cycles run | times fewer |\n|---|---:|---:|---:|---:|\n",
    );
    let campaigns = [
        (Model::Pins, None, "stuck pins"),
        (Model::Bridges, None, "bridges"),
        (Model::Cells, Some((CELL_FAULTS, 1)), "wrong bits of cells"),
    ];
    for (model, sample, name) in campaigns {
        let faults = reference.faults(model);
        let campaign = Campaign::new(&reference, model, Watch::PortAndLeds, sample);
        let ran: u64 =
            campaign.numbers().map(|number| reference.find(faults[number], Watch::PortAndLeds).ran).sum();
        let (machines, all) = (campaign.size(), campaign.size() as u64 * reference.cycles);
        table += &format!("| {name} | {machines} | {all} | {ran} | {:.1} |\n", all as f64 / ran as f64);
    }
    table
}

/// Writes a table to its section of the document.
fn write(name: &str, table: &str) {
    let text = std::fs::read_to_string(DOCUMENT).expect("the document");
    let (begin, end) = (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->"));
    let from = text.find(&begin).expect("where the table begins") + begin.len();
    let to = text.find(&end).expect("where it ends");
    std::fs::write(DOCUMENT, format!("{}{table}{}", &text[..from], &text[to..])).expect("the document");
}
