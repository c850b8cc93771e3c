//! An instruction with its place in the sources, as the fields of an answer in JSON.

use crate::source::Source;
use serde::Serialize;

/// An instruction, and the lines that generated it.
#[derive(Serialize)]
pub struct Place {
    /// Its sequence number.
    pub pc: u16,
    /// The instruction in the syntax of the assembler.
    pub instruction: String,
    /// The file and the number of its own line; `None` without a source.
    pub file: Option<String>,
    #[allow(missing_docs)]
    pub line: Option<usize>,
    /// The same as `FILE:LINE`.
    pub source: Option<String>,
    /// The lines of the calls and loops that contain the instruction as `FILE:LINE`, innermost first.
    pub expansions: Vec<String>,
    /// The routine that it belongs to.
    pub routine: Option<String>,
}

impl Source {
    /// The place of an instruction.
    pub fn place(&self, sequence: u16) -> Place {
        let frames = self.frames(sequence);
        let mut lines = frames.iter().rev().map(|frame| format!("{}:{}", frame.file, frame.line));
        Place {
            pc: sequence,
            instruction: self.assembler_instruction(sequence),
            file: frames.last().map(|frame| frame.file.clone()),
            line: frames.last().map(|frame| frame.line),
            source: lines.next(),
            expansions: lines.collect(),
            routine: self.routine(sequence).map(str::to_owned),
        }
    }
}
