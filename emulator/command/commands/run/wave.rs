//! `--wave`: records every net of the board in a file for GTKWave or Surfer.

use super::profile::RunEngine;
use crate::message::print_note;
use crate::support::files::{self, FileError};
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::output::Output;
use gray1_isa::Image;
use gray1_machine::{ChipsEngine, Engine, Failure, ObservedEngine, Outside};
use gray1_profile::{Layout, ProfiledEngine};
use gray1_timed::TimedEngine;
use gray1_waves::{ChipsRecorder, RecordError, TimedRecorder, Window};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options for the waveform.
#[derive(clap::Args)]
pub struct WaveArguments {
    /// Write the levels of all nets as a waveform to FILE.vcd
    #[arg(id = "wave", long = "wave", value_name = "FILE", value_parser = parse_wave_path)]
    pub file: Option<PathBuf>,
    /// The first cycle to record with --wave, counted from reset
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    from: Option<u64>,
    /// The last cycle to record with --wave, counted from reset
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    to: Option<u64>,
}

/// The machine of a run, with or without a recorder.
pub enum Machine {
    Plain(Box<dyn Engine>),
    Recorded(Box<Wave>),
}

/// A machine whose run is recorded as a waveform.
pub struct Wave {
    path: PathBuf,
    window: Window,
    recording: Recording,
    /// Set if writing has failed.
    has_failed: bool,
}

enum Recording {
    Chips(Box<ChipsEngine>, ChipsRecorder<Output>),
    Timed(Box<TimedEngine>, TimedRecorder<Output>),
}

impl WaveArguments {
    /// Returns the cycles to record.
    pub fn window(&self) -> Window {
        self.from.unwrap_or(0)..=self.to.unwrap_or(u64::MAX)
    }
}

impl Wave {
    /// Makes a machine and starts its waveform.
    pub fn create(
        path: &Path,
        window: Window,
        arguments: &MachineArguments,
        image: &Image,
    ) -> Result<Wave, Box<dyn Error>> {
        let board = arguments.board()?;
        let write_error = |error| FileError::write(path, error);
        let recording = if arguments.engine == EngineKind::Timed {
            let engine = arguments.timed(&board, image)?;
            let recorder = TimedRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Timed(Box::new(engine), recorder.map_err(write_error)?)
        } else {
            let engine = arguments.chips(&board, image)?;
            let recorder = ChipsRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Chips(Box::new(engine), recorder.map_err(write_error)?)
        };
        Ok(Wave { path: path.to_owned(), window, recording, has_failed: false })
    }
}

impl Machine {
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            Machine::Plain(engine) => &mut **engine,
            Machine::Recorded(wave) => &mut **wave,
        }
    }

    /// Returns the engine of the run. With a layout, the engine is profiled.
    pub fn observe(&mut self, layout: Option<Arc<Layout>>) -> RunEngine<'_> {
        let engine = self.engine_mut();
        match layout {
            None => RunEngine::Plain(engine),
            Some(layout) => RunEngine::Profiled(Box::new(ProfiledEngine::new(engine, layout))),
        }
    }

    /// Completes the waveform, if there is one.
    pub fn finish(self) -> Result<(), FileError> {
        let Machine::Recorded(wave) = self else { return Ok(()) };
        let Wave { path, window, recording, has_failed } = *wave;
        let (is_empty, output) = match recording {
            Recording::Chips(_, recorder) => (recorder.is_empty(), recorder.finish()),
            Recording::Timed(_, recorder) => (recorder.is_empty(), recorder.finish()),
        };
        if has_failed {
            return Ok(()); // the error has been reported, and the draft is removed
        }
        if is_empty {
            let (path, window) = (files::shown(&path), format_window(&window));
            print_note(format_args!("gray1: {path}: empty: the run had no cycle to record{window}"));
        }
        output.map_err(|error| FileError::write(&path, error))?.finish()
    }
}

/// A decorator that records while the machine runs.
impl ObservedEngine for Wave {
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Failure> {
        let result = match &mut self.recording {
            Recording::Chips(engine, recorder) => recorder.run(engine, cycles, outside),
            Recording::Timed(engine, recorder) => recorder.run(engine, cycles, outside),
        };
        result.map_err(|error| match error {
            RecordError::Machine(failure) => failure,
            RecordError::File(error) => {
                self.has_failed = true;
                Failure::other(FileError::write(&self.path, error))
            }
        })
    }

    fn inner(&self) -> &dyn Engine {
        match &self.recording {
            Recording::Chips(engine, _) => &**engine,
            Recording::Timed(engine, _) => &**engine,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Engine {
        match &mut self.recording {
            Recording::Chips(engine, _) => &mut **engine,
            Recording::Timed(engine, _) => &mut **engine,
        }
    }
}

/// Formats the bounds of a window, if any.
fn format_window(window: &Window) -> String {
    match (*window.start(), *window.end()) {
        (0, u64::MAX) => String::new(),
        (from, u64::MAX) => format!(" from {from} on"),
        (from, to) => format!(" from {from} to {to}"),
    }
}

fn parse_wave_path(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vcd")) {
        Ok(path)
    } else {
        Err("the waveform is written as VCD: name it FILE.vcd".to_owned())
    }
}
