//! The state of the parser, and the methods that its modules share: names, lists, ends of statements, broken definitions.

use super::line::{split_comment, tokens};
use super::scan::{ParseResult, Scanner, refuse};
use super::tree::{Mention, Range, Statement, StatementKind, Syntax, WrittenName};
use crate::built_in;
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::names::{Name, Names, is_name};
use crate::source::Span;
use gray1_isa::Opcode;
use hashbrown::{HashMap, HashSet};

/// The maximum number of errors in a file. After that, the rest is not parsed.
pub(super) const MAX_ERRORS: usize = 1_000;
/// The maximum length of a broken line that is searched for names.
const MAX_REST: usize = 1_000;

pub(super) struct Parser<'a> {
    pub scan: Scanner<'a>,
    pub syntax: &'a mut Syntax,
    pub names: &'a mut Names,
    /// The blocks that are open, the innermost last.
    pub blocks: Vec<Block>,
    /// The last position of each closing directive in the file, once it has been determined.
    pub last_closers: HashMap<&'static str, Option<usize>>,
    pub parsed: ParsedFile,
    /// The parameters of the `.function` whose value is being parsed.
    pub function_parameters: Vec<Name>,
    /// Set while part of a contract is being parsed.
    pub is_in_contract: bool,
    /// Set if an `.else` outside all blocks has been reported: its `.endif` is no second error.
    pub stray_branch: bool,
    /// The blocks of other assemblers that have been reported, by the directives that close them.
    pub foreign_closers: Vec<&'static str>,
    /// The names with invalid letters.
    pub strange_names: HashSet<String>,
}

/// The result of parsing one file.
#[derive(Debug, Default)]
pub(crate) struct ParsedFile {
    /// The range of its statements in [`Syntax::statements`].
    pub statements: Range,
    pub diagnostics: Vec<Diagnostic>,
    /// Set if names may be missing, because parts of the file were not understood.
    pub incomplete: bool,
    /// Set for an unchanged file of the built-in library.
    pub is_of_library: bool,
    /// The warnings that it silences.
    pub allowed: Vec<Warning>,
}

/// A block that is not closed yet.
pub(super) struct Block {
    pub opener: &'static str,
    pub closer: &'static str,
    /// Its opener, and its `.elif` and `.else` so far.
    pub statements: Vec<usize>,
    /// Set if this block, or one around it, is a loop that `.break` leaves.
    pub inside_loop: bool,
    /// Set for the rest of a `.when` after `.elsewhen`, which is a block in its else part and ends with it.
    pub is_rest: bool,
    pub span: Span,
}

impl Parser<'_> {
    pub fn add(&mut self, span: Span, kind: StatementKind) {
        self.syntax.statements.push(Statement { span, kind, end: 0, next: 0 });
    }

    /// Records the position of a name.
    pub fn mention(&mut self, name: WrittenName, start: usize) -> WrittenName {
        let span = self.scan.span_from(start);
        self.syntax.mentions.push(Mention { name, span, is_binding: false });
        name
    }

    /// Marks the last mention as a parameter or a counter.
    pub fn mark_binding(&mut self) {
        if let Some(mention) = self.syntax.mentions.last_mut() {
            mention.is_binding = true;
        }
    }

    /// Records the use of a name in an expression.
    pub fn mark_used(&mut self, name: Name) {
        let used = if self.is_in_contract { &mut self.names.promised } else { &mut self.names.mentioned };
        used[name.index()] = true;
    }

    /// Records the use of a name in a statement.
    pub fn mark_mentioned(&mut self, name: WrittenName) {
        if let WrittenName::Plain(name) = name {
            self.names.mentioned[name.index()] = true;
        }
    }

    /// Records the names on the rest of a broken line.
    pub fn mention_rest(&mut self) {
        let rest = self.scan.rest();
        let end = rest.char_indices().nth(MAX_REST).map_or(rest.len(), |(end, _)| end);
        let (code, _) = split_comment(&rest[..end]);
        let start = self.scan.at;
        for token in tokens(code).iter().filter(|token| is_name(token.text)) {
            let at = start + (token.text.as_ptr() as usize - code.as_ptr() as usize);
            let name = self.intern(token.text);
            let span = self.scan.span(at, at + token.text.len());
            self.syntax.mentions.push(Mention { name: WrittenName::Plain(name), span, is_binding: false });
        }
    }

    /// Interns a name.
    pub fn intern(&mut self, spelling: &str) -> Name {
        match self.parsed.is_of_library && built_in::defines(spelling) {
            true => self.names.intern_of_library(spelling),
            false => self.names.intern(spelling),
        }
    }

    /// Records that a statement probably defines a name, so that its uses are not reported as unknown.
    pub fn broken(&mut self, span: Span, name: Option<Name>) {
        match name {
            Some(name) => self.add(span, StatementKind::Broken(name)),
            None => self.parsed.incomplete = true,
        }
    }

    /// Checks a name that is defined here.
    pub fn define(&mut self, name: WrittenName, span: Span) -> ParseResult<()> {
        if let WrittenName::Plain(name) = name {
            self.check_free(name, span)?;
            self.names.defined[name.index()] = true;
        }
        Ok(())
    }

    /// Takes a name that is defined here, spelled out or pasted.
    pub fn new_name(&mut self, what: &str) -> ParseResult<(WrittenName, Span)> {
        let (name, span) = self.next_name(what)?;
        self.define(name, span)?;
        Ok((name, span))
    }

    /// Takes a name, spelled out or pasted.
    pub fn next_name(&mut self, what: &str) -> ParseResult<(WrittenName, Span)> {
        self.scan.skip_space();
        let start = self.scan.at;
        if !self.scan.name_begins() {
            return Err(self.scan.unexpected(what));
        }
        let name = self.written_name(0)?;
        Ok((name, self.scan.span_from(start)))
    }

    /// Takes a name that cannot be pasted, and is free to be defined.
    pub fn plain_name(&mut self, what: &str) -> ParseResult<Name> {
        self.scan.skip_space();
        let Some((start, spelling)) = self.scan.name() else { return Err(self.scan.unexpected(what)) };
        self.check_letters(start);
        let name = self.intern(spelling);
        self.mention(WrittenName::Plain(name), start);
        self.mark_binding();
        self.check_free(name, self.scan.span(start, self.scan.at))?;
        Ok(name)
    }

    pub fn check_free(&self, name: Name, span: Span) -> ParseResult<()> {
        let spelling = self.names.spelling(name);
        let taken_by = if spelling == "here" {
            "the current sequence number"
        } else if Opcode::from_mnemonic(spelling).is_some() {
            "an instruction"
        } else {
            return Ok(());
        };
        let message = format!("`{spelling}` is {taken_by}, so it cannot be a name");
        refuse(ErrorCode::ReservedName, span, message, "expected another name")
    }

    /// Takes a text in quotes if one begins here; returns its number.
    pub fn text(&mut self) -> ParseResult<Option<u32>> {
        Ok(self.scan.quoted()?.map(|text| self.keep_text(text)))
    }

    pub fn keep_text(&mut self, text: String) -> u32 {
        self.syntax.texts.push(text);
        self.syntax.texts.len() as u32 - 1
    }

    pub fn text_operand(&mut self, expected: &str) -> ParseResult<u32> {
        self.scan.skip_space();
        self.text()?.ok_or_else(|| self.scan.unexpected(expected))
    }

    /// Parses items up to the end of the statement, separated by commas; possibly none.
    pub fn list<T>(
        &mut self,
        what: &str,
        item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let found = if self.scan.is_at_end() { Vec::new() } else { self.separated(what, item)? };
        self.end_of_list()?;
        Ok(found)
    }

    /// Parses items separated by commas, at least one.
    pub fn separated<T>(
        &mut self,
        what: &str,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut found = Vec::new();
        loop {
            self.scan.check_count(found.len(), what)?;
            found.push(item(self)?);
            if !self.scan.take(",") {
                return Ok(found);
            }
        }
    }

    pub fn end_of_statement(&mut self) -> ParseResult<()> {
        self.end("the end of the statement")
    }

    /// Expects the end of a statement that could continue with a comma.
    pub fn end_of_list(&mut self) -> ParseResult<()> {
        self.end("`,` or the end of the statement")
    }

    fn end(&mut self, expected: &str) -> ParseResult<()> {
        if self.scan.is_at_end() {
            return Ok(());
        }
        let help = self.statement_follows().then_some("a line has only one statement");
        Err(self.scan.unexpected(expected).help_if(help).into())
    }
}
