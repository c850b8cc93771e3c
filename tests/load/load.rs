//! Measures a process under load: its memory over time, and how long it takes to react to Ctrl-C.

use std::env;
use std::time::{Duration, Instant};
use test_support::process::kilobytes;
use test_support::say;

/// The number of memory measurements in a test of any length.
const MEASUREMENTS: u32 = 400;
/// The memory of the last quarter may exceed that of the first half by a twentieth and this many kilobytes, because an
/// allocator returns memory at its own pace.
const SLACK: u64 = 4096;

/// The time limit for the reaction to Ctrl-C. It allows for a busy computer; on an idle one, the reaction takes 0.1 s.
const MAX_REACTION: Duration = Duration::from_secs(10);

/// The memory that a process may use, in megabytes.
#[derive(Debug)]
pub struct Memory {
    /// Growth up to this value is allowed, because the history of a debugger takes a while to fill.
    pub filled: u64,
    /// The limit at any time.
    pub most: u64,
}

impl Memory {
    /// For a process without a history.
    pub const SMALL: Memory = Memory { filled: 0, most: 64 };
    /// For a debugger, whose history takes 64 megabytes.
    pub const HISTORY: Memory = Memory { filled: 128, most: 192 };
}

/// A process whose memory is measured while a test keeps it busy.
pub struct Load {
    name: &'static str,
    process: u32,
    lasts: Duration,
    start: Instant,
    /// Resident memory in kilobytes, measured at equal intervals.
    looks: Vec<u64>,
    /// The peak of the resident memory, in kilobytes.
    peak: u64,
    /// The time of the reaction to Ctrl-C.
    heard: Duration,
}

impl Load {
    /// Starts measuring a process.
    pub fn begin(name: &'static str, process: u32) -> Load {
        let seconds =
            env::var("LOAD_SECONDS").map_or(2, |text| text.parse().expect("LOAD_SECONDS is a number"));
        let lasts = Duration::from_secs(seconds);
        let (start, heard) = (Instant::now(), Duration::ZERO);
        Load { name, process, lasts, start, looks: Vec::new(), peak: 0, heard }
    }

    /// Measures the memory if it is time to. Returns whether the test is still running.
    pub fn is_running(&mut self) -> bool {
        let passed = self.start.elapsed();
        if passed >= self.lasts / MEASUREMENTS * self.looks.len() as u32 {
            let held = kilobytes(self.process, "VmRSS:");
            self.looks.push(held.expect("a process has memory until it ends"));
        }
        passed < self.lasts
    }

    /// Measures until the end of the test, for a process that needs no input from this thread.
    pub fn run_to_end(&mut self) {
        while self.is_running() {
            std::thread::sleep((self.lasts / MEASUREMENTS).min(Duration::from_millis(100)));
        }
    }

    /// Measures how long `end` takes, which interrupts the process and waits for its reaction.
    pub fn end<T>(&mut self, end: impl FnOnce() -> T) -> T {
        let peak = kilobytes(self.process, "VmHWM:");
        self.peak = peak.expect("a process has memory until it ends");
        let asked = Instant::now();
        let result = end();
        self.heard = asked.elapsed();
        result
    }

    /// Prints a row of figures that ends with `done`, the work done. Fails if memory has grown, except up to
    /// `memory.filled`, or if the reaction to Ctrl-C took too long.
    pub fn report(self, memory: Memory, done: &str) {
        let highest = |looks: &[u64]| looks.iter().copied().max().unwrap_or(0);
        let quarters = [0, 1, 2, 3].map(|number| {
            let [from, to] = [number, number + 1].map(|number| self.looks.len() * number / 4);
            highest(&self.looks[from..to.max(from + 1)])
        });
        let figures =
            quarters.iter().chain([&self.peak]).map(|figure| format!("{:.1}", *figure as f64 / 1024.0));
        let figures = figures.collect::<Vec<_>>().join(" | ");
        let (name, seconds, heard) = (self.name, self.lasts.as_secs(), self.heard.as_millis());
        say(&format!("| {name} | {seconds} | {figures} | {heard} | {done} |"));
        let before = quarters[0].max(quarters[1]);
        let allowed = (before + before / 20 + SLACK).max(memory.filled << 10);
        assert!(quarters[3] <= allowed, "{name}: memory grows: {quarters:?} kilobytes");
        assert!(self.peak <= memory.most << 10, "{name}: {} kilobytes: {memory:?}", self.peak);
        assert!(self.heard < MAX_REACTION, "{name}: Ctrl-C was heard after {:?}", self.heard);
    }
}
