//! `--wave`: every net of the board over time, in a file for GTKWave or Surfer.

use super::profile::Watched;
use crate::support::files::{self, FileError};
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::output::Output;
use crate::tell::tell;
use gray1_isa::Image;
use gray1_machine::{ChipsEngine, Engine, Failure, ObservedEngine, Outside};
use gray1_profile::{Layout, ProfiledEngine};
use gray1_timed::TimedEngine;
use gray1_waves::{ChipsRecorder, RecordError, TimedRecorder, Window};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options that select what is recorded, and the file.
#[derive(clap::Args)]
pub struct WaveArguments {
    /// Write every net of the board over time, as a waveform: FILE.vcd
    #[arg(id = "wave", long = "wave", value_name = "FILE", value_parser = wave_file)]
    pub file: Option<PathBuf>,
    /// The first cycle that --wave records, counted since reset
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    from: Option<u64>,
    /// The last cycle that --wave records, counted since reset
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    to: Option<u64>,
}

/// A machine with the recorder of its nets.
pub enum Machine {
    Plain(Box<dyn Engine>),
    Recorded(Box<Wave>),
}

/// A machine whose run is recorded as a waveform.
pub struct Wave {
    path: PathBuf,
    window: Window,
    recording: Recording,
    /// Whether writing has failed.
    is_damaged: bool,
}

enum Recording {
    Chips(Box<ChipsEngine>, ChipsRecorder<Output>),
    Timed(Box<TimedEngine>, TimedRecorder<Output>),
}

impl WaveArguments {
    /// The cycles to show.
    pub fn window(&self) -> Window {
        self.from.unwrap_or(0)..=self.to.unwrap_or(u64::MAX)
    }
}

impl Wave {
    /// Builds a machine and begins its waveform.
    pub fn create(
        path: &Path,
        window: Window,
        arguments: &MachineArguments,
        image: &Image,
    ) -> Result<Wave, Box<dyn Error>> {
        let board = arguments.board()?;
        let begun = |error| FileError::write(path, error);
        let recording = if arguments.engine == EngineKind::Timed {
            let engine = arguments.timed(&board, image)?;
            let recorder = TimedRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Timed(Box::new(engine), recorder.map_err(begun)?)
        } else {
            let engine = arguments.chips(&board, image)?;
            let recorder = ChipsRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Chips(Box::new(engine), recorder.map_err(begun)?)
        };
        Ok(Wave { path: path.to_owned(), window, recording, is_damaged: false })
    }
}

impl Machine {
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            Machine::Plain(engine) => &mut **engine,
            Machine::Recorded(wave) => &mut **wave,
        }
    }

    /// The machine as the engine of a run, profiled if there is a layout of its program.
    pub fn watched(&mut self, layout: Option<Arc<Layout>>) -> Watched<'_> {
        let engine = self.engine_mut();
        match layout {
            None => Watched::Plain(engine),
            Some(layout) => Watched::Profiled(Box::new(ProfiledEngine::new(engine, layout))),
        }
    }

    /// Completes the waveform, if there is one.
    pub fn finish(self) -> Result<(), FileError> {
        let Machine::Recorded(wave) = self else { return Ok(()) };
        let Wave { path, window, recording, is_damaged } = *wave;
        let (is_empty, output) = match recording {
            Recording::Chips(_, recorder) => (recorder.is_empty(), recorder.finish()),
            Recording::Timed(_, recorder) => (recorder.is_empty(), recorder.finish()),
        };
        if is_damaged {
            return Ok(()); // the error has been reported, and the draft is removed
        }
        if is_empty {
            let (path, window) = (files::shown(&path), shown(&window));
            tell(format_args!("gray1: {path}: empty: the run had no cycle to record{window}"));
        }
        output.map_err(|error| FileError::write(&path, error))?.finish()
    }
}

/// The recorded machine as an engine: it records while it runs.
impl ObservedEngine for Wave {
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Failure> {
        let result = match &mut self.recording {
            Recording::Chips(engine, recorder) => recorder.run(engine, cycles, outside),
            Recording::Timed(engine, recorder) => recorder.run(engine, cycles, outside),
        };
        result.map_err(|error| match error {
            RecordError::Machine(failure) => failure,
            RecordError::File(error) => {
                self.is_damaged = true;
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

/// The given bounds of a window as text.
fn shown(window: &Window) -> String {
    match (*window.start(), *window.end()) {
        (0, u64::MAX) => String::new(),
        (from, u64::MAX) => format!(" from {from} on"),
        (from, to) => format!(" from {from} to {to}"),
    }
}

fn wave_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vcd")) {
        Ok(path)
    } else {
        Err("the waveform is written as VCD: name it FILE.vcd".to_owned())
    }
}
