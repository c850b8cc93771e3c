//! `cargo bench --bench native`: compares the native engine with the fast engine, a simple interpreter in C, and programs
//! translated to C in a straightforward way. The C code is compiled by `gcc -O2`.
//!
//! All run a program to its halt, and could be stopped at any given cycle. The native engine and the translated programs
//! count cycles at the same places, and record every store to the display and the port with its cycle. Only the engines
//! also count instructions by opcode.

mod c;
mod translate;

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_isa::Image;
use gray1_machine::{Engine, FastEngine, Noise, State};
use gray1_native::NativeEngine;
use std::path::Path;
use std::time::{Duration, Instant};

/// Each figure is the best of this many rounds, in each of which everything is measured once.
const ROUNDS: usize = 9;
/// A program that halts after few cycles, for a short run.
const SHORT: &str =
    "lda #44\nsta n\nloop: lda n\nadd #-1\nsta n\njz done\njmp loop\n.ram n\ndone: jmp done\n";
/// A program that halts at once. Its time is what each run takes besides its instructions, mainly to fill RAM.
const HALT: &str = "done: jmp done\n";

fn main() {
    let folder = std::env::temp_dir().join(format!("gray1-native-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for C sources");
    println!(
        "million instructions a second, best of {ROUNDS} rounds; native / gcc is native to translated C"
    );
    println!(
        "{:<22}{:>8}{:>8}{:>14}{:>14}{:>14}{:>12}",
        "", "fast", "native", "interpreter", "translated", "native / gcc", "ready in"
    );
    let programs = [
        ("queens", None, 1_000),
        ("queens-brute", None, 1),
        ("queens-masks", None, 1),
        ("nqueens", Some(12), 1),
    ];
    for (name, n, repeats) in programs {
        let path = format!("programs/{name}.g1");
        let source = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).expect("a program");
        row(&folder, name, &assembled(&path, source, n), repeats);
    }
    row(&folder, "short", &assembled("short.g1", SHORT.into(), None), 100_000);
    row(&folder, "halt", &assembled("halt.g1", HALT.into(), None), 100_000);
    let _ = std::fs::remove_dir_all(folder);
}

/// Prints a row of the table for a program that is run `repeats` times in each round.
fn row(folder: &Path, name: &str, image: &Image, repeats: u32) {
    let begun = Instant::now();
    let mut native =
        NativeEngine::power_up(image, Noise::Zeros).expect("this processor, and memory for code");
    let compiled = begun.elapsed();
    let mut fast = FastEngine::power_up(image, Noise::Zeros);
    let interpreter = c::compiled(folder, &format!("{name}-interpreter"), &translate::interpreter(image));
    let translated = c::compiled(folder, name, &translate::translated(image));
    let mut times = [Duration::MAX; 4];
    let (mut cycles, mut native_cycles) = (0, 0);
    for _ in 0..ROUNDS {
        let mut keep = |index: usize, time| times[index] = times[index].min(time);
        keep(0, time(&mut fast, repeats, &mut cycles));
        keep(1, time(&mut native, repeats, &mut native_cycles));
        assert_eq!(cycles, native_cycles, "the engines agree");
        for (index, program) in [(2, &interpreter), (3, &translated)] {
            let Some(program) = program else { continue };
            let (ran, time) = c::run(program, repeats);
            assert_eq!(ran, cycles, "C agrees");
            keep(index, time);
        }
    }
    let speed = |time: Duration| match time {
        Duration::MAX => "-".to_owned(),
        time => format!("{:.0}", cycles as f64 * f64::from(repeats) / time.as_secs_f64() / 1e6),
    };
    let ratio = match times[3] {
        Duration::MAX => "-".to_owned(),
        time => format!("{:.2}", time.as_secs_f64() / times[1].as_secs_f64()),
    };
    let [fast, native, interpreter, translated] = times.map(speed);
    println!("{name:<22}{fast:>8}{native:>8}{interpreter:>14}{translated:>14}{ratio:>14}{compiled:>12.0?}");
}

/// The time of `repeats` runs, each with RAM filled again, as in C.
fn time(engine: &mut dyn Engine, repeats: u32, cycles: &mut u64) -> Duration {
    let start = State::after_reset(Noise::Zeros);
    let begun = Instant::now();
    for _ in 0..repeats {
        engine.set_state(&start).expect("it settles");
        *cycles = engine.run(u64::MAX, &mut ()).expect("it settles");
    }
    begun.elapsed()
}

fn assembled(name: &str, source: Vec<u8>, n: Option<i64>) -> Image {
    let options =
        Options { constants: n.map(|n| ("N".to_owned(), n)).into_iter().collect(), ..Options::default() };
    let assembly = assemble(&MemoryLoader::new([(name, source)]), name, &options);
    assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false))).image
}
