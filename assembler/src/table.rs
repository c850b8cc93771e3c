//! The names of a program and their meanings.
//!
//! A name stands for a *cell*: an expression with its context, whose value is computed when it is first needed. So
//! constants may be defined after their use, and an argument is computed only once.

use crate::kind::SymbolKind;
use crate::names::{Name, Names};
use crate::source::Span;
use crate::syntax::Expression;
use gray1_isa::memory_map::BUILT_IN_NAMES;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::iter;

/// The maximum number of regions in the qualified name of a local label.
const MAX_TITLES: usize = 9;

/// A number, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub number: i64,
    pub kind: ValueKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Plain,
    /// A sequence number.
    Label,
    /// An address of RAM.
    Ram,
    /// The text with this number.
    Text,
    /// The table of this name, as a whole.
    Table(Name),
    /// In a formula, a number that is an argument without `#`: an address where one is expected.
    Argument,
    /// In a formula, the byte at this address of RAM at the entry of the code. ([`ValueKind::Ram`] is the byte now.)
    Before,
    /// In a formula, a value at run time: the terms with this number.
    Terms(u32),
}

impl Value {
    pub fn plain(number: i64) -> Value {
        Value { number, kind: ValueKind::Plain }
    }

    pub fn text(text: u32) -> Value {
        Value { number: i64::from(text), kind: ValueKind::Text }
    }
}

/// The context on which the meaning of an expression depends. The default is the top of the root file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    pub file: u32,
    pub scope: u32,
    pub region: u32,
    pub expansion: u32,
    /// The current sequence number.
    pub here: u16,
    /// The number of assignments and of statements of tables so far. An expression uses the values that variables and
    /// tables have at its place.
    pub time: u32,
}

/// A lazily computed value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub name: Name,
    pub expression: Expression,
    pub context: Context,
    pub state: CellState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellState {
    Waiting,
    /// Being computed. Needing it now is circular.
    Running,
    Settled(Result<Value, NoValue>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// The reason has been reported.
    Failed,
    /// This name was undefined when the value was needed.
    NotYet(Blocker),
}

/// The undefined name that a cell waits for, with the position and the region of its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocker {
    pub name: Name,
    pub span: Span,
    pub region: u32,
}

/// The parameters of a macro call, or the counter of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub parent: u32,
    pub bindings: Vec<Binding>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub name: Name,
    /// Whether the argument was given with `#`.
    pub immediate: bool,
    pub value: BoundValue,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundValue {
    Cell(u32),
    Text(u32),
}

/// A section of the program, to which local labels are private.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// The region in which a local label is looked up if it is not found here.
    pub outer: Option<u32>,
    /// The region that contains it, for qualified names.
    pub within: u32,
    pub title: RegionTitle,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionTitle {
    /// After a label.
    Label(Name),
    /// The expansion of a macro or a loop that began at this sequence number.
    Expansion(Option<Name>, u16),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    pub name: Name,
    pub kind: SymbolKind,
    pub cell: u32,
    /// Bytes of RAM; 0 for everything else.
    pub size: u16,
    /// Its definition; `None` for built-in and predefined names.
    pub span: Option<Span>,
    pub context: Context,
    /// Set if the source spells the name out, and not in a macro or loop.
    pub plain: bool,
}

/// The reason why a name is undefined although a statement probably defines it. Later variants take precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    /// It is defined only in routines that are never called.
    Unassembled,
    /// Its definition was not understood.
    Broken,
    /// Its statement was perhaps meant as a label. Jumps to it are not reported; further such statements are.
    PerhapsLabel,
}

/// All names, with their visibility.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub cells: Vec<Cell>,
    pub scopes: Vec<Scope>,
    pub regions: Vec<Region>,
    pub entries: Vec<TableEntry>,
    globals: Vec<Option<u32>>,
    locals: HashMap<(u32, Name), u32>,
    /// The cell of each assignment to a variable, in their order.
    pub assigned: Vec<u32>,
    /// For each variable, the times of its assignments, and their cells.
    assignments: HashMap<Name, Vec<(u32, u32)>>,
    /// The current time, as in [`Context::time`].
    pub time: u32,
    /// The statements of functions and tables, and the contexts of their definitions.
    pub definitions: HashMap<Name, (u32, Context)>,
    /// The statements that extend tables, and their contexts.
    pub extensions: HashMap<Name, Vec<(u32, Context)>>,
    /// The size of each `.ram` by its address.
    pub ram: BTreeMap<u16, u16>,
    /// Names that are undefined because of an error, or because their code is not assembled.
    lost: HashMap<Name, Loss>,
    /// The beginnings of pasted names whose definitions were not understood.
    pub broken_beginnings: HashSet<String>,
    /// Set if a whole file or block is missing, so that no name can be reported as unknown.
    pub incomplete: bool,
}

impl Table {
    /// Makes a table with the built-in names and these predefined constants.
    pub fn new(names: &mut Names, constants: &[(String, i64)]) -> Table {
        // The title of the outermost region is never shown.
        let top = Region { outer: None, within: 0, title: RegionTitle::Expansion(None, 0) };
        let outermost = Scope { parent: 0, bindings: Vec::new() };
        let mut table = Table { scopes: vec![outermost], regions: vec![top], ..Table::default() };
        for (spelling, address) in BUILT_IN_NAMES {
            let value = Value { number: i64::from(address), kind: ValueKind::Ram };
            table.predefine(names.intern(spelling), SymbolKind::Ram, value);
        }
        for (spelling, number) in constants {
            table.predefine(names.intern(spelling), SymbolKind::Constant, Value::plain(*number));
        }
        table
    }

    fn predefine(&mut self, name: Name, kind: SymbolKind, value: Value) {
        let cell = self.settled(name, Ok(value));
        let context = Context::default();
        let entry = TableEntry { name, kind, cell, size: 0, span: None, context, plain: false };
        self.enter_global(entry);
    }

    /// Records that the definition of a name is missing.
    pub fn lose(&mut self, name: Name, why: Loss) {
        let known = self.lost.entry(name).or_insert(why);
        *known = why.max(*known);
    }

    pub fn lost(&self, name: Name) -> Option<Loss> {
        self.lost.get(&name).copied()
    }

    /// Adds a cell with this value.
    pub fn settled(&mut self, name: Name, value: Result<Value, NoValue>) -> u32 {
        let (expression, context) = Default::default();
        self.push_cell(Cell { name, expression, context, state: CellState::Settled(value) })
    }

    /// Adds the cell of an expression.
    pub fn add_cell(&mut self, name: Name, expression: Expression, context: Context) -> u32 {
        self.push_cell(Cell { name, expression, context, state: CellState::Waiting })
    }

    fn push_cell(&mut self, cell: Cell) -> u32 {
        self.cells.push(cell);
        self.cells.len() as u32 - 1
    }

    /// Changes the cell of a name that is defined.
    pub fn set_cell(&mut self, name: Name, cell: u32) {
        if let Some(index) = self.global_index(name) {
            self.entries[index as usize].cell = cell;
        }
    }

    /// Assigns a variable from now on.
    pub fn assign(&mut self, name: Name, cell: u32) {
        self.assignments.entry(name).or_default().push((self.time, cell));
        self.assigned.push(cell);
        self.time += 1;
    }

    /// The value of a variable at a time, if it is assigned by then.
    pub fn assigned_by(&self, name: Name, time: u32) -> Option<u32> {
        let own = self.assignments.get(&name)?;
        let last = own.partition_point(|&(assigned, _)| assigned < time).checked_sub(1)?;
        Some(own[last].1)
    }

    /// Adds a name; returns the existing entry if it is taken.
    pub fn enter(&mut self, entry: TableEntry, local: bool) -> Result<(), TableEntry> {
        let taken = match local {
            true => self.own_local(entry.context.region, entry.name),
            false => self.global(entry.name),
        };
        if let Some(&taken) = taken {
            return Err(taken);
        }
        if local {
            self.locals.insert((entry.context.region, entry.name), self.entries.len() as u32);
            self.entries.push(entry);
        } else {
            self.enter_global(entry);
        }
        Ok(())
    }

    fn enter_global(&mut self, entry: TableEntry) {
        let index = entry.name.index();
        if self.globals.len() <= index {
            self.globals.resize(index + 1, None);
        }
        self.globals[index] = Some(self.entries.len() as u32);
        self.entries.push(entry);
    }

    fn global_index(&self, name: Name) -> Option<u32> {
        self.globals.get(name.index()).copied().flatten()
    }

    pub fn global(&self, name: Name) -> Option<&TableEntry> {
        self.global_index(name).map(|index| &self.entries[index as usize])
    }

    /// Looks up a local label from a region outwards.
    pub fn local(&self, region: u32, name: Name) -> Option<&TableEntry> {
        let outwards = |&region: &u32| self.regions[region as usize].outer;
        iter::successors(Some(region), outwards).find_map(|region| self.own_local(region, name))
    }

    /// Looks up a local label in a region only. While labels may still be defined, one in an outer region may be
    /// the wrong one.
    pub fn own_local(&self, region: u32, name: Name) -> Option<&TableEntry> {
        self.locals.get(&(region, name)).map(|&index| &self.entries[index as usize])
    }

    /// Whether a cell that waits for a name would still have to wait.
    pub fn still_unknown(&self, blocker: Blocker) -> bool {
        self.global(blocker.name).is_none() && self.own_local(blocker.region, blocker.name).is_none()
    }

    /// Looks up a macro parameter or a loop counter.
    pub fn binding(&self, mut scope: u32, name: Name) -> Option<Binding> {
        while scope != 0 {
            let here = &self.scopes[scope as usize];
            if let Some(binding) = here.bindings.iter().find(|binding| binding.name == name) {
                return Some(*binding);
            }
            scope = here.parent;
        }
        None
    }

    /// The number of bytes from an address to the end of its `.ram`; 0 if it is in none.
    pub fn bytes_from(&self, address: i64) -> i64 {
        let before = u16::try_from(address).ok().and_then(|at| self.ram.range(..=at).next_back());
        before.map_or(0, |(&start, &size)| (i64::from(start) + i64::from(size) - address).max(0))
    }

    /// Opens a scope inside another; 0 is the outermost, which has no bindings.
    pub fn open_scope(&mut self, parent: u32, bindings: Vec<Binding>) -> u32 {
        self.scopes.push(Scope { parent, bindings });
        self.scopes.len() as u32 - 1
    }

    pub fn open_region(&mut self, region: Region) -> u32 {
        self.regions.push(region);
        self.regions.len() as u32 - 1
    }

    /// Qualifies the name of a local label, so that it is unique: `start.loop`, `start.add16@12.loop`; returns also whether
    /// it is in a macro call or an iteration. A definition of the library is `lib.abs` if the program defines `abs`, too.
    pub fn qualified(&self, entry: &TableEntry, names: &Names) -> (String, bool) {
        let mut name = names.spelling(entry.name).to_owned();
        let mut is_inside_expansion = false;
        let mut region = if name.starts_with('.') { entry.context.region } else { 0 };
        for _ in 0..MAX_TITLES {
            if region == 0 {
                break;
            }
            let Region { within, title, .. } = self.regions[region as usize];
            let title = match title {
                RegionTitle::Label(label) => names.spelling(label).to_owned(),
                RegionTitle::Expansion(name, at) => {
                    is_inside_expansion = true;
                    format!("{}@{at}", name.map_or("loop", |name| names.spelling(name)))
                }
            };
            let dot = if name.starts_with('.') { "" } else { "." };
            name = title + dot + &name;
            region = within;
        }
        let namesake = names.namesake(entry.name).filter(|_| names.is_of_library(entry.name));
        if namesake.is_some_and(|own| self.global(own).is_some()) {
            name = format!("lib.{name}");
        }
        (name, is_inside_expansion)
    }
}
