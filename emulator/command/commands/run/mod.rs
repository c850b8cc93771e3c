//! `gray1 run`: runs a program, with its display in a window, in the terminal, or not shown. The output of the program
//! goes to standard output.

pub mod profile;
mod session;
mod stats;
mod trace;
mod wave;

use crate::ending::Ending;
use crate::support::files::{Audience, FileError, same_file};
use crate::support::interrupt::Interrupt;
use crate::support::known;
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::outlook::{draws, listens, tell_doubt};
use crate::support::output::Output;
use crate::support::progress::RunProgress;
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
use crate::tell::{tell, usage};
use clap::ValueEnum;
use gray1_display::terminal::{self, Stream};
use gray1_display::{DisplayError, Player, Settings, animation, window};
use gray1_isa::Image;
use gray1_machine::{Driver, Failure, Speed, Stop, program_mark};
use gray1_text::counted;
use profile::{ProfileArguments, Wanted};
use session::Outlet;
use stats::stats;
use std::cell::RefCell;
use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wave::{Machine, Wave, WaveArguments};

/// Without a display, cycles are run and output is written in intervals of this length.
const TICK: Duration = Duration::from_millis(5);
/// A speed in cycles per second at which the search of the queens program can be watched: it takes about 11 seconds.
const WATCHABLE: u64 = 8_000;
/// The pause after each line sent: long enough to recognise a solution on the display.
const HOLD: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub struct Arguments {
    /// The program: a `.g1` source, an image made by `gray1 asm`, or `-` for standard input
    #[arg(value_parser = known::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Where the LEDs are shown
    #[arg(long, value_enum, default_value_t = Display::Auto)]
    display: Display,
    /// Show colours by shapes too: green LEDs as rings, red ones as discs; the default where NO_COLOR is set
    #[arg(long)]
    shapes: bool,
    /// Pause for this many milliseconds after each line of output, and show the last result at the end; the default is
    /// 250 on a display up to 20 kHz, but 0 for a program that reads pads or keys, and for --record
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=60_000))]
    hold: Option<u64>,
    /// Machine cycles per second, or `max`; the default is 8000 with a display, `max` without
    #[arg(long, value_name = "N|max")]
    hz: Option<Speed>,
    /// Stop after this many machine cycles
    #[arg(long, value_name = "N", value_parser = cycles)]
    max_cycles: Option<u64>,
    /// Write a row of CSV for each instruction, with the state before it runs
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Save the state of the whole machine at the end, for --state-in
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
    /// Save the display as an animation (GIF) in machine time, at the speed of --hz, with --hold; needs no display
    #[arg(long, value_name = "FILE.gif", value_parser = gif_file)]
    record: Option<PathBuf>,
    /// Report on standard error how many cycles were run, how fast, and which instructions
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
    /// If the program uses a display: a window if one can be opened, otherwise the terminal, otherwise nothing
    Auto,
    /// A window
    Window,
    /// The terminal
    Term,
    /// Nothing
    None,
}

/// The display of this run, after checking that it is available.
enum Stage {
    Window(Box<window::Screen>),
    Terminal(Stream),
    Record(Output),
    Nothing,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    check(arguments);
    let program = arguments.assembler.read(&arguments.file)?;
    let image = &program.image;
    // A resumed program may be about to halt, which is nothing to warn about.
    if arguments.machine.state_in.is_none() {
        tell_doubt(&arguments.file, image);
    }
    let script = arguments.machine.script()?;
    let interrupt = Interrupt::listen()?; // from here on files are being written
    let mut machine = machine(arguments, image)?;
    let profile = arguments.profile.begin(&arguments.file, &program)?;
    let mut trace = arguments.trace.as_deref().map(trace::begin).transpose()?;
    let state_out = arguments.state_out.as_deref().map(|path| state_file(path, arguments)).transpose()?;
    let stage = stage(arguments, image)?;

    let start = Instant::now();
    let clock = || start.elapsed();
    let mut watched_machine = machine.watched(profile.as_ref().map(Wanted::layout));
    let mut driver = Driver::new(watched_machine.engine_mut(), interrupt.flag(), &clock);
    driver.script = script;
    driver.left = arguments.max_cycles.unwrap_or(u64::MAX);
    if let Some(trace) = &mut trace {
        driver.each_cycle = Some(Box::new(|engine| trace::add_row(trace, engine).map_err(Failure::other)));
    }
    let outlet = RefCell::new(Outlet::new(interrupt.flag()));
    let mut player = Player::new(driver);
    player.sink =
        Some(Box::new(|cycles, sent| outlet.borrow_mut().take(cycles, sent).map_err(Failure::other)));
    let watched = arguments.hz.unwrap_or(Speed::Hz(WATCHABLE));
    let (about, hold) = (program.about.clone(), hold(arguments, image));
    let mut settings = Settings { about, hold, ..Settings::new(watched) };
    settings.shapes |= arguments.shapes;
    if matches!(stage, Stage::Nothing | Stage::Record(_)) {
        outlet.borrow_mut().progress = Some(RunProgress::new(arguments.max_cycles));
    }
    let stop = match stage {
        Stage::Nothing => run_headless(&mut player, arguments.hz.unwrap_or(Speed::Max), &outlet),
        Stage::Window(screen) => screen.show(&mut player, settings).map_err(Into::into),
        Stage::Terminal(stream) => {
            outlet.borrow_mut().holds_output = stream == Stream::Output;
            // The last picture is what stays on the terminal, after all that the program has sent.
            let mut passed_on = Ok(Audience::Listens);
            let stop = terminal::show(stream, &mut player, settings, &mut || {
                passed_on = outlet.borrow_mut().pass_on();
                outlet.borrow_mut().end_line();
            });
            stop.map_err(Into::into).and_then(|stop| Ok(passed_on.map(|_| stop)?))
        }
        Stage::Record(output) => {
            // An animation shows machine time only, unless pauses were asked for.
            let hold = arguments.hold.map_or(Duration::ZERO, Duration::from_millis);
            record(&mut player, watched, hold, output)
        }
    };
    drop(player);
    outlet.borrow_mut().end_line();
    drop(outlet); // erases the progress
    let time = start.elapsed();

    // All output files are finished if possible, however the run ended, but a machine that has failed has no state to
    // resume from. If there are several errors, the first is reported.
    let counts = watched_machine.profile();
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
        tell(format_args!(
            "gray1: stopped at --max-cycles, after {}",
            counted(executed.iter().sum::<u64>() as usize, "cycle")
        ));
    }
    if arguments.stats {
        tell(stats(executed, time).trim_end());
    }
    Ok(stop.into())
}

/// Whether a run ended because the machine failed, and not because of, say, a full disk.
fn machine_failed(error: &(dyn Error + 'static)) -> bool {
    FileError::of(error).is_none()
        && (error.is::<Failure>() || matches!(error.downcast_ref(), Some(DisplayError::Machine(_))))
}

/// The file for the saved state. It may be the one that the run was resumed from.
fn state_file(path: &Path, arguments: &Arguments) -> Result<Output, FileError> {
    let same = |other: &Path| path == other || same_file(path, other);
    if arguments.machine.state_in.as_deref().is_some_and(same) {
        Output::replace(path)
    } else {
        Output::create(path)
    }
}

/// Checks that the name of an animation has the ending `.gif`.
fn gif_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_special = std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file());
    let is_gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
    if is_gif || is_special {
        Ok(path)
    } else {
        Err("the animation is written as GIF: name it FILE.gif".to_owned())
    }
}

/// The machine, with a waveform recorder if one was asked for.
fn machine(arguments: &Arguments, image: &Image) -> Result<Machine, Box<dyn Error>> {
    Ok(match &arguments.wave.file {
        None if arguments.profile.is_given() => match arguments.machine.isa_instead(image)? {
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
        "--to, the last cycle of --wave, is less than --from, the first one"
    } else {
        return;
    };
    usage(message);
}

/// How long the run pauses after each line of output. An interactive program has no pause by default.
fn hold(arguments: &Arguments, image: &Image) -> Duration {
    let default = if listens(image) { Duration::ZERO } else { HOLD };
    arguments.hold.map_or(default, Duration::from_millis)
}

/// Opens the display that the options select. With `auto`, a program that uses neither LEDs nor inputs gets none.
fn stage(arguments: &Arguments, image: &Image) -> Result<Stage, Box<dyn Error>> {
    if let Some(path) = &arguments.record {
        return Ok(Stage::Record(Output::create(path)?));
    }
    let title = format!("Gray-1: {}", arguments.file.display());
    let terminal = || {
        Stream::find()
            .map(Stage::Terminal)
            .ok_or("--display term: there is no terminal to draw in; use --display none")
    };
    match arguments.display {
        Display::None => Ok(Stage::Nothing),
        Display::Auto if !draws(image) && !listens(image) => Ok(Stage::Nothing),
        Display::Window => Ok(Stage::Window(Box::new(window::open(&title)?))),
        Display::Term => Ok(terminal()?),
        Display::Auto => match window::open(&title) {
            Ok(screen) => Ok(Stage::Window(Box::new(screen))),
            Err(_) if io::stdout().is_terminal() => Ok(terminal()?),
            Err(_) => Ok(Stage::Nothing),
        },
    }
}

/// Plays to the end for an animation.
fn record(
    player: &mut Player,
    speed: Speed,
    hold: Duration,
    mut output: Output,
) -> Result<Stop, Box<dyn Error>> {
    let Speed::Hz(hz) = speed else { return Ok(Stop::Quit) }; // refused by `check`
    let stop = animation::record(player, hz, hold, &mut output).map_err(|error| match error {
        DisplayError::Animation(error) => output.failed(io::Error::other(error)).into(),
        error => Box::<dyn Error>::from(error),
    })?;
    output.finish()?;
    Ok(stop)
}

/// Plays without a display: runs the cycles that are due, and writes the output.
fn run_headless(player: &mut Player, speed: Speed, outlet: &RefCell<Outlet>) -> Result<Stop, Box<dyn Error>> {
    player.play(speed, Duration::ZERO, TICK);
    loop {
        if let Some(stop) = player.stop() {
            return Ok(stop);
        }
        let begun = player.now();
        let is_on_time = player.frame()?;
        if outlet.borrow().reader == Audience::Gone {
            return Ok(player.stop().unwrap_or(Stop::Quit));
        }
        if is_on_time {
            std::thread::sleep(TICK.saturating_sub(player.now() - begun));
        }
    }
}
