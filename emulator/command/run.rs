//! `gray1 run`: runs a program until it halts, its output streaming to standard output.

use crate::Ending;
use crate::files::{self, Output, shown};
use crate::interrupt::Interrupt;
use crate::source::AssemblerArguments;
use crate::stats::stats;
use crate::trace::Trace;
use clap::ValueEnum;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, FastEngine, Noise, Outside, Script, State, program_mark};
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an engine runs before its output is passed on and Ctrl-C is looked for.
const SLICE: Duration = Duration::from_millis(5);
/// Cycles of the first slice; later ones grow or shrink to the time above.
const FIRST_SLICE: u64 = 2_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    file: PathBuf,
    /// How it is run: `chips` looks up every chip of the board, phase by phase; `fast` runs instruction by
    /// instruction. The results are the same
    #[arg(long, value_enum, default_value_t = EngineKind::Chips)]
    engine: EngineKind,
    /// What RAM holds at power-up: `random[:SEED]`, `zero` or `ones`
    #[arg(long, value_name = "NOISE", default_value = "random:1", value_parser = noise)]
    ram: Noise,
    /// Stop after this many machine cycles
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
    /// Write a row of CSV for each instruction
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Go on from a saved state
    #[arg(long, value_name = "FILE")]
    state_in: Option<PathBuf>,
    /// Save the whole machine at the end
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
    /// Press pads and keys at given cycles
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Say on standard error how many cycles were run, how fast, and which instructions
    #[arg(long)]
    stats: bool,
    /// Build the machine from another board than the Gray-1's (chips engine only)
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum EngineKind {
    Chips,
    Fast,
}

/// Why a run stopped, if not because of an error.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    Halted,
    MaxCycles,
    Interrupted,
    /// Nobody reads standard output any more.
    Unread,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    if arguments.engine == EngineKind::Fast && arguments.board.is_some() {
        let message = "--board needs --engine chips: the fast engine has no board\n";
        clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, message).exit();
    }
    let image = arguments.assembler.program(&arguments.file)?;
    let script = script(arguments.input.as_deref())?;
    let state = state(arguments.state_in.as_deref(), &image)?;
    let mut engine = engine(arguments, &image)?;
    if let Some(state) = &state {
        engine.set_state(state)?;
    }
    let trace = arguments.trace.as_deref().map(Trace::create).transpose()?;
    let state_out = arguments.state_out.as_deref().map(Output::create).transpose()?;

    let start = (engine.cycle(), Instant::now());
    let mut run = Run {
        engine: &mut *engine,
        script,
        trace,
        left: arguments.max_cycles.unwrap_or(u64::MAX),
        port: Port::default(),
    };
    let stop = run.until_it_stops(&Interrupt::listen()?)?;
    if let Some(trace) = run.trace {
        trace.finish()?;
    }
    if let Some(mut output) = state_out {
        output.write(engine.state().to_ron(&program_mark(&image)).as_bytes())?;
        output.finish()?;
    }
    if arguments.stats {
        eprint!("{}", stats(engine.cycle() - start.0, start.1.elapsed(), engine.executed()));
    }
    Ok(match stop {
        Stop::Halted | Stop::Unread => Ending::Done,
        Stop::MaxCycles => Ending::MaxCycles,
        Stop::Interrupted => Ending::Interrupted,
    })
}

/// A run under way.
struct Run<'a> {
    engine: &'a mut dyn Engine,
    script: Script,
    trace: Option<Trace>,
    /// Cycles still allowed.
    left: u64,
    port: Port,
}

impl Run<'_> {
    fn until_it_stops(&mut self, interrupt: &Interrupt) -> Result<Stop, Box<dyn Error>> {
        let mut slice = FIRST_SLICE;
        loop {
            if self.engine.halted() {
                return Ok(Stop::Halted);
            }
            if self.left == 0 {
                return Ok(Stop::MaxCycles);
            }
            if interrupt.is_asked() {
                return Ok(Stop::Interrupted);
            }
            let begun = Instant::now();
            self.slice(slice.min(self.left))?;
            if !self.port.pass_on()? {
                return Ok(Stop::Unread);
            }
            slice =
                if begun.elapsed() < SLICE { slice.saturating_mul(2) } else { (slice / 2).max(FIRST_SLICE) };
        }
    }

    fn slice(&mut self, cycles: u64) -> Result<(), Box<dyn Error>> {
        let end = self.engine.cycle().saturating_add(cycles);
        let start = self.engine.cycle();
        match &mut self.trace {
            None => {
                self.script.run(self.engine, cycles, &mut self.port)?;
            }
            Some(trace) => {
                while self.engine.cycle() < end && !self.engine.halted() {
                    trace.row(self.engine)?;
                    self.script.run(self.engine, 1, &mut self.port)?;
                }
            }
        }
        self.left -= self.engine.cycle() - start;
        Ok(())
    }
}

/// The world at the output port: bytes are kept for the length of a slice, then passed to standard output.
#[derive(Default)]
struct Port {
    bytes: Vec<u8>,
}

impl Outside for Port {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.bytes.push(byte);
    }
}

impl Port {
    /// Passes the bytes on; says whether anybody still reads them.
    fn pass_on(&mut self) -> Result<bool, io::Error> {
        if self.bytes.is_empty() {
            return Ok(true);
        }
        let mut stdout = io::stdout().lock();
        let result = stdout.write_all(&self.bytes).and_then(|()| stdout.flush());
        self.bytes.clear();
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("standard output: cannot write: {error}")))
            }
            Ok(()) => Ok(true),
        }
    }
}

fn engine(arguments: &Arguments, image: &Image) -> Result<Box<dyn Engine>, Box<dyn Error>> {
    if arguments.engine == EngineKind::Fast {
        return Ok(Box::new(FastEngine::power_up(image, arguments.ram)));
    }
    let board = board(arguments.board.as_deref())?;
    Ok(Box::new(ChipsEngine::power_up(&board, image, arguments.ram)?))
}

/// The board of a file, or the Gray-1's own.
pub fn board(path: Option<&Path>) -> Result<Board, Box<dyn Error>> {
    Ok(match path {
        Some(path) => Board::parse(&files::read_text(path)?, &shown(path))?,
        None => Board::gray1(),
    })
}

fn script(path: Option<&Path>) -> Result<Script, Box<dyn Error>> {
    let Some(path) = path else { return Ok(Script::default()) };
    let text = files::read_text(path)?;
    Ok(Script::from_ron(&text).map_err(|error| format!("{}:{error}", shown(path)))?)
}

fn state(path: Option<&Path>, image: &Image) -> Result<Option<State>, Box<dyn Error>> {
    let Some(path) = path else { return Ok(None) };
    let text = files::read_text(path)?;
    let state =
        State::from_ron(&text, &program_mark(image)).map_err(|error| format!("{}: {error}", shown(path)))?;
    Ok(Some(state))
}

fn noise(text: &str) -> Result<Noise, String> {
    match text {
        "zero" => Ok(Noise::Zeros),
        "ones" => Ok(Noise::Ones),
        "random" => Ok(Noise::Random(1)),
        _ => match text.strip_prefix("random:").map(str::parse) {
            Some(Ok(seed)) => Ok(Noise::Random(seed)),
            Some(Err(_)) => Err("the seed must be a whole number, 0 or more".to_owned()),
            None => Err("write `random`, `random:SEED`, `zero` or `ones`".to_owned()),
        },
    }
}
