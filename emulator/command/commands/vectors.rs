//! `gray1 vectors`: writes test vectors for other emulators.

use crate::ending::Ending;
use crate::support::files::shown;
use crate::support::interrupt::Interrupt;
use crate::support::output::Outputs;
use crate::support::selftest::{self, shipped};
use crate::tell::{tell, usage};
use gray1_machine::{Noise, Script};
use gray1_vectors::{Source, files};
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Programs that halt early enough for a trace of all their cycles.
const PROGRAMS: [&str; 5] = ["first", "muldiv", "fibonacci", "ant", "sort"];
/// A program that never halts, run with presses of the pads.
const DRAW: &str = "draw";
const STROKES: &str = r#"[
    (at: 1000, pad: Some((row: 1, col: 2))), (at: 1200, pad: None), (at: 1400, pad: Some((row: 7, col: 7))),
    (at: 1600, pad: None), (at: 1800, pad: Some((row: 7, col: 7))), (at: 2100, pad: Some((row: 6, col: 0))),
    (at: 2500, pad: None), (at: 2700, keys: ["left", "a"]), (at: 2900, keys: ["start"]), (at: 3200, keys: []),
]"#;
const DRAWN: u64 = 4_000;
/// Programs that have not halted by this cycle are cut off.
const MOST_CYCLES: u64 = 50_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write to; other files in it are kept
    dir: PathBuf,
    /// The number of cases for each kind of instruction; a larger number only appends cases
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cases: u32,
}

pub fn vectors(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { dir, cases } = arguments;
    if dir.as_os_str() == "-" {
        usage("`-` is not a folder: give the path of a folder");
    }
    let interrupt = Interrupt::listen_twice()?;
    let (sources, mut outputs) = (sources(interrupt.flag())?, Outputs::new(dir));
    let is_all = files(*cases as usize, &sources, interrupt.flag(), |name, piece| {
        outputs.write(name, piece.as_bytes()).map_err(Box::<dyn Error>::from)
    })?;
    if !is_all {
        return Ok(Ending::Interrupted);
    }
    let count = outputs.finish()?;
    tell(format_args!("{}: {count} files", shown(dir)));
    Ok(Ending::Done)
}

/// The programs to trace.
fn sources(stop: &AtomicBool) -> Result<Vec<Source>, Box<dyn Error>> {
    let mut sources = Vec::new();
    for name in PROGRAMS {
        let (_, image) = shipped(name)?;
        let source =
            Source { name: name.to_owned(), image, script: Script::default(), most_cycles: MOST_CYCLES };
        sources.push(source);
    }
    let ((_, image), script) = (shipped(DRAW)?, Script::from_ron(STROKES)?);
    sources.push(Source { name: DRAW.to_owned(), image, script, most_cycles: DRAWN });
    // The self-test uses every instruction and every cell of RAM, and asks for every pad and key.
    let image = selftest::program()?;
    let script = gray1_faults::presses(&image, Noise::Zeros, selftest::MOST_CYCLES, stop);
    sources.push(Source { name: "selftest".to_owned(), image, script, most_cycles: MOST_CYCLES });
    Ok(sources)
}
