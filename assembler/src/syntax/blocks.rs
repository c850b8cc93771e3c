//! Blocks: directives that belong together, as `.if` … `.elif` … `.endif`. Each statement of a block learns where
//! its end is.

use super::scan::Scanned;
use super::statement::{MOST_MISTAKES, Parser};
use super::{Operand, OperandValue, Range, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A block that is not closed yet.
pub(super) struct Block {
    opener: &'static str,
    /// The statement that opened it.
    opened: usize,
    /// Its `.elif` and `.else` so far.
    branches: Vec<usize>,
    span: Span,
}

/// The directives that open blocks, with those that close them.
const BLOCKS: [(&str, &str); 5] = [
    (".if", ".endif"),
    (".repeat", ".endrepeat"),
    (".for", ".endfor"),
    (".macro", ".endmacro"),
    (".routine", ".endroutine"),
];

impl Parser<'_> {
    /// Keeps the blocks in order where a directive of theirs is misspelt.
    pub(super) fn stand_in(&mut self, start: usize, end: usize, meant: &str) {
        if let Some(&(opener, closer)) = BLOCKS.iter().find(|(opener, _)| *opener == meant) {
            // Without its end it was no beginning.
            let scan = &self.scan;
            let last = *self.last_closers.entry(closer).or_insert_with(|| scan.last_place_of(closer));
            if last.is_some_and(|last| last > start) {
                self.push_block(start, end, opener, None);
            }
        } else if BLOCKS.iter().any(|(opener, closer)| {
            *closer == meant && self.blocks.last().is_some_and(|block| block.opener == *opener)
        }) {
            if let Some(block) = self.blocks.pop() {
                self.close(block);
            }
        } else if matches!(meant, ".elif" | ".else") && self.blocks.last().is_some_and(|b| b.opener == ".if")
        {
            let condition = self.failed_expression(end);
            self.push_branch(start, end, StatementKind::Elif { condition, next: 0, end: 0 });
        }
    }

    /// Opens a block. Where its head is not understood the block stands all the same, and does nothing.
    pub(super) fn open(&mut self, start: usize, end: usize, directive: &str) -> Scanned<()> {
        let Some(&(opener, _)) = BLOCKS.iter().find(|(opener, _)| *opener == directive) else {
            return Ok(());
        };
        let head = self.head(opener);
        let end = match head {
            Ok(StatementKind::Macro { name, .. } | StatementKind::Routine { name, .. }) => {
                let text = self.scan.text(end, self.scan.at);
                let spelling = self.names.spelling(name);
                end + text.find(spelling).map_or(0, |at| at + spelling.len())
            }
            _ => end,
        };
        self.push_block(start, end, opener, head.as_ref().ok().copied());
        head.map(drop)
    }

    /// Opens a block. One whose head was not understood is skipped whole: it stands as a branch not taken.
    pub(super) fn push_block(
        &mut self,
        start: usize,
        end: usize,
        opener: &'static str,
        kind: Option<StatementKind>,
    ) {
        let opened = self.syntax.statements.len();
        let condition = self.failed_expression(end);
        self.add(start, end, kind.unwrap_or(StatementKind::Elif { condition, next: 0, end: 0 }));
        self.blocks.push(Block { opener, opened, branches: Vec::new(), span: self.scan.span(start, end) });
    }

    pub(super) fn push_branch(&mut self, start: usize, end: usize, kind: StatementKind) {
        let index = self.syntax.statements.len();
        self.add(start, end, kind);
        if let Some(block) = self.blocks.last_mut() {
            block.branches.push(index);
        }
    }

    pub(super) fn head(&mut self, opener: &str) -> Scanned<StatementKind> {
        let (next, end) = (0, 0);
        let kind = match opener {
            ".if" => StatementKind::If { condition: self.expression()?, next, end },
            ".repeat" => {
                let count = self.expression()?;
                let counter =
                    if self.scan.take(",") { Some(self.plain_name("the counter's name")?) } else { None };
                StatementKind::Repeat { count, counter, end }
            }
            ".for" => {
                let counter = self.plain_name("the counter's name")?;
                if !self.scan.take(",") {
                    return Err(self.scan.unexpected("`,` and where to start, or a text"));
                }
                let over = self.operands()?;
                let is_text = |operand: &Operand| matches!(operand.value, OperandValue::Text(_));
                if over.len() > 2
                    || over.len() == 2 && self.syntax.operands[over.indices()].iter().any(is_text)
                {
                    let span = self.syntax.operands[over.start as usize + over.len() - 1].span;
                    let expected = "expected `name, from, to` or `name, \"text\"`";
                    return Err(self.scan.mistake(span, "`.for` does not take these operands", expected));
                }
                StatementKind::For { counter, over, end }
            }
            ".macro" => {
                let name = self.plain_name("the macro's name")?;
                self.syntax.note_definition(name);
                let at = self.scan.at;
                let parameters = self.parameters().and_then(|parameters| {
                    self.end_of_list()?;
                    Ok(parameters)
                });
                let parameters = parameters.map_err(|mistake| self.broken(at, at, Some(name), mistake))?;
                return Ok(StatementKind::Macro { name, parameters, end });
            }
            _ => {
                let name = self.plain_name("the routine's name")?;
                self.syntax.note_definition(name);
                StatementKind::Routine { name, end }
            }
        };
        match kind {
            StatementKind::Repeat { counter: None, .. } => self.end_of_list()?,
            _ => self.end_of_statement()?,
        }
        Ok(kind)
    }

    pub(super) fn parameters(&mut self) -> Scanned<Range> {
        let start = self.syntax.parameters.len() as u32;
        if !self.scan.is_at_end() {
            for parameters in 0.. {
                self.scan.check_count(parameters, "parameters")?;
                let name = self.plain_name("the name of a parameter")?;
                let end = self.scan.at;
                let span = self.scan.span(end - self.names.spelling(name).len(), end);
                if self.syntax.parameters[start as usize..].iter().any(|&(other, _)| other == name) {
                    let message = format!("two parameters are named `{}`", self.names.show(name));
                    return Err(self.scan.mistake(span, message, "expected another name"));
                }
                self.syntax.parameters.push((name, span));
                if !self.scan.take(",") {
                    break;
                }
            }
        }
        Ok(Range { start, end: self.syntax.parameters.len() as u32 })
    }

    pub(super) fn branch(&mut self, start: usize, end: usize, directive: &str) -> Scanned<()> {
        let span = self.scan.span(start, end);
        let after_else = match self.blocks.last() {
            Some(block) if block.opener == ".if" => block
                .branches
                .last()
                .is_some_and(|&last| matches!(self.syntax.statements[last].kind, StatementKind::Else { .. })),
            _ => {
                let message = format!("`{directive}` without `.if`");
                return Err(self.scan.mistake(span, message, "expected this inside `.if` … `.endif`"));
            }
        };
        if after_else {
            let message = format!("`{directive}` behind `.else`");
            return Err(self.scan.mistake(span, message, "expected `.endif`"));
        }
        let mut outcome = Ok(());
        let kind = if directive == ".else" {
            outcome = self.end_of_statement().map_err(|mistake| match self.scan.rest().starts_with("if") {
                true => mistake.with_help("did you mean `.elif`?"),
                false => mistake,
            });
            StatementKind::Else { end: 0 }
        } else {
            let condition = self.expression().and_then(|value| self.end_of_statement().map(|()| value));
            let condition = condition.unwrap_or_else(|mistake| {
                outcome = Err(mistake);
                self.failed_expression(end)
            });
            StatementKind::Elif { condition, next: 0, end: 0 }
        };
        self.push_branch(start, end, kind);
        outcome
    }

    pub(super) fn close_named(&mut self, start: usize, end: usize, closer: &str) -> Scanned<()> {
        let opener = BLOCKS.iter().find(|(_, other)| *other == closer).map_or("", |(opener, _)| opener);
        let Some(depth) = self.blocks.iter().rposition(|block| block.opener == opener) else {
            let span = self.scan.span(start, end);
            let expected = match self
                .blocks
                .last()
                .and_then(|block| BLOCKS.iter().find(|(opener, _)| *opener == block.opener))
            {
                Some((opener, closer)) => format!("expected `{closer}` for the last `{opener}`"),
                None => format!("expected `{opener}` before it"),
            };
            return Err(self.scan.mistake(span, format!("`{closer}` without `{opener}`"), expected));
        };
        while self.blocks.len() > depth {
            if let Some(block) = self.blocks.pop() {
                if self.blocks.len() > depth {
                    self.never_closed(&block);
                }
                self.close(block);
            }
        }
        Ok(())
    }

    pub(super) fn never_closed(&mut self, block: &Block) {
        let closer =
            BLOCKS.iter().find(|(opener, _)| *opener == block.opener).map_or("", |(_, closer)| closer);
        let message = format!("this `{}` is never closed", block.opener);
        if self.mistakes.len() < MOST_MISTAKES {
            let diagnostic = Diagnostic::error(block.span, message);
            self.mistakes.push(diagnostic.label(format!("expected `{closer}` behind it")));
        }
        self.incomplete |= block.opener == ".macro";
    }

    /// Writes the index of a block's end, and of the next branch, into its statements.
    pub(super) fn close(&mut self, block: Block) {
        let end = self.syntax.statements.len() as u32;
        let mut closer = StatementKind::EndIf;
        let mut next = end;
        for &index in block.branches.iter().rev().chain([&block.opened]) {
            match &mut self.syntax.statements[index].kind {
                StatementKind::If { next: to, end: to_end, .. }
                | StatementKind::Elif { next: to, end: to_end, .. } => (*to, *to_end) = (next, end),
                StatementKind::Else { end: to_end } => *to_end = end,
                StatementKind::Repeat { end: to_end, .. } | StatementKind::For { end: to_end, .. } => {
                    (*to_end, closer) = (end, StatementKind::EndLoop);
                }
                StatementKind::Macro { end: to_end, .. } => {
                    (*to_end, closer) = (end, StatementKind::EndMacro);
                }
                StatementKind::Routine { end: to_end, .. } => {
                    (*to_end, closer) = (end, StatementKind::EndRoutine);
                }
                _ => {}
            }
            next = index as u32;
        }
        let line = self.scan.span(self.scan.at, self.scan.at);
        self.syntax.statements.push(Statement { span: line, kind: closer });
    }
}
