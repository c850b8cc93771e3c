//! The standard layout of sources.
//!
//! ```text
//! label:                            at the margin of its block, two columns deeper in each block
//!       lda  #1                     an instruction or a macro call: six columns further in
//! done: jmp  done                   after its label where there is room
//! .ram  n                           directives and constants at the margin
//!                                 ; a comment after a statement: at column 32
//! ```
//!
//! A comment alone on its line stays at the left margin if it was there; otherwise it is indented like the
//! instructions. Mnemonics and directives become lower case. Nothing else is changed, so neither is the program.

use crate::diagnostic::Report;
use crate::library::Library;
use crate::source::{Loaded, MemoryLoader};
use crate::syntax::{
    DIRECTIVES, Statement, StatementKind, Token, closes_block, opens_block, split_comment, tokens,
};
use gray1_isa::Opcode;

const INSTRUCTION_COLUMN: usize = 6;
const COMMENT_COLUMN: usize = 32;
/// The maximum indentation, in blocks.
const MAX_INDENT: usize = 8;

/// Lays out a source; returns its syntax errors if it has any.
pub fn format(path: &str, source: &[u8]) -> Result<String, Report> {
    let files = MemoryLoader::default();
    let mut library = Library::new(&files);
    let file = library.add(Loaded { path: path.to_owned(), bytes: source.to_vec() }, &[]);
    let Library { sources, syntax, diagnostics, .. } = library;
    if diagnostics.has_errors() {
        return Err(Report {
            diagnostics: diagnostics.finish(|diagnostic| Some(diagnostic.severity)),
            sources,
        });
    }
    let mut definitions =
        syntax.statements.iter().filter(|statement| statement.kind.defines().is_some()).peekable();
    let mut formatted = String::new();
    let mut depth = 0usize;
    let mut blank = true;
    for line in 0..sources.line_count(file) {
        let (start, text) = sources.line(file, line);
        let end = start + text.len() as u32;
        let here = std::iter::from_fn(|| definitions.next_if(|definition| definition.span.start < end));
        let line = lay_out(text, start, here, &mut depth);
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

/// Lays out the line that begins at `start`, and updates the depth of its block. `definitions` are the definitions on the
/// line.
fn lay_out<'a>(
    line: &str,
    start: u32,
    definitions: impl Iterator<Item = &'a Statement>,
    depth: &mut usize,
) -> String {
    let (code, comment) = split_comment(line);
    let comment = comment.trim_end();
    let margin = |depth: usize| 2 * depth.min(MAX_INDENT);
    if code.trim().is_empty() {
        return match comment.is_empty() || line.starts_with(';') {
            true => comment.to_owned(),
            false => " ".repeat(margin(*depth) + INSTRUCTION_COLUMN) + comment,
        };
    }
    let (mut labels, mut constant, mut rest) = (Vec::new(), None, code);
    for Statement { span, kind, .. } in definitions {
        let (name, after) = code[(span.start - start) as usize..].split_at((span.end - span.start) as usize);
        match kind {
            StatementKind::Label(_) => {
                labels.push(tokens(name).iter().map(|token| token.text).collect::<String>() + ":");
                rest = after.trim_start().trim_start_matches(':');
            }
            StatementKind::Constant { .. } | StatementKind::Variable(..) => {
                let equals = after.find('=').unwrap_or_default();
                let (sign, value) = (after[..=equals].trim(), &after[equals + 1..]);
                constant = Some(format!("{} {sign} {}", joined(&tokens(name)), joined(&tokens(value))));
            }
            _ => {}
        }
    }
    let statement = tokens(rest);
    let first = statement.first().map_or(String::new(), |token| token.text.to_ascii_lowercase());
    let is_directive = DIRECTIVES.contains(&first.as_str());
    let (closes, opens) = match first.as_str() {
        ".elif" | ".elsewhen" | ".else" => (true, true),
        word => (closes_block(word), opens_block(word)),
    };
    *depth = depth.saturating_sub(usize::from(closes));
    let mut text = " ".repeat(margin(*depth)) + &labels.join(" ");
    if let (word @ [_, ..], operands) = statement.split_at(first_word(&statement)) {
        let (at_margin, statement) = match constant {
            Some(constant) => (true, constant),
            None if is_directive => (first != ".word", with_operands(first, 6, operands)),
            None if Opcode::from_mnemonic(&first).is_some() => (false, with_operands(first, 5, operands)),
            None => (false, with_operands(joined(word), 5, operands)),
        };
        if !labels.is_empty() {
            text.push(' ');
        }
        let column = margin(*depth) + if at_margin { 0 } else { INSTRUCTION_COLUMN };
        text = format!("{text:column$}{statement}");
    }
    *depth += usize::from(opens);
    if !comment.is_empty() {
        text = format!("{:COMMENT_COLUMN$}{comment}", text + " ");
    }
    text
}

/// Counts the tokens of the name at the beginning of a statement: more than one if it is pasted.
fn first_word(statement: &[Token]) -> usize {
    let mut braces = 0;
    let belongs = |(index, token): &(usize, &Token)| {
        let inside = braces > 0;
        braces += i32::from(token.text == "{") - i32::from(token.text == "}");
        let is_name = token.text.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
        inside || *index == 0 || !token.spaced && (is_name || token.text == "{")
    };
    statement.iter().enumerate().take_while(belongs).count()
}

/// Joins a word and its operands, which begin at this column, or after a space if the word is longer.
fn with_operands(word: String, column: usize, operands: &[Token]) -> String {
    match operands {
        [] => word,
        operands => format!("{:column$}{}", word + " ", joined(operands)),
    }
}

/// Joins tokens with a space where there was one, and after each comma.
fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let after_comma = index > 0 && tokens[index - 1].text == ",";
        if index > 0 && token.text != "," && (token.spaced || after_comma) {
            text.push(' ');
        }
        text.push_str(token.text);
    }
    text
}
