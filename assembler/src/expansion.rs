//! Expansions: the macro calls, loops and includes that led the assembler to a statement.

use crate::source::Span;
use std::iter;
use std::sync::Arc;

/// One macro call, one iteration of a loop or one include, and its statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expansion {
    /// The kind of expansion.
    pub kind: ExpansionKind,
    /// The macro call, `.repeat`, `.for` or `.include`.
    pub span: Span,
}

/// The kind of an expansion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExpansionKind {
    /// A file.
    Include,
    /// The macro of this name.
    Macro(Arc<str>),
    /// The function of this name. It occurs only in the chains of diagnostics, not in those of words.
    Function(Arc<str>),
    /// The body of a loop, once.
    Iteration {
        /// The name of the counter, if the loop has one.
        counter: Option<Arc<str>>,
        /// The value of the counter in this iteration; without a counter, the number of iterations before this one.
        value: i64,
    },
}

impl ExpansionKind {
    /// Whether this is an iteration of a loop, whose lines, unlike a macro's, are at the place of the loop.
    pub fn is_iteration(&self) -> bool {
        matches!(self, ExpansionKind::Iteration { .. })
    }
}

/// An expansion among all those of a program. Number 0 is the root file.
#[derive(Clone, Debug)]
pub(crate) struct ExpansionNode {
    pub parent: u32,
    pub expansion: Expansion,
    /// The scope of the names that are visible in it.
    pub scope: u32,
    /// The words that it made, a range in the order of emission.
    pub first_word: u32,
    pub end_word: u32,
}

/// An expansion and those around it, the innermost first, without the root file.
pub(crate) fn ancestors(nodes: &[ExpansionNode], expansion: u32) -> impl Iterator<Item = &ExpansionNode> {
    let numbers = iter::successors(Some(expansion), |&number| Some(nodes[number as usize].parent));
    numbers.take_while(|&number| number != 0).map(|number| &nodes[number as usize])
}
