//! The listing: the source with the words made from it, and their costs.
//!
//! ```text
//!  seq  gray  word   words  cycles | source
//!                        3    2..3 | loop:
//!   17   019  1008                 |       lda  #limit
//!   18   01B  2000       2       2 |       store #1, n
//!                                  |   ¦ lda  value
//! ```
//!
//! `words` and `cycles` are shown at each label, for the block up to the next, and at each macro call. `7..12` are the
//! cycles of the shortest and the longest way through; without a number after the dots, a loop makes the longest way
//! unbounded. Local labels do not end a block.

use crate::expand::ExpandedStatement;
use crate::expansion::{ExpansionKind, ancestors};
use crate::program::Program;
use crate::source::Sources;
use gray1_isa::gray;
use std::fmt::Write;
use std::ops::Range;

/// The maximum indentation; deeper expansions are not indented further.
const MAX_INDENTS: usize = 16;
/// The width of the columns that describe a word.
const HEAD: usize = 16;

/// A line of the listing: a line of the source in one of its expansions.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SourceLine {
    file: u32,
    line: usize,
    expansion: u32,
}

impl Program {
    /// The listing of the program. `sources` are those of the report that came with it.
    pub fn listing(&self, sources: &Sources) -> String {
        let mut listing = Listing {
            program: self,
            sources,
            text: " seq  gray  word   words  cycles | source\n".to_owned(),
            next_root_line: 0,
            block_ends: self.block_ends(),
        };
        let mut at = 0;
        while at < self.statements.len() {
            let line = listing.source_line(&self.statements[at]);
            let mut end = at + 1;
            while end < self.statements.len() && listing.source_line(&self.statements[end]) == line {
                end += 1;
            }
            listing.line(line, at..end);
            at = end;
        }
        let lines = sources.line_count(0);
        let ends_with_newline = sources.line(0, lines - 1).1.is_empty();
        listing.root_lines_before(lines - usize::from(ends_with_newline));
        listing.text
    }

    /// For each statement, the end of the block that begins with a label there.
    fn block_ends(&self) -> Vec<Option<u32>> {
        let mut ends = vec![None; self.statements.len()];
        let mut end = self.words.len() as u32;
        for (index, step) in self.statements.iter().enumerate().rev() {
            if step.begins_block {
                ends[index] = Some(end);
                end = step.first_word;
            }
        }
        ends
    }
}

struct Listing<'a> {
    program: &'a Program,
    sources: &'a Sources,
    text: String,
    next_root_line: usize,
    block_ends: Vec<Option<u32>>,
}

impl Listing<'_> {
    fn source_line(&self, statement: &ExpandedStatement) -> SourceLine {
        let line = self.sources.line_index(statement.span.file, statement.span.start);
        SourceLine { file: statement.span.file, line, expansion: statement.expansion }
    }

    /// Lists the lines of the root file without an executed statement: comments, blank lines, branches not taken.
    fn root_lines_before(&mut self, line: usize) {
        while self.next_root_line < line {
            let (_, text) = self.sources.line(0, self.next_root_line);
            self.next_root_line += 1;
            let _ = writeln!(self.text, "{:1$} | {text}", "", HEAD + 16);
        }
    }

    /// Lists a source line, with all statements on it.
    fn line(&mut self, at: SourceLine, range: Range<usize>) {
        if at.file == 0 && self.is_in_root_loop(at.expansion) {
            if at.expansion == 0 {
                self.root_lines_before(at.line);
            }
            self.next_root_line = self.next_root_line.max(at.line + 1);
        }
        let block = range.clone().find_map(|index| {
            self.block_ends[index].map(|end| (self.program.statements[index].first_word, end))
        });
        let steps = &self.program.statements[range];
        let call =
            steps.iter().find_map(|step| step.call).map(|call| &self.program.expansions[call as usize]);
        let call = call.filter(|call| matches!(call.expansion.kind, ExpansionKind::Macro(_)));
        let cost = block.or(call.map(|call| (call.first_word, call.end_word)));
        let (words, cycles) = cost.map(|(start, end)| self.cost(start, end)).unwrap_or_default();

        let (_, source) = self.sources.line(at.file, at.line);
        let shown = self.indent(at.expansion) + source;
        let own: Vec<u32> = steps.iter().flat_map(|step| step.first_word..step.end_word).collect();
        let head = own.first().map_or_else(|| " ".repeat(HEAD), |&word| self.word(word));
        let _ = writeln!(self.text, "{head}  {words:>5} {cycles:>8} | {}", shown.trim_end());
        for &word in own.iter().skip(1) {
            let _ = writeln!(self.text, "{:1$} |", self.word(word), HEAD + 16);
        }
    }

    /// Whether only loops lead to an expansion, so that its lines belong to the root file.
    fn is_in_root_loop(&self, expansion: u32) -> bool {
        ancestors(&self.program.expansions, expansion).all(|node| node.expansion.kind.is_iteration())
    }

    fn word(&self, number: u32) -> String {
        let sequence = self.program.words[number as usize].sequence;
        let bits = self.program.image.word(sequence).0;
        format!("{sequence:4}   {:03X}  {bits:04X}", gray(sequence))
    }

    /// The numbers of words and of cycles of a range; no cycles if it is not contiguous.
    fn cost(&self, start: u32, end: u32) -> (String, String) {
        if start >= end {
            return Default::default();
        }
        let cycles = self.program.cycles(start, end);
        ((end - start).to_string(), cycles.map_or(String::new(), |cycles| cycles.to_string()))
    }

    fn indent(&self, expansion: u32) -> String {
        let shown = ancestors(&self.program.expansions, expansion).take(MAX_INDENTS);
        shown.map(|node| if node.expansion.kind.is_iteration() { "  : " } else { "  ¦ " }).collect()
    }
}
