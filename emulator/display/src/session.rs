//! Runs a machine in real time, and keeps its output and its light for a display.
//!
//! ```text
//!   keys ──► Session ──► Driver ──► an engine
//!              ▲                      │ stores, bytes sent
//!   displays ──┴── Exposure, Output ◄─┘
//! ```
//!
//! A frame runs the cycles that are due, for no longer than it can spare, so that even an endless program at full speed
//! never delays a key press. The clock is that of the [`Driver`]: the tests have their own.

use std::time::Duration;

use gray1_isa::memory_map::GREEN;
use gray1_machine::{Driver, Engine, Failure, Inputs, OutputSink, Pace, Speed, Stop};

use crate::controls::Action;
use crate::exposure::{Exposure, Light};
use crate::output::{Moment, Output};

/// A faster machine is not held, in cycles per second: its LEDs could not be followed anyway.
const MAX_HELD_HZ: u64 = 20_000;
/// The interval at which a held machine is checked for a complete line, in cycles.
const STEP: u64 = 4;
/// The minimum time over which the actual speed is measured.
const MEASURE: Duration = Duration::from_millis(400);

/// Receives the number of executed cycles, and the bytes that the program has sent in them.
pub type Sink<'a> = Box<dyn FnMut(u64, &[u8]) -> Result<(), Failure> + 'a>;

/// A machine that runs in real time.
pub struct Session<'a> {
    driver: Driver<'a>,
    seen: OutputRecord,
    /// The receiver of the bytes that the program sends, if any.
    pub sink: Option<Sink<'a>>,
    pace: Pace,
    is_paused: bool,
    /// The time a frame may spend running the machine; the rest is for drawing and for other programs.
    budget: Duration,
    /// The speed to return to from full speed.
    before_full: Speed,
    /// The pause after each line that the machine sends, and the end of the current pause.
    hold: Duration,
    held_until: Duration,
    reached: Option<u64>,
    measured_from: Duration,
    measured: u64,
}

/// The output of the machine.
struct OutputRecord {
    exposure: Exposure,
    output: Output,
    /// The bytes sent since the last call of the sink.
    sent: Vec<u8>,
}

impl<'a> Session<'a> {
    /// Makes a session that runs a driver, at full speed until [`Session::play`].
    pub fn new(driver: Driver<'a>) -> Self {
        let now = driver.now();
        Self {
            seen: OutputRecord::of(driver.engine()),
            driver,
            sink: None,
            pace: Pace::new(Speed::Max, now),
            is_paused: false,
            budget: Duration::MAX,
            before_full: Speed::Max,
            hold: Duration::ZERO,
            held_until: Duration::ZERO,
            reached: None,
            measured_from: now,
            measured: 0,
        }
    }

    /// Runs up to `cycles` machine cycles, for no longer than about `time`. Returns how many were run: fewer if the run
    /// stopped, and none after that until a reset.
    ///
    /// # Errors
    /// If the machine fails, or the bytes that it has sent cannot be passed on.
    pub fn advance(&mut self, cycles: u64, time: Duration) -> Result<u64, Failure> {
        let ran = self.driver.run(cycles, time, &mut self.seen);
        let sent = std::mem::take(&mut self.seen.sent);
        // The output before a failure is passed on, too.
        if let Some(sink) = &mut self.sink {
            sink(*ran.as_ref().unwrap_or(&0), &sent)?;
        }
        ran
    }

    /// Runs up to `cycles` cycles, for no longer than about `time`, and no further than to the end of a line that is sent.
    pub(crate) fn advance_to_line(&mut self, cycles: u64, time: Duration) -> Result<u64, Failure> {
        let (lines, mut ran) = (self.output().lines, 0);
        let end = self.now().saturating_add(time);
        while ran < cycles && self.stop().is_none() && self.output().lines == lines {
            let left = end.saturating_sub(self.now());
            if left.is_zero() {
                break;
            }
            ran += self.advance(STEP.min(cycles - ran), left)?;
        }
        Ok(ran)
    }

    /// Returns the reason for the stop, if the run has stopped.
    pub fn stop(&self) -> Option<Stop> {
        self.driver.stop()
    }

    /// Whether the run is interrupted from outside the display.
    pub fn is_interrupted(&self) -> bool {
        self.driver.is_interrupted()
    }

    /// Returns the time.
    pub fn now(&self) -> Duration {
        self.driver.now()
    }

    /// Holds these pads and keys from now on.
    pub fn press(&mut self, inputs: Inputs) {
        self.driver.held = inputs;
    }

    /// Returns the light since the last call, or the current LEDs if no cycle has passed since.
    pub fn take_light(&mut self) -> Light {
        self.seen.exposure.take(self.cycle())
    }

    /// Returns the cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.driver.engine().cycle()
    }

    /// Returns the output of the program since reset.
    pub fn output(&self) -> &Output {
        &self.seen.output
    }

    /// Runs at this speed from now on, in frames of this length, with a pause of `hold` after each line sent.
    pub fn play(&mut self, speed: Speed, hold: Duration, frame: Duration) {
        self.pace = Pace::new(speed, self.now());
        self.before_full = speed;
        self.hold = hold;
        self.budget = frame * 2 / 3;
        self.restart_measuring();
    }

    /// Whether the user has paused the machine.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns the requested speed.
    pub(crate) fn speed(&self) -> Speed {
        self.pace.speed()
    }

    /// Returns the actual speed in cycles per second, if it is less than the requested speed, or if none was requested.
    pub(crate) fn reached(&self) -> Option<u64> {
        let reached = self.reached?;
        match self.pace.speed() {
            Speed::Max => Some(reached),
            Speed::Hz(hz) => (reached < hz / 20 * 19).then_some(reached),
        }
    }

    /// Executes the action of a key, as far as it concerns the machine and its pace.
    ///
    /// # Errors
    /// If the machine fails in a single step.
    pub(crate) fn act(&mut self, action: Action) -> Result<(), Failure> {
        match action {
            Action::Pause | Action::Step if self.stop().is_some() => {}
            Action::Pause if self.is_paused => self.resume(),
            Action::Step if self.is_paused => {
                self.advance(1, self.budget)?;
                self.is_paused = self.stop().is_none();
            }
            Action::Pause | Action::Step => self.is_paused = true,
            Action::Slower => self.set_speed(self.speed().slower(self.reached().unwrap_or(u64::MAX))),
            Action::Faster => self.set_speed(self.speed().faster()),
            Action::FullSpeed if self.speed() == Speed::Max => self.set_speed(self.before_full),
            Action::FullSpeed => {
                self.before_full = self.speed();
                self.set_speed(Speed::Max);
            }
            Action::Reset => {
                self.driver.reset();
                self.seen = OutputRecord::of(self.driver.engine());
                if !self.is_paused {
                    self.resume();
                }
            }
            _ => {} // concerns the display alone
        }
        Ok(())
    }

    /// Runs the cycles that are due, as far as the time of a frame allows. Returns whether all of them have been run.
    ///
    /// # Errors
    /// As [`advance`](Session::advance).
    pub fn frame(&mut self) -> Result<bool, Failure> {
        let now = self.now();
        let is_held = now < self.held_until;
        let mut is_on_time = true;
        if !self.is_paused && !is_held && self.stop().is_none() {
            self.measure(now);
            let due = self.pace.due(now);
            let is_slow = matches!(self.speed(), Speed::Hz(..=MAX_HELD_HZ)) && !self.hold.is_zero();
            let ran = if is_slow {
                let lines = self.output().lines;
                let ran = self.advance_to_line(due, self.budget)?;
                if self.output().lines > lines {
                    self.held_until = now + self.hold;
                }
                ran
            } else {
                self.advance(due, self.budget)?
            };
            self.pace.ran(ran);
            self.measured += ran;
            is_on_time = ran == due;
        }
        if self.is_paused || is_held || self.stop().is_some() {
            self.pace.skip(now);
            self.restart_measuring();
        }
        Ok(is_on_time)
    }

    fn measure(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.measured_from);
        if passed >= MEASURE {
            let hz = u128::from(self.measured) * 1_000_000_000 / passed.as_nanos().max(1);
            self.restart_measuring();
            self.reached = Some(u64::try_from(hz).unwrap_or(u64::MAX));
        }
    }

    fn restart_measuring(&mut self) {
        self.reached = None;
        self.measured = 0;
        self.measured_from = self.now();
    }

    fn resume(&mut self) {
        self.pace.skip(self.now());
        self.is_paused = false;
        self.restart_measuring();
    }

    fn set_speed(&mut self, speed: Speed) {
        self.pace.set_speed(speed);
        self.restart_measuring();
    }
}

impl OutputRecord {
    /// Makes a record that begins with the current LEDs.
    fn of(engine: &dyn Engine) -> Self {
        let ram = engine.state().ram;
        let rows = std::array::from_fn(|line| ram[usize::from(GREEN) + line]);
        let exposure = Exposure::new(engine.cycle(), rows);
        Self { exposure, output: Output::default(), sent: Vec::new() }
    }
}

impl OutputSink for OutputRecord {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.output.push(byte, || Moment { cycle, leds: self.exposure.leds() });
        self.sent.push(byte);
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.exposure.store(cycle, row, leds);
    }
}

#[cfg(test)]
mod tests;
