//! A run with its output: bytes for standard output, and light for a display. How these are shown does not affect the
//! run.

use crate::support::files::{FileError, Reader, print_until};
use crate::support::progress::RunProgress;
use crate::tell::tell;
use gray1_display::{Exposure, LINES, Light, Moment, Output, Pad, Player};
use gray1_isa::memory_map::GREEN;
use gray1_machine::{Driver, Engine, Failure, Inputs, Outside, Stop};
use gray1_text::grouped;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// While a display uses the terminal, at least this many bytes of the newest output are kept until it ends.
const MOST_HELD: usize = 16 << 20;

/// A run and its output.
pub struct Session<'a> {
    driver: Driver<'a>,
    interrupt: &'a AtomicBool,
    sent: Sent,
    /// Whether standard output still has a reader. A display continues without one.
    pub reader: Reader,
    /// Whether output is held back until [`Session::pass_on`] is called, because a display uses the terminal.
    pub holds_output: bool,
    /// The progress of the run, if there is no display to show it.
    pub progress: Option<RunProgress>,
}

/// The output of the machine.
struct Sent {
    exposure: Exposure,
    output: Output,
    /// Bytes that have not been written to standard output yet.
    waiting: Vec<u8>,
    /// Number of bytes discarded because too many were held back.
    lost: u64,
}

impl<'a> Session<'a> {
    pub fn new(driver: Driver<'a>, interrupt: &'a AtomicBool) -> Session<'a> {
        let exposure = exposure(driver.engine());
        let sent = Sent { exposure, output: Output::default(), waiting: Vec::new(), lost: 0 };
        Session { driver, interrupt, sent, reader: Reader::Listens, holds_output: false, progress: None }
    }

    /// Writes the waiting output of the program to standard output.
    pub fn pass_on(&mut self) -> Result<Reader, FileError> {
        if self.sent.lost > 0 {
            let lost = grouped(std::mem::take(&mut self.sent.lost));
            tell(format_args!(
                "gray1: {lost} earlier bytes of output were discarded: use --display none to get all of it"
            ));
        }
        let bytes = std::mem::take(&mut self.sent.waiting);
        self.progress.iter_mut().for_each(|progress| progress.give_way(&bytes));
        print_until(self.interrupt, &bytes)
    }
}

impl Player for Session<'_> {
    fn advance(&mut self, cycles: u64, time: Duration) -> Result<u64, Failure> {
        let ran = self.driver.run(cycles, time, &mut self.sent);
        if let (Some(progress), Ok(ran)) = (&mut self.progress, &ran) {
            progress.add(*ran);
        }
        // The output before a failure is written too.
        if self.holds_output {
            self.sent.limit();
        } else {
            self.reader = self.pass_on().map_err(Failure::other)?;
        }
        ran
    }

    fn stop(&self) -> Option<Stop> {
        self.driver.stop()
    }

    fn reset(&mut self) {
        self.driver.reset();
        self.sent.exposure = exposure(self.driver.engine());
        self.sent.output = Output::default();
    }

    fn press(&mut self, pad: Option<Pad>, keys: u8) {
        self.driver.held = Inputs { pad: pad.map(|pad| (pad.row, pad.column)), keys };
    }

    fn take_light(&mut self) -> Light {
        self.sent.exposure.take(self.driver.engine().cycle())
    }

    fn cycle(&self) -> u64 {
        self.driver.engine().cycle()
    }

    fn output(&self) -> &Output {
        &self.sent.output
    }
}

impl Sent {
    /// Discards the oldest of the bytes that are held back, if there are too many.
    fn limit(&mut self) {
        if self.waiting.len() > 2 * MOST_HELD {
            let oldest = self.waiting.len() - MOST_HELD;
            self.lost += oldest as u64;
            self.waiting.drain(..oldest);
        }
    }
}

impl Outside for Sent {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.output.push(byte, || Moment { cycle, leds: self.exposure.leds() });
        self.waiting.push(byte);
    }

    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        self.exposure.store(cycle, row, leds);
    }
}

/// An exposure that begins with what the display shows now.
fn exposure(engine: &dyn Engine) -> Exposure {
    let ram = engine.state().ram;
    let first = usize::from(GREEN);
    let mut lines = [0; LINES];
    lines.copy_from_slice(&ram[first..first + LINES]);
    Exposure::new(engine.cycle(), lines)
}
