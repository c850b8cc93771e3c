//! Directives, and suggestions for unknown ones.

use super::blocks::{closes_block, opens_block};
use super::expression::FUNCTIONS;
use super::parser::Parser;
use super::scan::{ParseResult, refuse};
use super::tree::{Clause, Expression, Range, StatementKind};
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::foreign;
use crate::names::shorten;
use crate::source::Span;
use gray1_text::closest;

/// All directives.
pub const DIRECTIVES: [&str; 39] = [
    ".ram",
    ".org",
    ".word",
    ".include",
    ".once",
    ".function",
    ".table",
    ".extend",
    ".assert",
    ".error",
    ".requires",
    ".ensures",
    ".invariant",
    ".check",
    ".variant",
    ".modifies",
    ".within",
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
    ".while",
    ".endwhile",
    ".repeat_until",
    ".endrepeat_until",
    ".when",
    ".elsewhen",
    ".endwhen",
    ".break",
    ".continue",
    ".allow",
];

/// Blocks of other assemblers, with their closers.
const FOREIGN_BLOCKS: [(&str, &str); 7] = [
    (".func", ".endfunc"),
    (".proc", ".endproc"),
    (".scope", ".endscope"),
    (".namespace", ".endnamespace"),
    (".struct", ".endstruct"),
    (".enum", ".endenum"),
    (".union", ".endunion"),
];

/// The directives of contracts with a formula or a number.
const CLAUSES: [(&str, Clause); 6] = [
    (".requires", Clause::Requires),
    (".ensures", Clause::Ensures),
    (".invariant", Clause::Invariant),
    (".check", Clause::Check),
    (".variant", Clause::Variant),
    (".within", Clause::Within),
];

impl Parser<'_> {
    /// Takes a word that begins with a dot, unless it defines a local label.
    pub fn directive_word(&mut self) -> Option<String> {
        let mut ahead = self.scan.clone();
        ahead.at += 1;
        ahead.name_characters();
        let directive = self.scan.text(self.scan.at, ahead.at);
        let end = ahead.at;
        if ahead.peek() == b'{' || ahead.take(":") {
            return None;
        }
        self.scan.at = end;
        Some(directive.to_ascii_lowercase())
    }

    pub fn directive(&mut self, start: usize, directive: &str) -> ParseResult<()> {
        let mut span = self.scan.span_from(start);
        let kind = match directive {
            ".ram" => return self.ram(span),
            ".org" => StatementKind::Org(self.expression()?),
            ".word" => {
                let value = self.expression()?;
                let is_list = self.scan.clone().take(",");
                let help = is_list.then_some("`.word` has one value: write a line for each");
                self.end_of_statement().map_err(|error| error.help_if(help))?;
                StatementKind::Word(value)
            }
            ".include" => {
                let text = self.text_operand("the name of a file in quotes");
                self.parsed.incomplete |= text.is_err();
                span = self.scan.span_from(start);
                self.add(span, StatementKind::Include(text?));
                return self.end_of_statement();
            }
            ".once" => StatementKind::Once,
            ".allow" => return self.allow(),
            ".error" => StatementKind::Fail(self.text_operand("a text in quotes")?),
            ".assert" => {
                let condition = self.expression()?;
                let has_text = self.scan.take(",");
                let text = has_text.then(|| self.text_operand("a text in quotes")).transpose()?;
                StatementKind::Assert(condition, text)
            }
            ".modifies" => StatementKind::Modifies(self.in_contract(Self::operands)?),
            ".function" => return self.function(span),
            ".table" => {
                let (name, span) = self.new_name("the table's name")?;
                let none_yet = self.scan.is_at_end();
                let values = if none_yet { Ok(Range::default()) } else { self.table_values(span) };
                let values = values.inspect_err(|_| self.broken(span, name.plain()))?;
                self.add(span, StatementKind::Table(name, values));
                return Ok(());
            }
            ".extend" => return self.extend(),
            ".break" | ".continue" => self.leave_or_go_on(directive, span)?,
            ".elif" | ".elsewhen" | ".else" => return self.branch(directive, span),
            opener if opens_block(opener) => return self.open(directive, span),
            closer if closes_block(closer) => {
                let closed = self.close_named(directive, span);
                self.end_of_statement()?;
                return closed;
            }
            clause => match CLAUSES.iter().find(|(directive, _)| *directive == clause) {
                Some(&(_, clause)) => StatementKind::Promise(clause, self.in_contract(Self::expression)?),
                None if self.foreign_closers.contains(&directive) => return Ok(()),
                None => return Err(self.unknown_directive(directive, span).into()),
            },
        };
        self.end_of_statement()?;
        self.add(span, kind);
        Ok(())
    }

    /// Parses `.allow unused-name, never-written`.
    fn allow(&mut self) -> ParseResult<()> {
        self.list("warnings", |parser| {
            parser.scan.skip_space();
            let start = parser.scan.at;
            while parser.scan.name().is_some() && parser.scan.peek() == b'-' {
                parser.scan.at += 1;
            }
            let (span, name) = (parser.scan.span_from(start), parser.scan.text(start, parser.scan.at));
            if name.is_empty() {
                return Err(parser.scan.unexpected("the name of a warning"));
            }
            let Some(warning) = Warning::from_name(name) else {
                let message = format!("there is no warning `{}`", shorten(name));
                let label = "expected the name of a warning";
                let error = Diagnostic::error(ErrorCode::UnknownWarning, span, message, label);
                let names = Warning::ALL.iter().map(|warning| warning.name());
                return Err(error.did_you_mean(closest(name, names)).into());
            };
            if !parser.parsed.allowed.contains(&warning) {
                parser.parsed.allowed.push(warning);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Parses part of a contract, whose names do not count as used by the program.
    fn in_contract<T>(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        self.is_in_contract = true;
        let parsed = parse(self);
        self.is_in_contract = false;
        parsed
    }

    /// Parses `.function name(a, b) = value`.
    fn function(&mut self, directive: Span) -> ParseResult<()> {
        let (name, span) = self.new_name("the function's name")?;
        let built_in = self.scan.text(span.start as usize, span.end as usize);
        if FUNCTIONS.contains(&built_in) {
            let message = format!("`{built_in}` is a function already");
            return refuse(ErrorCode::ReservedName, span, message, "expected another name");
        }
        let value = self.function_value();
        self.function_parameters.clear();
        let (count, value) = value.inspect_err(|_| self.broken(directive, name.plain()))?;
        self.add(span, StatementKind::Function(name, count, value));
        Ok(())
    }

    fn function_value(&mut self) -> ParseResult<(u32, Expression)> {
        self.scan.expect("(", "`(` and the names of the parameters")?;
        if !self.scan.take(")") {
            self.separated("parameters", |parser| {
                let name = parser.plain_name("the name of a parameter")?;
                parser.check_parameter(name, parser.function_parameters.contains(&name))?;
                parser.function_parameters.push(name);
                Ok(())
            })?;
            self.scan.expect(")", "`,` or `)`")?;
        }
        if self.scan.rest().trim_start().starts_with("==") || !self.scan.take("=") {
            return Err(self.scan.unexpected("`=` and the function's value"));
        }
        Ok((self.function_parameters.len() as u32, self.last_expression()?))
    }

    fn table_values(&mut self, name: Span) -> ParseResult<Range> {
        if !self.scan.take(",") || self.scan.is_at_end() {
            return Err(self.scan.unexpected("`,` and the values of the table, or a text"));
        }
        let values = self.operands()?;
        if values.len() == 0 {
            let message = "this table is empty";
            let label = "expected values, or a text";
            return refuse(ErrorCode::WrongOperand, name, message, label);
        }
        Ok(values)
    }

    /// Parses `.extend name, values`.
    fn extend(&mut self) -> ParseResult<()> {
        let (name, span) = self.next_name("the name of a table")?;
        self.mark_mentioned(name);
        let values = self.table_values(span).inspect_err(|_| self.broken(span, name.plain()))?;
        self.add(span, StatementKind::Extend(name, values));
        Ok(())
    }

    fn ram(&mut self, directive: Span) -> ParseResult<()> {
        let named = self.new_name("the name of the RAM byte");
        self.parsed.incomplete |= named.is_err() && self.scan.is_at_end();
        let (name, span) = named.inspect_err(|_| self.spoil_label(directive))?;
        let count = match self.scan.take(",") {
            true => self.last_expression().map(Some),
            false => self.end_of_list().map(|()| None),
        };
        let count = count.inspect_err(|_| self.broken(directive, name.plain()))?;
        self.add(span, StatementKind::Ram(name, count));
        Ok(())
    }

    fn unknown_directive(&mut self, unknown: &str, span: Span) -> Diagnostic {
        let written = shorten(self.scan.text(span.start as usize, span.end as usize));
        let advice = foreign::advice(unknown);
        let meant = match (self.intended_closer(unknown), &advice) {
            (None, None) => {
                foreign::of_contracts(unknown).or_else(|| closest(unknown, DIRECTIVES.into_iter()))
            }
            (closer, _) => closer,
        };
        let advice = advice.filter(|_| meant.is_none());
        self.spoil_label(span);
        if let Some(&(_, closer)) = FOREIGN_BLOCKS.iter().find(|(opener, _)| *opener == unknown)
            && self.last_offset_of(closer).is_some_and(|last| last > span.start as usize)
        {
            self.foreign_closers.push(closer);
            if unknown == ".struct" || unknown == ".enum" || unknown == ".union" {
                // The lines of its body are no statements.
                self.parsed.incomplete = true;
                while !self.scan.rest().trim_start().to_ascii_lowercase().starts_with(closer)
                    && self.scan.next_line()
                {}
            }
        }
        if let Some(opener) = self.intended_opener(unknown) {
            self.stand_in(opener, span);
        }
        let mut expected = "expected a directive, or `:` after a local label";
        self.scan.skip_space();
        if meant == Some(".include") && self.include_all_the_same(span) {
            expected = "expected a directive";
        }
        // The name that it probably defines is not reported as unknown later.
        let name = self.scan.name().map(|(_, name)| self.intern(name));
        // Neither are the names of a file that it probably includes.
        self.parsed.incomplete |=
            matches!(self.scan.clone().quoted(), Ok(Some(text)) if text.ends_with(".g1"));
        if let Some(meant) = meant {
            self.stand_in(meant, span);
        }
        if name.is_some() {
            self.broken(span, name);
        }
        let message = format!("there is no directive `{written}`");
        Diagnostic::error(ErrorCode::UnknownDirective, span, message, expected)
            .did_you_mean(meant)
            .help_if(advice)
    }

    /// Includes the file of a misspelt `.include`, so that its names are known.
    fn include_all_the_same(&mut self, span: Span) -> bool {
        let before = self.scan.clone();
        match self.text_operand("the name of a file in quotes") {
            Ok(text) if self.scan.is_at_end() => {
                let span = Span { end: self.scan.at as u32, ..span };
                self.add(span, StatementKind::Include(text));
                true
            }
            _ => {
                self.scan = before;
                false
            }
        }
    }
}
