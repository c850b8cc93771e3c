// The requests of the page and the answers of the machine, one JSON object each: the types of src/protocol, from which
// `UPDATE=1 cargo test -p gray1-page --test page` makes this file.

/** A question, or something to do. */
export type Request =
  /** Lists programs, the library, instructions, chips and keys. Answer: `hello`. */
  | { ask: "hello" }
  /** The text of a program that is shipped. Answer: `text`. */
  | { ask: "program"; name: string }
  /** Explains an error or a warning. Answer: `text`. */
  | { ask: "explain"; code: string }
  /** Assembles a program and leaves the machine alone. Answer: `checked`. */
  | { ask: "check"; program: Program }
  /** Assembles a program and powers up a machine with it. With errors, the machine stays as it was. Answer: `loaded`. */
  | { ask: "load"; program: Program; options?: Options; points?: Point[]; state?: string | null }
  /** Lays a program out as `gray1 fmt` does. Answer: `text`. */
  | { ask: "format"; text: string }
  /**
   * Moves the machine, by at most this many cycles. Answer: `moved`; if it stopped because of its `limit`, ask again
   * to go on.
   */
  | { ask: "go"; way: Way; to: Goal; cycles: number }
  /** Goes to a position, past all breakpoints. Answer: `moved`, as for `go`. */
  | { ask: "seek"; cycle: number; phase?: number; cycles: number; ahead?: boolean }
  /** The state of the machine. Answer: `moment`. */
  | { ask: "look" }
  /** Holds this pad and these keys from now on, and releases all others. Answer: `moment`. */
  | { ask: "press"; pad?: [number, number] | null; keys?: number }
  /** The inputs of the run, for `options.input` of another run. Answer: `script`. */
  | { ask: "script" }
  /** Changes a register or a byte of RAM, as the debugger's `set` does: `list[2]`, `n + 1`. Answer: `moment`. */
  | { ask: "edit"; what: string; value: string }
  /**
   * Burns something else into cells: `ALUL:0x2AA=0x0B`, in the syntax of `--cell`; without a change, restores the
   * original contents. The run begins again. Answer: `burned`.
   */
  | { ask: "burn"; change?: string | null }
  /** Replaces all breakpoints. Answer: `points`. */
  | { ask: "points"; points: Point[] }
  /** All of RAM as a program reads it. Answer: `ram`. */
  | { ask: "ram" }
  /** The output of the program, from this byte on. Answer: `output`. */
  | { ask: "output"; from?: number }
  /** The execution counts of all lines. Answer: `counts`; if these end before the current cycle, ask again. */
  | { ask: "counts"; cycles: number }
  /** The calls of routines and macros up to here, in the first 2,000,000 cycles of the run. Answer: `calls`. */
  | { ask: "calls" }
  /** The number of recent changes of each chip. Answer: `changes`. */
  | { ask: "changes"; cycles: number }
  /** The value of an expression over the machine, as in the debugger's `print`. Answer: `value`. */
  | { ask: "value"; text: string }
  /** The drawing of the board, also without a program. Answer: `board`. */
  | { ask: "board" }
  /** The activity of the board in this phase. Answer: `levels`. */
  | { ask: "levels" }
  /** A chip, its pins, and its table around a cell. Answer: `chip`. */
  | { ask: "chip"; name: string; at?: number | null }
  /** Nets and bytes of RAM over the last cycles. Answer: `waves`. */
  | { ask: "waves"; nets: string[]; bytes?: string[]; cycles: number }
  /** The causes of some levels. Answer: `why`. */
  | { ask: "why"; what: string; depth?: number | null; control?: boolean }
  /** The picture of the LEDs; its pixels are taken. Answer: `picture`. */
  | { ask: "picture"; size: number; shapes?: boolean }
  /** The light of the LEDs since the last such request. Answer: `light`. */
  | { ask: "light" }
  /** Makes a file, which is taken. Answer: `file`. */
  | { ask: "save"; file: File }
  /** The lessons. Answer: `lessons`. */
  | { ask: "lessons"; own?: [string, string][] }
  /** Runs an attempt at an exercise and judges it. Answer: `judged`. */
  | { ask: "judge"; exercise: string; attempt: string }
  /** All answers as a file to hand in. Answer: `text`. */
  | { ask: "hand-in"; student: Student; answers: Record<string, string> }
  /** Reads a file of answers. Answer: `handed-in`. */
  | { ask: "handed-in"; text: string }
  /** Reads a board without a CPU, puts it into a state, and moves its switches. Answer: `bench`. */
  | { ask: "bench"; board: string; levels?: [string, boolean][]; moves?: [string, boolean][][]; memory?: Memory | null }
  /** Changes the text of a board without a CPU. Answer: `text`. */
  | { ask: "rework"; board: string; rework: Rework }
  /** A text as a QR code. Answer: `qr`. */
  | { ask: "qr"; text: string };

/** A program: a source with the files it includes, or an image. */
export interface Program {
  /** Its file name, as messages show it. */
  name: string;
  /** The source. */
  text?: string;
  /** Other files, by their names. The library is always there. */
  files?: Record<string, string>;
  /** Constants that are defined before the program begins, as `-D` does. */
  constants?: Record<string, number>;
  /** An image of `gray1 asm` in base64, in place of a source. */
  image?: string | null;
}

/** The configuration of the machine. */
export interface Options {
  /** The engine for stretches that need not be examined in detail. */
  engine?: Engine;
  /** The contents of RAM at power-up: `random:SEED`, `zero` or `ones`; empty for `random:1`. */
  ram?: string;
  /** The text of its board file; empty for the Gray-1. */
  board?: string;
  /** Changes to cells, each in the syntax of `--cell`. */
  cells?: string[];
  /** Pads and keys pressed at given cycles: the text of a file for `--input`. */
  input?: string;
}

/** The engine that runs the machine. */
export type Engine =
  /** Every chip is looked up, phase by phase. */
  | "chips"
  /** Long stretches are run instruction by instruction, if the board is the Gray-1; the results are the same. */
  | "isa";

/** Forwards or back. */
export type Way =
  | "forward"
  | "back";

/** The target of a `go`. */
export type Goal =
  /** The next phase. */
  | "phase"
  /** The start of the next cycle. */
  | "instruction"
  /** The start of the next line, also within macros. */
  | "line"
  /** The start of the next line of the source, past macros. */
  | "statement"
  /** The next byte that is sent. */
  | "output"
  /** The next line of output that is complete: in programs that search, a solution. */
  | "solution"
  /** The next store that changes an LED. */
  | "display"
  /** A breakpoint, or the end of the run. */
  | "point";

/** A breakpoint or a watchpoint. */
export interface Point {
  /** A location: a line (`12`, `lib.g1:12`), a label (`loop+2`), `at` and a sequence number. */
  at?: string | null;
  /** Or what changes: a byte of RAM, a net, an LED. */
  watch?: string | null;
  /** It counts only if this expression is not 0. */
  condition?: string | null;
  /** Which of its hits count: `3` for the third and all that follow, `== 3`, `< 3`, `% 3` for each third. */
  hits?: string | null;
}

/** A file to make. */
export type File =
  /** The LEDs as an animation. */
  | { kind: "gif"; from: number; cycles: number; hz: number }
  /** The LEDs now, as PNG. */
  | { kind: "picture"; size: number; shapes?: boolean }
  /** The machine, as `gray1 run --state-out` saves it. */
  | { kind: "state" }
  /** The program, as `gray1 asm` makes it. */
  | { kind: "image" }
  /** The listing of the program. */
  | { kind: "listing" }
  /** All nets, as VCD. */
  | { kind: "wave"; from: number; cycles: number };

/** The answer to a request. */
export type Answer =
  /** The request failed. */
  | { answer: "error"; text: string }
  /** The programs, files and names that are available. */
  | ({ answer: "hello" } & Hello)
  /** A text. */
  | { answer: "text"; text: string }
  /** The report of the assembler. */
  | ({ answer: "checked" } & Checked)
  /** A program that was loaded. */
  | { answer: "loaded"; checked: Checked; moment: Moment | null; points: PointStatus[] }
  /** The machine was moved. */
  | { answer: "moved"; stop: Stop; text: string; points: number[]; moment: Moment }
  /** The state of the machine. */
  | ({ answer: "moment" } & Moment)
  /** Cells were changed, and the run has begun again. */
  | { answer: "burned"; moment: Moment; cycle: number; phase: number }
  /** The breakpoints, in the order in which they were given. */
  | { answer: "points"; points: PointStatus[] }
  /** The inputs of the run. */
  | { answer: "script"; text: string; edits: number }
  /** RAM. */
  | { answer: "ram"; bytes: string }
  /** The output. */
  | { answer: "output"; from: number; text: string; sent: number }
  /** The execution counts of all lines. */
  | { answer: "counts"; cycle: number; files: FileCounts[] }
  /** The calls of routines and macros. */
  | { answer: "calls"; cycle: number; routines: CallCount[] }
  /** The number of changes of each chip. */
  | { answer: "changes"; phases: number; chips: number[] }
  /** A value. */
  | { answer: "value"; number: number; text: string }
  /** The drawing of the board. */
  | ({ answer: "board" } & Board)
  /** The activity of the board. */
  | ({ answer: "levels" } & Levels)
  /** A chip. */
  | ({ answer: "chip" } & Chip)
  /** Nets over time. */
  | ({ answer: "waves" } & Waves)
  /** Causes. */
  | ({ answer: "why" } & Why)
  /** A picture of the LEDs, whose pixels can be taken: red, green, blue and opacity, a byte each. */
  | { answer: "picture"; size: number; changed: boolean; cells: [number, number, number, number][] }
  /** The share of the time that each LED was lit. */
  | { answer: "light"; leds: [number, number][] }
  /** A file, which can be taken. */
  | { answer: "file"; name: string; media: string; size: number }
  /** The lessons. */
  | { answer: "lessons"; lessons: Lesson[]; levels: Lesson[]; faults: string[] }
  /** Answers that were handed in. */
  | { answer: "handed-in"; student: Student; answers: Record<string, string> }
  /** A QR code. */
  | { answer: "qr"; size: number; path: string }
  /** The verdict on an exercise. */
  | ({ answer: "judged" } & Verdict)
  /** A board without a CPU. */
  | ({ answer: "bench" } & Bench);

/** The programs, files and names that are available. */
export interface Hello {
  /** The version of this program. */
  version: string;
  /** The programs that are shipped, in a good order for reading. */
  programs: Shipped[];
  /** The files of the library: the name by which it is included, and its text. */
  library: [string, string][];
  /** The instructions: mnemonic, and what it does. */
  instructions: [string, string][];
  /** The directives. */
  directives: string[];
  /** The names that are built in, with their addresses. */
  names: [string, number][];
  /** The keys of the machine, in the order of their bits. */
  keys: string[];
}

/** A program that is shipped. */
export interface Shipped {
  /** Its file name. */
  name: string;
  /** A description in one line. */
  title: string;
  /** The comment at its beginning. */
  about: string;
  /** A speed at which there is something to see. */
  hz: number;
}

/** The report of the assembler on a program. */
export interface Checked {
  /** The number of errors. */
  errors: number;
  /** The number of warnings. */
  warnings: number;
  /** All of them, in source order. */
  diagnostics: Diagnostic[];
  /** The same as text, as the command line shows it. */
  text: string;
  /** The number of words of the program. */
  words: number;
  /** The number of bytes of RAM that it names. */
  ram_bytes: number;
  /** The costs of the lines of the root file, in order. Lines without code are left out. */
  costs: LineCost[];
  /** The verdicts on the contracts of the program. */
  contracts: Proved[];
  /** The names of the program. */
  symbols: Symbol[];
  /** Constants that may be defined before the program begins. */
  defaults: string[];
}

/** An error or a warning. */
export interface Diagnostic {
  /** Whether it is an error. */
  is_error: boolean;
  /** Its code, which `gray1 explain` knows. */
  code: string;
  /** The message. */
  message: string;
  /** The text under the underlined source. */
  label: string;
  /** Advice. */
  help: string[];
  /** Where: in the root file, or at the line there that led to it. */
  place: Place | null;
  /** The same as text, as the command line shows it. */
  text: string;
}

/** A stretch of a file. */
export interface Place {
  /** The file. */
  file: string;
  /** Whether it is the root file, the one in the editor. */
  is_root: boolean;
  /** The line, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
  /** The first UTF-16 unit of the file that is in it, from 0. */
  from: number;
  /** The offset after the last one. */
  to: number;
}

/** The cost of a line. */
export interface LineCost {
  /** The line, from 1. */
  line: number;
  /** The number of words that it generates, in all its expansions. */
  words: number;
  /** From its first word until they are left: `7`, `7..12`, `7..`, `endless`; `None` if it is in several pieces. */
  cycles: string;
  /** The sequence number of its first word. */
  first: number;
}

/** The verdict on a contract. */
export interface Proved {
  /** Its first line, from 1. */
  line: number;
  /** In words: `proved, 12 to 97 cycles`. */
  text: string;
}

/** A name. */
export interface Symbol {
  /** Its spelling. */
  name: string;
  /** `label`, `constant`, `ram`, `macro`. */
  kind: string;
  /** Its value. */
  value: number;
  /** Bytes of RAM. */
  size: number;
  /** Its line, if it is defined in the root file. */
  line: number | null;
}

/** The execution counts of the lines of a file. A word counts for each line that led to it. */
export interface FileCounts {
  /** Its path. */
  file: string;
  /** Its lines that make words, run or not. */
  lines: LineCount[];
}

/** A line, and how often it was run. */
export interface LineCount {
  /** Its number, from 1. */
  line: number;
  /** The number of times it was begun: the first instruction of one of its expansions was run. */
  times: number;
  /** The cycles spent there, with everything that it leads to. */
  cycles: number;
  /** The cycle in which it was run first. */
  first: number | null;
}

/** A routine or a macro, and how long its calls took, with what they call. */
export interface CallCount {
  /** Its name. */
  name: string;
  /** The line of its definition, from 1, if that is in the root file. */
  line: number | null;
  /** The number of calls. */
  calls: number;
  /** The cycles of the shortest call. */
  least: number;
  /** The mean. */
  mean: number;
  /** The cycles of the longest call. */
  most: number;
  /** The cycle in which the first call began. */
  first: number | null;
  /** The cycle in which the longest call began. */
  longest: number | null;
}

/** The state of the machine. */
export interface Moment extends RunPlace, CurrentInstruction {
  /** The accumulator. */
  a: number;
  /** The carry. */
  c: boolean;
  /** The rows of the LEDs as they are: eight green, eight red, bit 0 on the left. */
  leds: number[];
  /** The number of bytes sent so far. */
  sent: number;
  /** The latest bytes that were sent, at most 2,000, each a character. */
  output: string;
  /** The pad that is held by a script or by the page. */
  pad: [number, number] | null;
  /** The keys that are held. */
  keys: number;
  /** The number of presses by the page in this run, in addition to the script. */
  pressed: number;
  /** The number of changes by the page to registers and RAM. */
  edited: number;
  /** The number of hits of each breakpoint, whether they counted or not, in the order in which they were given. */
  hits: number[];
  /** The cycles at whose ends lines of output were complete, as far as the run is known; at most 512 of them. */
  lines: number[];
}

/** The position of the machine in its run. */
export interface RunPlace {
  /** The cycle. */
  cycle: number;
  /** The phase, 0 at the start of the cycle. */
  phase: number;
  /** The first cycle of the run. */
  start: number;
  /** The latest cycle that is known. */
  end: number;
  /** Whether the machine has halted, so that nothing comes after this moment. */
  halted: boolean;
  /** Why it does not go on, if its program has not halted it. */
  stuck: string | null;
}

/** The instruction that is run. */
export interface CurrentInstruction {
  /** Its sequence number. */
  running: number;
  /** The counter at the end of the phase, as a sequence number. */
  pc: number;
  /** The instruction, with the names of the program. */
  instruction: string;
  /** Its word in hexadecimal. */
  word: string;
  /** The lines that led to it, the outermost first; the last is its own. */
  frames: Frame[];
  /** The byte that it reads, if any: its address and its name. */
  reads: [number, string] | null;
  /** The byte that it stores to. */
  stores: [number, string] | null;
}

/** A line that led to an instruction. */
export interface Frame {
  /** The file. */
  file: string;
  /** Whether it is the root file. */
  is_root: boolean;
  /** The line, from 1. */
  line: number;
}

/** Why the machine stopped. */
export type Stop =
  /** It has reached its target. */
  | "goal"
  /** Breakpoints were hit. */
  | "point"
  /** It has halted. */
  | "halted"
  /** The run begins here. */
  | "beginning"
  /** As many cycles were run as were allowed. */
  | "limit";

/** Whether a breakpoint could be set, and where. */
export interface PointStatus {
  /** Why it cannot be set; `None` if it can. */
  error: string | null;
  /** The line in the root file where it stops, if it stops at one. */
  line: number | null;
}

/**
 * The drawing of the board. The blocks stand on a diagonal; a cable leaves its block to the side and goes up or down
 * to the one that reads it.
 */
export interface Board {
  /** The name of the board. */
  name: string;
  /** The blocks, in the order of the diagonal. */
  blocks: Block[];
  /** The cables, by the block that drives them. */
  cables: Cable[];
  /** The chips, in the order of the board file. */
  chips: ChipName[];
  /** All nets, in the order of the digits of `levels`. */
  nets: string[];
  /** All buses, in the order of `levels.buses`. */
  buses: string[];
}

/** A box of the drawing. */
export interface Block {
  /** The name of the chip, of the first and the last of several, or of the nets of an input. */
  name: string;
  /** Its chips; none if it represents inputs from outside of the board. */
  chips: string[];
  /** Its description, in a line. */
  about: string;
  /** The nets that it drives, in few words. */
  gives: string;
}

/** All nets that lead from one block to another. */
export interface Cable {
  /** The block that drives them. */
  from: number;
  /** The block that reads them. */
  to: number;
  /** The numbers of the nets. */
  nets: number[];
  /** Their names, in few words. */
  name: string;
}

/** A chip of the board. */
export interface ChipName {
  /** Its name. */
  name: string;
  /** Its part. */
  part: string;
  /** Its contents. */
  burned: string;
}

/** The activity of the board in a phase. */
export interface Levels {
  /** For each block, its outputs. */
  blocks: Now[];
  /** For each cable, its levels. */
  cables: Now[];
  /** For each bus, its levels. */
  buses: Now[];
  /** For each chip. */
  chips: ChipNow[];
  /** The level of each net, a digit each. */
  nets: string;
  /** The same a phase ago. */
  before: string;
}

/** A block, a cable or a bus in a phase. */
export interface Now {
  /** A hexadecimal number for each of its chips, or for each range of nets in the name of a cable. */
  value: string;
  /** Whether that has changed in this phase, or matters. */
  activity: Activity;
}

/** The activity of something in a phase. */
export type Activity =
  /** It makes no difference at the moment. */
  | "idle"
  /** A chip needs it. */
  | "steady"
  /** It has changed in this phase. */
  | "moved";

/** A chip in a phase. */
export interface ChipNow {
  /** The address that it sees. */
  address: number;
  /** Its data. */
  data: number;
  /** Whether one of them has changed in this phase. */
  moved: boolean;
}

/** A chip in full. */
export interface Chip extends ChipCells {
  /** Its name. */
  name: string;
  /** Its part. */
  part: string;
  /** The kind of part. */
  part_about: string;
  /** Its contents: the name of a function, `RAM`, or that its cells are its own. */
  burned: string;
  /** The purpose of the contents, and how the table achieves it. */
  about: string;
  /** Whether its cells can be changed. */
  can_burn: boolean;
  /** The lines it reads, lowest first. */
  reads: Pin[];
  /** The lines it drives, lowest first. */
  gives: Pin[];
}

/** The table of a chip, around the cell that is shown. */
export interface ChipCells {
  /** The address that is shown. */
  at: number;
  /** The address that it looks up now. */
  now: number;
  /** The address a phase ago. */
  before: number;
  /** The highest address. */
  last: number;
  /** The fields of the address shown, lowest first; none if no function defines them. */
  address_fields: Field[];
  /** The fields of its cell. */
  data_fields: Field[];
  /** The cells around the one shown, in the order of their addresses. */
  table: Cell[];
  /** The cells that differ from the one shown in one address line. */
  neighbours: Neighbour[];
}

/** A pin of a chip. */
export interface Pin {
  /** Its name: A0, I3, WE, D7. */
  pin: string;
  /** The net. */
  net: string;
  /** The chip that drives it, or the chips that read it. */
  others: string[];
  /** Its level. */
  level: boolean;
  /** Its level a phase ago. */
  before: boolean;
  /** Whether the output of the chip depends on this line at the current address. */
  matters: boolean;
}

/** A field of an address or of a cell. */
export interface Field {
  /** Its name. */
  name: string;
  /** The number of its lines. */
  width: number;
  /** Its value. */
  value: number;
}

/** A cell of a table. */
export interface Cell {
  /** Its address. */
  address: number;
  /** Its contents. */
  data: number;
}

/** A cell that differs in one address line. */
export interface Neighbour {
  /** The net on that line. */
  net: string;
  /** Its address. */
  address: number;
  /** Its contents. */
  data: number;
}

/** A change to the text of a board. Chips are numbered in the order of the text. */
export type Rework =
  /** A chip more, with one line on each side. */
  | { change: "add" }
  /** A chip less. */
  | { change: "remove"; chip: number }
  /** Another name, and other nets on its lines. */
  | { change: "chip"; chip: number; name: string; address: string; data: string }
  /** Another net on a line. What reads a data line follows it. */
  | { change: "wire"; chip: number; is_data: boolean; line: number; net: string }
  /** Other formulas. */
  | { change: "formulas"; chip: number; formulas: string[] }
  /** The other level in a cell. */
  | { change: "flip"; chip: number; address: number; line: number };

/** A board without a CPU, at rest. */
export interface Bench {
  /** The error in its text; then nothing has a level, and without chips its syntax is wrong. */
  fault: string | null;
  /** The line of the text where that is, from 1. */
  line: number;
  /** The nets that keep changing, if it does not come to rest. */
  restless: string | null;
  /** The nets that are set. */
  switches: string[];
  /** The nets that are observed. */
  lamps: string[];
  /** The chips, in the order of the text. */
  chips: BenchChip[];
  /** The level of each net. */
  levels: [string, boolean][];
  /**
   * The truth table: the lamps if the switches were set from here, all at once, for each number that they can form;
   * empty if the board would not come to rest. Nothing if there are more than eight switches.
   */
  truth: string[];
}

/** A chip of a board without a CPU. */
export interface BenchChip {
  /** Its name. */
  name: string;
  /** Its part. */
  part: string;
  /** The nets on its address lines, lowest first. */
  address: string[];
  /** The nets on its data lines, lowest first. */
  data: string[];
  /** The same as the text writes them. */
  written: [string, string];
  /** Its contents as formulas, if they are short. */
  formulas: string[];
  /** The address that it looks up now. */
  at: number | null;
  /** The address of the first of `cells`. */
  first: number;
  /** Its cells, at most 256 of them, around the one that it looks up. */
  cells: number[];
}

/** Nets and bytes of RAM over time. */
export interface Waves {
  /** The first phase, counted since reset; cycle times four. */
  first: number;
  /** The number of phases. */
  phases: number;
  /** The cycles, each with its instruction. */
  instructions: [number, string][];
  /** The requested nets and bytes, in their order. */
  waves: Wave[];
}

/** A net, a bus or a byte over time. */
export interface Wave {
  /** Its name. */
  name: string;
  /** The number of its lines. */
  width: number;
  /** The number of a phase, counted from `first`, and the value from there on. */
  changes: [number, number][];
  /** Why there is nothing to show: the program has no such byte. */
  fault: string | null;
}

/** The causes of some levels. */
export interface Why {
  /** The subject of the question and its value: `red 3,5 is lit at cycle 5700`. */
  headline: string;
  /** The whole answer, as `gray1 why` prints it. */
  text: string;
  /** The lookups, from effect to cause. */
  lookups: Lookup[];
  /** The number of causes that lie further back. */
  further: number;
}

/** A lookup in a chain of causes. */
export interface Lookup {
  /** The cycle. */
  cycle: number;
  /** The phase. */
  phase: number;
  /** The instruction and its line. */
  instruction: string;
  /** The line of the root file. */
  line: number | null;
  /** The line of the instruction itself, which may be in another file. */
  innermost: Frame | null;
  /** The chip; `None` if the level comes from outside. */
  chip: string | null;
  /** The address of the cell. */
  address: number | null;
  /** The bits that got their levels: `A0-7=$24`. */
  levels: string;
  /** The lookup, and the lines that decided it. */
  text: string[];
  /** The number of steps from the subject of the question. */
  depth: number;
  /** The indices of the lookups that are its causes. */
  causes: number[];
}

/** The author of an attempt. Both fields may be empty. */
export interface Student {
  /** The student's name. */
  name?: string;
  /** The class, the group or the year. */
  class?: string;
}

/** A lesson. */
export interface Lesson {
  /** The lesson's number, from 1. Links use it as the lesson's name. */
  number: number;
  /** The lesson's title. */
  title: string;
  /** The parts, from top to bottom. */
  parts: LessonPart[];
}

/** A part of a lesson. */
export type LessonPart =
  /** Text as HTML: headings, paragraphs, lists, tables, code. It has no scripts, links or pictures. */
  | { part: "text"; html: string }
  /** An example program. */
  | { part: "program"; name: string; source: string }
  /** An exercise. */
  | ({ part: "exercise" } & Exercise)
  /** An error in the lesson's source. */
  | { part: "fault"; text: string };

/** An exercise of a lesson. */
export interface Exercise {
  /** The number, such as 5.1. */
  id: string;
  /** The title. */
  title: string;
  /** The kind of attempt: `program`, `table`, `cells`, `timing` or `board`. */
  kind: string;
  /** The task as plain text. Drawings in it need a monospaced font. */
  statement: string;
  /** The program that belongs to the exercise, if any. */
  given: string | null;
  /** The faults of the board on which the program runs: changed cells, each in the syntax of `--cell`. */
  broken: string[];
  /** The initial text of an attempt. */
  start: string;
  /** The names of the address lines and of the data lines, for a table. */
  columns: [string[], string[]] | null;
  /** Further data about the exercise, for a board. */
  board: BoardInfo | null;
}

/** The verdict on an attempt. */
export interface Verdict {
  /** Set if the attempt meets all requirements. */
  passed: boolean;
  /** The message: what was checked, or the first fault. */
  text: string;
  /** The number of words, for a program without errors. */
  words: number | null;
  /** The cycles of the longest run, for a program that halts. */
  cycles: number | null;
  /** The number of chips, for a board. */
  chips: number | null;
  /** The number of address lines of all chips together, for a board. */
  address_bits: number | null;
  /** The move that shows the fault, for a board. */
  tried: FailingMove | null;
  /** The Gray-1 with the attempt's chips, if the attempt replaces chips of the Gray-1 and passes. */
  whole: FullBoard | null;
}

/** Data about the board that an exercise asks for. */
export interface BoardInfo {
  /** The best known solution: its chips and its address bits. */
  best: [number, number] | null;
  /** The strobes in the order of a beat; empty if the board has no phases. */
  beat: string[];
  /** The initial contents of the memory, if the board has one. */
  memory: Memory | null;
}

/** A memory outside of the board: it is addressed by lamps, and its data lines are switches. */
export interface Memory {
  /** The data lines, lowest first. */
  switches: string[];
  /** The address lines, lowest first. */
  lamps: string[];
  /** The contents, by address. */
  numbers: number[];
}

/** The Gray-1 with chips of a student. */
export interface FullBoard {
  /** The board file. */
  board: string;
  /** The program to run on it. */
  program: string;
}

/** A move that shows a fault of a board. */
export interface FailingMove {
  /** The levels of all nets before the move; empty if there is no stable state. */
  levels: [string, boolean][];
  /** The switches that are set, with their new levels. */
  moves: [string, boolean][];
  /** The orders of events that show the fault, if the order matters. */
  orders: Arrival[][];
}

/** An event: the new level of a net arrives at a chip. */
export interface Arrival {
  /** The net. */
  net: string;
  /** The chip. */
  chip: string;
  /** The address that the chip sees after the event. */
  at: number;
  /** The levels of all nets after the event. */
  levels: [string, boolean][];
}
