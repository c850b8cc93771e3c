//! Blocks: directives that belong together, such as `.if` … `.elif` … `.endif`. Each statement of a block gets the
//! index of the end of the block.

use super::parser::{Block, MOST_MISTAKES, Parser};
use super::scan::{Scanned, refuse};
use super::tree::{Operand, Parameter, Range, StatementKind, WrittenName};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::names::Name;
use crate::source::Span;

/// The directives that open blocks, with those that close them.
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
/// Those that `.break` leaves.
const LOOPS: [&str; 2] = [".while", ".repeat_until"];

/// Whether a directive opens a block.
pub(crate) fn opens_block(directive: &str) -> bool {
    closer_of(directive).is_some()
}

/// Whether a directive closes a block.
pub(crate) fn closes_block(directive: &str) -> bool {
    opener_of(directive).is_some()
}

/// The directive that closes the blocks which this one opens.
pub(super) fn closer_of(directive: &str) -> Option<&'static str> {
    BLOCKS.iter().find(|(opener, _)| *opener == directive).map(|&(_, closer)| closer)
}

/// The directive that opens the blocks which this one closes.
pub(super) fn opener_of(directive: &str) -> Option<&'static str> {
    BLOCKS.iter().find(|(_, closer)| *closer == directive).map(|&(opener, _)| opener)
}

impl Parser<'_> {
    /// Opens a block. One whose head is not understood is still a block, but skipped.
    pub fn open(&mut self, directive: &str, span: Span) -> Scanned<()> {
        let head = self.head(directive, span);
        let (kind, span) = head.as_ref().map_or((StatementKind::Elif(None), span), |head| *head);
        self.push_block(directive, kind, span);
        head.map(drop)
    }

    /// Keeps blocks balanced if one of their directives is misspelt.
    pub fn stand_in(&mut self, meant: &str, span: Span) {
        let inner = self.blocks.last().map(|block| (block.opener, block.closer));
        if let Some(closer) = closer_of(meant) {
            // Without an end it does not open a block.
            if self.last_offset_of(closer).is_some_and(|last| last > span.start as usize) {
                self.push_block(meant, StatementKind::Elif(None), span);
            }
        } else if inner.is_some_and(|(_, closer)| closer == meant) {
            self.close_last();
        } else if inner.is_some_and(|(opener, _)| matches!(opener, ".if" | ".when"))
            && matches!(meant, ".elif" | ".else")
        {
            self.push_branch(StatementKind::Elif(None), span);
        }
    }

    /// The last position of a closing directive in the file.
    fn last_offset_of(&mut self, closer: &'static str) -> Option<usize> {
        let scan = &self.scan;
        *self.last_closers.entry(closer).or_insert_with(|| scan.last_offset_of(closer))
    }

    fn push_block(&mut self, directive: &str, kind: StatementKind, span: Span) {
        let Some(&(opener, closer)) = BLOCKS.iter().find(|(opener, _)| *opener == directive) else { return };
        let inside_loop = match opener {
            ".macro" | ".routine" => false,
            opener => LOOPS.contains(&opener) || self.blocks.last().is_some_and(|block| block.inside_loop),
        };
        self.blocks.push(Block { opener, closer, statements: Vec::new(), inside_loop, span });
        self.push_branch(kind, span);
    }

    fn push_branch(&mut self, kind: StatementKind, span: Span) {
        if let Some(block) = self.blocks.last_mut() {
            block.statements.push(self.syntax.statements.len());
        }
        self.add(span, kind);
    }

    /// The head of a block, and its span: for a macro or routine up to the name.
    fn head(&mut self, opener: &str, span: Span) -> Scanned<(StatementKind, Span)> {
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
                    let mistake = self.scan.unexpected("`,` and where to start, or a text");
                    return Err(mistake.help(FOR_HELP).into());
                }
                let over = self.operands().map_err(|mistake| {
                    let help = self.scan.rest().starts_with("..").then_some(FOR_HELP);
                    mistake.help_if(help)
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

    fn counter(&mut self) -> Scanned<WrittenName> {
        let (written, span) = self.next_name("the counter's name")?;
        self.mark_binding();
        written.plain().map_or(Ok(()), |name| self.check_free(name, span)).map(|()| written)
    }

    fn parameters(&mut self) -> Scanned<Range> {
        let start = self.syntax.parameters.len();
        self.list("parameters", |parser| {
            let is_text = parser.scan.take("\"");
            let name = parser.plain_name("the name of a parameter")?;
            let mut before = parser.syntax.parameters[start..].iter();
            parser.check_parameter(name, before.any(|parameter| parameter.name == name))?;
            if is_text {
                parser.scan.expect("\"", "`\"` after the name of the parameter")?;
            }
            parser.syntax.parameters.push(Parameter { name, is_text });
            Ok(())
        })?;
        Ok(Range { start: start as u32, end: self.syntax.parameters.len() as u32 })
    }

    /// Rejects a parameter, just read, whose name is taken.
    pub fn check_parameter(&self, name: Name, is_taken: bool) -> Scanned<()> {
        if !is_taken {
            return Ok(());
        }
        let end = self.scan.at;
        let span = self.scan.span(end - self.names.spelling(name).len(), end);
        let message = format!("two parameters are named `{}`", self.names.show(name));
        refuse(ErrorCode::DuplicateParameter, span, message, "expected another name")
    }

    /// `.break` and `.continue`: they belong to the innermost loop that runs in the program.
    pub fn leave_or_go_on(&mut self, directive: &str, span: Span) -> Scanned<StatementKind> {
        if self.blocks.last().is_none_or(|block| !block.inside_loop) {
            let message = format!("`{directive}` outside a loop");
            let label = "expected this inside `.while` … `.endwhile` or `.repeat_until` … `.endrepeat_until`";
            let mistake = Diagnostic::error(ErrorCode::BreakOutsideLoop, span, message, label);
            let is_unrolled = self.blocks.iter().any(|block| matches!(block.opener, ".for" | ".repeat"));
            let help = "`.for` and `.repeat` are carried out by the assembler: there, use `.if`";
            return Err(mistake.help_if(is_unrolled.then_some(help)).into());
        }
        Ok(match directive {
            ".break" => StatementKind::Break,
            _ => StatementKind::Continue,
        })
    }

    pub fn branch(&mut self, directive: &str, span: Span) -> Scanned<()> {
        let Some(block) = self.blocks.last().filter(|block| matches!(block.opener, ".if" | ".when")) else {
            let message = format!("`{directive}` without `.if`");
            self.stray_branch = self.blocks.is_empty();
            return refuse(ErrorCode::UnmatchedBlock, span, message, "expected this inside `.if` … `.endif`");
        };
        let is_when = block.opener == ".when";
        if is_when && directive == ".elif" {
            let message = "`.elif` inside `.when`";
            let mistake =
                Diagnostic::error(ErrorCode::UnmatchedBlock, span, message, "expected `.else` or `.endwhen`");
            return Err(mistake.help("put another `.when` … `.endwhen` after `.else`").into());
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
        self.end_of_statement().map_err(|mistake| match self.scan.rest().starts_with("if") {
            true => mistake.did_you_mean_at(None, Some(".elif")).into(),
            false => mistake,
        })
    }

    pub fn close_named(&mut self, closer: &str, span: Span) -> Scanned<()> {
        if std::mem::take(&mut self.stray_branch) && self.blocks.is_empty() {
            return Ok(());
        }
        // This shorter form is allowed, because there is nothing else that it could close here.
        let closes_until = self.blocks.last().is_some_and(|block| block.opener == ".repeat_until");
        let closer = if closer == ".endrepeat" && closes_until { ".endrepeat_until" } else { closer };
        let mistake = |message, label| refuse(ErrorCode::UnmatchedBlock, span, message, label);
        let Some(depth) = self.blocks.iter().rposition(|block| block.closer == closer) else {
            let opener = opener_of(closer).unwrap_or_default();
            let Some(&Block { opener: open, closer: expected, .. }) = self.blocks.last() else {
                let label = format!("expected `{opener}` before it");
                // The head that is missing may have defined names.
                self.parsed.incomplete |= !matches!(opener, ".if" | ".when" | ".while" | ".repeat_until");
                return mistake(format!("`{closer}` without `{opener}`"), label);
            };
            let label = format!("expected `{expected}` for the last `{open}`");
            let is_loop = |opener: &str| matches!(opener, ".for" | ".repeat") || LOOPS.contains(&opener);
            let are_loops = is_loop(open) && is_loop(opener);
            if are_loops || self.last_offset_of(expected).is_none_or(|last| last < span.start as usize) {
                // The open block has no other end, so this one probably belongs to it.
                self.close_last();
                return mistake(format!("`{closer}` does not close `{open}`"), label);
            }
            return mistake(format!("`{closer}` without `{opener}`"), label);
        };
        while self.blocks.len() > depth + 1 {
            self.never_closed();
        }
        self.close_last();
        Ok(())
    }

    /// Reports that the innermost block has no end, and closes it. What is in it probably does not belong there, so
    /// it is not expanded.
    pub fn never_closed(&mut self) {
        let Some(Block { opener, closer, span, statements, .. }) = self.blocks.last() else { return };
        let message = format!("this `{opener}` is never closed");
        let label = format!("expected `{closer}` after it");
        let mistake = Diagnostic::error(ErrorCode::UnmatchedBlock, *span, message, label);
        self.syntax.unclosed.extend(statements.first().map(|&first| first as u32));
        if self.parsed.mistakes.len() < MOST_MISTAKES {
            self.parsed.mistakes.push(mistake);
        }
        self.close_last();
    }

    /// Closes the innermost block: its statements get the indices of the next branch and of the end.
    fn close_last(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
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
