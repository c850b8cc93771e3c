//! One layout for sources.
//!
//! ```text
//! label:                            at the margin of its block, two columns deeper in each block
//!       lda  #1                     an instruction or a macro call: six columns further in
//! done: jmp  done                   after its label where there is room
//! .ram  n                           directives and constants at the margin
//!                                 ; a comment after a statement: at column 32
//! ```
//!
//! A comment alone on its line stays at the left edge if it was there, and goes with the instructions otherwise.
//! Mnemonics and directives become lower case. Nothing else is changed, so neither is the program.

use crate::diagnostic::Report;
use crate::library::Library;
use crate::source::{Loaded, MemoryLoader};
use crate::syntax::{DIRECTIVES, Piece, pieces, split_comment};
use gray1_isa::Opcode;

const INSTRUCTION_COLUMN: usize = 6;
const COMMENT_COLUMN: usize = 32;
/// Deeper blocks are indented no further.
const DEEPEST_INDENT: usize = 8;

/// The source in the one layout, or why it cannot be understood.
pub fn format(path: &str, source: &[u8]) -> Result<String, Report> {
    let files = MemoryLoader::default();
    let mut library = Library::new(&files);
    let file = library.add(Loaded { path: path.to_owned(), bytes: source.to_vec() }, &[]);
    let Library { sources, diagnostics, .. } = library;
    if diagnostics.has_errors() {
        return Err(Report { diagnostics: diagnostics.finish(Some), sources });
    }
    let text = sources.text(file);
    let mut formatted = String::new();
    let mut depth = 0usize;
    let mut blank = true;
    for line in text.lines() {
        let line = lay_out(line, &mut depth);
        if !(line.is_empty() && blank) {
            formatted.push_str(&line);
            formatted.push('\n');
        }
        blank = line.is_empty();
    }
    if formatted.ends_with("\n\n") {
        formatted.pop();
    }
    Ok(formatted)
}

/// Lays out one line, following the blocks it opens and closes.
fn lay_out(line: &str, depth: &mut usize) -> String {
    let (code, comment) = split_comment(line);
    let comment = comment.trim_end();
    let pieces = pieces(code);
    let margin = |depth: usize| 2 * depth.min(DEEPEST_INDENT);
    if pieces.is_empty() {
        return match comment.is_empty() || line.starts_with(';') {
            true => comment.to_owned(),
            false => " ".repeat(margin(*depth) + INSTRUCTION_COLUMN) + comment,
        };
    }
    let (labels, statement) = split_labels(&pieces);
    let first = statement.first().map_or(String::new(), |piece| piece.text.to_ascii_lowercase());
    let is_directive = DIRECTIVES.contains(&first.as_str());
    let (closes, opens) = match first.as_str() {
        ".if" | ".repeat" | ".for" | ".macro" | ".routine" => (false, true),
        ".elif" | ".else" => (true, true),
        word => (is_directive && word.starts_with(".end"), false),
    };
    *depth = depth.saturating_sub(usize::from(closes));
    let mut text = " ".repeat(margin(*depth)) + &labels;
    if let [first_piece, operands @ ..] = statement {
        let (at_margin, statement) = match equals_index(statement) {
            Some(equals) => (true, constant_text(statement, equals)),
            None if is_directive => (first != ".word", with_operands(first, 6, operands)),
            None if Opcode::from_mnemonic(&first).is_some() => (false, with_operands(first, 5, operands)),
            None => (false, with_operands(first_piece.text.to_owned(), 5, operands)),
        };
        if !labels.is_empty() {
            text.push(' ');
        }
        pad(&mut text, margin(*depth) + if at_margin { 0 } else { INSTRUCTION_COLUMN });
        text.push_str(&statement);
    }
    *depth += usize::from(opens);
    if !comment.is_empty() {
        text.push(' ');
        pad(&mut text, COMMENT_COLUMN);
        text.push_str(comment);
    }
    text
}

/// Splits the labels off a line, each with its colon.
fn split_labels<'a, 'b>(mut pieces: &'b [Piece<'a>]) -> (String, &'b [Piece<'a>]) {
    let mut labels = Vec::new();
    while let Some(length) = label_length(pieces) {
        labels.push(pieces[..length].iter().map(|piece| piece.text).collect::<String>());
        pieces = &pieces[length..];
    }
    (labels.join(" "), pieces)
}

/// How many pieces of the line are a label, its colon included.
fn label_length(pieces: &[Piece]) -> Option<usize> {
    let mut braces = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let is_name = piece.text.starts_with(|c: char| c == '_' || c == '.' || c.is_ascii_alphanumeric());
        match piece.text {
            "{" => braces += 1,
            "}" => braces -= 1,
            ":" if braces == 0 => return (index > 0).then_some(index + 1),
            _ if braces > 0 || is_name && (index == 0 || !piece.spaced) => {}
            _ => return None,
        }
    }
    None
}

/// Where the `=` stands if the statement is `name = …` or `name ?= …`.
fn equals_index(statement: &[Piece]) -> Option<usize> {
    let mut braces = 0;
    for (index, piece) in statement.iter().enumerate() {
        match piece.text {
            "{" => braces += 1,
            "}" => braces -= 1,
            "=" if braces == 0 => {
                let next = statement.get(index + 1);
                let is_comparison = next.is_some_and(|next| next.text == "=" && !next.spaced);
                return (index > 0 && !is_comparison).then_some(index);
            }
            "?" if braces == 0 => {}
            _ if braces > 0 || index == 0 || !piece.spaced => {}
            _ => return None,
        }
    }
    None
}

fn constant_text(statement: &[Piece], equals: usize) -> String {
    let (name, value) = (&statement[..equals], &statement[equals + 1..]);
    match name {
        [name @ .., Piece { text: "?", .. }] => format!("{} ?= {}", joined(name), joined(value)),
        _ => format!("{} = {}", joined(name), joined(value)),
    }
}

/// An instruction, directive or macro call with its operands at this column, or after a space if it is longer.
fn with_operands(mut text: String, column: usize, operands: &[Piece]) -> String {
    if !operands.is_empty() {
        text.push(' ');
        pad(&mut text, column);
        text.push_str(&joined(operands));
    }
    text
}

/// Pieces with a space where there was one, and after each comma.
fn joined(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        let after_comma = index > 0 && pieces[index - 1].text == ",";
        if index > 0 && piece.text != "," && (piece.spaced || after_comma) {
            text.push(' ');
        }
        text.push_str(piece.text);
    }
    text
}

/// Fills up with spaces to a column.
fn pad(text: &mut String, column: usize) {
    let width = text.chars().count();
    text.push_str(&" ".repeat(column.saturating_sub(width)));
}
