//! Information for editors: the definitions, uses and values of names, and the costs of code. It is also available for
//! programs with errors, as far as they were understood.
//!
//! ```text
//!   items    named items
//!   resolver the names of the source, in their order; scopes: the scopes and regions of the text
//!   names    the meaning of each name; lookup: the names at a position
//!   values   the values of names and the costs of code, as far as the program was assembled
//!   outline  statements and blocks, by their position in the source
//! ```

mod items;
mod lookup;
mod names;
mod outline;
mod resolver;
mod scopes;
mod values;

pub use items::{Definition, Item, ItemKind};
pub use lookup::Obstacle;
pub use names::Occurrence;
pub use outline::{Block, Found, StatementAt};
pub use values::Cost;

use crate::diagnostic::Report;
use crate::emit::MachineCode;
use crate::expand::PlacedProgram;
use crate::names::Name;
use crate::options::Options;
use crate::program::Program;
use crate::source::Span;
use crate::syntax::{Mention, ParsedFile, Syntax};
use hashbrown::HashMap;
use names::Resolution;
use resolver::Resolver;
use scopes::Scopes;

/// The analysis of a program for editors, with or without errors.
#[derive(Debug)]
pub struct Analysis {
    /// All errors and warnings, and the sources.
    pub report: Report,
    /// All named items.
    pub items: Vec<Item>,
    /// The occurrences of names with a known meaning, by file and offset.
    occurrences: Vec<Occurrence>,
    scopes: Scopes,
    /// The program. If there are errors, some words and values are missing.
    program: Program,
    /// For each of its words, whether it is free of errors.
    is_valid: Vec<bool>,
    /// Its symbols, by the statements that define them.
    symbols_by_span: HashMap<Span, Vec<u32>>,
    /// Pasted names, each with a pasting of it.
    pasted: HashMap<Name, Span>,
    /// Pastings that the expander has not reached.
    idle_pastings: Vec<Mention>,
    syntax: Syntax,
    files: Vec<ParsedFile>,
    /// The file of each `.include`, by its path and the including file.
    included: HashMap<(String, u32), Option<u32>>,
}

impl Analysis {
    /// Analyses an expanded program.
    pub(crate) fn new(mut expanded: PlacedProgram, emitted: MachineCode, options: &Options) -> Analysis {
        let Resolution { resolver, occurrences, pasted, idle_pastings } = names::names(&expanded.build);
        let Resolver { items, scopes, .. } = resolver;
        let is_valid = emitted.is_valid.clone();
        let program = Program::new(&mut expanded, emitted);
        let mut symbols_by_span: HashMap<Span, Vec<u32>> = HashMap::new();
        for (number, symbol) in program.symbols.iter().enumerate() {
            if let Some(span) = symbol.span {
                symbols_by_span.entry(span).or_default().push(number as u32);
            }
        }
        let mut library = expanded.into_library();
        Analysis {
            report: library.report(options),
            items,
            occurrences,
            scopes,
            program,
            is_valid,
            symbols_by_span,
            pasted,
            idle_pastings,
            files: library.files,
            included: library.included,
            syntax: library.syntax,
        }
    }

    /// The program. If there are errors, some of its words and values are missing.
    pub fn program(&self) -> &Program {
        &self.program
    }
}
