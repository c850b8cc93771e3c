//! `gray1 run`: runs a program. Its display is a window, the terminal, or hidden. Its output goes to standard output.

mod output_sink;
pub mod profile;
mod stats;
mod trace;
mod wave;

use crate::ending::Ending;
use crate::message::{print_message, usage_error};
use crate::support::completion;
use crate::support::files::{Audience, FileError, same_file};
use crate::support::interrupt::Interrupt;
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::output::Output;
use crate::support::program_facts::{reads_inputs, uses_display, warn_if_idle};
use crate::support::progress::RunProgress;
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
use clap::ValueEnum;
use gray1_display::terminal::{self, Stream};
use gray1_display::{DisplayError, Player, Settings, animation, window};
use gray1_isa::Image;
use gray1_machine::{Driver, Failure, Speed, Stop, program_mark};
use gray1_text::counted;
use output_sink::OutputSink;
use profile::{PendingProfile, ProfileArguments};
use stats::stats;
use std::cell::RefCell;
use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wave::{Machine, Wave, WaveArguments};

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
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=60_000))]
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
    #[arg(long, value_name = "FILE.gif", value_parser = parse_gif_path)]
    record: Option<PathBuf>,
    /// Print the number of cycles, the speed and the instruction counts to standard error
    #[arg(long)]
    stats: bool,
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

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    check(arguments);
    let program = arguments.assembler.read(&arguments.file)?;
    let image = &program.image;
    // A resumed program may be about to halt, which needs no warning.
    if arguments.machine.state_in.is_none() {
        warn_if_idle(&arguments.file, image);
    }
    let script = arguments.machine.script()?;
    let interrupt = Interrupt::listen()?; // from here on files are being written
    let mut machine = machine(arguments, image)?;
    let profile = arguments.profile.create(&arguments.file, &program)?;
    let mut trace = arguments.trace.as_deref().map(trace::create).transpose()?;
    let state_out =
        arguments.state_out.as_deref().map(|path| create_state_file(path, arguments)).transpose()?;
    let target = open_display(arguments, image)?;

    let start = Instant::now();
    let clock = || start.elapsed();
    let mut observed_machine = machine.observe(profile.as_ref().map(PendingProfile::layout));
    let mut driver = Driver::new(observed_machine.engine_mut(), interrupt.flag(), &clock);
    driver.script = script;
    driver.left = arguments.max_cycles.unwrap_or(u64::MAX);
    if let Some(trace) = &mut trace {
        driver.each_cycle = Some(Box::new(|engine| trace::add_row(trace, engine).map_err(Failure::other)));
    }
    let sink = RefCell::new(OutputSink::new(interrupt.flag()));
    let mut player = Player::new(driver);
    player.sink = Some(Box::new(|cycles, sent| sink.borrow_mut().take(cycles, sent).map_err(Failure::other)));
    let speed = arguments.hz.unwrap_or(Speed::Hz(DEFAULT_HZ));
    let (about, hold) = (program.about.clone(), hold(arguments, image));
    let mut settings = Settings { about, hold, ..Settings::new(speed) };
    settings.shapes |= arguments.shapes;
    if matches!(target, DisplayTarget::Nothing | DisplayTarget::Record(_)) {
        sink.borrow_mut().progress = Some(RunProgress::new(arguments.max_cycles));
    }
    let stop = match target {
        DisplayTarget::Nothing => run_headless(&mut player, arguments.hz.unwrap_or(Speed::Max), &sink),
        DisplayTarget::Window(screen) => screen.show(&mut player, settings).map_err(Into::into),
        DisplayTarget::Terminal(stream) => {
            sink.borrow_mut().holds_output = stream == Stream::Output;
            // The last picture remains on the terminal, below the program's output.
            let mut written = Ok(Audience::Listens);
            let stop = terminal::show(stream, &mut player, settings, &mut || {
                written = sink.borrow_mut().flush();
                sink.borrow_mut().end_line();
            });
            stop.map_err(Into::into).and_then(|stop| Ok(written.map(|_| stop)?))
        }
        DisplayTarget::Record(output) => {
            // An animation has no pauses unless --hold is set.
            let hold = arguments.hold.map_or(Duration::ZERO, Duration::from_millis);
            record(&mut player, speed, hold, output)
        }
    };
    drop(player);
    sink.borrow_mut().end_line();
    drop(sink); // erases the progress line
    let time = start.elapsed();

    // All output files are finished if possible, however the run ended. Only a failed machine has no state to save. Of
    // several errors, the first is returned.
    let counts = observed_machine.profile();
    let profiled = profile.zip(counts).map_or(Ok(()), |(profile, counts)| profile.finish(&counts));
    let has_failed = stop.as_ref().is_err_and(|error| machine_failed(&**error));
    let saved = state_out.filter(|_| !has_failed).map_or(Ok(()), |output| {
        output.complete(machine.engine_mut().state().to_ron(&program_mark(image)).as_bytes())
    });
    let executed = machine.engine_mut().executed();
    let recorded = machine.finish();
    let stop = stop?;
    let traced = trace.map_or(Ok(()), Output::finish);
    recorded.and(traced).and(saved).and(profiled)?;
    if stop == Stop::Limit {
        print_message(format_args!(
            "gray1: stopped at --max-cycles, after {}",
            counted(executed.iter().sum::<u64>() as usize, "cycle")
        ));
    }
    if arguments.stats {
        print_message(stats(executed, time).trim_end());
    }
    Ok(stop.into())
}

/// Whether a run ended because the machine failed, and not because of a file error.
fn machine_failed(error: &(dyn Error + 'static)) -> bool {
    FileError::find(error).is_none()
        && (error.is::<Failure>() || matches!(error.downcast_ref(), Some(DisplayError::Machine(_))))
}

/// Opens the file for the saved state, which may be the file that the run was resumed from.
fn create_state_file(path: &Path, arguments: &Arguments) -> Result<Output, FileError> {
    let same = |other: &Path| path == other || same_file(path, other);
    if arguments.machine.state_in.as_deref().is_some_and(same) {
        Output::replace(path)
    } else {
        Output::create(path)
    }
}

/// Checks that the name of an animation has the extension `.gif`.
fn parse_gif_path(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_special = std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file());
    let is_gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
    if is_gif || is_special {
        Ok(path)
    } else {
        Err("the animation is written as GIF: name it FILE.gif".to_owned())
    }
}

/// Makes the machine, with a waveform recorder if the options request one.
fn machine(arguments: &Arguments, image: &Image) -> Result<Machine, Box<dyn Error>> {
    Ok(match &arguments.wave.file {
        None if arguments.profile.is_requested() => match arguments.machine.isa_instead(image)? {
            Some(engine) => Machine::Plain(Box::new(engine)),
            None => Machine::Plain(arguments.machine.engine(image)?),
        },
        None => Machine::Plain(arguments.machine.engine(image)?),
        Some(file) => {
            let wave = Wave::create(file, arguments.wave.window(), &arguments.machine, image)?;
            Machine::Recorded(Box::new(wave))
        }
    })
}

/// Exits with a usage error if the options contradict each other.
fn check(arguments: &Arguments) {
    arguments.machine.check();
    let records = arguments.record.is_some();
    let message = if records && matches!(arguments.display, Display::Window | Display::Term) {
        "--record needs no display: leave out --display, or press g in the window to record there"
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
    player: &mut Player,
    speed: Speed,
    hold: Duration,
    mut output: Output,
) -> Result<Stop, Box<dyn Error>> {
    let Speed::Hz(hz) = speed else { return Ok(Stop::Quit) }; // rejected by `check`
    let stop = animation::record(player, hz, hold, &mut output).map_err(|error| match error {
        DisplayError::Animation(error) => output.failed(io::Error::other(error)).into(),
        error => Box::<dyn Error>::from(error),
    })?;
    output.finish()?;
    Ok(stop)
}

/// Runs without a display: executes the due cycles and writes the output.
fn run_headless(
    player: &mut Player,
    speed: Speed,
    sink: &RefCell<OutputSink>,
) -> Result<Stop, Box<dyn Error>> {
    player.play(speed, Duration::ZERO, TICK);
    loop {
        if let Some(stop) = player.stop() {
            return Ok(stop);
        }
        let begun = player.now();
        let is_on_time = player.frame()?;
        if sink.borrow().reader == Audience::Gone {
            return Ok(player.stop().unwrap_or(Stop::Quit));
        }
        if is_on_time {
            std::thread::sleep(TICK.saturating_sub(player.now() - begun));
        }
    }
}
