//! `--wave`: records every net of the board in a file for GTKWave or Surfer.

use crate::support::choice::path_with;
use crate::support::files::{FileError, shown};
use crate::support::machine::{EngineKind, MachineArguments};
use crate::support::message::print_note;
use crate::support::numbers::number;
use crate::support::output::Output;
use gray1_display::waves::{ChipsRecorder, RecordError, TimedRecorder, Window};
use gray1_isa::Image;
use gray1_machine::{ChipsEngine, Engine, Failure, ObservedEngine, OutputSink};
use gray1_timed::TimedEngine;
use std::error::Error;
use std::path::PathBuf;

/// The options for the waveform.
#[derive(clap::Args)]
pub struct WaveArguments {
    /// Write the levels of all nets as a waveform to FILE.vcd
    #[arg(id = "wave", long = "wave", value_name = "FILE", value_parser = path_with("vcd", "the waveform is written as VCD: name it FILE.vcd"))]
    pub file: Option<PathBuf>,
    /// The first cycle to record with --wave, counted from reset
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = number::<u64>(0..=u64::MAX))]
    from: Option<u64>,
    /// The last cycle to record with --wave, counted from reset
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = number::<u64>(0..=u64::MAX))]
    to: Option<u64>,
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

    /// Makes the machine and starts its waveform, if the options request one.
    pub fn start(&self, machine: &MachineArguments, image: &Image) -> Result<Option<Wave>, Box<dyn Error>> {
        let Some(path) = &self.file else { return Ok(None) };
        let (board, window) = (machine.board()?, self.window());
        let failed = |error| FileError::write(path, error);
        let recording = if machine.engine == EngineKind::Timed {
            let engine = machine.timed(&board, image)?;
            let recorder = TimedRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Timed(Box::new(engine), recorder.map_err(failed)?)
        } else {
            let engine = machine.chips(&board, image)?;
            let recorder = ChipsRecorder::begin(&board, window.clone(), Output::create(path)?);
            Recording::Chips(Box::new(engine), recorder.map_err(failed)?)
        };
        Ok(Some(Wave { path: path.clone(), window, recording, has_failed: false }))
    }
}

impl Wave {
    /// Completes the waveform.
    pub fn finish(self) -> Result<(), FileError> {
        let (is_empty, output) = match self.recording {
            Recording::Chips(_, recorder) => (recorder.is_empty(), recorder.finish()),
            Recording::Timed(_, recorder) => (recorder.is_empty(), recorder.finish()),
        };
        if self.has_failed {
            return Ok(()); // the error has been reported, and the draft is removed
        }
        if is_empty {
            let window = match (*self.window.start(), *self.window.end()) {
                (0, u64::MAX) => String::new(),
                (from, u64::MAX) => format!(" from {from} on"),
                (from, to) => format!(" from {from} to {to}"),
            };
            let path = shown(&self.path);
            print_note(format_args!("gray1: {path}: empty: the run had no cycle to record{window}"));
        }
        output.map_err(|error| FileError::write(&self.path, error))?.finish()
    }
}

/// A decorator that records while the machine runs.
impl ObservedEngine for Wave {
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
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
