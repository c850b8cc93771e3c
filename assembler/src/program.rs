//! The finished program: its image, its names, and the origin of each word.

use crate::contract::Contract;
use crate::cost::{Cycles, cycles};
use crate::emit::MachineCode;
use crate::evaluate::build::Build;
use crate::expand::{ExpandedStatement, PlacedProgram};
use crate::expansion::{Expansion, ExpansionNode, ancestors};
use crate::idle::{IdleCode, idle_code};
use crate::kind::SymbolKind;
use crate::source::Span;
use crate::table::{Binding, BoundValue, CellState, ValueKind};
use gray1_isa::Image;
use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

/// A program without errors.
#[derive(Clone, Debug)]
pub struct Program {
    /// The words of program memory.
    pub image: Image,
    /// The words of the program and their origins, in the order in which they were emitted.
    pub words: Vec<WordOrigin>,
    /// All names, in the order of their definition; built-in ones first.
    pub symbols: Vec<Symbol>,
    /// The constants that may be defined before the program begins: those with a default, `name ?= value`.
    pub defaults: Vec<String>,
    /// The routines that are called.
    pub routines: Vec<Routine>,
    /// Bytes of RAM that the assembler has allocated for itself (call numbers and temporaries of blocks), and those of the
    /// library whose names begin with `_`.
    pub temporaries: BTreeSet<u16>,
    /// The contracts of its routines, its macro calls and the program itself, in source order.
    pub contracts: Vec<Contract>,
    /// Uncalled code with contracts.
    pub idle: Vec<IdleCode>,
    /// Every expanded statement, for the listing.
    pub(crate) statements: Vec<ExpandedStatement>,
    pub(crate) expansions: Vec<ExpansionNode>,
    /// The bindings of each scope, and the scope around it. Words share the scopes, however deeply they are nested.
    scopes: Vec<(Vec<Local>, u32)>,
}

/// A word and its origin.
#[derive(Clone, Debug)]
pub struct WordOrigin {
    /// Its sequence number.
    pub sequence: u16,
    /// Its statement.
    pub span: Span,
    pub(crate) expansion: u32,
}

/// A routine of the program.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// The sequence numbers of its words, including the code that returns from it. The first word is its entry.
    pub words: Range<u16>,
    /// The statement that begins it.
    pub span: Span,
    /// The expansion with this statement, as in [`Program::numbered_chain`]; 0 at the top level.
    pub expansion: u32,
    /// For each call, the sequence number of the jump to the entry. The routine returns to the next word.
    pub calls: Vec<u16>,
    /// The byte of RAM with the call number, an index in `calls`, if there are several calls.
    pub call_number: Option<u16>,
}

/// A macro's parameter or a loop's counter, and its value in an expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: Arc<str>,
    /// Its value.
    pub value: i64,
    /// The kind of value: a constant, a label, or RAM.
    pub kind: SymbolKind,
}

/// A name of the program.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its spelling. A local label is qualified by its section: `start.loop`, `start.add16@12.loop`.
    pub name: String,
    /// Set if it is a label within a macro call or an iteration, whose name no source can write.
    pub is_inside_expansion: bool,
    /// Its kind.
    pub kind: SymbolKind,
    /// Set if its value is an address of RAM, even as a constant: `queens = RED`.
    pub is_address: bool,
    /// A number, a sequence number or an address; 0 for a macro.
    pub value: i64,
    /// Bytes of RAM; 0 for everything else, built-in names included.
    pub size: u16,
    /// Its definition; `None` for a built-in or predefined name.
    pub span: Option<Span>,
}

impl Program {
    /// The number of bytes of RAM with names.
    pub fn ram_bytes(&self) -> u64 {
        let ram = self.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ram);
        ram.map(|symbol| u64::from(symbol.size)).sum()
    }

    /// The expansions that led to a word, the innermost first.
    pub fn chain(&self, word: &WordOrigin) -> impl Iterator<Item = &Expansion> {
        self.numbered_chain(word).map(|(_, expansion)| expansion)
    }

    /// The expansions that led to a word, with their numbers. No two macro calls have the same number.
    pub fn numbered_chain(&self, word: &WordOrigin) -> impl Iterator<Item = (u32, &Expansion)> {
        let outwards = |&number: &u32| Some(self.expansions[number as usize].parent);
        let numbers = iter::successors(Some(word.expansion), outwards).take_while(|&number| number != 0);
        numbers.map(|number| (number, &self.expansions[number as usize].expansion))
    }

    /// For each of these expansions, the parameters and counters with values, the innermost first.
    pub fn locals(&self, word: &WordOrigin) -> impl Iterator<Item = impl Iterator<Item = &Local>> {
        ancestors(&self.expansions, word.expansion).map(|node| self.bindings(node.scope))
    }

    /// The bindings that are visible in a scope, the innermost first.
    pub(crate) fn bindings(&self, scope: u32) -> impl Iterator<Item = &Local> {
        let outwards = |&scope: &u32| Some(self.scopes[scope as usize].1);
        let scopes = iter::successors(Some(scope), outwards).take_while(|&scope| scope != 0);
        scopes.flat_map(|scope| &self.scopes[scope as usize].0)
    }

    /// The cycles of a range of words, if it is contiguous: the parts of a `.when` may be swapped.
    pub(crate) fn cycles(&self, first: u32, end: u32) -> Option<Cycles> {
        let words = self.words.get(first as usize..end as usize)?;
        let sequence = words.iter().map(|word| word.sequence);
        let (first, last) = (words.first()?.sequence, sequence.clone().max()?);
        let in_one_piece = sequence.min() == Some(first) && usize::from(last - first) + 1 == words.len();
        in_one_piece.then(|| cycles(&self.image, first, last + 1))
    }

    pub(crate) fn new(expanded: &mut PlacedProgram, emitted: MachineCode) -> Program {
        let build = &expanded.build;
        let words = expanded.words.iter().map(|word| WordOrigin {
            sequence: word.address,
            span: word.span,
            expansion: word.context.expansion,
        });
        let symbols = build.table.entries.iter().filter_map(|entry| {
            let CellState::Settled(Ok(value)) = build.table.cells[entry.cell as usize].state else {
                return None;
            };
            let (name, is_inside_expansion) = build.table.qualified(entry, &build.library.names);
            Some(Symbol {
                name,
                is_inside_expansion,
                kind: entry.kind,
                is_address: value.kind == ValueKind::Ram,
                value: value.number,
                size: entry.size,
                span: entry.span,
            })
        });
        let (words, symbols) = (words.collect(), symbols.collect());
        // No source can contain a name with a dot inside.
        let temporaries = build.table.entries.iter().filter_map(|entry| {
            let spelling = build.library.names.spelling(entry.name);
            let is_of_library = spelling.starts_with('_')
                && entry.span.is_some_and(|span| build.library.is_of_library(span.file));
            match build.table.cells[entry.cell as usize].state {
                CellState::Settled(Ok(value)) if spelling.chars().skip(1).any(|c| c == '.') => {
                    u16::try_from(value.number).ok().map(|byte| byte..byte + 1)
                }
                CellState::Settled(Ok(value)) if is_of_library && value.kind == ValueKind::Ram => {
                    u16::try_from(value.number).ok().map(|first| first..first.saturating_add(entry.size))
                }
                _ => None,
            }
        });
        let temporaries = temporaries.flatten().collect();
        let called = expanded.routines.iter().filter(|routine| !routine.return_addresses.is_empty());
        let routines = called.map(|routine| Routine {
            name: build.library.names.show(routine.name),
            words: routine.address as u16..routine.end as u16,
            span: routine.span,
            expansion: routine.expansion,
            calls: routine.return_addresses.iter().map(|&back| back as u16 - 1).collect(),
            call_number: (routine.planned > 1).then_some(routine.site_byte),
        });
        let routines = routines.collect();
        let scopes = build.table.scopes.iter().map(|scope| (locals(build, &scope.bindings), scope.parent));
        let scopes = scopes.collect();
        Program {
            image: emitted.image,
            words,
            symbols,
            defaults: build.defaults.iter().map(|name| build.library.names.show(*name)).collect(),
            routines,
            temporaries,
            idle: idle_code(expanded, &emitted.contracts),
            contracts: emitted.contracts,
            statements: std::mem::take(&mut expanded.statements),
            expansions: std::mem::take(&mut expanded.build.expansions),
            scopes,
        }
    }
}

/// The parameters and counters with a value.
fn locals(build: &Build, bindings: &[Binding]) -> Vec<Local> {
    let local = |binding: &Binding| {
        let BoundValue::Cell(cell) = binding.value else { return None };
        let CellState::Settled(Ok(value)) = build.table.cells[cell as usize].state else { return None };
        let kind = match value.kind {
            ValueKind::Ram if !binding.immediate => SymbolKind::Ram,
            ValueKind::Label => SymbolKind::Label,
            _ => SymbolKind::Constant,
        };
        Some(Local { name: build.library.names.shared(binding.name), value: value.number, kind })
    };
    bindings.iter().filter_map(local).collect()
}
