//! The observation of a run: how long LEDs were lit, and when lines of output were complete.

use gray1_debugger::{Position, leds};
use gray1_display::{Exposure, Light};
use gray1_machine::{ChipsEngine, Engine, OutputSink};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// At most this many ends of lines are kept; when there are more, every second one is dropped.
const MAX_LINES: usize = 512;

/// A record of the run, shared with the machine, which writes it.
#[derive(Clone)]
pub struct Observation(Arc<Mutex<Record>>);

struct Record {
    exposure: Exposure,
    /// The cycle up to which the exposure is complete; `None` if the machine was moved in any other way than by running
    /// on.
    exposed_until: Option<u64>,
    /// Whether the machine runs on, and does not repeat a known part of the run.
    is_running: bool,
    lines: Vec<u64>,
    /// The cycle of the last line that was counted, kept or not.
    counted: Option<u64>,
    /// Every how many lines one is kept, and how many have come since the last.
    spacing: u64,
    since: u64,
}

impl Observation {
    /// An empty record of this machine.
    pub fn new(machine: &ChipsEngine) -> Observation {
        Observation(Arc::new(Mutex::new(Record {
            exposure: Exposure::new(machine.cycle(), leds(machine)),
            exposed_until: None,
            is_running: false,
            lines: Vec::new(),
            counted: None,
            spacing: 1,
            since: 0,
        })))
    }

    /// The machine is about to run on.
    pub fn begin(&self, machine: &ChipsEngine) {
        let mut record = self.inner();
        if record.exposed_until != Some(machine.cycle()) {
            record.exposure = Exposure::new(machine.cycle(), leds(machine));
        }
        record.is_running = true;
    }

    /// The machine has run on; `is_on_its_way` if it is to be shown as still running.
    pub fn end(&self, machine: &ChipsEngine, is_on_its_way: bool) {
        let mut record = self.inner();
        record.is_running = false;
        record.exposed_until = (is_on_its_way && machine.phase_number() == 0).then(|| machine.cycle());
    }

    /// The light of the LEDs since the last request; if the machine does not run, their current rows.
    pub fn light(&self, machine: &ChipsEngine) -> Light {
        let mut record = self.inner();
        match record.exposed_until {
            Some(cycle) if cycle == machine.cycle() => record.exposure.take(cycle),
            _ => Light::steady(&leds(machine)),
        }
    }

    /// The cycles in which lines of output were complete.
    pub fn lines(&self) -> Vec<u64> {
        self.inner().lines.clone()
    }

    /// Another future begins here.
    pub fn forget_after(&self, position: Position) {
        let mut record = self.inner();
        // A cycle sends its byte in phase 1.
        let is_past = |cycle: u64| Position { cycle, phase: 1 } <= position;
        record.lines.retain(|cycle| is_past(*cycle));
        record.counted = record.counted.filter(|cycle| is_past(*cycle)).or(record.lines.last().copied());
        record.exposed_until = None;
    }

    fn inner(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputSink for Observation {
    fn output(&mut self, cycle: u64, byte: u8) {
        if byte != b'\n' {
            return;
        }
        let mut record = self.inner();
        if record.counted.is_some_and(|last| last >= cycle) {
            return; // a part of the run is being repeated
        }
        record.counted = Some(cycle);
        record.since += 1;
        if record.since < record.spacing {
            return;
        }
        record.since = 0;
        record.lines.push(cycle);
        if record.lines.len() > MAX_LINES {
            let mut index = 0;
            record.lines.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            record.spacing *= 2;
        }
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        let mut record = self.inner();
        if record.is_running {
            record.exposure.store(cycle, row, leds);
        }
    }
}
