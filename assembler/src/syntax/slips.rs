//! Typical errors of users of other assemblers: labels without a colon, blocks without dots, words and signs of other
//! languages. Each is one message, and the parser continues with the intended meaning.

use super::blocks::{closer_of, opener_of};
use super::directives::DIRECTIVES;
use super::line::split_comment;
use super::parser::Parser;
use super::scan::{ParseResult, Scanner};
use super::statement::is_statement;
use super::tree::{StatementKind, WrittenName};
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::names::name_length;
use crate::source::Span;
use gray1_isa::Opcode;

/// Words that define a constant in other assemblers: `limit equ 8`.
const EQUALS: [&str; 4] = ["equ", "eq", "set", "define"];

impl Parser<'_> {
    /// Whether a name is a label without a colon, because an instruction or a directive follows; reports it if so.
    pub fn lacks_colon(&mut self, written: WrittenName, span: Span) -> bool {
        let spelling = self.scan.text(span.start as usize, span.end as usize);
        if is_statement(spelling) || !self.statement_follows() {
            return false;
        }
        let message = format!("expected `:` after the label `{}`", crate::names::shorten(spelling));
        let error = Diagnostic::error(ErrorCode::SyntaxError, span, message, "expected `:` after this name");
        self.parsed.diagnostics.push(error.did_you_mean_at(Some(span), Some(&format!("{spelling}:"))));
        self.mark_mentioned(written);
        true
    }

    /// Whether an instruction or a directive comes next on this line.
    pub fn statement_follows(&self) -> bool {
        let mut ahead = self.scan.clone();
        ahead.skip_space();
        let start = ahead.at;
        if ahead.peek() != b'.' {
            let word = ahead.name().map_or("", |(_, word)| word);
            return ahead.peek() != b'{' && Opcode::from_mnemonic(word).is_some();
        }
        ahead.at += 1;
        ahead.name_characters();
        let word = self.scan.text(start, ahead.at).to_ascii_lowercase();
        let is_label = || self.scan.last_offset_of(&format!("{word}:")).is_some();
        DIRECTIVES.contains(&word.as_str()) && ahead.peek() != b'{' && !is_label()
    }

    /// Rejects `limit equ 8`.
    pub fn refuse_equ(&mut self, written: WrittenName, span: Span) -> ParseResult<()> {
        let mut ahead = self.scan.clone();
        ahead.skip_space();
        let Some((start, word)) = ahead.name() else { return Ok(()) };
        let sign = self.scan.span(start, ahead.at);
        if !EQUALS.iter().any(|other| other.eq_ignore_ascii_case(word)) || !value_follows(&mut ahead) {
            return Ok(());
        }
        self.broken(span, written.plain());
        let name = self.scan.text(span.start as usize, span.end as usize);
        let (line, _) = split_comment(ahead.rest());
        let help = format!("a constant is `{name} = {}`", line.trim());
        let message = format!("expected `=`, found `{word}`");
        let error = Diagnostic::error(ErrorCode::SyntaxError, sign, message, "expected `=`");
        Err(error.help(help).into())
    }

    /// Whether the next two words are a name and the beginning of an operand, as in `loop inc x`.
    pub fn two_words_follow(&self) -> bool {
        let mut ahead = self.scan.clone();
        ahead.skip_space();
        ahead.name().is_some() && (value_follows(&mut ahead) || ahead.peek() == b'#')
    }

    /// Rejects a directive of a block without its dot, if the file has too few of it.
    pub fn refuse_without_dot(&mut self, written: WrittenName, span: Span) -> ParseResult<()> {
        let spelling = self.scan.text(span.start as usize, span.end as usize);
        let directive = format!(".{}", spelling.to_ascii_lowercase());
        let mut ahead = self.scan.clone();
        ahead.skip_space();
        let is_file = matches!(ahead.quoted(), Ok(Some(text)) if text.ends_with(".g1"));
        if directive == ".include" && is_file && !self.defines_macro(spelling) {
            self.parsed.incomplete = true;
            let message = format!("`{spelling}` without its dot");
            let error = Diagnostic::error(ErrorCode::UnknownStatement, span, message, "expected a directive");
            return Err(error.did_you_mean(Some(".include")).into());
        }
        let (opener, closer) = match (closer_of(&directive), opener_of(&directive)) {
            (Some(closer), _) => (directive.as_str(), closer),
            (_, Some(opener)) => (opener, directive.as_str()),
            _ => return Ok(()),
        };
        let (openers, closers) = (self.count(opener), self.count(closer));
        let is_missing = if directive == opener { openers < closers } else { openers > closers };
        if written.plain().is_none() || !is_missing || self.defines_macro(spelling) {
            return Ok(());
        }
        let Some(&meant) = DIRECTIVES.iter().find(|other| **other == directive) else { return Ok(()) };
        self.stand_in(meant, span);
        if matches!(meant, ".macro" | ".routine") {
            self.scan.skip_space();
            let name = self.scan.name().map(|(_, name)| self.intern(name));
            self.broken(span, name);
        }
        let message = format!("`{spelling}` without its dot");
        let error = Diagnostic::error(ErrorCode::UnknownStatement, span, message, "expected a directive");
        Err(error.did_you_mean(Some(meant)).into())
    }

    /// Counts a directive in the file.
    fn count(&self, directive: &str) -> usize {
        let is_it = |line: &&str| {
            let (code, _) = split_comment(line);
            code.match_indices('.').any(|(at, _)| {
                let word = &code[at..at + 1 + name_length(&code[at + 1..])];
                word.eq_ignore_ascii_case(directive)
            })
        };
        self.scan.whole().lines().filter(is_it).count()
    }

    fn defines_macro(&self, name: &str) -> bool {
        let defines = |line: &str| {
            let line = line.trim_start();
            let rest = line.get(..6).filter(|word| word.eq_ignore_ascii_case(".macro")).map(|_| &line[6..]);
            rest.is_some_and(|rest| rest.split_whitespace().next() == Some(name))
        };
        self.scan.whole().lines().any(defines)
    }

    /// Makes the error for a line that begins with a sign, such as `#define`.
    pub fn unexpected_sign(&mut self) -> Box<Diagnostic> {
        let sign = self.scan.peek();
        let error = self.scan.unexpected("a label, an instruction, a directive or a macro call");
        let start = self.scan.at;
        let mut ahead = self.scan.clone();
        ahead.at += usize::from(matches!(sign, b'#' | b'%' | b'@' | b'!' | b'*'));
        if sign == b'*' {
            let help = ahead.take("=").then_some("`.org` sets the sequence number of what follows");
            return error.help_if(help).into();
        }
        let Some((_, word)) = ahead.name().filter(|_| ahead.at > start) else { return error };
        let directive = format!(".{}", word.to_ascii_lowercase());
        ahead.skip_space();
        match (directive.as_str(), sign) {
            (".define" | ".set" | ".assign", _) => {
                let Some((_, name)) = ahead.name() else { return error };
                let name = self.intern(name);
                let span = self.scan.span_from(start);
                self.broken(span, Some(name));
                let shown = self.names.show(name);
                let (value, _) = split_comment(ahead.rest());
                error.help(format!("a constant is `{shown} = {}`", value.trim())).into()
            }
            (".include", _) => {
                self.parsed.incomplete = true;
                error.did_you_mean_at(None, Some(".include")).into()
            }
            (known, _) if DIRECTIVES.contains(&known) => error.did_you_mean_at(None, Some(known)).into(),
            (_, b'@') => {
                let name = self.intern(word);
                let span = self.scan.span_from(start);
                self.broken(span, Some(name));
                error.help("a local label begins with a dot").into()
            }
            _ => error,
        }
    }

    /// Finds the closing directive for one of another assembler, such as `.endm`, or for `.end` alone.
    pub fn intended_closer(&self, unknown: &str) -> Option<&'static str> {
        let inner = self.blocks.last()?;
        let is_end =
            matches!(unknown, ".end" | ".done" | ".next" | ".wend" | ".fi" | ".rof" | ".od" | ".mend")
                || unknown.strip_prefix(".end").is_some_and(|rest| rest.len() <= 4)
                || unknown == ".loop" && self.count(inner.opener) > self.count(inner.closer);
        is_end.then_some(inner.closer)
    }

    /// Finds the opening directive for one of another assembler, if its closer is there.
    pub fn intended_opener(&self, unknown: &str) -> Option<&'static str> {
        let meant: &[&str] = match unknown {
            ".until" | ".do" | ".loop" => &[".while"],
            ".def" | ".func" | ".proc" | ".sub" => &[".macro", ".routine"],
            ".rept" | ".rep" => &[".repeat"],
            ".foreach" => &[".for"],
            ".unless" | ".ifnot" => &[".when", ".if"],
            other if other.starts_with(".if") => &[".if"],
            _ => return None,
        };
        let is_missing =
            |opener: &&&str| closer_of(opener).is_some_and(|end| self.count(end) > self.count(opener));
        meant.iter().find(is_missing).copied()
    }

    /// Marks a label before a directive that was not understood as broken: it probably names a byte of RAM.
    pub fn spoil_label(&mut self, directive: Span) {
        let Some(statement) = self.syntax.statements.last_mut() else { return };
        let StatementKind::Label(WrittenName::Plain(name)) = statement.kind else { return };
        let is_before = statement.span.file == directive.file && statement.span.end <= directive.start;
        if is_before && !self.scan.text(statement.span.end as usize, directive.start as usize).contains('\n')
        {
            statement.kind = StatementKind::Broken(name);
        }
    }

    /// Warns of a character literal of one byte whose letter is two bytes in a text.
    pub fn warn_of_letter(&mut self, start: usize) {
        let literal = self.scan.text(start, self.scan.at);
        let letter = literal.strip_prefix('\'').and_then(|rest| rest.chars().next());
        let Some(letter) = letter.filter(|letter| matches!(letter, '\u{80}'..='\u{FF}')) else { return };
        let message = format!("`'{letter}'` is the byte ${:02X}", u32::from(letter));
        let label = format!("in a text, \"{letter}\" is two bytes, of UTF-8");
        let span = self.scan.span_from(start);
        self.parsed.diagnostics.push(Diagnostic::warning(Warning::NotAscii, span, &message, &label));
    }

    /// Reports a name with invalid letters, once. It still counts as a name.
    pub fn check_letters(&mut self, start: usize) {
        let end = self.scan.at;
        let spelling = self.scan.text(start, end);
        let strange = spelling.chars().find(|letter| !letter.is_ascii());
        let Some(strange) = strange.filter(|_| self.strange_names.insert(spelling.to_owned())) else {
            return;
        };
        let message = format!("the name `{}` has the letter `{strange}`", crate::names::shorten(spelling));
        let label = "expected only letters a to z and A to Z, digits and `_`";
        let span = self.scan.span(start, end);
        self.parsed.diagnostics.push(Diagnostic::error(ErrorCode::BadName, span, message, label));
        let name = self.intern(spelling);
        self.broken(span, Some(name));
    }
}

/// Whether a name, a number or a text comes next.
fn value_follows(ahead: &mut Scanner) -> bool {
    ahead.skip_space();
    ahead.name_begins() || matches!(ahead.peek(), b'0'..=b'9' | b'$' | b'\'' | b'"')
}
