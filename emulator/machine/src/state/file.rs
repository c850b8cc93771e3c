//! State files: the whole machine as RON, written and read back, with checks on reading.

use super::State;
use crate::hash::mark;
use crate::ron_text::{SyntaxError, read, write};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_text::hex;
use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version of the format that this program writes.
const VERSION: u32 = 1;

/// The last cycle that a saved machine can be at; the counter has room for as many cycles again.
const LAST_CYCLE: u64 = u64::MAX / 2;

/// The reason why a state file is rejected.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StateError {
    /// It is not RON, or a field is missing or has the wrong type.
    #[error("{line}:{column}: not a state file, or cut short: {message}")]
    Syntax { line: usize, column: usize, message: String },
    /// It was written by another version.
    #[error("the state is of version {0}, this program reads version {VERSION}: save it again with this one")]
    Version(u32),
    /// A field has a value that no machine can have.
    #[error("{field}: {message}")]
    Field { field: &'static str, message: String },
    /// The contents do not match the checksum.
    #[error("the file was changed after it was written; to use it as it is, remove the line `checksum`")]
    Checksum,
    /// It belongs to another program.
    #[error(
        "the state belongs to another program; name the program it was saved with, or, to go on with this \
         one, remove the lines `program` and `checksum`"
    )]
    Program,
}

/// The fields of a state file. Those with a default may be left out of a file written by hand.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "State")]
struct Fields {
    #[serde(default)]
    version: Option<u32>,
    #[serde(default)]
    program: Option<String>,
    cycle: u64,
    pc: u32,
    a: u32,
    c: bool,
    halted: bool,
    #[serde(default)]
    target: u32,
    #[serde(default)]
    jumped: bool,
    ram: String,
    /// The mark of all other fields, as they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

impl State {
    /// The text of a state file; `program` is the mark of the program that runs
    /// (see [`program_mark`](crate::program_mark)).
    pub fn to_ron(&self, program: &str) -> String {
        let fields = Fields::of(self, program);
        write(&Fields { checksum: Some(fields.mark()), ..fields }) + "\n"
    }

    /// Reads a state file that was saved with the program of this mark.
    pub fn from_ron(text: &str, program: &str) -> Result<State, StateError> {
        let file: Fields = read(text, 8, Extensions::IMPLICIT_SOME)
            .map_err(|SyntaxError { line, column, message }| StateError::Syntax { line, column, message })?;
        if let Some(version) = file.version.filter(|&version| version != VERSION) {
            return Err(StateError::Version(version));
        }
        if file.cycle > LAST_CYCLE {
            let message = format!("{} is more than {LAST_CYCLE}", file.cycle);
            return Err(StateError::Field { field: "cycle", message });
        }
        let state = State {
            cycle: file.cycle,
            pc: number("pc", file.pc, PROGRAM_WORDS as u32)? as u16,
            a: number("a", file.a, 256)? as u8,
            c: file.c,
            halted: file.halted,
            target: number("target", file.target, PROGRAM_WORDS as u32)? as u16,
            jumped: file.jumped,
            ram: ram(&file.ram)?,
        };
        let saved_with = file.program.as_deref().unwrap_or(program);
        if file.checksum.is_some_and(|checksum| checksum != Fields::of(&state, saved_with).mark()) {
            return Err(StateError::Checksum);
        }
        if saved_with != program {
            return Err(StateError::Program);
        }
        Ok(state)
    }
}

impl Fields {
    /// The fields of a state, without a checksum.
    fn of(state: &State, program: &str) -> Fields {
        Fields {
            version: Some(VERSION),
            program: Some(program.to_owned()),
            cycle: state.cycle,
            pc: state.pc.into(),
            a: state.a.into(),
            c: state.c,
            halted: state.halted,
            target: state.target.into(),
            jumped: state.jumped,
            ram: hex(&*state.ram),
            checksum: None,
        }
    }

    /// The mark of the text between the parentheses.
    fn mark(&self) -> String {
        mark(write(self).trim_matches(['(', ')']).as_bytes())
    }
}

fn number(field: &'static str, value: u32, limit: u32) -> Result<u32, StateError> {
    if value < limit {
        Ok(value)
    } else {
        Err(StateError::Field { field, message: format!("{value} is more than {}", limit - 1) })
    }
}

fn ram(digits: &str) -> Result<Box<[u8; RAM_BYTES]>, StateError> {
    let fault = |message| StateError::Field { field: "ram", message };
    if digits.len() != 2 * RAM_BYTES {
        return Err(fault(format!("{} characters, it must be {} hex digits", digits.len(), 2 * RAM_BYTES)));
    }
    let mut ram = Box::new([0; RAM_BYTES]);
    for (address, (byte, pair)) in ram.iter_mut().zip(digits.as_bytes().chunks_exact(2)).enumerate() {
        let nibble = |digit: u8| (digit as char).to_digit(16);
        match (nibble(pair[0]), nibble(pair[1])) {
            (Some(high), Some(low)) => *byte = (high << 4 | low) as u8,
            _ => return Err(fault(format!("no hex digits at address {address:03X}"))),
        }
    }
    Ok(ram)
}
