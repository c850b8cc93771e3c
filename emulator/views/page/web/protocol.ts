// The requests of the page and the answers of the machine, one JSON object each. src/protocol has the same types with more
// documentation; a test of the crate compares the names.

export type Way = "forward" | "back";
export type Goal =
  | "phase" | "instruction" | "line" | "statement" | "output" | "solution" | "display" | "point";
export type Engine = "chips" | "fast";

/** A program: a source with the files it includes, or an image of `gray1 asm` in base64. */
export interface Program {
  name: string;
  text?: string;
  files?: Record<string, string>;
  /** In the format of `-D`. */
  constants?: Record<string, number>;
  image?: string;
}

export interface Options {
  engine?: Engine;
  /** `random:SEED`, `zero` or `ones`. */
  ram?: string;
  /** Changes to cells, each in the format of `--cell`. */
  cells?: string[];
  /** The text of a file for `--input`. */
  input?: string;
}

/** A breakpoint (`at`: a line, a label) or a watchpoint (`watch`: a byte, a net, an LED). */
export interface Point {
  at?: string;
  watch?: string;
  condition?: string;
  /** The hits at which it stops: `3` for the third and all that follow, `== 3`, `< 3`, `% 3`. */
  hits?: string;
}

/** A file to make. */
export type File =
  | { kind: "gif"; from: number; cycles: number; hz: number }
  | { kind: "picture"; size: number; shapes?: boolean }
  | { kind: "state" }
  | { kind: "image" }
  | { kind: "listing" }
  | { kind: "wave"; from: number; cycles: number };

export type Request =
  | { ask: "hello" }
  | { ask: "program"; name: string }
  | { ask: "explain"; code: string }
  | { ask: "check"; program: Program }
  | { ask: "load"; program: Program; options?: Options; points?: Point[]; state?: string }
  | { ask: "format"; text: string }
  | { ask: "go"; way: Way; to: Goal; cycles: number }
  | { ask: "seek"; cycle: number; phase?: number; cycles: number; ahead?: boolean }
  | { ask: "look" }
  | { ask: "press"; pad?: [number, number] | null; keys?: number }
  | { ask: "script" }
  | { ask: "edit"; what: string; value: string }
  | { ask: "burn"; change?: string | null }
  | { ask: "points"; points: Point[] }
  | { ask: "ram" }
  | { ask: "output"; from?: number }
  | { ask: "counts"; cycles: number }
  | { ask: "value"; text: string }
  | { ask: "board" }
  | { ask: "levels" }
  | { ask: "chip"; name: string; at?: number | null }
  | { ask: "waves"; nets: string[]; bytes?: string[]; cycles: number }
  | { ask: "why"; what: string; depth?: number | null; control?: boolean }
  | { ask: "picture"; size: number; shapes?: boolean }
  | { ask: "light" }
  | { ask: "save"; file: File }
  | { ask: "lessons" }
  | { ask: "judge"; exercise: string; attempt: string };

export type Answer =
  | { answer: "error"; text: string }
  | ({ answer: "hello" } & Hello)
  | { answer: "text"; text: string }
  | ({ answer: "checked" } & Checked)
  | { answer: "loaded"; checked: Checked; moment: Moment | null; points: PointTold[] }
  | { answer: "moved"; stop: Stop; text: string; points: number[]; moment: Moment }
  | ({ answer: "moment" } & Moment)
  | { answer: "burned"; moment: Moment; cycle: number; phase: number }
  | { answer: "points"; points: PointTold[] }
  /** In the format of `options.input`, empty if nothing is pressed; and the number of manual changes to registers or RAM. */
  | { answer: "script"; text: string; edits: number }
  | { answer: "ram"; bytes: string }
  | { answer: "output"; from: number; text: string; sent: number }
  /** Counted up to this cycle. */
  | { answer: "counts"; cycle: number; lines: LineCount[] }
  | { answer: "value"; number: number; text: string }
  | ({ answer: "board" } & Board)
  | ({ answer: "levels" } & Levels)
  | ({ answer: "chip" } & Chip)
  | ({ answer: "waves" } & Waves)
  | ({ answer: "why" } & Why)
  /** The pixels are sent as bytes: red, green, blue, opacity. There are none unless `changed`. */
  | { answer: "picture"; size: number; changed: boolean; cells: [number, number, number, number][] }
  /** The green and the red half of each LED, row by row: 0 never lit, 255 always, since this was last asked. */
  | { answer: "light"; leds: [number, number][] }
  | { answer: "file"; name: string; media: string; size: number }
  | { answer: "lessons"; lessons: Lesson[] }
  | { answer: "judged"; passed: boolean; text: string };

export interface Hello {
  version: string;
  programs: Shipped[];
  /** The name by which a file is included, and its text. */
  library: [string, string][];
  instructions: [string, string][];
  directives: string[];
  names: [string, number][];
  /** In the order of their bits. */
  keys: string[];
}

export interface Shipped {
  name: string;
  title: string;
  about: string;
  hz: number;
}

export interface Checked {
  errors: number;
  warnings: number;
  diagnostics: Diagnostic[];
  /** In the format of the command line. */
  text: string;
  words: number;
  ram_bytes: number;
  costs: LineCost[];
  symbols: Symbol[];
  defaults: string[];
}

export interface Diagnostic {
  is_error: boolean;
  code: string;
  message: string;
  label: string;
  help: string[];
  /** The place in the root file, or of the line there that led to it. */
  place: Place | null;
  related: [string, Place][];
  text: string;
}

export interface Place {
  file: string;
  is_root: boolean;
  /** From 1. */
  line: number;
  column: number;
  /** UTF-16 units from the beginning of the file. */
  from: number;
  to: number;
}

export interface LineCost {
  line: number;
  words: number;
  /** `7`, `7..12`, `7..`, `endless`, or nothing. */
  cycles: string;
  first: number;
}

export interface Symbol {
  name: string;
  kind: "label" | "constant" | "ram" | "macro";
  value: number;
  size: number;
  line: number | null;
}

export interface Moment {
  cycle: number;
  phase: number;
  start: number;
  /** The latest cycle that is known. */
  end: number;
  halted: boolean;
  /** Why it does not advance, if that is not caused by its program. */
  stuck: string | null;
  /** The sequence number of the instruction that is run. */
  running: number;
  pc: number;
  instruction: string;
  word: string;
  /** The outermost first; the last one is of the instruction itself. */
  frames: Frame[];
  a: number;
  c: boolean;
  reads: [number, string] | null;
  stores: [number, string] | null;
  /** Eight green rows, eight red ones; bit 0 is on the left. */
  leds: number[];
  sent: number;
  /** The latest bytes that were sent, each as a character. */
  output: string;
  pad: [number, number] | null;
  keys: number;
  /** How often each breakpoint was hit. */
  hits: number[];
  /** Cycles at which lines of output were complete. */
  lines: number[];
}

export interface Frame {
  file: string;
  is_root: boolean;
  line: number;
  expansion: string | null;
}

export type Stop = "goal" | "point" | "halted" | "beginning" | "limit";

export interface PointTold {
  error: string | null;
  line: number | null;
}

export interface LineCount {
  line: number;
  /** The number of times it was begun. */
  times: number;
  cycles: number;
}

export interface Board {
  name: string;
  /** They are on a diagonal; a cable leaves its block to the side and leads up or down to the one that reads it. */
  blocks: Block[];
  cables: Cable[];
  chips: ChipName[];
  nets: string[];
  buses: string[];
}

export interface Block {
  name: string;
  chips: string[];
  about: string;
  gives: string;
  holds_itself: boolean;
}

export interface Cable {
  from: number;
  to: number;
  nets: number[];
  name: string;
}

export interface ChipName {
  name: string;
  part: string;
  burned: string;
}

export type Activity = "idle" | "steady" | "moved";

export interface Levels {
  blocks: Now[];
  cables: Now[];
  buses: Now[];
  chips: ChipNow[];
  /** A digit for each net. */
  nets: string;
  before: string;
}

export interface Now {
  value: string;
  activity: Activity;
}

export interface ChipNow {
  address: number;
  data: number;
  moved: boolean;
}

export interface Chip {
  name: string;
  part: string;
  part_about: string;
  burned: string;
  about: string;
  can_burn: boolean;
  reads: Pin[];
  gives: Pin[];
  /** The address that is shown. */
  at: number;
  /** The address that is looked up now, and the one of the previous phase. */
  now: number;
  before: number;
  last: number;
  address_fields: Field[];
  data_fields: Field[];
  table: Cell[];
  neighbours: Neighbour[];
}

export interface Pin {
  pin: string;
  net: string;
  others: string[];
  level: boolean;
  before: boolean;
  matters: boolean;
}

export interface Field {
  name: string;
  width: number;
  value: number;
}

export interface Cell {
  address: number;
  data: number;
}

export interface Neighbour {
  net: string;
  address: number;
  data: number;
}

export interface Waves {
  /** Phases since reset: cycle times four. */
  first: number;
  phases: number;
  /** The cycle, and its instruction. */
  instructions: [number, string][];
  waves: Wave[];
}

export interface Wave {
  name: string;
  width: number;
  /** A phase, counted from `first`, and the value from there on. */
  changes: [number, number][];
  fault: string | null;
}

export interface Why {
  headline: string;
  /** In the format of `gray1 why`. */
  text: string;
  lookups: Lookup[];
  further: number;
}

export interface Lookup {
  cycle: number;
  phase: number;
  instruction: string;
  /** In the root file. */
  line: number | null;
  /** The line of the instruction itself. */
  innermost: Frame | null;
  chip: string | null;
  address: number | null;
  levels: string;
  text: string[];
  depth: number;
  causes: number[];
}

export interface Lesson {
  number: number;
  title: string;
  parts: LessonPart[];
}

export type LessonPart =
  | { part: "text"; html: string }
  | { part: "program"; name: string; source: string }
  | ({ part: "exercise" } & Exercise)
  | { part: "fault"; text: string };

export interface Exercise {
  id: string;
  title: string;
  kind: "program" | "table" | "cells" | "timing";
  /** The question, in lines of plain text; pictures in it need a monospaced font. */
  statement: string;
  /** The program that goes with it. */
  given: string | null;
  /** The faults of the board on which it runs: changes to cells, each in the format of `--cell`. */
  broken: string[];
  /** The text with which an attempt begins. */
  start: string;
  /** For a table: the names of the address lines and of the data lines. */
  columns: [string[], string[]] | null;
}
