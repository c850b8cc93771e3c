//! `gray1 survive`: how long a program lives on chips that show transients, over many seeds and several capacitors.

use crate::conditions::ONE_NANOFARAD;
use crate::cores::on_all_cores;
use crate::files::shown;
use crate::interrupt::{Interrupt, Interrupted};
use crate::machine::BoardArguments;
use crate::output::{Output, put_beside};
use crate::progress::Progress;
use crate::source::AssemblerArguments;
use crate::units::{Capacitor, Frequency, cycles};
use crate::{Ending, lifetimes, outlook};
use clap::ValueEnum;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Driver, Engine, Failure, Inputs, Noise, Stop};
use gray1_timed::{Conditions, Delays, Paths, TimedBoard, TimedEngine};
use lifetimes::{Life, Lifetimes};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The progress is told this often.
const TICK: Duration = Duration::from_millis(50);
/// Capacitors to compare where none are named, and those of a plot.
const COMPARED: [Capacitor; 2] = [Capacitor(0), ONE_NANOFARAD];
const PLOTTED: [Capacitor; 8] = [
    Capacitor(0),
    Capacitor(47),
    Capacitor(68),
    Capacitor(100),
    Capacitor(150),
    Capacitor(220),
    Capacitor(470),
    ONE_NANOFARAD,
];

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    file: PathBuf,
    /// How many machines, each with its own delays and transients, seeds 1 to N
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: u64,
    /// The capacitors to compare, such as `none,220pF,1nF`; the default is `none,1nF`, and a few more with --plot
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = Capacitor::parse)]
    capacitor: Vec<Capacitor>,
    /// The frequency of the oscillator (`500kHz`, `1.2MHz`); the default is the highest that is safe for all capacitors
    #[arg(long, value_name = "FREQUENCY", value_parser = Frequency::parse)]
    osc: Option<Frequency>,
    /// What has a random delay
    #[arg(long, value_enum, default_value_t = Delayed::Random)]
    delays: Delayed,
    /// Stop each machine after this many machine cycles; one that has not failed by then is still right
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = cycles)]
    max_cycles: u64,
    /// Draw survival against capacitance (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Delayed {
    /// Each line of each chip, anywhere between the limits of its part
    Random,
    /// Each path from an address line to a data line, at one limit of its part or the other
    Path,
}

pub fn survive(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let image = arguments.assembler.program(&arguments.file)?;
    outlook::tell_doubt(&arguments.file, &image);
    let board = arguments.board.board()?;
    let interrupt = Interrupt::listen_twice()?;
    let mut capacitors = match (&*arguments.capacitor, &arguments.plot) {
        ([], None) => COMPARED.to_vec(),
        ([], Some(_)) => PLOTTED.to_vec(),
        (given, _) => given.to_vec(),
    };
    capacitors.sort();
    capacitors.dedup();
    let half_period = match arguments.osc {
        Some(frequency) => frequency.half_period(),
        None => {
            let paths = Paths::find(&board, false)?;
            capacitors.iter().map(|capacitor| paths.half_period(capacitor.0)).max().unwrap_or(1)
        }
    };
    let plot = arguments.plot.as_deref().map(Output::create).transpose()?;
    let whole = whole_life(&board, &image, arguments.max_cycles, interrupt.flag())?;
    let timed_board = Arc::new(TimedBoard::new(&board, &image, Noise::Random(1))?);
    let jobs: Vec<(Capacitor, u64)> = capacitors
        .iter()
        .flat_map(|&capacitor| (1..=arguments.seeds).map(move |seed| (capacitor, seed)))
        .collect();
    let progress = Progress::of(jobs.len() as u64 * whole.0, "instructions");
    let lives = on_all_cores(&jobs, interrupt.flag(), |&(capacitor, seed)| {
        let conditions = Conditions {
            half_period,
            delays: match arguments.delays {
                Delayed::Random => Delays::Random(seed),
                Delayed::Path => Delays::Paths(seed),
            },
            transients: Some(seed),
            capacitor: capacitor.0,
        };
        live(&timed_board, &conditions, Inputs::default(), whole.0, interrupt.flag(), &progress)
    });
    drop(progress);
    let lives =
        lives.into_iter().collect::<Option<Result<Vec<Life>, Interrupted>>>().ok_or(Interrupted)??;
    let lifetimes = Lifetimes {
        program: shown(&arguments.file),
        whole,
        frequency: Frequency::of_half_period(half_period),
        seeds: arguments.seeds,
        lives: capacitors
            .into_iter()
            .zip(lives.chunks(arguments.seeds as usize).map(<[Life]>::to_vec))
            .collect(),
    };
    put_beside(arguments.plot.as_deref(), &lifetimes.table())?;
    if let Some(plot) = plot {
        plot.complete(lifetimes.plot().as_bytes())?;
    }
    Ok(Ending::Done)
}

/// How many cycles the program runs where nothing fails, and whether it halts then.
fn whole_life(
    board: &Board,
    image: &Image,
    most: u64,
    interrupt: &AtomicBool,
) -> Result<(u64, bool), Box<dyn Error>> {
    let mut engine = ChipsEngine::power_up(board, image, Noise::Random(1))?;
    let progress = Progress::of(most, "instructions where nothing fails");
    match run_for(&mut engine, Inputs::default(), most, interrupt, &progress)? {
        Stop::Interrupted => Err(Interrupted.into()),
        _ => Ok((engine.cycle(), engine.halted())),
    }
}

/// One machine's life of so many cycles at most, while these inputs are held.
pub fn live(
    board: &Arc<TimedBoard>,
    conditions: &Conditions,
    held: Inputs,
    cycles: u64,
    interrupt: &AtomicBool,
    progress: &Progress,
) -> Result<Life, Interrupted> {
    let mut engine = TimedEngine::on(board, conditions);
    if let Ok(Stop::Interrupted) = run_for(&mut engine, held, cycles, interrupt, progress) {
        return Err(Interrupted);
    }
    progress.add(cycles - engine.cycle()); // what it has not lived to see
    Ok(Life { cycles: engine.cycle(), net: engine.failure().map(|failure| failure.net.clone()) })
}

/// Runs a machine for so many cycles with these inputs held, or until it halts or fails.
fn run_for(
    engine: &mut dyn Engine,
    held: Inputs,
    cycles: u64,
    interrupt: &AtomicBool,
    progress: &Progress,
) -> Result<Stop, Failure> {
    let start = Instant::now();
    let clock = || start.elapsed();
    let mut driver = Driver::new(engine, interrupt, &clock);
    driver.held = held;
    driver.left = cycles;
    loop {
        if let Some(stop) = driver.stop() {
            return Ok(stop);
        }
        let before = driver.engine().cycle();
        let result = driver.run(u64::MAX, TICK, &mut ());
        progress.add(driver.engine().cycle() - before);
        result?;
    }
}
