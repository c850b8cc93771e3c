//! What has been seen of a run: how long LEDs were lit, and when lines of output were complete.

use gray1_debugger::Position;
use gray1_display::{Exposure, LINES, Light};
use gray1_isa::memory_map::GREEN;
use gray1_machine::{ChipsEngine, Engine, Outside};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// At most this many ends of lines are kept; when there are more, every second one is dropped.
const MOST_LINES: usize = 512;

/// What has been seen, shared with the run, which reports it.
#[derive(Clone)]
pub struct Seen(Arc<Mutex<Sight>>);

struct Sight {
    exposure: Exposure,
    /// The cycle up to which the exposure is complete; `None` if the machine was moved in any other way than by running
    /// on.
    exposed_until: Option<u64>,
    /// Whether the machine runs on, and does not repeat what has been seen.
    is_running: bool,
    lines: Vec<u64>,
    /// The cycle of the last line that was counted, kept or not.
    counted: Option<u64>,
    /// Every how many lines one is kept, and how many have come since the last.
    spacing: u64,
    since: u64,
}

impl Seen {
    /// Nothing has been seen of this machine yet.
    pub fn new(machine: &ChipsEngine) -> Seen {
        Seen(Arc::new(Mutex::new(Sight {
            exposure: Exposure::new(machine.cycle(), rows(machine)),
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
        let mut sight = self.inner();
        if sight.exposed_until != Some(machine.cycle()) {
            sight.exposure = Exposure::new(machine.cycle(), rows(machine));
        }
        sight.is_running = true;
    }

    /// The machine has run on; `is_on_its_way` if it is to be shown as still running.
    pub fn end(&self, machine: &ChipsEngine, is_on_its_way: bool) {
        let mut sight = self.inner();
        sight.is_running = false;
        sight.exposed_until = (is_on_its_way && machine.phase_number() == 0).then(|| machine.cycle());
    }

    /// The light of the LEDs since this was last requested, or that of a machine that does not run.
    pub fn light(&self, machine: &ChipsEngine) -> Light {
        let mut sight = self.inner();
        match sight.exposed_until {
            Some(cycle) if cycle == machine.cycle() => sight.exposure.take(cycle),
            _ => Light::steady(&rows(machine)),
        }
    }

    /// The cycles in which lines of output were complete.
    pub fn lines(&self) -> Vec<u64> {
        self.inner().lines.clone()
    }

    /// Another future begins here.
    pub fn forget_after(&self, position: Position) {
        let mut sight = self.inner();
        // What a cycle sends is sent in its phase 1.
        let is_past = |cycle: u64| Position { cycle, phase: 1 } <= position;
        sight.lines.retain(|cycle| is_past(*cycle));
        sight.counted = sight.counted.filter(|cycle| is_past(*cycle)).or(sight.lines.last().copied());
        sight.exposed_until = None;
    }

    fn inner(&self) -> MutexGuard<'_, Sight> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outside for Seen {
    fn output(&mut self, cycle: u64, byte: u8) {
        if byte != b'\n' {
            return;
        }
        let mut sight = self.inner();
        if sight.counted.is_some_and(|last| last >= cycle) {
            return; // that was seen before
        }
        sight.counted = Some(cycle);
        sight.since += 1;
        if sight.since < sight.spacing {
            return;
        }
        sight.since = 0;
        sight.lines.push(cycle);
        if sight.lines.len() > MOST_LINES {
            let mut index = 0;
            sight.lines.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            sight.spacing *= 2;
        }
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        let mut sight = self.inner();
        if sight.is_running {
            sight.exposure.store(cycle, row, leds);
        }
    }
}

/// The rows of the LEDs as they are: eight green ones, eight red ones.
pub fn rows(machine: &ChipsEngine) -> [u8; LINES] {
    std::array::from_fn(|row| machine.ram(GREEN + row as u16))
}
