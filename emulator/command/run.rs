//! `gray1 run`: runs a program, shown in a window or a terminal or not at all, its output streaming to standard
//! output.

use crate::Ending;
use crate::files::{Output, keep_apart};
use crate::interrupt::Interrupt;
use crate::machine::MachineArguments;
use crate::session::{Reader, Session};
use crate::source::AssemblerArguments;
use crate::stats::stats;
use crate::tell::tell;
use crate::trace::Trace;
use crate::wave::{Machine, Wave, WaveArguments};
use clap::ValueEnum;
use clap::error::ErrorKind;
use gray1_display::terminal::{self, Stream};
use gray1_display::{Player, Stop, animation, window};
use gray1_isa::Image;
use gray1_machine::{Pace, Slice, Speed, program_mark};
use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Without a display, cycles that are due run this often, and their output is passed on.
const TICK: Duration = Duration::from_millis(5);
/// A pace at which the queens' search can be watched: 15 to 20 seconds for all of it.
const WATCHABLE: u64 = 8_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    file: PathBuf,
    /// Where the LEDs are shown
    #[arg(long, value_enum, default_value_t = Display::Auto)]
    display: Display,
    /// Machine cycles per second, or `max`; the default is 8000 with a display, `max` without
    #[arg(long, value_name = "N|max")]
    hz: Option<Speed>,
    /// Stop after this many machine cycles
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
    /// Write a row of CSV for each instruction
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Save the state of the whole machine at the end
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
    /// Save the display as an animation (GIF) in machine time, at the speed of --hz; needs no display
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Report on standard error how many cycles were run, how fast, and which instructions
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    wave: WaveArguments,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Display {
    /// A window if one can be opened, otherwise the terminal, otherwise nothing
    Auto,
    /// A window
    Window,
    /// The terminal
    Term,
    /// Nothing
    None,
}

/// A display that has been found to be there.
enum Stage {
    Window(Box<window::Screen>),
    Terminal(Stream),
    Record(Output),
    Nothing,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    check(arguments);
    let image = arguments.assembler.program(&arguments.file)?;
    let script = arguments.machine.script()?;
    let machine = machine(arguments, &image)?;
    let trace = arguments.trace.as_deref().map(Trace::create).transpose()?;
    let state_out = arguments.state_out.as_deref().map(Output::create).transpose()?;
    let stage = stage(arguments)?;

    let start = Instant::now();
    let mut session = Session::new(machine, script, trace, arguments.max_cycles);
    let ending = play(&mut session, stage, arguments.hz);
    let time = start.elapsed();
    let (machine, trace) = session.finish();
    let ending = match ending {
        Ok(ending) => ending,
        Err(error) => {
            // A waveform shows how a machine came to fail. If it cannot be written, the failure still comes first.
            let _ = machine.finish();
            return Err(error);
        }
    };
    let engine = machine.finish()?;
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if let Some(mut output) = state_out {
        output.write(engine.state().to_ron(&program_mark(&image)).as_bytes())?;
        output.finish()?;
    }
    if arguments.stats {
        tell(stats(engine.executed(), time).trim_end());
    }
    Ok(ending)
}

/// The machine, recorded if a waveform was asked for.
fn machine(arguments: &Arguments, image: &Image) -> Result<Machine, Box<dyn Error>> {
    let Some(file) = &arguments.wave.file else {
        return Ok(Machine::Plain(arguments.machine.engine(image)?));
    };
    let (engine, board) = arguments.machine.on_board(image)?;
    let wave = Wave::create(file, arguments.wave.window(), &board, engine)?;
    Ok(Machine::Recorded(Box::new(wave)))
}

/// Leaves with an error of usage where the options contradict each other.
fn check(arguments: &Arguments) {
    arguments.machine.check();
    let outputs = [
        ("--trace", arguments.trace.as_deref()),
        ("--state-out", arguments.state_out.as_deref()),
        ("--record", arguments.record.as_deref()),
        ("--wave", arguments.wave.path()),
    ];
    let inputs: Vec<&Path> = arguments.machine.inputs().chain([arguments.file.as_path()]).collect();
    keep_apart(&inputs, &outputs);
    let records = arguments.record.is_some();
    let message = if records && matches!(arguments.display, Display::Window | Display::Term) {
        "--record draws without a display: leave out --display, or press g in the window\n"
    } else if records && arguments.hz == Some(Speed::Max) {
        "--record needs a speed: --hz N\n"
    } else if arguments.wave.file.is_some() && !arguments.machine.has_board() {
        "--wave needs --engine chips or timed: the fast engine has no nets\n"
    } else if arguments.wave.window().is_empty() {
        "--from and --to are the first and the last cycle of --wave: --to cannot be less\n"
    } else {
        return;
    };
    clap::Error::raw(ErrorKind::ArgumentConflict, message).exit();
}

/// Finds the display that was asked for, or what can take its place.
fn stage(arguments: &Arguments) -> Result<Stage, Box<dyn Error>> {
    if let Some(path) = &arguments.record {
        return Ok(Stage::Record(Output::create(path)?));
    }
    let title = format!("Gray-1: {}", arguments.file.display());
    let terminal = || Stream::find().map(Stage::Terminal).ok_or("there is no terminal to draw in");
    match arguments.display {
        Display::None => Ok(Stage::Nothing),
        Display::Window => Ok(Stage::Window(Box::new(window::open(&title)?))),
        Display::Term => Ok(terminal()?),
        Display::Auto => match window::open(&title) {
            Ok(screen) => Ok(Stage::Window(Box::new(screen))),
            Err(_) if io::stdout().is_terminal() => {
                tell("gray1: no window can be opened here: drawing in the terminal");
                Ok(terminal()?)
            }
            Err(_) => {
                tell("gray1: no window can be opened here: running without a display");
                Ok(Stage::Nothing)
            }
        },
    }
}

/// Runs the session to its end on this stage.
fn play(session: &mut Session, stage: Stage, hz: Option<Speed>) -> Result<Ending, Box<dyn Error>> {
    let watched = hz.unwrap_or(Speed::Hz(WATCHABLE));
    let stop = match stage {
        Stage::Nothing => unseen(session, hz.unwrap_or(Speed::Max))?,
        Stage::Window(screen) => {
            let interrupt = Interrupt::listen()?;
            screen.show(session, watched, interrupt.flag())?
        }
        Stage::Terminal(stream) => {
            if stream == Stream::Output {
                session.hold_output();
            }
            let interrupt = Interrupt::listen()?;
            let stop = terminal::show(stream, session, watched, interrupt.flag());
            session.pass_on()?;
            stop?
        }
        Stage::Record(mut output) => {
            let Speed::Hz(hz) = watched else { return Ok(Ending::Done) }; // refused by `check`
            let interrupt = Interrupt::listen()?;
            let stop = animation::record(session, hz, &mut output, interrupt.flag())?;
            output.finish()?;
            stop
        }
    };
    Ok(match stop {
        Stop::Halted | Stop::Quit => Ending::Done,
        Stop::Limit => Ending::MaxCycles,
        Stop::Interrupted => Ending::Interrupted,
    })
}

/// Runs the session without a display.
fn unseen(session: &mut Session, speed: Speed) -> Result<Stop, Box<dyn Error>> {
    let interrupt = Interrupt::listen_twice()?;
    let start = Instant::now();
    let mut pace = Pace::new(speed, Duration::ZERO);
    let mut slice = Slice::default();
    loop {
        if let Some(stop) = session.stop() {
            return Ok(stop);
        }
        if interrupt.is_asked() {
            return Ok(Stop::Interrupted);
        }
        let now = start.elapsed();
        let due = pace.due(now);
        let ran = session.run(slice.of(due)); // what was sent before a failure is passed on too
        if session.pass_on()? == Reader::Gone {
            return Ok(Stop::Quit);
        }
        let ran = ran.map_err(|error| error as Box<dyn Error>)?;
        let took = start.elapsed() - now;
        pace.ran(ran);
        slice.took(ran, took);
        if ran == due {
            std::thread::sleep(TICK.saturating_sub(took));
        }
    }
}
