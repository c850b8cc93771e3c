//! Statements: one line after the other, each mistake costing no more than its own line.

use super::blocks::Block;
use super::expression::AnyName;
use super::scan::{Mistake, Scanned, Scanner};
use super::{DefinedName, Expression, Range, Statement, StatementKind, Syntax};
use crate::diagnostic::Diagnostic;
use crate::names::{Name, Names, near_mnemonic};
use crate::source::{Sources, Span};
use gray1_isa::Opcode;
use std::collections::HashMap;

/// The files of a program may have this many statements together; program memory has 4,096 words.
const MOST_STATEMENTS: usize = 250_000;
/// And so many operations in their expressions.
const MOST_OPERATIONS: usize = 1_500_000;
/// After this many mistakes in one file the rest of it is not looked at.
pub(super) const MOST_MISTAKES: usize = 1_000;

/// What the parser made of one file.
pub(crate) struct Parsed {
    /// Its statements in [`Syntax::statements`].
    pub statements: Range,
    pub mistakes: Vec<Diagnostic>,
    /// Whether parts were not understood so badly that names may be missing.
    pub incomplete: bool,
}

/// Parses a file, adding to `syntax`.
pub(crate) fn parse(sources: &Sources, file: u32, syntax: &mut Syntax, names: &mut Names) -> Parsed {
    let first = syntax.statements.len();
    let text = sources.text(file);
    let scan = Scanner::new(text, file);
    let mut parser = Parser {
        scan,
        file,
        syntax,
        names,
        blocks: Vec::new(),
        last_closers: HashMap::new(),
        mistakes: Vec::new(),
        incomplete: false,
    };
    parser.file();
    let Parser { mistakes, incomplete, .. } = parser;
    let statements = Range { start: first as u32, end: syntax.statements.len() as u32 };
    Parsed { statements, mistakes, incomplete }
}

pub(super) struct Parser<'a> {
    pub(super) scan: Scanner<'a>,
    file: u32,
    pub(super) syntax: &'a mut Syntax,
    pub(super) names: &'a mut Names,
    pub(super) blocks: Vec<Block>,
    /// Where in the file each directive that closes blocks stands last, once that was looked for.
    pub(super) last_closers: HashMap<&'static str, Option<usize>>,
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) incomplete: bool,
}

impl Parser<'_> {
    fn file(&mut self) {
        loop {
            if let Err(mistake) = self.line() {
                self.report(*mistake);
            }
            let too_many = self.syntax.statements.len() > MOST_STATEMENTS
                || self.syntax.operations.len() > MOST_OPERATIONS;
            if too_many || self.mistakes.len() >= MOST_MISTAKES {
                self.incomplete = true;
                if too_many {
                    let message = format!(
                        "more than {MOST_STATEMENTS} statements, or {MOST_OPERATIONS} operations in expressions"
                    );
                    let span = self.scan.span(self.scan.at, self.scan.at);
                    self.mistakes.push(Diagnostic::error(span, message).label("the rest is not read"));
                }
                break;
            }
            if !self.scan.next_line() {
                break;
            }
        }
        while let Some(block) = self.blocks.pop() {
            self.never_closed(&block);
            self.close(block);
        }
    }

    fn report(&mut self, mistake: Mistake) {
        let diagnostic = Diagnostic::error(mistake.span, mistake.message).label(mistake.label);
        self.mistakes.push(match mistake.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    /// Parses a line: any labels, then maybe one statement.
    fn line(&mut self) -> Scanned<()> {
        for labels in 0.. {
            self.scan.check_count(labels, "labels on a line")?;
            if self.scan.is_at_end() {
                return Ok(());
            }
            let start = self.scan.at;
            if self.scan.peek() == b'.' {
                if let Some(directive) = self.directive_word() {
                    return self.directive(start, &directive);
                }
            } else if !matches!(self.scan.peek(), b'_' | b'{' | b'a'..=b'z' | b'A'..=b'Z') {
                return Err(self.scan.unexpected("a label, an instruction, a directive or a macro call"));
            }
            let name = self.maybe_pasted_name(0)?;
            let name_end = self.scan.at;
            if !self.scan.take(":") {
                return self.named(start, name_end, name);
            }
            let defined = self.define(name, start, name_end)?;
            self.add(start, name_end, StatementKind::Label(defined));
        }
        Ok(())
    }

    /// A statement that begins with a name: a constant, an instruction or a macro call.
    fn named(&mut self, start: usize, name_end: usize, name: AnyName) -> Scanned<()> {
        let default = self.scan.take("?=");
        if default || self.scan.rest().starts_with('=') && !self.scan.rest().starts_with("==") {
            self.scan.at += usize::from(!default);
            let plain = if let AnyName::Plain(name) = name { Some(name) } else { None };
            let defined = self.define(name, start, name_end)?;
            return match self.expression().and_then(|value| self.end_of_statement().map(|()| value)) {
                Ok(value) => {
                    self.add(start, name_end, StatementKind::Constant { name: defined, value, default });
                    Ok(())
                }
                Err(mistake) => Err(self.broken(start, name_end, plain, mistake)),
            };
        }
        let AnyName::Plain(name) = name else {
            let span = self.scan.span(start, name_end);
            let expected = "expected `:` or `=` behind it";
            return Err(self.scan.mistake(span, "a pasted name can be a label or a constant here", expected));
        };
        match Opcode::from_mnemonic(self.names.spelling(name)) {
            Some(opcode) => self.instruction(start, opcode),
            None => self.call(start, name_end, name),
        }
    }

    fn instruction(&mut self, start: usize, opcode: Opcode) -> Scanned<()> {
        if self.scan.is_at_end() {
            let mnemonic = opcode.row().mnemonic;
            let expected = crate::emit::expected_operand(opcode);
            let span = self.scan.span(start, self.scan.at.min(start + mnemonic.len()));
            return Err(self.scan.mistake(
                span,
                format!("{mnemonic} needs an operand"),
                format!("expected {expected}"),
            ));
        }
        let operand = self.operand()?;
        self.end_of_statement().map_err(|mistake| match self.scan.peek() {
            b',' => mistake.with_help("an instruction has one operand: there is no indexing on this machine"),
            _ => mistake,
        })?;
        self.add(start, operand.span.end as usize, StatementKind::Instruction { opcode, operand });
        Ok(())
    }

    fn call(&mut self, start: usize, name_end: usize, name: Name) -> Scanned<()> {
        let operands = match self.operands() {
            Ok(operands) => operands,
            Err(mistake) => {
                let mistake = match near_mnemonic(self.names.spelling(name)) {
                    Some(meant) if mistake.help.is_none() && !self.syntax.is_defined_somewhere(name) => {
                        mistake.with_help(format!("did you mean `{meant}`?"))
                    }
                    _ => mistake,
                };
                return Err(self.broken(start, name_end, Some(name), mistake));
            }
        };
        self.syntax.mention(name);
        self.add(start, name_end, StatementKind::Call { name, operands });
        Ok(())
    }

    /// Operands up to the end of the line, separated by commas.
    pub(super) fn operands(&mut self) -> Scanned<Range> {
        let mut found = Vec::new();
        if !self.scan.is_at_end() {
            found.push(self.operand()?);
            while self.scan.take(",") {
                self.scan.check_count(found.len(), "operands")?;
                found.push(self.operand()?);
            }
            self.end_of_list()?;
        }
        let start = self.syntax.operands.len() as u32;
        self.syntax.operands.extend(found);
        Ok(Range { start, end: self.syntax.operands.len() as u32 })
    }

    pub(super) fn text_operand(&mut self, expected: &str) -> Scanned<u32> {
        self.scan.skip_space();
        self.text()?.ok_or_else(|| self.scan.unexpected(expected))
    }

    /// The number of the text in quotes that begins here, if one does.
    pub(super) fn text(&mut self) -> Scanned<Option<u32>> {
        let Some(text) = self.scan.quoted()? else { return Ok(None) };
        self.syntax.texts.push(text);
        Ok(Some(self.syntax.texts.len() as u32 - 1))
    }

    pub(super) fn plain_name(&mut self, what: &str) -> Scanned<Name> {
        self.scan.skip_space();
        match self.scan.name() {
            Some((start, spelling)) => {
                let name = self.names.intern(spelling);
                self.check_free(name, start, self.scan.at)?;
                Ok(name)
            }
            None => Err(self.scan.unexpected(what)),
        }
    }

    pub(super) fn define(&mut self, name: AnyName, start: usize, end: usize) -> Scanned<DefinedName> {
        match name {
            AnyName::Plain(name) => {
                self.check_free(name, start, end)?;
                self.syntax.note_definition(name);
                Ok(DefinedName::Plain(name))
            }
            AnyName::Pasted(pasting) => Ok(DefinedName::Pasted(pasting)),
        }
    }

    pub(super) fn check_free(&mut self, name: Name, start: usize, end: usize) -> Scanned<()> {
        let spelling = self.names.spelling(name);
        let taken_by = if spelling == "here" {
            "the current sequence number"
        } else if Opcode::from_mnemonic(spelling).is_some() {
            "an instruction"
        } else {
            return Ok(());
        };
        let message = format!("`{spelling}` is {taken_by}, not a name of yours");
        Err(self.scan.mistake(self.scan.span(start, end), message, "expected another name"))
    }

    pub(super) fn end_of_statement(&mut self) -> Scanned<()> {
        if self.scan.is_at_end() { Ok(()) } else { Err(self.scan.unexpected("the end of the statement")) }
    }

    /// The end of a statement that could go on with a comma.
    pub(super) fn end_of_list(&mut self) -> Scanned<()> {
        if self.scan.is_at_end() {
            Ok(())
        } else {
            Err(self.scan.unexpected("`,` or the end of the statement"))
        }
    }

    /// Notes that a statement was meant to define a name, so that its uses are not called unknown.
    pub(super) fn broken(
        &mut self,
        start: usize,
        end: usize,
        name: Option<Name>,
        mistake: Box<Mistake>,
    ) -> Box<Mistake> {
        match name {
            Some(name) => self.add(start, end, StatementKind::Broken(name)),
            None => self.incomplete = true,
        }
        mistake
    }

    /// An expression of no operations, which has no value; its mistake is reported already.
    pub(super) fn failed_expression(&self, at: usize) -> Expression {
        let none = self.syntax.operations.len() as u32;
        Expression { operations: Range { start: none, end: none }, start: at as u32, end: at as u32 }
    }

    pub(super) fn add(&mut self, start: usize, end: usize, kind: StatementKind) {
        let span = Span { file: self.file, start: start as u32, end: end as u32 };
        self.syntax.statements.push(Statement { span, kind });
    }
}
