//! `gray1 run`: runs a program. Its display is a window, the terminal, or hidden. Its output goes to standard output.

mod output_writer;
mod profile;
mod profile_text;
mod stats;
mod trace;
mod wave;

use crate::ending::Ending;
use crate::support::choice::path_with;
use crate::support::completion;
use crate::support::files::{FileError, same_file, shown};
use crate::support::interrupt::Interrupt;
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::message::{print_message, usage_error};
use crate::support::numbers::{cycles, number};
use crate::support::output::Output;
use crate::support::program_facts::{reads_inputs, uses_display, warn_if_idle};
use crate::support::progress::Progress;
use crate::support::source::{AssemblerArguments, LoadedProgram};
use clap::ValueEnum;
use gray1_debugger::profile::{Profile, ProfiledEngine};
use gray1_display::terminal::{self, Stream};
use gray1_display::{DisplayError, Session, Settings, animation, window};
use gray1_isa::Image;
use gray1_machine::{Driver, Engine, Failure, Script, Speed, Stop, program_mark};
use gray1_text::counted;
use output_writer::OutputWriter;
use profile::ProfileArguments;
use stats::{StatsFormat, stats};
use std::cell::RefCell;
use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wave::WaveArguments;

/// Without a display, the machine runs, and output is written, in intervals of this length.
const TICK: Duration = Duration::from_millis(5);
/// The default speed with a display, in cycles per second. The queens program then takes about 11 seconds.
const DEFAULT_HZ: u64 = 8_000;
/// The default pause after each line of output, long enough to recognise a solution on the display.
const DEFAULT_HOLD: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    file: PathBuf,
    /// The display for the LEDs
    #[arg(long, value_enum, default_value_t = Display::Auto)]
    display: Display,
    /// Draw green LEDs as rings and red LEDs as discs; the default if NO_COLOR is set
    #[arg(long)]
    shapes: bool,
    /// Pause for this many milliseconds after each line of output, and show the last result at the end; the default is
    /// 250 with a display up to 20 kHz, but 0 for programs that read pads or keys, and for --record
    #[arg(long, value_name = "MS", value_parser = number::<u64>(0..=60_000))]
    hold: Option<u64>,
    /// The speed in machine cycles per second, or `max`; the default is 8000 with a display, `max` without
    #[arg(long, value_name = "N|max")]
    hz: Option<Speed>,
    /// Stop after this many machine cycles
    #[arg(long, value_name = "N", value_parser = cycles)]
    max_cycles: Option<u64>,
    /// Write a CSV row for each instruction, with the state before the instruction
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Save the final state of the machine, for --state-in
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
    /// Record the display as an animated GIF in machine time, at the speed of --hz and with the pauses of --hold
    #[arg(long, value_name = "FILE.gif", value_parser = path_with("gif", "the animation is written as GIF: name it FILE.gif"))]
    record: Option<PathBuf>,
    /// Print the number of cycles, the speed and the instruction counts to standard error; `--stats=json` as JSON
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text", hide_possible_values = true, value_name = "FORMAT")]
    stats: Option<StatsFormat>,
    #[command(flatten)]
    profile: ProfileArguments,
    #[command(flatten)]
    wave: WaveArguments,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Display {
    /// A window if possible, otherwise the terminal; nothing if standard output is not a terminal, or for a program
    /// without display and inputs
    Auto,
    /// A window
    Window,
    /// The terminal
    Term,
    /// Nothing
    None,
}

/// The display of this run, which has been opened.
enum DisplayTarget {
    Window(Box<window::Screen>),
    Terminal(Stream),
    Record(Output),
    Nothing,
}

/// The display and the output files of a run, but for a waveform, which takes them all to be open.
struct Targets {
    profile: Option<profile::PendingProfile>,
    trace: Option<Output>,
    state_out: Option<Output>,
    display: DisplayTarget,
}

impl Targets {
    /// Opens them. After an error none of the files has changed.
    fn open(arguments: &Arguments, image: &Image) -> Result<Targets, Box<dyn Error>> {
        let state_out = arguments.state_out.as_deref().map(|path| create_state_file(path, arguments));
        Ok(Targets {
            profile: arguments.profile.is_requested().then(|| arguments.profile.create()).transpose()?,
            trace: arguments.trace.as_deref().map(trace::create).transpose()?,
            state_out: state_out.transpose()?,
            display: open_display(arguments, image)?,
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    check(arguments);
    let program = arguments.assembler.read(&arguments.file)?;
    let (image, machine) = (&program.image, &arguments.machine);
    // A resumed program may be about to halt, which needs no warning.
    if machine.state_in.is_none() {
        warn_if_idle(&arguments.file, image);
    }
    let script = machine.script()?;
    let interrupt = Interrupt::listen()?; // from here on files are being written
    let targets = Targets::open(arguments, image)?;
    if let Some(mut wave) = arguments.wave.start(machine, image)? {
        let ending = drive(arguments, &program, &mut wave, targets, script, &interrupt);
        let recorded = wave.finish();
        return ending.and_then(|ending| Ok(recorded.map(|()| ending)?));
    }
    // The profile is the same on every engine.
    let isa = if arguments.profile.is_requested() { machine.isa_instead(image)? } else { None };
    let mut engine = isa.map_or_else(|| machine.engine(image), |isa| Ok(Box::new(isa)))?;
    drive(arguments, &program, &mut *engine, targets, script, &interrupt)
}

/// Runs a machine to its end, and writes the requested files.
fn drive(
    arguments: &Arguments,
    program: &LoadedProgram,
    engine: &mut dyn Engine,
    targets: Targets,
    script: Script,
    interrupt: &Interrupt,
) -> Result<Ending, Box<dyn Error>> {
    let image = &program.image;
    let Targets { profile, mut trace, state_out, display } = targets;
    let start = Instant::now();
    let clock = || start.elapsed();
    let mut profiled = None;
    let machine: &mut dyn Engine = match profile {
        Some(_) => profiled.insert(ProfiledEngine::new(engine, profile::layout(program))),
        None => engine,
    };
    let writer = RefCell::new(OutputWriter::new(interrupt.flag()));
    let mut driver = Driver::new(machine, interrupt.flag(), &clock);
    driver.script = script;
    driver.left = arguments.max_cycles.unwrap_or(u64::MAX);
    if let Some(trace) = &mut trace {
        driver.each_cycle = Some(Box::new(|engine| trace::add_row(trace, engine).map_err(Failure::other)));
    }
    let stop = show(arguments, program, driver, display, &writer);
    let time = start.elapsed();

    // All output files are finished if possible, however the run ended. Only a failed machine has no state to save. Of
    // several errors, the first is returned.
    let has_failed = stop.as_ref().is_err_and(|error| machine_failed(&**error));
    let saved = state_out
        .filter(|_| !has_failed)
        .map_or(Ok(()), |output| output.complete(machine.state().to_ron(&program_mark(image)).as_bytes()));
    let executed = machine.executed();
    let profiled = profile.zip(profiled).map_or(Ok(()), |(profile, engine)| {
        profile.finish(&shown(&arguments.file), &Profile::of(engine.recorder()))
    });
    let stop = stop?;
    trace.map_or(Ok(()), Output::finish).and(saved).and(profiled)?;
    if stop == Stop::Limit {
        let cycles = counted(executed.iter().sum::<u64>() as usize, "cycle");
        print_message(format_args!("gray1: stopped at --max-cycles, after {cycles}"));
    }
    if let Some(format) = arguments.stats {
        print_message(stats(executed, time, format)?.trim_end());
    }
    Ok(stop.into())
}

/// Plays the session on its display.
fn show<'a>(
    arguments: &Arguments,
    program: &LoadedProgram,
    driver: Driver<'a>,
    target: DisplayTarget,
    writer: &'a RefCell<OutputWriter<'a>>,
) -> Result<Stop, Box<dyn Error>> {
    let mut session = Session::new(driver);
    session.sink =
        Some(Box::new(|cycles, sent| writer.borrow_mut().take(cycles, sent).map_err(Failure::other)));
    let speed = arguments.hz.unwrap_or(Speed::Hz(DEFAULT_HZ));
    let hold = hold(arguments, &program.image);
    let mut settings = Settings { about: program.about.clone(), hold, ..Settings::new(speed) };
    settings.shapes |= arguments.shapes;
    if matches!(target, DisplayTarget::Nothing | DisplayTarget::Record(_)) {
        writer.borrow_mut().progress = Some(Progress::new(arguments.max_cycles, "cycles"));
    }
    let stop = match target {
        DisplayTarget::Nothing => run_headless(&mut session, arguments.hz.unwrap_or(Speed::Max), writer),
        DisplayTarget::Window(screen) => screen.show(&mut session, settings).map_err(Into::into),
        DisplayTarget::Terminal(stream) => {
            writer.borrow_mut().holds_output = stream == Stream::Output;
            // The last picture remains on the terminal, below the program's output.
            let mut written = Ok(true);
            let stop = terminal::show(stream, &mut session, settings, &mut || {
                written = writer.borrow_mut().flush();
                writer.borrow_mut().end_line();
            });
            stop.map_err(Into::into).and_then(|stop| Ok(written.map(|_| stop)?))
        }
        DisplayTarget::Record(output) => {
            // An animation has no pauses unless --hold is set.
            let hold = arguments.hold.map_or(Duration::ZERO, Duration::from_millis);
            record(&mut session, speed, hold, output)
        }
    };
    drop(session);
    writer.borrow_mut().end_line();
    writer.borrow_mut().progress = None; // erases the progress line
    stop
}

/// Whether a run ended because the machine failed, and not because of a file error.
fn machine_failed(error: &(dyn Error + 'static)) -> bool {
    FileError::find(error).is_none()
        && (error.is::<Failure>() || matches!(error.downcast_ref(), Some(DisplayError::Machine(_))))
}

/// Opens the file for the saved state, which may be the file that the run was resumed from.
fn create_state_file(path: &Path, arguments: &Arguments) -> Result<Output, FileError> {
    match arguments.machine.state_in.as_deref() {
        Some(state_in) if same_file(path, state_in) => Output::replace(path),
        _ => Output::create(path),
    }
}

/// Exits with a usage error if the options contradict each other.
fn check(arguments: &Arguments) {
    arguments.machine.check();
    let records = arguments.record.is_some();
    let message = if records && matches!(arguments.display, Display::Window | Display::Term) {
        "--record needs no display: leave out --display"
    } else if records && arguments.hz == Some(Speed::Max) {
        "--record needs a speed: --hz N"
    } else if arguments.wave.file.is_some() && arguments.machine.engine == EngineKind::Isa {
        "--wave needs --engine chips or timed: --engine isa has no nets"
    } else if arguments.wave.window().is_empty() {
        "--to, the last cycle of --wave, is less than --from, the first cycle"
    } else {
        return;
    };
    usage_error(message);
}

/// Returns the pause after each line of output. An interactive program has no pause by default.
fn hold(arguments: &Arguments, image: &Image) -> Duration {
    let default = if reads_inputs(image) { Duration::ZERO } else { DEFAULT_HOLD };
    arguments.hold.map_or(default, Duration::from_millis)
}

/// Opens the selected display. With `auto` there is none if standard output is not a terminal, since a script reads it,
/// and none for a program that uses neither LEDs nor inputs.
fn open_display(arguments: &Arguments, image: &Image) -> Result<DisplayTarget, Box<dyn Error>> {
    if let Some(path) = &arguments.record {
        return Ok(DisplayTarget::Record(Output::create(path)?));
    }
    let title = format!("Gray-1: {}", arguments.file.display());
    let terminal = || {
        Stream::find()
            .map(DisplayTarget::Terminal)
            .ok_or("--display term: there is no terminal to draw in; use --display none")
    };
    match arguments.display {
        Display::None => Ok(DisplayTarget::Nothing),
        Display::Auto if !io::stdout().is_terminal() => Ok(DisplayTarget::Nothing),
        Display::Auto if !uses_display(image) && !reads_inputs(image) => Ok(DisplayTarget::Nothing),
        Display::Window => Ok(DisplayTarget::Window(Box::new(window::open(&title)?))),
        Display::Term => Ok(terminal()?),
        Display::Auto => match window::open(&title) {
            Ok(screen) => Ok(DisplayTarget::Window(Box::new(screen))),
            Err(_) => Ok(terminal()?),
        },
    }
}

/// Runs to the end and records an animation.
fn record(
    session: &mut Session,
    speed: Speed,
    hold: Duration,
    mut output: Output,
) -> Result<Stop, Box<dyn Error>> {
    let Speed::Hz(hz) = speed else { return Ok(Stop::Quit) }; // rejected by `check`
    let stop = animation::record(session, hz, hold, &mut output).map_err(|error| match error {
        DisplayError::Animation(error) => output.failed(io::Error::other(error)).into(),
        error => Box::<dyn Error>::from(error),
    })?;
    output.finish()?;
    Ok(stop)
}

/// Runs without a display: executes the due cycles and writes the output.
fn run_headless(
    session: &mut Session,
    speed: Speed,
    writer: &RefCell<OutputWriter>,
) -> Result<Stop, Box<dyn Error>> {
    session.play(speed, Duration::ZERO, TICK);
    loop {
        if let Some(stop) = session.stop() {
            return Ok(stop);
        }
        let begun = session.now();
        let is_on_time = session.frame()?;
        if !writer.borrow().has_reader {
            return Ok(session.stop().unwrap_or(Stop::Quit));
        }
        if is_on_time {
            std::thread::sleep(TICK.saturating_sub(session.now() - begun));
        }
    }
}
