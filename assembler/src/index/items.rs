//! The named items of a program, and their definitions.

use crate::kind::SymbolKind;
use crate::names::Name;
use crate::source::Span;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name; that of a local label begins with a dot.
    pub name: String,
    /// Its kind.
    pub kind: ItemKind,
    /// Its definitions; for a variable, all assignments; none if it is built in.
    pub definitions: Vec<Definition>,
    /// Whether it belongs to the built-in library.
    pub is_of_library: bool,
    pub(crate) key: Name,
}

/// The kind of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A name that also occurs in symbol files.
    Symbol(SymbolKind),
    /// A parameter of a macro or a function.
    Parameter,
    /// The counter of a loop of the assembler.
    Counter,
    /// A name whose definition was not understood.
    Unknown,
}

/// A definition.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The name in the source; for a pasted name, the pasting.
    pub name: Span,
    /// The statement, as in diagnostics and symbols.
    pub(crate) statement: Span,
    /// The whole definition, up to the end of a macro or routine; for a parameter or a counter, its scope.
    pub extent: Span,
}

impl ItemKind {
    /// The noun for it in messages.
    pub fn noun(self) -> &'static str {
        match self {
            ItemKind::Symbol(kind) => kind.noun(),
            ItemKind::Parameter => "parameter",
            ItemKind::Counter => "counter",
            ItemKind::Unknown => "name",
        }
    }
}
