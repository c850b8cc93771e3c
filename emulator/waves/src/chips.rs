//! The chips engine recorded: it knows phases and no time between them, so each phase is one step.

use crate::recorder::{Failure, Format, PHASES, Recorder, Step, Window};
use gray1_machine::board::Board;
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Engine, Failure as MachineFailure, Outside, Probe};
use std::io::{self, Seek, Write};

/// How long a phase is drawn. It makes cycle 123 begin at 123 µs, so that the time axis counts cycles.
pub const NANOSECONDS_A_PHASE: u64 = 250;
/// The last cycle that can be drawn: viewers keep times as signed numbers.
const LAST_CYCLE: u64 = i64::MAX as u64 / (NANOSECONDS_A_PHASE * PHASES as u64) - 1;

/// Records a machine made of chips while it runs.
pub struct ChipsRecorder<W: Write + Seek> {
    recorder: Recorder<W>,
    clips: Vec<Clip>,
    window: Window,
    /// The time at which the last step recorded is over.
    end: Option<u64>,
    /// Whether the machine went back in time: what comes then is another run.
    is_over: bool,
}

/// Clips on the lines of a chip, or on an input.
struct Clip {
    probe: Kind,
    /// The number of the lowest of its nets.
    net: usize,
    /// The levels last seen.
    seen: u16,
}

enum Kind {
    Input(Probe),
    Chip(ChipId),
}

impl<W: Write + Seek> ChipsRecorder<W> {
    /// Begins a file, for an engine that was built from this board.
    pub fn begin(
        board: &Board,
        engine: &ChipsEngine,
        window: Window,
        format: Format,
        out: W,
    ) -> io::Result<ChipsRecorder<W>> {
        let window = *window.start()..=LAST_CYCLE.min(*window.end());
        let recorder = Recorder::begin(board, format, Step::Nanosecond, out)?;
        Ok(ChipsRecorder { recorder, clips: clips(board, engine), window, end: None, is_over: false })
    }

    /// Runs as [`Engine::run`] does, and records the cycles that are in the window.
    pub fn run(
        &mut self,
        engine: &mut ChipsEngine,
        cycles: u64,
        outside: &mut dyn Outside,
    ) -> Result<u64, Failure> {
        let start = engine.cycle();
        self.is_over |= self.end.is_some_and(|end| time(start, 0) < end);
        while engine.cycle() - start < cycles && !engine.halted() {
            let cycle = engine.cycle();
            if self.window.contains(&cycle) && !self.is_over {
                self.step(engine)?;
                engine.phase(outside).map_err(MachineFailure::from)?;
            } else {
                let before = self.window.start().checked_sub(cycle).filter(|before| *before > 0);
                let stretch = before.unwrap_or(u64::MAX).min(cycles - (cycle - start));
                engine.run(stretch, outside).map_err(MachineFailure::from)?;
            }
        }
        Ok(engine.cycle() - start)
    }

    /// Whether anything has been recorded.
    pub fn is_empty(&self) -> bool {
        self.end.is_none()
    }

    /// Completes the file and gives back where it was written.
    pub fn finish(self) -> io::Result<W> {
        self.recorder.finish(self.end)
    }

    /// Records the phase that the machine is in.
    fn step(&mut self, engine: &ChipsEngine) -> io::Result<()> {
        for clip in &mut self.clips {
            let now = match &clip.probe {
                Kind::Input(probe) => engine.read(probe),
                Kind::Chip(chip) => engine.gives(*chip),
            };
            let mut changed = now ^ clip.seen;
            while changed != 0 {
                let line = changed.trailing_zeros();
                self.recorder.set(clip.net + line as usize, now >> line & 1 == 1);
                changed &= changed - 1;
            }
            clip.seen = now;
        }
        let (cycle, phase) = (engine.cycle(), engine.phase_number());
        self.recorder.set_place(cycle, phase);
        if phase == 0 {
            self.recorder.set_instruction(engine.running(), engine.word());
        }
        self.end = Some(time(cycle, phase) + NANOSECONDS_A_PHASE);
        self.recorder.write(time(cycle, phase))
    }
}

/// When a phase begins.
fn time(cycle: u64, phase: u8) -> u64 {
    (cycle * u64::from(PHASES) + u64::from(phase)) * NANOSECONDS_A_PHASE
}

/// Clips on every net of a board, in the recorder's order.
fn clips(board: &Board, engine: &ChipsEngine) -> Vec<Clip> {
    let mut net = 0;
    let mut clip = |probe, lines| {
        let clip = Clip { probe, net, seen: 0 };
        net += lines;
        clip
    };
    let inputs = board.inputs.iter().flat_map(|group| group.nets.names());
    let mut clips: Vec<Clip> =
        inputs.filter_map(|name| Some(clip(Kind::Input(engine.probe(name)?), 1))).collect();
    clips.extend(board.chips.iter().enumerate().map(|(id, chip)| clip(Kind::Chip(id), chip.data().len())));
    clips
}
