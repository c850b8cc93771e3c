//! Files that a page saves.

use crate::Refusal;
use crate::observation::Observation;
use crate::picture::{draw, renderer};
use crate::protocol::{Answer, File};
use crate::run::Run;
use gray1_debugger::{History, Position, leds};
use gray1_display::Light;
use gray1_display::animation::{Animation, LAST_PICTURE, MIN_FRAME, SIDE};
use gray1_display::waves::ChipsRecorder;
use gray1_machine::{ChipsEngine, Engine, Pace, Speed, program_mark};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A longer stretch is not recorded, since the page would have to wait too long for it.
const MAX_CYCLES: u64 = 4_000_000;
/// An animation has no more frames.
const MAX_FRAMES: u64 = 1_800;
/// Frames of an animation in a second.
const FRAMES: u64 = 10;
/// A waveform has no more cycles.
const MAX_WAVES: u64 = 20_000;

/// Makes a file: its bytes, and what it is called.
pub fn save(run: &mut Run, file: &File) -> Result<(Vec<u8>, Answer), Refusal> {
    let (bytes, ending, media) = match file {
        File::Gif { from, cycles, hz } => (gif(run, *from, *cycles, *hz)?, "gif", "image/gif"),
        File::Picture { size, shapes } => {
            let mut renderer = renderer(*size)?;
            let machine = run.debugger.machine();
            draw(&mut renderer, &Light::steady(&leds(machine)), *shapes);
            let mut bytes = Vec::new();
            renderer.write_png(&mut bytes)?;
            (bytes, "png", "image/png")
        }
        File::State => {
            // States exist between two cycles: within a cycle, its start is saved.
            let history = run.debugger.history_mut();
            let start = Position::start_of(history.position().cycle);
            let state = history.excursion(start, |history| history.machine().state())?;
            let text = state.to_ron(&program_mark(run.debugger.source().image()));
            (text.into_bytes(), "ron", "text/plain")
        }
        File::Image => (run.debugger.source().image().to_bytes(), "bin", "application/octet-stream"),
        File::Listing => {
            let listing = run.debugger.source().listing().ok_or("an image has no source to list")?;
            (listing.into_bytes(), "lst", "text/plain")
        }
        File::Wave { from, cycles } => (wave(run, *from, *cycles)?, "vcd", "text/plain"),
    };
    let size = bytes.len();
    Ok((bytes, Answer::File { name: format!("{}.{ending}", run.name), media: media.to_owned(), size }))
}

/// The cycle at which a recording begins, which must be known already: it is not known when a run would reach a later
/// one.
fn begins(run: &Run, from: u64) -> Result<u64, Refusal> {
    let history = run.debugger.history();
    match history.end().cycle {
        end if from > end => {
            Err(format!("the run is known up to cycle {end}: run it to cycle {from} first").into())
        }
        _ => Ok(from.max(history.start().cycle)),
    }
}

/// Records the LEDs from a cycle on, and brings the machine back to where it is.
fn gif(run: &mut Run, from: u64, cycles: u64, hz: u64) -> Result<Vec<u8>, Refusal> {
    if !(1..=MAX_CYCLES).contains(&cycles) {
        return Err(format!("an animation shows 1 to {MAX_CYCLES} cycles").into());
    }
    if hz == 0 || cycles.saturating_mul(FRAMES) / hz > MAX_FRAMES {
        return Err(format!("{hz} cycles a second would take longer than {} s", MAX_FRAMES / FRAMES).into());
    }
    let from = begins(run, from)?;
    let observation = run.observation.clone();
    let history = run.debugger.history_mut();
    let mut bytes = Vec::new();
    let recorded = history.excursion(Position::start_of(from), |history| {
        observation.end(history.machine(), false);
        let end = from.saturating_add(cycles);
        animate(history, &observation, end, hz, &mut bytes).map_err(|error| error.to_string())
    });
    observation.end(run.debugger.machine(), false);
    recorded??;
    Ok(bytes)
}

/// Runs to a cycle or to the halt, and writes the pictures of the LEDs on the way.
fn animate(
    history: &mut History,
    observation: &Observation,
    end: u64,
    hz: u64,
    to: &mut Vec<u8>,
) -> Result<(), Box<dyn Error>> {
    let mut animation = Animation::new(to, SIDE)?;
    let mut pace = Pace::new(Speed::Hz(hz), Duration::ZERO);
    let mut time = Duration::ZERO;
    loop {
        let now = history.position().cycle;
        if now >= end || history.is_halted() {
            break;
        }
        time += MIN_FRAME;
        let due = pace.due(time);
        observation.begin(history.machine());
        let ran = history.run(now.saturating_add(due).min(end), &AtomicBool::new(false), |_| false);
        observation.end(history.machine(), true);
        ran?;
        pace.ran(history.position().cycle - now);
        if history.position().cycle < end && !history.is_halted() {
            animation.frame(&observation.light(history.machine()), MIN_FRAME)?;
        }
    }
    animation.frame(&observation.light(history.machine()), MIN_FRAME)?;
    animation.frame(&observation.light(history.machine()), LAST_PICTURE)?;
    animation.finish()?;
    Ok(())
}

/// Records all nets from a cycle on, and brings the machine back to where it is.
fn wave(run: &mut Run, from: u64, cycles: u64) -> Result<Vec<u8>, Refusal> {
    if !(1..=MAX_WAVES).contains(&cycles) {
        return Err(format!("a waveform has 1 to {MAX_WAVES} cycles").into());
    }
    let from = begins(run, from)?;
    let text = |error: &dyn Error| error.to_string();
    let (debugger, last) = (&mut run.debugger, from.saturating_add(cycles));
    let recorder = ChipsRecorder::begin(debugger.board(), 0..=u64::MAX, Vec::new());
    let mut recorder = recorder.map_err(|error| text(&error))?;
    let mut recorded = Ok(());
    let end = Position { cycle: last.saturating_sub(1), phase: 3 };
    let look = |machine: &ChipsEngine| {
        if recorded.is_ok() {
            recorded = recorder.record(machine);
        }
    };
    debugger.history_mut().watch(Position::start_of(from), end, look).map_err(|error| text(&error))?;
    recorded.map_err(|error| text(&error))?;
    recorder.finish().map_err(|error| text(&error).into())
}
