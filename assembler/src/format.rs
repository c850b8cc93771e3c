//! One layout for sources.
//!
//! ```text
//! label:                            at the margin of its block, two columns deeper in each block
//!       lda  #1                     an instruction or a macro call: six columns further in
//! done: jmp  done                   behind its label where there is room
//! .ram  n                           directives and constants at the margin
//!                                 ; a comment behind a statement: at column 32
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
    let directive = statement.first().map(|piece| piece.text.to_ascii_lowercase());
    let directive = directive.filter(|word| DIRECTIVES.contains(&word.as_str()));
    let (closes, opens) = match directive.as_deref() {
        Some(".if" | ".repeat" | ".for" | ".macro" | ".routine") => (false, true),
        Some(".elif" | ".else") => (true, true),
        Some(word) => (word.starts_with(".end"), false),
        None => (false, false),
    };
    *depth = depth.saturating_sub(usize::from(closes));
    let mut text = " ".repeat(margin(*depth));
    text.push_str(&labels);
    if !statement.is_empty() {
        let is_constant = statement.iter().any(|piece| piece.text == "=") && is_constant(statement);
        let at_margin = is_constant || directive.is_some() && directive.as_deref() != Some(".word");
        let column = margin(*depth) + if at_margin { 0 } else { INSTRUCTION_COLUMN };
        if !labels.is_empty() {
            text.push(' ');
        }
        let width = text.chars().count();
        text.push_str(&" ".repeat(column.saturating_sub(width)));
        text.push_str(&statement_text(statement, is_constant));
    }
    *depth += usize::from(opens);
    if !comment.is_empty() {
        let width = text.chars().count();
        text.push_str(&" ".repeat(COMMENT_COLUMN.saturating_sub(width).max(1)));
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

/// Whether the statement is `name = …` or `name ?= …`.
fn is_constant(statement: &[Piece]) -> bool {
    let mut braces = 0;
    for (index, piece) in statement.iter().enumerate() {
        match piece.text {
            "{" => braces += 1,
            "}" => braces -= 1,
            "=" if braces == 0 => {
                return index > 0
                    && statement.get(index + 1).is_none_or(|next| next.text != "=" || next.spaced);
            }
            "?" if braces == 0 => {}
            _ if braces > 0 || index == 0 || !piece.spaced => {}
            _ => return false,
        }
    }
    false
}

fn statement_text(statement: &[Piece], is_constant: bool) -> String {
    let first = statement[0].text;
    let lower = first.to_ascii_lowercase();
    let is_directive = DIRECTIVES.contains(&lower.as_str());
    let is_instruction = Opcode::from_mnemonic(first).is_some();
    let mut text = if is_directive || is_instruction { lower } else { first.to_owned() };
    let mut equals_seen = false;
    for (index, piece) in statement.iter().enumerate().skip(1) {
        let before = statement[index - 1].text;
        let sets = is_constant && !equals_seen && piece.text == "=";
        let default = is_constant && !equals_seen && piece.text == "?";
        let after_sets = is_constant && before == "=" && !equals_seen;
        equals_seen |= after_sets;
        let spaced = match piece.text {
            "," => false,
            "=" if sets => before != "?",
            _ => piece.spaced || before == "," || default || after_sets,
        };
        if index == 1 && !is_constant {
            let width = text.chars().count();
            text.push_str(&" ".repeat(5usize.saturating_sub(width).max(1)));
            if is_directive && width < 5 {
                text.push(' ');
            }
        } else if spaced {
            text.push(' ');
        }
        text.push_str(piece.text);
    }
    text
}
