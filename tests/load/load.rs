//! A process under load: how long it lasts, how much memory it has had when, and when it has heard Ctrl-C.

use std::time::{Duration, Instant};
use std::{env, fs};
use test_support::say;

/// So many looks at the memory, however long the load lasts.
const LOOKS: u32 = 400;
/// What is held in the last quarter may exceed what was held before it by a twentieth and this many kilobytes: an
/// allocator gives back what it likes.
const SLACK: u64 = 4096;

/// Ctrl-C is heard within a tenth of a second where nothing else goes on; a computer with too much to do gets more.
const LATEST: Duration = Duration::from_secs(10);

/// What a process may have, in megabytes.
#[derive(Debug)]
pub struct Memory {
    /// Up to here it may grow: it keeps the past, up to a limit, which takes a while to reach.
    pub filled: u64,
    /// It never has more than this.
    pub most: u64,
}

impl Memory {
    /// Of who keeps nothing of the past.
    pub const SMALL: Memory = Memory { filled: 0, most: 64 };
    /// Of a debugger: its history takes 64 megabytes.
    pub const HISTORY: Memory = Memory { filled: 128, most: 192 };
}

/// A process that is watched while others keep it busy.
pub struct Load {
    name: &'static str,
    process: u32,
    lasts: Duration,
    start: Instant,
    /// Resident kilobytes, from the beginning to the end.
    looks: Vec<u64>,
    /// The most that it has ever had, in kilobytes.
    peak: u64,
    /// How long it took to hear Ctrl-C.
    heard: Duration,
}

impl Load {
    /// Begins to watch a process.
    pub fn begin(name: &'static str, process: u32) -> Load {
        let seconds =
            env::var("LOAD_SECONDS").map_or(10, |text| text.parse().expect("LOAD_SECONDS is a number"));
        let lasts = Duration::from_secs(seconds);
        let (start, heard) = (Instant::now(), Duration::ZERO);
        Load { name, process, lasts, start, looks: Vec::new(), peak: 0, heard }
    }

    /// Looks at the memory if it is time to; returns whether the load goes on.
    pub fn goes_on(&mut self) -> bool {
        let passed = self.start.elapsed();
        if passed >= self.lasts / LOOKS * self.looks.len() as u32 {
            self.looks.push(kilobytes(self.process, "VmRSS:"));
        }
        passed < self.lasts
    }

    /// Keeps watching while somebody else is at work.
    pub fn last(&mut self) {
        while self.goes_on() {
            std::thread::sleep((self.lasts / LOOKS).min(Duration::from_millis(100)));
        }
    }

    /// Interrupts the process: `end` does so, and waits until that has been heard.
    pub fn end<T>(&mut self, end: impl FnOnce() -> T) -> T {
        self.peak = kilobytes(self.process, "VmHWM:");
        let asked = Instant::now();
        let result = end();
        self.heard = asked.elapsed();
        result
    }

    /// Prints what was seen, and `done`, which was counted meanwhile. Memory must have been flat, except while what is kept
    /// of the past was filled.
    pub fn tell(self, memory: Memory, done: &str) {
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
        assert!(self.heard < LATEST, "{name}: Ctrl-C was heard after {:?}", self.heard);
    }
}

/// A line of the status of a process.
fn kilobytes(process: u32, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process is still there");
    let text =
        status.lines().find_map(|text| text.strip_prefix(line)).expect("a process has memory until it ends");
    text.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes")
}
