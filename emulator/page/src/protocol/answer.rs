//! The answers to the page, and the list of what is available.

use super::{
    Bench, Board, CallCount, Checked, Chip, FileCounts, Levels, Moment, PointStatus, Stop, Waves, Why,
};
use gray1_assembler::ShippedProgram;
use gray1_lessons::{Lesson, Student, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// The answer to a request.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The request failed.
    Error {
        /// The error and its remedy.
        text: String,
    },
    /// The programs, files and names that are available.
    Hello(Hello),
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// The report of the assembler.
    Checked(Checked),
    /// A program that was loaded.
    Loaded {
        /// The report of the assembler.
        checked: Checked,
        /// The state of the machine; nothing if the program has errors.
        moment: Option<Moment>,
        /// The breakpoints, in the order in which they were given.
        points: Vec<PointStatus>,
    },
    /// The machine was moved.
    Moved {
        /// Why it stopped.
        stop: Stop,
        /// Details, if any: which breakpoint, why the machine is stuck.
        text: String,
        /// The indices of the breakpoints that were hit.
        points: Vec<usize>,
        /// The state of the machine.
        moment: Moment,
    },
    /// The state of the machine.
    Moment(Moment),
    /// Cells were changed, and the run has begun again.
    Burned {
        /// The state of the machine: at the beginning.
        moment: Moment,
        /// The cycle that it was at before, to `seek`.
        cycle: u64,
        /// The phase that it was at before.
        phase: u8,
    },
    /// The breakpoints, in the order in which they were given.
    Points {
        /// Whether they could be set, and where.
        points: Vec<PointStatus>,
    },
    /// The inputs of the run.
    Script {
        /// An input script as `options.input` takes it; empty if nothing is pressed.
        text: String,
        /// The number of changes to registers or RAM, which no script can express.
        edits: usize,
    },
    /// RAM.
    Ram {
        /// 4,096 bytes as a program would read them, each two hexadecimal digits.
        bytes: String,
    },
    /// The output.
    Output {
        /// The number of the first of these bytes.
        from: u64,
        /// The bytes, each a character.
        text: String,
        /// The total number of bytes sent.
        sent: u64,
    },
    /// The execution counts of all lines.
    Counts {
        /// The cycle up to which they were counted.
        cycle: u64,
        /// The files, the program itself first.
        files: Vec<FileCounts>,
    },
    /// The calls of routines and macros.
    Calls {
        /// The cycle up to which they were counted.
        cycle: u64,
        /// The routines and macros that were called, by the cycles that they took without their callees, the most first.
        routines: Vec<CallCount>,
    },
    /// The number of changes of each chip.
    Changes {
        /// The number of phases.
        phases: u64,
        /// For each chip, in the order of the board file, the phases in which an output changed.
        chips: Vec<u64>,
    },
    /// A value.
    Value {
        /// As a number.
        number: i64,
        /// As the debugger prints it.
        text: String,
    },
    /// The drawing of the board.
    Board(Board),
    /// The activity of the board.
    Levels(Levels),
    /// A chip.
    Chip(Box<Chip>),
    /// Nets over time.
    Waves(Waves),
    /// Causes.
    Why(Why),
    /// A picture of the LEDs, whose pixels can be taken: red, green, blue and opacity, a byte each.
    Picture {
        /// Its width and height.
        size: usize,
        /// Whether it differs from the picture before; if not, there is nothing to take.
        changed: bool,
        /// The areas of the LEDs: column, row, width and height in pixels, row by row.
        cells: Vec<[usize; 4]>,
    },
    /// The share of the time that each LED was lit.
    Light {
        /// For each LED, row by row, the green half and the red half: 0 never, 255 always.
        leds: Vec<[u8; 2]>,
    },
    /// A file, which can be taken.
    File {
        /// A name for it.
        name: String,
        /// Its media type.
        media: String,
        /// Its bytes.
        size: usize,
    },
    /// The lessons.
    Lessons {
        /// All of them, in order.
        lessons: Vec<Lesson>,
        /// The levels of the bench, in order.
        levels: Vec<Lesson>,
        /// The errors in the user's own lessons, each with its place.
        faults: Vec<String>,
    },
    /// Answers that were handed in.
    HandedIn {
        /// Whose answers they are.
        student: Student,
        /// The answers, by the numbers of their exercises.
        answers: BTreeMap<String, String>,
    },
    /// A QR code.
    Qr {
        /// Width and height in modules, without the quiet zone around it.
        size: usize,
        /// The dark modules as the path of an SVG.
        path: String,
    },
    /// The verdict on an exercise.
    Judged(Verdict),
    /// A board without a CPU.
    Bench(Box<Bench>),
}

/// The programs, files and names that are available.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// The version of this program.
    pub version: &'static str,
    /// The programs that are shipped, in a good order for reading.
    pub programs: Vec<Shipped>,
    /// The files of the library: the name by which it is included, and its text.
    pub library: Vec<(String, &'static str)>,
    /// The instructions: mnemonic, and what it does.
    pub instructions: Vec<(&'static str, &'static str)>,
    /// The directives.
    pub directives: Vec<&'static str>,
    /// The names that are built in, with their addresses.
    pub names: Vec<(&'static str, u16)>,
    /// The keys of the machine, in the order of their bits.
    pub keys: Vec<&'static str>,
}

/// A program that is shipped.
#[derive(Clone, Debug, Serialize)]
pub struct Shipped {
    /// Its file name.
    pub name: &'static str,
    /// A description in one line.
    pub title: String,
    /// The comment at its beginning.
    pub about: String,
    /// A speed at which there is something to see.
    pub hz: u64,
}

impl From<ShippedProgram> for Shipped {
    fn from(program: ShippedProgram) -> Shipped {
        Shipped { name: program.file, title: program.title(), about: program.about(), hz: program.hz }
    }
}
