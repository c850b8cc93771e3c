//! What the page is told.

use serde::Serialize;

/// The answer to a request.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// It could not be done. The machine is where it was.
    Error {
        /// What is wrong, and what would be right.
        text: String,
    },
    /// What there is.
    Hello(Hello),
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// What the assembler has to say.
    Checked(Checked),
    /// A program that was loaded.
    Loaded {
        /// What the assembler has to say.
        checked: Checked,
        /// Where the machine is; nothing if the program has errors.
        moment: Option<Moment>,
        /// The breakpoints, in the order in which they were given.
        points: Vec<PointTold>,
    },
    /// The machine was moved.
    Moved {
        /// Why it stopped.
        stop: Stop,
        /// In words, if there is more to say: which breakpoint, why it is stuck.
        text: String,
        /// The indices of the breakpoints that were hit.
        points: Vec<usize>,
        /// Where it is.
        moment: Moment,
    },
    /// Where the machine is.
    Moment(Moment),
    /// Other cells were burned, and the run has begun anew.
    Burned {
        /// Where the machine is: at the beginning.
        moment: Moment,
        /// The cycle that it was at before, to `seek`.
        cycle: u64,
        /// The phase that it was at before.
        phase: u8,
    },
    /// The breakpoints, in the order in which they were given.
    Points {
        /// What became of them.
        points: Vec<PointTold>,
    },
    /// What is pressed in the run.
    Script {
        /// As `options.input` takes it; empty if nothing is.
        text: String,
        /// How often registers or RAM were changed, which no script can do.
        edits: usize,
    },
    /// RAM.
    Ram {
        /// 4,096 bytes as a program would read them, each two hexadecimal digits.
        bytes: String,
    },
    /// What was sent.
    Output {
        /// The number of the first of these bytes.
        from: u64,
        /// The bytes, each a character.
        text: String,
        /// How many were sent in all.
        sent: u64,
    },
    /// How often each instruction has been run up to now.
    Counts {
        /// The lines of the program that were run, with the sum of their instructions.
        lines: Vec<LineCount>,
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
    /// What moves.
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
        /// Where the LEDs are: column, row, width and height in pixels, row by row.
        cells: Vec<[usize; 4]>,
    },
    /// How long each LED was lit.
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
    },
    /// What came of an exercise.
    Judged {
        /// Whether it is solved.
        passed: bool,
        /// What was found.
        text: String,
    },
}

/// What there is.
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
    /// What it does, in a line.
    pub title: String,
    /// What it says about itself: the comment that it begins with.
    pub about: String,
    /// A speed at which there is something to see.
    pub hz: u64,
}

/// What the assembler has to say about a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
    /// All of them, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The same as text, as the command line shows it.
    pub text: String,
    /// How many words the program has.
    pub words: usize,
    /// How many bytes of RAM it names.
    pub ram_bytes: u64,
    /// What the lines of the root file cost, in order. Lines without code are left out.
    pub costs: Vec<LineCost>,
    /// The names of the program.
    pub symbols: Vec<Symbol>,
    /// Constants that may be defined before the program begins.
    pub defaults: Vec<String>,
}

/// An error or a warning.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic {
    /// Whether it is an error.
    pub is_error: bool,
    /// Its code, which `gray1 explain` knows.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What stands under the underlined source.
    pub label: String,
    /// Advice.
    pub help: Vec<String>,
    /// Where: in the root file, or at the line there that led to it.
    pub place: Option<Place>,
    /// Other places that matter, and what they are.
    pub related: Vec<(String, Place)>,
    /// The same as text, as the command line shows it.
    pub text: String,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// Whether it is the root file, the one in the editor.
    pub is_root: bool,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The first UTF-16 unit of the file that is in it, from 0.
    pub from: usize,
    /// Behind the last.
    pub to: usize,
}

/// What a line costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineCost {
    /// The line, from 1.
    pub line: usize,
    /// How many words it makes, in all its expansions.
    pub words: usize,
    /// From its first word until they are left: `7`, `7..12`, `7..`, `endless`; nothing where it is in several pieces.
    pub cycles: String,
    /// The sequence number of its first word.
    pub first: u16,
}

/// A name.
#[derive(Clone, Debug, Serialize)]
pub struct Symbol {
    /// Its spelling.
    pub name: String,
    /// `label`, `constant`, `ram`, `macro`.
    pub kind: &'static str,
    /// Its value.
    pub value: i64,
    /// Bytes of RAM.
    pub size: u16,
    /// Its line, if it is defined in the root file.
    pub line: Option<usize>,
}

/// Where the machine is.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// The cycle.
    pub cycle: u64,
    /// The phase, 0 at the start of the cycle.
    pub phase: u8,
    /// The first cycle of the run.
    pub start: u64,
    /// The latest cycle that is known.
    pub end: u64,
    /// Whether the machine has halted, and it is not known what would come next.
    pub halted: bool,
    /// Why it stands still, if its program does not ask for that.
    pub stuck: Option<String>,
    /// The sequence number of the instruction that is run.
    pub running: u16,
    /// What the counter holds at the end of the phase, as a sequence number.
    pub pc: u16,
    /// The instruction, with the names of the program.
    pub instruction: String,
    /// Its word in hexadecimal.
    pub word: String,
    /// The lines that led to it, the outermost first; the last is its own.
    pub frames: Vec<Frame>,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: bool,
    /// The bytes that the instruction reads and stores, if it does: the address and its name.
    pub reads: Option<(u16, String)>,
    /// The byte that it stores to.
    pub stores: Option<(u16, String)>,
    /// The rows of the LEDs as they are: eight green, eight red, bit 0 on the left.
    pub leds: [u8; 16],
    /// How many bytes were sent up to now.
    pub sent: u64,
    /// The latest bytes that were sent, at most 2,000, each a character.
    pub output: String,
    /// The pad that is held by a script or by the page.
    pub pad: Option<(u8, u8)>,
    /// The keys that are held.
    pub keys: u8,
    /// The cycles at whose ends lines of output were complete, as far as the run is known; at most 512 of them.
    pub lines: Vec<u64>,
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
    /// What the following lines are in: `in this call of ...`. Nothing for the line of the instruction itself.
    pub expansion: Option<String>,
}

/// Why the machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// It is where it was to go.
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

/// What became of a breakpoint.
#[derive(Clone, Debug, Serialize)]
pub struct PointTold {
    /// Why it cannot be; nothing if it can.
    pub error: Option<String>,
    /// The line in the root file where it stops, if it stops at one.
    pub line: Option<usize>,
}

/// A line and how often it was run.
#[derive(Clone, Debug, Serialize)]
pub struct LineCount {
    /// The line of the root file, from 1.
    pub line: usize,
    /// The cycles spent there, with everything that it leads to.
    pub cycles: u64,
}

/// The drawing of the board. The blocks stand on a diagonal; a cable leaves its block to the side and goes up or down to the
/// one that reads it.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// What the board calls itself.
    pub name: String,
    /// The blocks, in the order in which they stand.
    pub blocks: Vec<Block>,
    /// The cables, by the block that drives them.
    pub cables: Vec<Cable>,
    /// The chips, in the order of the board file.
    pub chips: Vec<ChipName>,
    /// All nets, in the order of the digits of `levels`.
    pub nets: Vec<String>,
    /// All buses.
    pub buses: Vec<String>,
}

/// What is drawn as one box.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    /// The name of the chip; the first and the last of several; the nets of an input.
    pub name: String,
    /// Its chips; none if it stands for the world outside.
    pub chips: Vec<String>,
    /// What is in it, in a line.
    pub about: String,
    /// The nets that it drives, in few words.
    pub gives: String,
    /// Whether it reads some of them itself.
    pub holds_itself: bool,
}

/// All nets that lead from one block to another.
#[derive(Clone, Debug, Serialize)]
pub struct Cable {
    /// The block that drives them.
    pub from: usize,
    /// The block that reads them.
    pub to: usize,
    /// The numbers of the nets.
    pub nets: Vec<usize>,
    /// Their names, in few words.
    pub name: String,
}

/// A chip of the board.
#[derive(Clone, Debug, Serialize)]
pub struct ChipName {
    /// Its name.
    pub name: String,
    /// Its part.
    pub part: String,
    /// What is burned into it.
    pub burned: String,
}

/// What moves on the board, and what matters.
#[derive(Clone, Debug, Serialize)]
pub struct Levels {
    /// For each block, what it does.
    pub blocks: Vec<BlockNow>,
    /// For each cable.
    pub cables: Vec<Activity>,
    /// For each chip.
    pub chips: Vec<ChipNow>,
    /// The level of each net, a digit each.
    pub nets: String,
    /// A phase ago.
    pub before: String,
}

/// A block at a moment.
#[derive(Clone, Debug, Serialize)]
pub struct BlockNow {
    /// What it gives, a hexadecimal number for each chip.
    pub value: String,
    /// Whether that has changed in this phase, or matters.
    pub activity: Activity,
}

/// What something does in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    /// It does not matter now.
    Idle,
    /// It is needed.
    Steady,
    /// It has changed in this phase.
    Moved,
}

/// A chip at a moment.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChipNow {
    /// The address that it sees.
    pub address: u32,
    /// What it gives.
    pub data: u16,
    /// Whether one of them has changed in this phase.
    pub moved: bool,
}

/// A chip in full.
#[derive(Clone, Debug, Serialize)]
pub struct Chip {
    /// Its name.
    pub name: String,
    /// Its part.
    pub part: String,
    /// What kind of part that is.
    pub part_about: String,
    /// What is burned into it: the name of a function, `RAM`, or that its cells are its own.
    pub burned: String,
    /// What that is for, and how the table does it.
    pub about: String,
    /// Whether its cells can be changed.
    pub can_burn: bool,
    /// The lines it reads, lowest first.
    pub reads: Vec<Pin>,
    /// The lines it drives, lowest first.
    pub gives: Vec<Pin>,
    /// The address that is shown, and whether it is the one looked up now.
    pub at: u32,
    /// The address that it looks up now.
    pub now: u32,
    /// The address a phase ago.
    pub before: u32,
    /// The highest address.
    pub last: u32,
    /// The fields of the address shown, lowest first; none if no function tells them.
    pub address_fields: Vec<Field>,
    /// The fields of its cell.
    pub data_fields: Vec<Field>,
    /// The cells around the one shown, in the order of their addresses.
    pub table: Vec<Cell>,
    /// The cells that differ from the one shown in one address line.
    pub neighbours: Vec<Neighbour>,
}

/// A pin of a chip.
#[derive(Clone, Debug, Serialize)]
pub struct Pin {
    /// Its name: A0, I3, WE, D7.
    pub pin: String,
    /// The net.
    pub net: String,
    /// The chip that drives it, or those that read it.
    pub others: Vec<String>,
    /// Its level.
    pub level: bool,
    /// Its level a phase ago.
    pub before: bool,
    /// Whether the chip would give something else if this line alone were otherwise.
    pub matters: bool,
}

/// A field of an address or of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// How many lines it has.
    pub width: u32,
    /// Its value.
    pub value: u32,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cell {
    /// Its address.
    pub address: u32,
    /// What it holds.
    pub data: u8,
}

/// A cell that differs in one address line.
#[derive(Clone, Debug, Serialize)]
pub struct Neighbour {
    /// The net on that line.
    pub net: String,
    /// Its address.
    pub address: u32,
    /// What it holds.
    pub data: u8,
}

/// Nets over time.
#[derive(Clone, Debug, Serialize)]
pub struct Waves {
    /// The first phase, counted since reset; cycle times four.
    pub first: u64,
    /// How many phases.
    pub phases: usize,
    /// The cycles, each with its instruction.
    pub instructions: Vec<(u64, String)>,
    /// The nets.
    pub nets: Vec<Wave>,
}

/// A net or a bus over time.
#[derive(Clone, Debug, Serialize)]
pub struct Wave {
    /// Its name.
    pub name: String,
    /// How many lines it has.
    pub width: usize,
    /// The number of a phase, counted from `first`, and the value from there on.
    pub changes: Vec<(usize, u16)>,
}

/// Why something is as it is.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// What was asked for, and what it is: `red 3,5 is lit at cycle 5700`.
    pub headline: String,
    /// All of it, as `gray1 why` tells it.
    pub text: String,
    /// What was looked up, from effect to cause.
    pub lookups: Vec<Lookup>,
    /// How many causes lie further back.
    pub further: usize,
}

/// A lookup in a chain of causes.
#[derive(Clone, Debug, Serialize)]
pub struct Lookup {
    /// The cycle.
    pub cycle: u64,
    /// The phase.
    pub phase: u8,
    /// The instruction and its line.
    pub instruction: String,
    /// The line of the root file.
    pub line: Option<usize>,
    /// The chip; nothing if it comes from outside.
    pub chip: Option<String>,
    /// The address of the cell.
    pub address: Option<u32>,
    /// What got its level, and which: `A0-7=$24`.
    pub levels: String,
    /// What was looked up, and because of which lines.
    pub text: Vec<String>,
    /// How many steps it is away from what was asked for.
    pub depth: usize,
    /// The indices of the lookups that are its causes.
    pub causes: Vec<usize>,
}

/// A lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// Its place, from 1; also its name in links.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// What it consists of, one below the other.
    pub parts: Vec<LessonPart>,
}

/// A part of a lesson.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum LessonPart {
    /// A text, as HTML: headings, paragraphs, lists, tables, code. No scripts, links or pictures.
    Text {
        /// The text.
        html: String,
    },
    /// A program to be tried.
    Program {
        /// A file name for it.
        name: String,
        /// Its source.
        source: String,
    },
    /// Something to be done.
    Exercise(Exercise),
    /// A mistake of the author of the lesson: what, and in which line.
    Fault {
        /// The mistake.
        text: String,
    },
}

/// An exercise of a lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Exercise {
    /// Its number, for `judge`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What kind of text an attempt is: `program`, `table`, `cells` or `timing`.
    pub kind: &'static str,
    /// What is asked, in lines of plain text; pictures in it want a font whose letters are equally wide.
    pub statement: String,
    /// The program that goes with it, if there is one.
    pub given: Option<String>,
    /// What is wrong with the board on which it runs: changes to cells, each as `--cell` has it.
    pub broken: Vec<String>,
    /// What an attempt begins with.
    pub start: String,
    /// The names of the address lines and of the data lines, if it is a table.
    pub columns: Option<(Vec<String>, Vec<String>)>,
}
