//! The requests of the page.

use super::Rework;
use gray1_lessons::{Memory, Student};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A question, or something to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Request {
    /// Lists programs, the library, instructions, chips and keys. Answer: `hello`.
    Hello,
    /// The text of a program that is shipped. Answer: `text`.
    Program {
        /// Its file name: `queens.g1`.
        name: String,
    },
    /// Explains an error or a warning. Answer: `text`.
    Explain {
        /// Its code.
        code: String,
    },
    /// Assembles a program and leaves the machine alone. Answer: `checked`.
    Check {
        /// The program.
        program: Program,
    },
    /// Assembles a program and powers up a machine with it. With errors, the machine stays as it was. Answer: `loaded`.
    Load {
        /// The program.
        program: Program,
        /// The machine.
        #[serde(default)]
        options: Options,
        /// The breakpoints.
        #[serde(default)]
        points: Vec<Point>,
        /// The text of a state file to go on from.
        state: Option<String>,
    },
    /// Lays a program out as `gray1 fmt` does. Answer: `text`.
    Format {
        /// The source.
        text: String,
    },
    /// Moves the machine, by at most this many cycles. Answer: `moved`; if it stopped because of its `limit`, ask again
    /// to go on.
    Go {
        /// Forwards or back.
        way: Way,
        /// The target.
        to: Goal,
        /// The maximum number of cycles to run (or, going back, to repeat), give or take a few thousand.
        cycles: u64,
    },
    /// Goes to a position, past all breakpoints. Answer: `moved`, as for `go`.
    Seek {
        /// The cycle.
        cycle: u64,
        /// The phase, 0 to 3.
        #[serde(default)]
        phase: u8,
        /// The maximum number of cycles to run, or to repeat.
        cycles: u64,
        /// Runs the part of the run that is not known yet on the engine `isa`, whatever the engine; the results are the
        /// same.
        #[serde(default)]
        ahead: bool,
    },
    /// The state of the machine. Answer: `moment`.
    Look,
    /// Holds this pad and these keys from now on, and releases all others. Answer: `moment`.
    Press {
        /// Row and column from the top left, 0 to 7.
        pad: Option<(u8, u8)>,
        /// A bit for each key, in the order of `hello`.
        #[serde(default)]
        keys: u8,
    },
    /// The inputs of the run, for `options.input` of another run. Answer: `script`.
    Script,
    /// Changes a register or a byte of RAM, as the debugger's `set` does: `list[2]`, `n + 1`. Answer: `moment`.
    Edit {
        /// The register or byte.
        what: String,
        /// An expression.
        value: String,
    },
    /// Burns something else into cells: `ALUL:0x2AA=0x0B`, in the syntax of `--cell`; without a change, restores the
    /// original contents. The run begins again. Answer: `burned`.
    Burn {
        /// The change.
        change: Option<String>,
    },
    /// Replaces all breakpoints. Answer: `points`.
    Points {
        /// The new ones.
        points: Vec<Point>,
    },
    /// All of RAM as a program reads it. Answer: `ram`.
    Ram,
    /// The output of the program, from this byte on. Answer: `output`.
    Output {
        /// The number of the first byte, from 0.
        #[serde(default)]
        from: u64,
    },
    /// The execution counts of all lines. Answer: `counts`; if these end before the current cycle, ask again.
    Counts {
        /// The maximum number of cycles to repeat.
        cycles: u64,
    },
    /// The calls of routines and macros up to here, in the first 2,000,000 cycles of the run. Answer: `calls`.
    Calls,
    /// The number of recent changes of each chip. Answer: `changes`.
    Changes {
        /// The number of cycles back, at most 1,000.
        cycles: u64,
    },
    /// The value of an expression over the machine, as in the debugger's `print`. Answer: `value`.
    Value {
        /// The expression.
        text: String,
    },
    /// The drawing of the board, also without a program. Answer: `board`.
    Board,
    /// The activity of the board in this phase. Answer: `levels`.
    Levels,
    /// A chip, its pins, and its table around a cell. Answer: `chip`.
    Chip {
        /// Its name.
        name: String,
        /// The cell to show; the one that it looks up now, if none is given.
        at: Option<u32>,
    },
    /// Nets and bytes of RAM over the last cycles. Answer: `waves`.
    Waves {
        /// Names of nets and buses.
        nets: Vec<String>,
        /// Bytes of RAM, as the program or the debugger names them: `n`, `list[2]`, `0x123`.
        #[serde(default)]
        bytes: Vec<String>,
        /// The number of cycles back, at most 256.
        cycles: u64,
    },
    /// The causes of some levels. Answer: `why`.
    Why {
        /// A net, a bus, a byte of RAM, or an LED: `A3`, `PC`, `n`, `red 3,5`.
        what: String,
        /// The number of steps back.
        depth: Option<usize>,
        /// Whether to follow the program word and the clock too.
        #[serde(default)]
        control: bool,
    },
    /// The picture of the LEDs; its pixels are taken. Answer: `picture`.
    Picture {
        /// Its width and height in pixels, 64 to 2048.
        size: usize,
        /// Whether LEDs show their colour by a shape too.
        #[serde(default)]
        shapes: bool,
    },
    /// The light of the LEDs since the last such request. Answer: `light`.
    Light,
    /// Makes a file, which is taken. Answer: `file`.
    Save {
        /// The kind of file.
        file: File,
    },
    /// The lessons. Answer: `lessons`.
    Lessons {
        /// The user's own lessons, in addition to the shipped ones: the name of the file, and its text.
        #[serde(default)]
        own: Vec<(String, String)>,
    },
    /// Runs an attempt at an exercise and judges it. Answer: `judged`.
    Judge {
        /// The number of the exercise.
        exercise: String,
        /// The attempt: a program, the rows of a table, cells to burn, or values, as the exercise begins with.
        attempt: String,
    },
    /// All answers as a file to hand in. Answer: `text`.
    HandIn {
        /// Whose answers they are.
        student: Student,
        /// The answers, by the numbers of their exercises.
        answers: BTreeMap<String, String>,
    },
    /// Reads a file of answers. Answer: `handed-in`.
    HandedIn {
        /// Its text.
        text: String,
    },
    /// Reads a board without a CPU, puts it into a state, and moves its switches. Answer: `bench`.
    Bench {
        /// Its text.
        board: String,
        /// The levels of its nets, in a state of rest; without any, it is switched on.
        #[serde(default)]
        levels: Vec<(String, bool)>,
        /// The moves, one after the other; each sets several switches at once.
        #[serde(default)]
        moves: Vec<Vec<(String, bool)>>,
        /// Switches that follow lamps.
        memory: Option<Memory>,
    },
    /// Changes the text of a board without a CPU. Answer: `text`.
    Rework {
        /// Its text.
        board: String,
        /// The change.
        rework: Rework,
    },
    /// A text as a QR code. Answer: `qr`.
    Qr {
        /// The text.
        text: String,
    },
}

/// A program: a source with the files it includes, or an image.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Program {
    /// Its file name, as messages show it.
    pub name: String,
    /// The source.
    #[serde(default)]
    pub text: String,
    /// Other files, by their names. The library is always there.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Constants that are defined before the program begins, as `-D` does.
    #[serde(default)]
    pub constants: BTreeMap<String, i64>,
    /// An image of `gray1 asm` in base64, in place of a source.
    pub image: Option<String>,
}

/// The configuration of the machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The engine for stretches that need not be examined in detail.
    pub engine: Engine,
    /// The contents of RAM at power-up: `random:SEED`, `zero` or `ones`; empty for `random:1`.
    pub ram: String,
    /// The text of its board file; empty for the Gray-1.
    pub board: String,
    /// Changes to cells, each in the syntax of `--cell`.
    pub cells: Vec<String>,
    /// Pads and keys pressed at given cycles: the text of a file for `--input`.
    pub input: String,
}

/// The engine that runs the machine.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Every chip is looked up, phase by phase.
    #[default]
    Chips,
    /// Long stretches are run instruction by instruction, if the board is the Gray-1; the results are the same.
    Isa,
}

/// Forwards or back.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Way {
    Forward,
    Back,
}

/// The target of a `go`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The next phase.
    Phase,
    /// The start of the next cycle.
    Instruction,
    /// The start of the next line, also within macros.
    Line,
    /// The start of the next line of the source, past macros.
    Statement,
    /// The next byte that is sent.
    Output,
    /// The next line of output that is complete: in programs that search, a solution.
    Solution,
    /// The next store that changes an LED.
    Display,
    /// A breakpoint, or the end of the run.
    Point,
}

/// A breakpoint or a watchpoint.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Point {
    /// A location: a line (`12`, `lib.g1:12`), a label (`loop+2`), `at` and a sequence number.
    pub at: Option<String>,
    /// Or what changes: a byte of RAM, a net, an LED.
    pub watch: Option<String>,
    /// It counts only if this expression is not 0.
    pub condition: Option<String>,
    /// Which of its hits count: `3` for the third and all that follow, `== 3`, `< 3`, `% 3` for each third.
    pub hits: Option<String>,
}

/// A file to make.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum File {
    /// The LEDs as an animation.
    Gif {
        /// The first cycle.
        from: u64,
        /// The number of cycles.
        cycles: u64,
        /// The number of cycles shown in a second.
        hz: u64,
    },
    /// The LEDs now, as PNG.
    Picture {
        /// Its width and height in pixels.
        size: usize,
        /// Whether LEDs show their colour by a shape too.
        #[serde(default)]
        shapes: bool,
    },
    /// The machine, as `gray1 run --state-out` saves it.
    State,
    /// The program, as `gray1 asm` makes it.
    Image,
    /// The listing of the program.
    Listing,
    /// All nets, as VCD.
    Wave {
        /// The first cycle.
        from: u64,
        /// The number of cycles.
        cycles: u64,
    },
}
