//! Blocks, such as `.if` … `.elif` … `.endif`. Each statement of a block gets the index of the end of the block.

use super::parser::{Block, MAX_ERRORS, Parser};
use super::scan::{ParseResult, refuse};
use super::tree::{Operand, Parameter, Range, StatementKind, WrittenName};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::names::Name;
use crate::source::Span;

/// The directives that open blocks, with their closers.
const BLOCKS: [(&str, &str); 8] = [
    (".if", ".endif"),
    (".repeat", ".endrepeat"),
    (".for", ".endfor"),
    (".macro", ".endmacro"),
    (".routine", ".endroutine"),
    (".while", ".endwhile"),
    (".repeat_until", ".endrepeat_until"),
    (".when", ".endwhen"),
];
const FOR_HELP: &str = "`.for k, 0, 4` counts k from 0 to 3";
/// The loops at run time, which `.break` leaves.
const LOOPS: [&str; 2] = [".while", ".repeat_until"];

/// Whether a directive opens a block.
pub(crate) fn opens_block(directive: &str) -> bool {
    closer_of(directive).is_some()
}

/// Whether a directive closes a block.
pub(crate) fn closes_block(directive: &str) -> bool {
    opener_of(directive).is_some()
}

/// The closer of an opening directive.
pub(super) fn closer_of(directive: &str) -> Option<&'static str> {
    BLOCKS.iter().find(|(opener, _)| *opener == directive).map(|&(_, closer)| closer)
}

/// The opener of a closing directive.
pub(super) fn opener_of(directive: &str) -> Option<&'static str> {
    BLOCKS.iter().find(|(_, closer)| *closer == directive).map(|&(opener, _)| opener)
}

impl Parser<'_> {
    /// Opens a block. If its head is not understood, the block is skipped.
    pub fn open(&mut self, directive: &str, span: Span) -> ParseResult<()> {
        let head = self.head(directive, span);
        let (kind, span) = head.as_ref().map_or((StatementKind::Elif(None), span), |head| *head);
        self.push_block(directive, kind, span);
        head.map(drop)
    }

    /// Keeps the blocks balanced if one of their directives is misspelt.
    pub fn stand_in(&mut self, meant: &str, span: Span) {
        let inner = self.blocks.last().map(|block| (block.opener, block.closer));
        if let Some(closer) = closer_of(meant) {
            // Without a closer, it does not open a block.
            if self.last_offset_of(closer).is_some_and(|last| last > span.start as usize) {
                self.push_block(meant, StatementKind::Elif(None), span);
            }
        } else if inner.is_some_and(|(_, closer)| closer == meant) {
            self.close_last();
        } else if inner.is_some_and(|(opener, _)| matches!(opener, ".if" | ".when"))
            && matches!(meant, ".elif" | ".elsewhen" | ".else")
        {
            self.push_branch(StatementKind::Elif(None), span);
        }
    }

    /// The last position of a closing directive in the file.
    pub fn last_offset_of(&mut self, closer: &'static str) -> Option<usize> {
        let scan = &self.scan;
        *self.last_closers.entry(closer).or_insert_with(|| scan.last_offset_of(closer))
    }

    fn push_block(&mut self, directive: &str, kind: StatementKind, span: Span) {
        let Some(&(opener, closer)) = BLOCKS.iter().find(|(opener, _)| *opener == directive) else { return };
        let inside_loop = match opener {
            ".macro" | ".routine" => false,
            opener => LOOPS.contains(&opener) || self.blocks.last().is_some_and(|block| block.inside_loop),
        };
        self.blocks.push(Block { opener, closer, statements: Vec::new(), inside_loop, is_rest: false, span });
        self.push_branch(kind, span);
    }

    fn push_branch(&mut self, kind: StatementKind, span: Span) {
        if let Some(block) = self.blocks.last_mut() {
            block.statements.push(self.syntax.statements.len());
        }
        self.add(span, kind);
    }

    /// Parses the head of a block; returns also its span, for a macro or routine up to the name.
    fn head(&mut self, opener: &str, span: Span) -> ParseResult<(StatementKind, Span)> {
        let kind = match opener {
            ".if" => StatementKind::If(self.last_expression()?),
            ".while" => StatementKind::While(self.last_condition()?),
            ".repeat_until" => StatementKind::RepeatUntil(self.last_condition()?),
            ".when" => StatementKind::When(self.last_condition()?),
            ".repeat" => {
                let count = self.expression()?;
                if self.scan.take(",") {
                    let counter = self.counter()?;
                    self.end_of_statement()?;
                    StatementKind::Repeat(count, Some(counter))
                } else {
                    self.end_of_list()?;
                    StatementKind::Repeat(count, None)
                }
            }
            ".for" => {
                let counter = self.counter()?;
                if !self.scan.take(",") || self.scan.is_at_end() {
                    let error = self.scan.unexpected("`,` and where to start, or a text");
                    return Err(error.help(FOR_HELP).into());
                }
                let over = self.operands().map_err(|error| {
                    let help = self.scan.rest().starts_with("..").then_some(FOR_HELP);
                    error.help_if(help)
                })?;
                let given = &self.syntax.operands[over.indices()];
                if given.len() > 3 || given.len() > 1 && given.iter().any(Operand::is_text) {
                    let span = given[given.len() - 1].span;
                    let expected = "expected `name, from, to`, a step after them, or `name, \"text\"`";
                    return refuse(
                        ErrorCode::WrongOperand,
                        span,
                        "`.for` does not take these operands",
                        expected,
                    );
                }
                StatementKind::For(counter, over)
            }
            _ => {
                let (name, _) = self.new_name(&format!("the {}'s name", &opener[1..]))?;
                let span = Span { end: self.scan.at as u32, ..span };
                if opener == ".routine" {
                    self.end_of_statement()?;
                    return Ok((StatementKind::Routine(name), span));
                }
                let here = self.scan.span_from(self.scan.at);
                let parameters = self.parameters().inspect_err(|_| self.broken(here, name.plain()))?;
                return Ok((StatementKind::Macro(name, parameters), span));
            }
        };
        Ok((kind, span))
    }

    fn counter(&mut self) -> ParseResult<WrittenName> {
        let (written, span) = self.next_name("the counter's name")?;
        self.mark_binding();
        written.plain().map_or(Ok(()), |name| self.check_free(name, span)).map(|()| written)
    }

    fn parameters(&mut self) -> ParseResult<Range> {
        let start = self.syntax.parameters.len();
        self.list("parameters", |parser| {
            let is_text = parser.scan.take("\"");
            let name = parser.plain_name("the name of a parameter")?;
            let mut before = parser.syntax.parameters[start..].iter();
            parser.check_parameter(name, before.any(|parameter| parameter.name == name))?;
            if is_text {
                parser.scan.expect("\"", "`\"` after the name of the parameter")?;
            }
            let default = parser.scan.take("=").then(|| parser.operand()).transpose()?;
            let last = parser.syntax.parameters[start..].last();
            if default.is_none() && last.is_some_and(|last| last.default.is_some()) {
                return Err(parser.scan.unexpected("`=` and a default value, as for the parameter before"));
            }
            parser.syntax.parameters.push(Parameter { name, is_text, default });
            Ok(())
        })?;
        Ok(Range { start: start as u32, end: self.syntax.parameters.len() as u32 })
    }

    /// Rejects the last parameter if its name is taken.
    pub fn check_parameter(&self, name: Name, is_taken: bool) -> ParseResult<()> {
        if !is_taken {
            return Ok(());
        }
        let end = self.scan.at;
        let span = self.scan.span(end - self.names.spelling(name).len(), end);
        let message = format!("two parameters are named `{}`", self.names.show(name));
        refuse(ErrorCode::DuplicateParameter, span, message, "expected another name")
    }

    /// Parses `.break` or `.continue`, which belong to the innermost loop at run time.
    pub fn leave_or_go_on(&mut self, directive: &str, span: Span) -> ParseResult<StatementKind> {
        if self.blocks.last().is_none_or(|block| !block.inside_loop) {
            let message = format!("`{directive}` outside a loop");
            let label = "expected this inside `.while` … `.endwhile` or `.repeat_until` … `.endrepeat_until`";
            let error = Diagnostic::error(ErrorCode::BreakOutsideLoop, span, message, label);
            let is_unrolled = self.blocks.iter().any(|block| matches!(block.opener, ".for" | ".repeat"));
            let help = "the assembler executes `.for` and `.repeat`: use `.if` there";
            return Err(error.help_if(is_unrolled.then_some(help)).into());
        }
        Ok(match directive {
            ".break" => StatementKind::Break,
            _ => StatementKind::Continue,
        })
    }

    pub fn branch(&mut self, directive: &str, span: Span) -> ParseResult<()> {
        let Some(block) = self.blocks.last().filter(|block| matches!(block.opener, ".if" | ".when")) else {
            let opener = if directive == ".elsewhen" { ".when" } else { ".if" };
            let message = format!("`{directive}` without `{opener}`");
            let label = format!("expected this inside `{opener}` … `.end{}`", &opener[1..]);
            self.stray_branch = self.blocks.is_empty();
            return refuse(ErrorCode::UnmatchedBlock, span, message, label);
        };
        let is_when = block.opener == ".when";
        let (meant, label) = match (directive, is_when) {
            (".elif", true) => (".elsewhen", "expected `.elsewhen`, `.else` or `.endwhen`"),
            (".elsewhen", false) => (".elif", "expected `.elif`, `.else` or `.endif`"),
            _ => (directive, ""),
        };
        if meant != directive {
            let message = format!("`{directive}` inside `{}`", block.opener);
            let error = Diagnostic::error(ErrorCode::UnmatchedBlock, span, message, label);
            self.push_branch(StatementKind::Elif(None), span);
            return Err(error.did_you_mean(Some(meant)).into());
        }
        let before = block.statements.last().map(|&last| self.syntax.statements[last].kind);
        if let Some(StatementKind::Else | StatementKind::WhenElse) = before {
            let message = format!("`{directive}` after `.else`");
            let label = format!("expected `{}`", block.closer);
            return refuse(ErrorCode::UnmatchedBlock, span, message, label);
        }
        if directive == ".elif" {
            let condition = self.last_expression();
            self.push_branch(StatementKind::Elif(condition.as_ref().ok().copied()), span);
            return condition.map(drop);
        }
        self.push_branch(if is_when { StatementKind::WhenElse } else { StatementKind::Else }, span);
        if directive == ".elsewhen" {
            let opened = self.open(".when", span);
            if let Some(block) = self.blocks.last_mut() {
                block.is_rest = true;
            }
            return opened;
        }
        self.end_of_statement().map_err(|error| match self.scan.rest().starts_with("if") {
            true => error.did_you_mean_at(None, Some(".elif")).into(),
            false => error,
        })
    }

    pub fn close_named(&mut self, closer: &str, span: Span) -> ParseResult<()> {
        if std::mem::take(&mut self.stray_branch) && self.blocks.is_empty() {
            return Ok(());
        }
        // The shorter form is allowed, because it is not ambiguous here.
        let closes_until = self.blocks.last().is_some_and(|block| block.opener == ".repeat_until");
        let closer = if closer == ".endrepeat" && closes_until { ".endrepeat_until" } else { closer };
        let error = |message, label| refuse(ErrorCode::UnmatchedBlock, span, message, label);
        let Some(depth) = self.blocks.iter().rposition(|block| block.closer == closer) else {
            let opener = opener_of(closer).unwrap_or_default();
            let Some(&Block { opener: open, closer: expected, .. }) = self.blocks.last() else {
                let label = format!("expected `{opener}` before it");
                // The missing head may have defined names.
                self.parsed.incomplete |= !matches!(opener, ".if" | ".when" | ".while" | ".repeat_until");
                return error(format!("`{closer}` without `{opener}`"), label);
            };
            let label = format!("expected `{expected}` for the last `{open}`");
            let is_loop = |opener: &str| matches!(opener, ".for" | ".repeat") || LOOPS.contains(&opener);
            let are_loops = is_loop(open) && is_loop(opener);
            if are_loops || self.last_offset_of(expected).is_none_or(|last| last < span.start as usize) {
                // The open block has no other closer, so this one probably belongs to it.
                self.close_last();
                return error(format!("`{closer}` does not close `{open}`"), label);
            }
            return error(format!("`{closer}` without `{opener}`"), label);
        };
        while self.blocks.len() > depth + 1 {
            self.never_closed();
        }
        self.close_last();
        Ok(())
    }

    /// Reports that the innermost block has no closer, and closes it. Its body probably does not belong there, so it is not
    /// expanded.
    pub fn never_closed(&mut self) {
        let mut blocks = self.blocks.iter().rev();
        let Some(Block { opener, closer, span, statements, .. }) = blocks.find(|block| !block.is_rest) else {
            return;
        };
        let message = format!("this `{opener}` is never closed");
        let label = format!("expected `{closer}` after it");
        let error = Diagnostic::error(ErrorCode::UnmatchedBlock, *span, message, label);
        self.syntax.unclosed.extend(statements.first().map(|&first| first as u32));
        if self.parsed.diagnostics.len() < MAX_ERRORS {
            self.parsed.diagnostics.push(error);
        }
        self.close_last();
    }

    /// Closes the innermost block, and for the rest of a `.when` also the blocks that it belongs to.
    fn close_last(&mut self) {
        while let Some(block) = self.blocks.pop() {
            let is_rest = block.is_rest;
            self.close(block);
            if !is_rest {
                break;
            }
        }
    }

    /// Gives the statements of a block the indices of the next branch and of the end.
    fn close(&mut self, block: Block) {
        let end = self.syntax.statements.len() as u32;
        let mut next = end;
        for &index in block.statements.iter().rev() {
            let statement = &mut self.syntax.statements[index];
            (statement.end, statement.next) = (end, next);
            next = index as u32;
        }
        let kind = match self.syntax.statements[next as usize].kind {
            StatementKind::Routine(_) => StatementKind::EndRoutine,
            StatementKind::While(_) | StatementKind::RepeatUntil(_) | StatementKind::When(_) => {
                StatementKind::EndControl
            }
            _ => StatementKind::End,
        };
        self.add(self.scan.span_from(self.scan.at), kind);
    }
}
