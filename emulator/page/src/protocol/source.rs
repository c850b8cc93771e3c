//! Answers about a source: the assembler's messages, the costs of its lines, its names.

use serde::Serialize;

/// The report of the assembler on a program.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// All of them, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The same as text, as the command line shows it.
    pub text: String,
    /// The number of words of the program.
    pub words: usize,
    /// The number of bytes of RAM that it names.
    pub ram_bytes: u64,
    /// The costs of the lines of the root file, in order. Lines without code are left out.
    pub costs: Vec<LineCost>,
    /// The verdicts on the contracts of the program.
    pub contracts: Vec<Proved>,
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
    /// The message.
    pub message: String,
    /// The text under the underlined source.
    pub label: String,
    /// Advice.
    pub help: Vec<String>,
    /// Where: in the root file, or at the line there that led to it.
    pub place: Option<Place>,
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
    /// The offset after the last one.
    pub to: usize,
}

/// The cost of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineCost {
    /// The line, from 1.
    pub line: usize,
    /// The number of words that it generates, in all its expansions.
    pub words: usize,
    /// From its first word until they are left: `7`, `7..12`, `7..`, `endless`; `None` if it is in several pieces.
    pub cycles: String,
    /// The sequence number of its first word.
    pub first: u16,
}

/// The verdict on a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Proved {
    /// Its first line, from 1.
    pub line: usize,
    /// In words: `proved, 12 to 97 cycles`.
    pub text: String,
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

/// The execution counts of the lines of a file. A word counts for each line that led to it.
#[derive(Clone, Debug, Serialize)]
pub struct FileCounts {
    /// Its path.
    pub file: String,
    /// Its lines that make words, run or not.
    pub lines: Vec<LineCount>,
}

/// A line, and how often it was run.
#[derive(Clone, Debug, Serialize)]
pub struct LineCount {
    /// Its number, from 1.
    pub line: usize,
    /// The number of times it was begun: the first instruction of one of its expansions was run.
    pub times: u64,
    /// The cycles spent there, with everything that it leads to.
    pub cycles: u64,
    /// The cycle in which it was run first.
    pub first: Option<u64>,
}

/// A routine or a macro, and how long its calls took, with what they call.
#[derive(Clone, Debug, Serialize)]
pub struct CallCount {
    /// Its name.
    pub name: String,
    /// The line of its definition, from 1, if that is in the root file.
    pub line: Option<usize>,
    /// The number of calls.
    pub calls: u64,
    /// The cycles of the shortest call.
    pub least: u64,
    /// The mean.
    pub mean: f64,
    /// The cycles of the longest call.
    pub most: u64,
    /// The cycle in which the first call began.
    pub first: Option<u64>,
    /// The cycle in which the longest call began.
    pub longest: Option<u64>,
}
