//! Statements and blocks by their position in the source.

use super::Analysis;
use crate::source::Span;
use crate::syntax::{Operand, Statement, StatementKind};
use gray1_isa::Opcode;

/// A block of the source, from the statement that opens it to the one that closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statement that opens it.
    pub opener: Span,
    /// The statement that closes it.
    pub closer: Span,
    /// Its kind.
    pub kind: StatementAt,
}

/// The kind of a statement, for editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementAt {
    /// An instruction.
    Instruction(Opcode),
    /// A macro call, or `call`, `return`, `read_table`.
    Call,
    /// `.for` and `.repeat`.
    Loop,
    /// A block whose condition is evaluated at run time.
    Control,
    /// `.macro`.
    Macro,
    /// `.routine`.
    Routine,
    /// `.if` or one of its branches.
    Condition,
    /// `.include`, with its file if that was found.
    Include(Option<u32>),
    /// Anything else.
    Other,
}

/// A statement and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub kind: StatementAt,
    /// Its span, as in diagnostics.
    pub span: Span,
    /// Its operands or arguments.
    pub operands: Vec<Span>,
}

impl Analysis {
    /// The blocks of a file, in the order of their openers. Blocks that are never closed are omitted.
    pub fn blocks(&self, file: u32) -> impl Iterator<Item = Block> {
        let opens = |statement: &&Statement| {
            let is_branch = matches!(
                statement.kind,
                StatementKind::Elif(_) | StatementKind::Else | StatementKind::WhenElse
            );
            statement.end > 0 && !is_branch
        };
        self.statements_of(file).iter().filter(opens).filter_map(move |statement| {
            let closer = self.syntax.statements.get(statement.end as usize)?.span;
            let is_closed = closer.file == file && closer.start > statement.span.start;
            let kind = self.kind(statement);
            is_closed.then_some(Block { opener: statement.span, closer, kind })
        })
    }

    /// The statements of a file, in the order of their positions.
    pub fn statements(&self, file: u32) -> impl Iterator<Item = Found> {
        self.statements_of(file).iter().map(|statement| self.found(statement))
    }

    /// The last statement that begins at or before an offset, on the same line.
    pub fn statement_at(&self, file: u32, offset: u32) -> Option<Found> {
        let statements = self.statements_of(file);
        let after = statements.partition_point(|statement| statement.span.start <= offset);
        let line = |offset| self.report.sources.line_index(file, offset);
        let last = statements[..after].last()?;
        (line(last.span.start) == line(offset)).then(|| self.found(last))
    }

    fn statements_of(&self, file: u32) -> &[Statement] {
        let statements = self.files.get(file as usize).map(|file| file.statements.indices());
        statements.and_then(|statements| self.syntax.statements.get(statements)).unwrap_or_default()
    }

    fn found(&self, statement: &Statement) -> Found {
        let operands: &[Operand] = match &statement.kind {
            StatementKind::Instruction(_, operand) => std::slice::from_ref(operand),
            StatementKind::Call(_, operands) => &self.syntax.operands[operands.indices()],
            _ => &[],
        };
        let operands = operands.iter().map(|operand| operand.span).collect();
        Found { kind: self.kind(statement), span: statement.span, operands }
    }

    fn kind(&self, statement: &Statement) -> StatementAt {
        match statement.kind {
            StatementKind::Instruction(opcode, _) => StatementAt::Instruction(opcode),
            StatementKind::Call(..) => StatementAt::Call,
            StatementKind::For(..) | StatementKind::Repeat(..) => StatementAt::Loop,
            StatementKind::While(_) | StatementKind::RepeatUntil(_) | StatementKind::When(_) => {
                StatementAt::Control
            }
            StatementKind::Macro(..) => StatementAt::Macro,
            StatementKind::Routine(_) => StatementAt::Routine,
            StatementKind::If(_) | StatementKind::Elif(_) | StatementKind::Else => StatementAt::Condition,
            StatementKind::Include(text) => StatementAt::Include(self.included(text, statement.span.file)),
            _ => StatementAt::Other,
        }
    }

    fn included(&self, text: u32, from: u32) -> Option<u32> {
        let path = self.syntax.texts.get(text as usize)?.clone();
        self.included.get(&(path, from)).copied().flatten()
    }
}
