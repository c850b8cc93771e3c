//! Uncalled macros and routines with contracts. They are not assembled, so their contracts are not in
//! [`Program::contracts`](crate::Program).

use crate::contract::Contract;
use crate::expand::PlacedProgram;
use crate::source::Span;
use crate::syntax::{Range, Statement, StatementKind, WrittenName};

/// An uncalled macro or routine with a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleCode {
    /// Its name.
    pub name: String,
    /// The number of its parameters if it is a macro; `None` for a routine.
    pub parameters: Option<usize>,
    /// The statement that begins it.
    pub span: Span,
}

/// Finds the idle code in the program's own files, in source order. Omits code inside other blocks, with a pasted name or
/// with a text parameter: a call of it needs more information.
pub(crate) fn idle_code(expanded: &PlacedProgram, contracts: &[Contract]) -> Vec<IdleCode> {
    let library = &expanded.build.library;
    let statements = &library.syntax.statements;
    let promises = |start: usize, end: u32| {
        let inside: &[Statement] = statements.get(start + 1..end as usize).unwrap_or_default();
        inside.iter().any(|statement| statement.kind.is_promise())
    };
    let mut idle = Vec::new();
    let mut outside = 0;
    for (index, statement) in statements.iter().enumerate() {
        let is_own = index >= outside && !library.is_of_library(statement.span.file);
        outside = outside.max(statement.end as usize);
        let (name, parameters) = match statement.kind {
            StatementKind::Macro(WrittenName::Plain(name), parameters) if is_own => (name, Some(parameters)),
            StatementKind::Routine(WrittenName::Plain(name)) if is_own => (name, None),
            _ => continue,
        };
        let takes_text = |parameters: Range| {
            library.syntax.parameters[parameters.indices()].iter().any(|parameter| parameter.is_text)
        };
        let name = library.names.show(name);
        let is_called = contracts.iter().any(|contract| contract.name == name);
        if promises(index, statement.end) && !is_called && !parameters.is_some_and(takes_text) {
            idle.push(IdleCode { name, parameters: parameters.map(Range::len), span: statement.span });
        }
    }
    idle
}
