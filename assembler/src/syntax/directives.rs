//! Directives: each by its name, and what was meant by a name that is none.

use super::StatementKind;
use super::expression::AnyName;
use super::scan::{Mistake, Scanned};
use super::statement::Parser;
use crate::foreign;
use crate::names::{closest, shorten};

/// Every directive, as it is written.
pub const DIRECTIVES: [&str; 19] = [
    ".ram",
    ".org",
    ".word",
    ".include",
    ".once",
    ".assert",
    ".error",
    ".if",
    ".elif",
    ".else",
    ".endif",
    ".repeat",
    ".endrepeat",
    ".for",
    ".endfor",
    ".macro",
    ".endmacro",
    ".routine",
    ".endroutine",
];

impl Parser<'_> {
    /// Takes a word with a dot in front, unless it is a local label being defined.
    pub(super) fn directive_word(&mut self) -> Option<String> {
        let mut ahead = self.scan.clone();
        ahead.at += 1;
        let (start, word) = ahead.name_bytes();
        let directive = self.scan.text(start - 1, start + word.len()).to_ascii_lowercase();
        if ahead.peek() == b'{' || ahead.take(":") {
            return None;
        }
        self.scan.at = start + word.len();
        Some(directive)
    }

    pub(super) fn directive(&mut self, start: usize, directive: &str) -> Scanned<()> {
        let end = self.scan.at;
        let kind = match directive {
            ".ram" => return self.ram(start, end),
            ".org" => StatementKind::Org(self.expression()?),
            ".word" => StatementKind::Word(self.expression()?),
            ".include" => {
                let text = self.text_operand("the name of a file in quotes");
                self.incomplete |= text.is_err();
                StatementKind::Include(text?)
            }
            ".once" => StatementKind::Once,
            ".error" => StatementKind::Fail(self.text_operand("a text in quotes")?),
            ".assert" => {
                let condition = self.expression()?;
                let text =
                    if self.scan.take(",") { Some(self.text_operand("a text in quotes")?) } else { None };
                StatementKind::Assert { condition, text }
            }
            ".if" | ".repeat" | ".for" | ".macro" | ".routine" => return self.open(start, end, directive),
            ".elif" | ".else" => return self.branch(start, end, directive),
            ".endif" | ".endrepeat" | ".endfor" | ".endmacro" | ".endroutine" => {
                let closed = self.close_named(start, end, directive);
                self.end_of_statement()?;
                return closed;
            }
            unknown => return Err(self.unknown_directive(start, end, unknown)),
        };
        let end = if let StatementKind::Include(_) = kind { self.scan.at } else { end };
        self.end_of_statement()?;
        self.add(start, end, kind);
        Ok(())
    }

    fn unknown_directive(&mut self, start: usize, end: usize, unknown: &str) -> Box<Mistake> {
        self.scan.skip_space();
        let advice = foreign::advice(unknown);
        let meant = if advice.is_some() { None } else { closest(unknown, DIRECTIVES.into_iter()) };
        if meant == Some(".include") && self.include_all_the_same(start) {
            let span = self.scan.span(start, end);
            let message = format!("there is no directive `{}`", shorten(self.scan.text(start, end)));
            return self
                .scan
                .mistake(span, message, "expected a directive")
                .with_help("did you mean `.include`?");
        }
        // Whatever it was meant to define is not to be called unknown later.
        let name = self.scan.name().map(|(_, name)| self.names.intern(name));
        self.incomplete |= self.scan.peek() == b'"';
        let span = self.scan.span(start, end);
        let message = format!("there is no directive `{}`", shorten(self.scan.text(start, end)));
        let mistake = self.scan.mistake(span, message, "expected a directive, or `:` behind a local label");
        let mistake = match (meant, advice) {
            (Some(meant), _) => {
                self.stand_in(start, end, meant);
                mistake.with_help(format!("did you mean `{meant}`?"))
            }
            (None, Some(advice)) => mistake.with_help(advice),
            (None, None) => mistake,
        };
        match name {
            Some(_) => self.broken(start, end, name, mistake),
            None => mistake,
        }
    }

    /// Includes the file of a misspelt `.include`, so that nothing else seems to be missing.
    fn include_all_the_same(&mut self, start: usize) -> bool {
        let before = self.scan.clone();
        match self.text_operand("the name of a file in quotes") {
            Ok(text) if self.scan.is_at_end() => {
                self.add(start, self.scan.at, StatementKind::Include(text));
                true
            }
            _ => {
                self.scan = before;
                false
            }
        }
    }

    fn ram(&mut self, start: usize, end: usize) -> Scanned<()> {
        self.scan.skip_space();
        let name_start = self.scan.at;
        if !matches!(self.scan.peek(), b'_' | b'{' | b'a'..=b'z' | b'A'..=b'Z') {
            return Err(self.scan.unexpected("the name of the RAM byte"));
        }
        let name = self.maybe_pasted_name(0)?;
        let plain = if let AnyName::Plain(name) = name { Some(name) } else { None };
        let name_end = self.scan.at;
        let defined = self.define(name, name_start, name_end)?;
        let count = if self.scan.take(",") {
            self.expression().map(Some).and_then(|count| self.end_of_statement().map(|()| count))
        } else {
            self.end_of_list().map(|()| None)
        };
        match count {
            Ok(count) => {
                self.add(name_start, name_end, StatementKind::Ram { name: defined, count });
                Ok(())
            }
            Err(mistake) => Err(self.broken(start, end, plain, mistake)),
        }
    }
}
