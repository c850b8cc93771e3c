//! Answers about a moment of a run, and about why the machine stopped there.

use serde::Serialize;

/// The state of the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// Where it is in the run.
    #[serde(flatten)]
    pub place: RunPlace,
    /// The instruction.
    #[serde(flatten)]
    pub step: CurrentInstruction,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: bool,
    /// The rows of the LEDs as they are: eight green, eight red, bit 0 on the left.
    pub leds: [u8; 16],
    /// The number of bytes sent so far.
    pub sent: u64,
    /// The latest bytes that were sent, at most 2,000, each a character.
    pub output: String,
    /// The pad that is held by a script or by the page.
    pub pad: Option<(u8, u8)>,
    /// The keys that are held.
    pub keys: u8,
    /// The number of presses by the page in this run, in addition to the script.
    pub pressed: usize,
    /// The number of changes by the page to registers and RAM.
    pub edited: usize,
    /// The number of hits of each breakpoint, whether they counted or not, in the order in which they were given.
    pub hits: Vec<u64>,
    /// The cycles at whose ends lines of output were complete, as far as the run is known; at most 512 of them.
    pub lines: Vec<u64>,
}

/// The position of the machine in its run.
#[derive(Clone, Debug, Serialize)]
pub struct RunPlace {
    /// The cycle.
    pub cycle: u64,
    /// The phase, 0 at the start of the cycle.
    pub phase: u8,
    /// The first cycle of the run.
    pub start: u64,
    /// The latest cycle that is known.
    pub end: u64,
    /// Whether the machine has halted, so that nothing comes after this moment.
    pub halted: bool,
    /// Why it does not go on, if its program has not halted it.
    pub stuck: Option<String>,
}

/// The instruction that is run.
#[derive(Clone, Debug, Serialize)]
pub struct CurrentInstruction {
    /// Its sequence number.
    pub running: u16,
    /// The counter at the end of the phase, as a sequence number.
    pub pc: u16,
    /// The instruction, with the names of the program.
    pub instruction: String,
    /// Its word in hexadecimal.
    pub word: String,
    /// The lines that led to it, the outermost first; the last is its own.
    pub frames: Vec<Frame>,
    /// The byte that it reads, if any: its address and its name.
    pub reads: Option<(u16, String)>,
    /// The byte that it stores to.
    pub stores: Option<(u16, String)>,
}

/// A line that led to an instruction.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// The file.
    pub file: String,
    /// Whether it is the root file.
    pub is_root: bool,
    /// The line, from 1.
    pub line: usize,
}

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// It has reached its target.
    Goal,
    /// Breakpoints were hit.
    Point,
    /// It has halted.
    Halted,
    /// The run begins here.
    Beginning,
    /// As many cycles were run as were allowed.
    Limit,
}

/// Whether a breakpoint could be set, and where.
#[derive(Clone, Debug, Serialize)]
pub struct PointStatus {
    /// Why it cannot be set; `None` if it can.
    pub error: Option<String>,
    /// The line in the root file where it stops, if it stops at one.
    pub line: Option<usize>,
}
