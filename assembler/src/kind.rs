//! The kinds of names.

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum SymbolKind {
    /// `name = value`.
    Constant,
    /// `name := value`; its value is the last one.
    Variable,
    /// `.function`.
    Function,
    /// `.table`.
    Table,
    /// A sequence number.
    Label,
    /// An address of RAM.
    Ram,
    /// `.macro`.
    Macro,
    /// `.routine`; its value is its first address.
    Routine,
}

impl SymbolKind {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            SymbolKind::Constant => "constant",
            SymbolKind::Variable => "variable",
            SymbolKind::Function => "function",
            SymbolKind::Table => "table",
            SymbolKind::Label => "label",
            SymbolKind::Ram => "RAM name",
            SymbolKind::Macro => "macro",
            SymbolKind::Routine => "routine",
        }
    }
}
