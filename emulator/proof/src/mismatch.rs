//! An instruction with a wrong effect, as data.

use gray1_isa::{Opcode, Word};
use gray1_machine::Inputs;
use serde::Serialize;

/// The aspect of an instruction that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// The word that is executed.
    Fetch,
    /// A and C.
    Data,
    /// Stores, and the bytes shown and sent.
    Addresses,
    /// Whether a jump is taken.
    Branches,
    /// The counter after an instruction that does not jump.
    Steps,
    /// The target of a jump.
    Jumps,
}

impl Aspect {
    /// All of them.
    pub const ALL: [Aspect; 6] =
        [Aspect::Fetch, Aspect::Data, Aspect::Addresses, Aspect::Branches, Aspect::Steps, Aspect::Jumps];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Aspect::Fetch => "fetch",
            Aspect::Data => "data",
            Aspect::Addresses => "stores and loads",
            Aspect::Branches => "branch decisions",
            Aspect::Steps => "counting steps",
            Aspect::Jumps => "jumps",
        }
    }
}

/// A case in which the board differs from the instruction set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The instruction, and the state in which it begins.
    pub case: String,
    /// The effect according to the instruction set.
    pub expected: String,
    /// The effect on the board.
    pub got: String,
    /// The cells that were looked up on the way to the wrong level, the last first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// The one cell that, with another level on this line, would make the claim true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_cell: Option<Cell>,
    /// A program that leads to this case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Box<Program>>,
}

impl Mismatch {
    /// Returns a case with a program that shows it, and without the cells that lead there.
    pub(crate) fn shown(case: String, expected: String, got: String, program: Program) -> Mismatch {
        let program = Some(Box::new(program));
        Mismatch { case, expected, got, cells: vec![], wrong_cell: None, program }
    }
}

/// A cell that is looked up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Cell {
    pub chip: String,
    pub address: u32,
    pub data: u8,
    /// The data line.
    pub line: String,
}

/// A program that shows the fault, run on the chips engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its words, each with its sequence number.
    pub words: Vec<String>,
    /// Pads and keys, if any are held down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// Whether it is known that no program shows it in an earlier cycle: this is for runs after a reset, with RAM at 0,
    /// and with the same pads and keys held down all the time.
    pub is_soonest: bool,
    /// The cycle with the wrong effect, and the effect.
    pub cycle: u64,
    #[allow(missing_docs)]
    pub seen: String,
    /// The same fault as seen from outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    #[serde(skip)]
    pub(crate) placed: Vec<(u16, Word)>,
    #[serde(skip)]
    pub(crate) held: Inputs,
}

impl Program {
    /// Creates a program of these words that shows a fault.
    pub(crate) fn new(words: &[(u16, Word)], inputs: Inputs, cycle: u64, seen: String) -> Program {
        let (placed, held) = (words.to_vec(), inputs);
        let inputs = (inputs != Inputs::default()).then(|| {
            let pad = inputs
                .pad
                .map_or("no pad".to_owned(), |(row, column)| format!("pad in row {row}, column {column}"));
            format!("{pad}, keys {:02X}", inputs.keys)
        });
        let words = words.iter().map(|(place, word)| match word.opcode() {
            // The assembly language has no syntax for a STA whose M is 1.
            Opcode::Sta if word.m() => format!("{place:03X} .word ${:04X}", word.0),
            _ => format!("{place:03X} {word}"),
        });
        let words = words.collect();
        Program { words, inputs, is_soonest: false, cycle, seen, observed: None, placed, held }
    }
}

/// A fault as seen from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// The words that run after those of the program, each with its sequence number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<String>,
    /// The cycle in which it can be seen, and what.
    pub cycle: u64,
    #[allow(missing_docs)]
    pub seen: String,
}
