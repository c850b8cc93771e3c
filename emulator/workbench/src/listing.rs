//! The program for display: its files line by line, the expansion of each line, and its variables.

use gray1_debugger::{ExpansionKind, Frame, Source, Variable};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::WORKING_RAM_END;
use std::sync::Arc;

pub struct Listing {
    /// The program of the debugger, shared with its thread.
    pub source: Arc<Source>,
    /// The files, the main one first; none if only an image is known.
    pub files: Vec<File>,
    pub variables: Vec<Variable>,
}

pub struct File {
    pub path: String,
    pub lines: Vec<String>,
}

/// A line of a file, both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileLine {
    pub file: usize,
    pub line: usize,
}

/// A row of the source pane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A line of the file that is shown.
    Line(usize),
    /// A line inside an expansion that is itself expanded: its first word, and the nesting depth of the line.
    Call { sequence: u16, depth: usize },
    /// A word, and the nesting depth of its line.
    Word { sequence: u16, depth: usize },
}

impl Listing {
    pub fn new(source: &Arc<Source>) -> Listing {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let files = source.files().map(|(path, text)| File { path: path.to_owned(), lines: lines(text) });
        let mut variables = source.variables();
        variables.retain(|variable| variable.address < WORKING_RAM_END);
        Listing { files: files.collect(), source: Arc::clone(source), variables }
    }

    /// All names of the program that can be typed.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.source.names().map(|(name, _)| name)
    }

    /// The text of a line; empty if there is no such line.
    pub fn text(&self, line: FileLine) -> &str {
        let file = self.files.get(line.file);
        file.and_then(|file| file.lines.get(line.line)).map_or("", String::as_str)
    }

    /// The line of a word when macros are folded. Iterations of a loop are not folded: their lines are in the source.
    pub fn statement(&self, sequence: u16) -> Option<FileLine> {
        self.line(self.source.statement(sequence).last()?)
    }

    /// The line of the instruction of a word itself.
    pub fn innermost(&self, sequence: u16) -> Option<FileLine> {
        self.line(self.source.frames(sequence).last()?)
    }

    /// The line at this nesting depth in the statement of a word.
    pub fn line_at(&self, sequence: u16, depth: usize) -> Option<FileLine> {
        self.line(self.source.frames(sequence).get(self.source.statement(sequence).len() - 1 + depth)?)
    }

    /// The expansions that contain a word, the outermost first.
    pub fn expansions(&self, sequence: u16) -> impl Iterator<Item = &ExpansionKind> {
        self.source.frames(sequence).iter().filter_map(|frame| frame.expansion.as_ref())
    }

    /// The sequence numbers where the expansions of a line begin.
    pub fn starts(&self, line: FileLine) -> Vec<u16> {
        let file = self.files.get(line.file);
        file.map_or(Vec::new(), |file| self.source.line_starts(&file.path, line.line + 1))
    }

    /// Whether a line is a statement that is expanded to others.
    pub fn can_unfold(&self, line: FileLine) -> bool {
        let first = self.starts(line).first().copied();
        first.is_some_and(|first| self.statement(first) == Some(line) && self.is_expanded(first))
    }

    /// Whether a word is part of the expansion of its statement, but not its first word.
    pub fn is_inside_expansion(&self, sequence: u16) -> bool {
        self.is_expanded(sequence)
            && !self.source.begins_line(sequence, self.source.statement(sequence).len() - 1)
    }

    /// The expansion of the statement of a word that contains this word; empty if the statement is an instruction.
    pub fn expansion(&self, sequence: u16) -> Vec<Row> {
        if !self.is_expanded(sequence) {
            return Vec::new();
        }
        let statement = self.source.statement(sequence);
        let belongs = |sequence: &u16| self.source.frames(*sequence).starts_with(statement);
        let first = (0..=sequence).rev().take_while(belongs).last().unwrap_or(sequence);
        let mut rows = Vec::new();
        for sequence in (first..PROGRAM_WORDS as u16).take_while(belongs) {
            let deepest = self.source.frames(sequence).len() - statement.len();
            for depth in 1..deepest {
                if sequence == first || self.source.begins_line(sequence, statement.len() - 1 + depth) {
                    rows.push(Row::Call { sequence, depth });
                }
            }
            rows.push(Row::Word { sequence, depth: deepest });
        }
        rows
    }

    /// Whether the statement of a word is expanded to others.
    fn is_expanded(&self, sequence: u16) -> bool {
        self.source.statement(sequence).len() < self.source.frames(sequence).len()
    }

    /// The line of a frame.
    fn line(&self, frame: &Frame) -> Option<FileLine> {
        self.line_of(&frame.file, frame.line)
    }

    /// A line, from 1, of the file with this path.
    pub fn line_of(&self, path: &str, line: usize) -> Option<FileLine> {
        let file = self.files.iter().position(|file| file.path == path)?;
        Some(FileLine { file, line: line - 1 })
    }
}
