//! `gray1 survive`: measures how long a program runs correctly on chips with transients, with many seeds and several
//! capacitors.

mod lifetimes;
mod parts;

use crate::ending::Ending;
use crate::support::choice::{Format, choice, format};
use crate::support::conditions::{ONE_NANOFARAD, OfSeed};
use crate::support::files::{print, shown};
use crate::support::interrupt::{Interrupt, Interrupted};
use crate::support::known;
use crate::support::life::{live_all, run_for};
use crate::support::machine::BoardArguments;
use crate::support::outlook;
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use crate::support::units::{Capacitor, Frequency, cycles};
use crate::tell::usage;
use gray1_isa::{Image, Shard};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise, Stop, program_mark};
use gray1_timed::{Conditions, Delays, Paths, TimedBoard};
use parts::{MachineLives, Measurement};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The default capacitors.
const COMPARED: [Capacitor; 2] = [Capacitor(0), ONE_NANOFARAD];

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    #[arg(required_unless_present = "join", value_parser = known::program(), hide_possible_values = true)]
    file: Option<PathBuf>,
    /// The number of machines with each capacitor; their delays and transients have the seeds 1 to N
    #[arg(long = "count", value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(parts::SEEDS))]
    seeds: u64,
    /// The capacitors to compare, such as `none,220pF,1nF`; the default is `none,1nF`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Capacitor::parse)]
    capacitor: Vec<Capacitor>,
    /// The frequency of the oscillator (`500kHz`, `1.2MHz`); the default is the highest that is safe for all capacitors
    #[arg(long, value_name = "FREQUENCY", value_parser = Frequency::parse)]
    osc: Option<Frequency>,
    /// The unit that has a random delay
    #[arg(long, value_parser = choice(DELAYS), default_value = "random")]
    delays: (&'static str, OfSeed),
    /// Stop each machine after this many machine cycles; one that has not failed by then counts as correct
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = cycles)]
    max_cycles: u64,
    /// Measure only one of N equal parts of the machines, counted from 1; needs --format json
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// The format of the output: a table, or a line of JSON for each machine
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    format: Format,
    /// Join files written by `--format json`, instead of measuring
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["file", "seeds", "capacitor", "osc", "shard", "format", "max_cycles", "delays", "board", "cell", "define", "allow", "deny", "include"])]
    join: Vec<PathBuf>,
    #[command(flatten)]
    board: BoardArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

/// What has a random delay, each with its name in the results.
const DELAYS: [(&str, &str, (&str, OfSeed)); 2] = [
    ("random", "Each line of each chip, anywhere between the limits of its part", ("random", Delays::Random)),
    (
        "path",
        "Each path from an address line to a data line, at one limit of its part or the other",
        ("path", Delays::Paths),
    ),
];

pub fn survive(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Some(file) = &arguments.file else {
        return report(MachineLives::join(&arguments.join)?);
    };
    if arguments.format == Format::Text && arguments.shard.of > 1 {
        usage("--shard needs --format json: --join reads that format");
    }
    let image = arguments.assembler.program(file)?;
    outlook::tell_doubt(file, &image);
    let board = arguments.board.board()?;
    let interrupt = Interrupt::listen_twice()?;
    let capacitors = capacitors(arguments);
    let half_period = match arguments.osc {
        Some(frequency) => frequency.half_period(),
        None => {
            let paths = Paths::find(&board, false)?;
            capacitors.iter().map(|capacitor| paths.half_period(capacitor.0)).max().unwrap_or(1)
        }
    };
    let whole = whole_life(&board, &image, arguments.max_cycles, interrupt.flag())?;
    let timed_board = Arc::new(TimedBoard::new(&board, &image, Noise::Random(1))?);
    let jobs: Vec<(Capacitor, u64)> = capacitors
        .iter()
        .flat_map(|&capacitor| (1..=arguments.seeds).map(move |seed| (capacitor, seed)))
        .zip(0..)
        .filter(|(_, number)| arguments.shard.has(*number))
        .map(|(job, _)| job)
        .collect();
    let run = (Inputs::default(), whole.0);
    let lives = live_all(&jobs, &timed_board, run, interrupt.flag(), |&(capacitor, seed)| Conditions {
        half_period,
        delays: (arguments.delays.1)(seed),
        transients: Some(seed),
        capacitor: capacitor.0,
    })?;
    let measurement = Measurement {
        program: shown(file),
        image: program_mark(&image),
        marks: board.marks(),
        board: board.name,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        delays: arguments.delays.0.to_owned(),
        cycles: whole.0,
        halts: whole.1,
        half_period,
        seeds: arguments.seeds,
        capacitors: capacitors.iter().map(|capacitor| capacitor.0).collect(),
    };
    let machines = jobs.iter().map(|(capacitor, seed)| (capacitor.0, *seed));
    let part = MachineLives { measurement, lives: machines.zip(lives).collect() };
    match arguments.format {
        Format::Text => report(part),
        Format::Json => {
            print(part.text()?.as_bytes())?;
            Ok(Ending::Done)
        }
    }
}

/// The capacitors to try, the smallest first.
fn capacitors(arguments: &Arguments) -> Vec<Capacitor> {
    let mut capacitors = match &*arguments.capacitor {
        [] => COMPARED.to_vec(),
        given => given.to_vec(),
    };
    capacitors.sort();
    capacitors.dedup();
    capacitors
}

/// Prints a complete measurement as a table.
fn report(part: MachineLives) -> Result<Ending, Box<dyn Error>> {
    print(part.whole()?.table().as_bytes())?;
    Ok(Ending::Done)
}

/// The number of cycles that the program runs on a machine that does not fail, and whether it halts.
fn whole_life(
    board: &Board,
    image: &Image,
    most: u64,
    interrupt: &AtomicBool,
) -> Result<(u64, bool), Box<dyn Error>> {
    let mut engine = ChipsEngine::power_up(board, image, Noise::Random(1))?;
    let progress = Progress::of(most, "instructions without failures");
    match run_for(&mut engine, Inputs::default(), most, interrupt, &progress)? {
        Stop::Interrupted => Err(Interrupted.into()),
        _ => Ok((engine.cycle(), engine.halted())),
    }
}
