//! Statements, line by line. After an error, the parser continues with the next line.

use super::parser::{MAX_ERRORS, ParsedFile, Parser};
use super::scan::{ParseResult, Scanner, refuse};
use super::tree::{Range, StatementKind, Syntax, WrittenName};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::names::{Names, near_mnemonic};
use crate::source::{Sources, Span};
use gray1_isa::{Opcode, Operand as OperandField};
use hashbrown::{HashMap, HashSet};

/// The maximum number of statements in all files of a program; program memory has 4,096 words.
const MAX_STATEMENTS: usize = 250_000;
/// The maximum number of operations in their expressions.
const MAX_TOTAL_OPERATIONS: usize = 1_500_000;

/// The statements that are neither instructions nor directives nor macro calls.
pub(crate) const STATEMENTS: [&str; 3] = ["call", "return", "read_table"];

/// Whether a statement of the language begins with this word.
pub(crate) fn is_statement(word: &str) -> bool {
    let is_it = |statement: &&str| statement.eq_ignore_ascii_case(word);
    Opcode::from_mnemonic(word).is_some() || STATEMENTS.iter().any(is_it)
}

/// Parses a file, adding to `syntax`.
pub(crate) fn parse(
    sources: &Sources,
    file: u32,
    is_of_library: bool,
    syntax: &mut Syntax,
    names: &mut Names,
) -> ParsedFile {
    let start = syntax.statements.len() as u32;
    let mut parser = Parser {
        scan: Scanner::new(sources.text(file), file),
        syntax,
        names,
        blocks: Vec::new(),
        last_closers: HashMap::new(),
        parsed: ParsedFile { is_of_library, ..ParsedFile::default() },
        function_parameters: Vec::new(),
        is_in_contract: false,
        stray_branch: false,
        foreign_closers: Vec::new(),
        strange_names: HashSet::new(),
    };
    parser.file();
    parser.parsed.statements = Range { start, end: parser.syntax.statements.len() as u32 };
    parser.parsed
}

/// Describes the expected operand of an instruction.
pub(crate) fn expected_operand(opcode: Opcode) -> &'static str {
    match opcode.row().operand {
        OperandField::Value => "a RAM address, or a constant after `#`",
        OperandField::Address => "a RAM address",
        OperandField::Target => "a label",
    }
}

impl Parser<'_> {
    fn file(&mut self) {
        loop {
            if let Err(error) = self.line() {
                self.parsed.diagnostics.push(*error);
                self.mention_rest();
            }
            let too_many = self.syntax.statements.len() > MAX_STATEMENTS
                || self.syntax.operations.len() > MAX_TOTAL_OPERATIONS;
            if too_many {
                let message = format!(
                    "more than {MAX_STATEMENTS} statements, or {MAX_TOTAL_OPERATIONS} operations in expressions"
                );
                let here = self.scan.span_from(self.scan.at);
                let label = "the rest is not read";
                self.parsed.diagnostics.push(Diagnostic::error(ErrorCode::TooComplex, here, message, label));
            }
            if too_many || self.parsed.diagnostics.len() >= MAX_ERRORS {
                self.parsed.incomplete = true;
                break;
            }
            if !self.scan.next_line() {
                break;
            }
        }
        while !self.blocks.is_empty() {
            self.never_closed();
        }
    }

    /// Parses a line: labels, then possibly a statement.
    fn line(&mut self) -> ParseResult<()> {
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
            } else if !self.scan.name_begins() {
                return Err(self.unexpected_sign());
            }
            let name = self.written_name(0)?;
            let span = self.scan.span_from(start);
            if self.scan.take(":=") {
                return self.variable(name, span);
            }
            let is_anonymous =
                [":-", ":+"].iter().any(|sign| self.scan.rest().trim_start().starts_with(sign));
            if is_anonymous || !self.scan.take(":") && !self.lacks_colon(name, span) {
                return self.named(name, span);
            }
            self.define(name, span)?;
            self.add(span, StatementKind::Label(name));
        }
        Ok(())
    }

    fn variable(&mut self, written: WrittenName, span: Span) -> ParseResult<()> {
        if self.scan.text(span.start as usize, span.end as usize).starts_with('.') {
            let message = "a variable cannot be local";
            return refuse(ErrorCode::ReservedName, span, message, "expected a name without a dot");
        }
        self.define(written, span)?;
        let value = self.last_expression().inspect_err(|_| self.broken(span, written.plain()))?;
        self.add(span, StatementKind::Variable(written, value));
        Ok(())
    }

    /// Parses a statement that begins with a name: a constant, an instruction or a macro call.
    fn named(&mut self, written: WrittenName, span: Span) -> ParseResult<()> {
        let default = self.scan.take("?=");
        if default || !self.scan.rest().starts_with("==") && self.scan.take("=") {
            self.define(written, span)?;
            let value = self.last_expression().inspect_err(|_| self.broken(span, written.plain()))?;
            self.add(span, StatementKind::Constant { name: written, value, default });
            return Ok(());
        }
        let spelling = written.plain().map(|name| self.names.spelling(name));
        match spelling.and_then(Opcode::from_mnemonic) {
            Some(opcode) => self.instruction(opcode, span),
            None => self.call(written, span),
        }
    }

    fn instruction(&mut self, opcode: Opcode, mnemonic: Span) -> ParseResult<()> {
        if self.scan.is_at_end() {
            let message = format!("{} needs an operand", opcode.row().mnemonic);
            let label = format!("expected {}", expected_operand(opcode));
            return refuse(ErrorCode::MissingOperand, mnemonic, message, label);
        }
        let operand = self.operand()?;
        self.end_of_statement().map_err(|error| {
            let help = "an instruction has one operand: there is no indexing on this machine";
            error.help_if((self.scan.peek() == b',').then_some(help))
        })?;
        let span = Span { end: operand.span.end, ..mnemonic };
        self.add(span, StatementKind::Instruction(opcode, operand));
        Ok(())
    }

    fn call(&mut self, written: WrittenName, span: Span) -> ParseResult<()> {
        self.refuse_without_dot(written, span)?;
        self.refuse_equ(written, span)?;
        let may_be_label = self.two_words_follow();
        let operands = self.operands().map_err(|error| {
            self.broken(span, written.plain());
            let Some(name) = written.plain() else { return error };
            match near_mnemonic(self.names.spelling(name)) {
                Some(meant) if error.help.is_empty() && !self.names.defined[name.index()] => {
                    error.did_you_mean_at(Some(span), Some(&meant)).into()
                }
                _ if may_be_label => {
                    let shown = self.names.show(name);
                    error.help(format!("if `{shown}` is a label, write `{shown}:`")).into()
                }
                _ => error,
            }
        })?;
        self.mark_mentioned(written);
        self.add(span, StatementKind::Call(written, operands));
        Ok(())
    }
}
