//! Visibility of names: walks through the statements in the order of the files, including those of macros that are
//! never called and of branches that are never taken, and records the scope and the region of each name.
//!
//! The text alone is enough for this, because the meaning of a name depends on where it is written, not on where a
//! macro is called.

use super::{Definition, Item, ItemKind};
use crate::library::Library;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Mention, Part, Range, Statement, StatementKind, WrittenName};
use crate::table::SymbolKind;
use hashbrown::{HashMap, HashSet};

/// The parameters or counters of a block.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub parent: u32,
    pub bindings: Vec<(Name, u32)>,
}

/// A part of the text to which local labels are private.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub outer: Option<u32>,
    pub labels: HashMap<Name, u32>,
}

/// From here on in a file, names are looked up in this scope and region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub file: u32,
    pub start: u32,
    pub scope: u32,
    pub region: u32,
}

/// A mention of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub mention: Mention,
    pub scope: u32,
    pub region: u32,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Use,
    /// It begins the statement of a macro call.
    Called,
    /// It defines this item.
    Defines(u32),
    /// It may be a definition or a call on a line that was not understood.
    MayDefine,
}

pub(super) struct Walk<'l, 'a> {
    library: &'l Library<'a>,
    mentions: Vec<Mention>,
    walked: HashSet<u32>,
    pub items: Vec<Item>,
    pub globals: HashMap<Name, u32>,
    pub scopes: Vec<Scope>,
    pub regions: Vec<Region>,
    pub places: Vec<Place>,
    pub met: Vec<Met>,
}

/// A block that is open, and what to restore after it.
struct Open {
    end: u32,
    scope: u32,
    region: u32,
    /// The region in which the body of a loop began.
    loop_region: Option<u32>,
}

impl<'l, 'a> Walk<'l, 'a> {
    /// Walks through the root file and what it includes.
    pub fn through(library: &'l Library<'a>) -> Walk<'l, 'a> {
        let mut mentions = library.syntax.mentions.clone();
        mentions.sort_by_key(|mention| (mention.span.file, mention.span.start));
        let mut walk = Walk {
            library,
            mentions,
            walked: HashSet::new(),
            items: Vec::new(),
            globals: HashMap::new(),
            scopes: vec![Scope::default()],
            regions: vec![Region::default()],
            places: Vec::new(),
            met: Vec::new(),
        };
        walk.file(0, 0, 0);
        // Then files that are included in places that the assembler did not reach.
        for file in 0..library.sources.paths().count() as u32 {
            if !walk.walked.contains(&file) {
                walk.file(file, 0, 0);
            }
        }
        walk.places.sort_by_key(|place| (place.file, place.start));
        walk
    }

    /// Walks through a file; returns the region at its end. Files are nested no deeper than the expander allows.
    fn file(&mut self, file: u32, mut scope: u32, mut region: u32) -> u32 {
        self.walked.insert(file);
        self.places.push(Place { file, start: 0, scope, region });
        let first = self.mentions.partition_point(|mention| mention.span.file < file);
        let last = self.mentions.partition_point(|mention| mention.span.file <= file);
        let mut next = first;
        let mut open: Vec<Open> = Vec::new();
        let Range { start, end } = self.library.statements(file);
        for index in start..end {
            let statement = self.library.syntax.statements[index as usize];
            while next < last && self.mentions[next].span.start < statement.span.start {
                self.meet(self.mentions[next], scope, region, Role::Use);
                next += 1;
            }
            while let Some(block) = open.pop_if(|block| block.end <= index) {
                region = match block.loop_region {
                    // The loop has defined a label: local labels after it are private to that.
                    Some(begun) if begun != region => self.open_region(None),
                    _ => block.region,
                };
                scope = block.scope;
                self.places.push(Place { file, start: statement.span.start, scope, region });
            }
            let own_end = self.end_of_own(index, end, statement);
            let mut own_last = next;
            while own_last < last && self.mentions[own_last].span.start < own_end {
                own_last += 1;
            }
            let own = next..own_last;
            next = own_last;
            let before = (scope, region);
            match statement.kind {
                StatementKind::Macro(..) => {
                    self.define_first(statement, own.clone(), scope, region);
                    let parameters = self.meet_in_first(own, scope, region);
                    open.push(Open { end: statement.end, scope, region, loop_region: None });
                    (scope, region) = (self.open_scope(scope), self.open_region(None));
                    let extent = self.extent(statement);
                    for at in parameters {
                        self.bind(self.mentions[at], ItemKind::Parameter, extent, scope, region);
                    }
                }
                StatementKind::For(..) | StatementKind::Repeat(..) => {
                    let counter = match statement.kind {
                        StatementKind::For(..) => own.clone().next(),
                        StatementKind::Repeat(_, Some(_)) => self.last_whole(own.clone()),
                        _ => None,
                    };
                    for at in own.filter(|&at| Some(at) != counter) {
                        self.meet(self.mentions[at], scope, region, Role::Use);
                    }
                    open.push(Open { end: statement.end, scope, region, loop_region: None });
                    (scope, region) = (self.open_scope(scope), self.open_region(Some(region)));
                    if let Some(block) = open.last_mut() {
                        block.loop_region = Some(region);
                    }
                    let extent = self.extent(statement);
                    if let Some(at) = counter {
                        self.bind(self.mentions[at], ItemKind::Counter, extent, scope, region);
                    }
                }
                StatementKind::Function(_, count, _) => {
                    self.define_first(statement, own.clone(), scope, region);
                    let others = self.meet_in_first(own, scope, region);
                    let inner = self.open_scope(scope);
                    let extent = Span { end: own_end, ..statement.span };
                    for (number, at) in others.enumerate() {
                        let mention = self.mentions[at];
                        if number < count as usize {
                            self.bind(mention, ItemKind::Parameter, extent, inner, region);
                        } else {
                            self.meet(mention, inner, region, Role::Use);
                        }
                    }
                    self.places.push(Place { file, start: statement.span.end, scope: inner, region });
                    self.places.push(Place { file, start: own_end, scope, region });
                }
                kind if kind.symbol_kind().is_some() => {
                    if let StatementKind::Label(name) | StatementKind::Routine(name) = kind
                        && !self.is_local(name)
                    {
                        region = self.open_region(None);
                    }
                    self.define_first(statement, own.clone(), scope, region);
                    for at in own.skip(1) {
                        self.meet(self.mentions[at], scope, region, Role::Use);
                    }
                }
                StatementKind::Broken(name) => self.broken(name, own, scope, region),
                StatementKind::Call(..) => {
                    for (number, at) in own.enumerate() {
                        let role = if number == 0 { Role::Called } else { Role::Use };
                        self.meet(self.mentions[at], scope, region, role);
                    }
                }
                kind => {
                    for at in own {
                        self.meet(self.mentions[at], scope, region, Role::Use);
                    }
                    if let StatementKind::Include(text) = kind
                        && let Some(included) =
                            self.library.included_file(&self.library.syntax.texts[text as usize], file)
                        && !self.walked.contains(&included)
                    {
                        region = self.file(included, scope, region);
                    }
                }
            }
            if (scope, region) != before {
                self.places.push(Place { file, start: statement.span.start, scope, region });
            }
        }
        for at in next..last {
            self.meet(self.mentions[at], scope, region, Role::Use);
        }
        region
    }

    /// The end of the names that belong to a statement: the next statement, or the end of its line.
    fn end_of_own(&self, index: u32, end: u32, statement: Statement) -> u32 {
        let sources = &self.library.sources;
        let Span { file, start, .. } = statement.span;
        let (line_start, line) = sources.line(file, sources.line_index(file, start));
        let line_end = line_start + line.len() as u32;
        let next = &self.library.syntax.statements[index as usize + 1..end as usize];
        // There may be several statements at one place: a mistaken one and the block that it opens.
        let next = next.iter().map(|next| next.span.start).find(|&other| other > start);
        next.map_or(line_end, |next| next.min(line_end))
    }

    /// The span from the beginning of a block to its end.
    fn extent(&self, statement: Statement) -> Span {
        let end = self.library.syntax.statements.get(statement.end as usize).map(|end| end.span);
        let end = end.filter(|end| end.file == statement.span.file).map_or(statement.span.end, |end| end.end);
        Span { end: end.max(statement.span.end), ..statement.span }
    }

    fn open_scope(&mut self, parent: u32) -> u32 {
        self.scopes.push(Scope { parent, bindings: Vec::new() });
        self.scopes.len() as u32 - 1
    }

    fn open_region(&mut self, outer: Option<u32>) -> u32 {
        self.regions.push(Region { outer, labels: HashMap::new() });
        self.regions.len() as u32 - 1
    }

    fn is_local(&self, name: WrittenName) -> bool {
        match name {
            WrittenName::Plain(name) => self.library.names.is_local(name),
            WrittenName::Pasted(pasting) => matches!(
                self.library.syntax.pastings[pasting as usize].first(),
                Some(Part::Text(text)) if text.starts_with('.')
            ),
        }
    }

    fn meet(&mut self, mention: Mention, scope: u32, region: u32, role: Role) {
        self.met.push(Met { mention, scope, region, role });
    }

    /// Meets the names in the braces of the first of these mentions; returns the mentions that follow it.
    fn meet_in_first(
        &mut self,
        own: std::ops::Range<usize>,
        scope: u32,
        region: u32,
    ) -> std::ops::Range<usize> {
        let Some(&Mention { span, .. }) = self.mentions[own.clone()].first() else { return own };
        let mut next = own.start + 1;
        while next < own.end && self.mentions[next].span.end <= span.end {
            self.meet(self.mentions[next], scope, region, Role::Use);
            next += 1;
        }
        next..own.end
    }

    /// The last of these mentions that is not in the braces of another.
    fn last_whole(&self, own: std::ops::Range<usize>) -> Option<usize> {
        let mut end = 0;
        let whole = own.filter(|&at| {
            let span = self.mentions[at].span;
            let is_whole = span.end > end;
            end = end.max(span.end);
            is_whole
        });
        whole.last()
    }

    /// Defines the first of these mentions, which is the name that the statement defines.
    fn define_first(&mut self, statement: Statement, own: std::ops::Range<usize>, scope: u32, region: u32) {
        let Some(&mention) = self.mentions[own].first() else { return };
        let WrittenName::Plain(name) = mention.name else {
            return self.meet(mention, scope, region, Role::Use);
        };
        let kind = statement.kind.symbol_kind().map_or(ItemKind::Unknown, ItemKind::Symbol);
        let definition =
            Definition { name: mention.span, statement: statement.span, extent: self.extent(statement) };
        let known = match self.library.names.is_local(name) {
            true => self.regions[region as usize].labels.get(&name),
            false => self.globals.get(&name),
        };
        let item = match known.copied() {
            Some(item) => item,
            None => {
                let item = self.add_item(name, kind);
                match self.library.names.is_local(name) {
                    true => self.regions[region as usize].labels.insert(name, item),
                    false => self.globals.insert(name, item),
                };
                item
            }
        };
        self.items[item as usize].definitions.push(definition);
        self.meet(mention, scope, region, Role::Defines(item));
    }

    /// Adds a parameter or a counter to a scope.
    fn bind(&mut self, mention: Mention, kind: ItemKind, extent: Span, scope: u32, region: u32) {
        let WrittenName::Plain(name) = mention.name else {
            return self.meet(mention, scope, region, Role::Use);
        };
        let item = self.add_item(name, kind);
        let definition = Definition { name: mention.span, statement: mention.span, extent };
        self.items[item as usize].definitions.push(definition);
        self.scopes[scope as usize].bindings.push((name, item));
        self.meet(mention, scope, region, Role::Defines(item));
    }

    /// Handles a line that was not understood, and may be the definition of a name.
    fn broken(&mut self, name: Name, own: std::ops::Range<usize>, scope: u32, region: u32) {
        let is_meant = |mention: &Mention| mention.name.plain() == Some(name);
        let mut found = false;
        for at in own {
            let mention = self.mentions[at];
            let is_first = is_meant(&mention) && !std::mem::replace(&mut found, true);
            self.meet(mention, scope, region, if is_first { Role::MayDefine } else { Role::Use });
        }
        if !found && let Some(met) = self.met.last_mut().filter(|met| is_meant(&met.mention)) {
            met.role = Role::MayDefine;
        }
    }

    pub fn add_item(&mut self, name: Name, kind: ItemKind) -> u32 {
        let names = &self.library.names;
        self.items.push(Item {
            name: names.spelling(name).to_owned(),
            kind,
            definitions: Vec::new(),
            is_of_library: names.is_of_library(name),
            key: name,
        });
        self.items.len() as u32 - 1
    }

    /// The item of a global name of the program, or of the library.
    pub fn global(&self, name: Name) -> Option<u32> {
        let namesake = || self.library.names.namesake(name);
        self.globals.get(&name).copied().or_else(|| self.globals.get(&namesake()?).copied())
    }

    /// The same for the name of a macro or a function that is called, even if the program has something else of that
    /// name.
    pub fn called(&self, name: Name, kind: SymbolKind) -> Option<u32> {
        let is_meant = |item: &u32| self.items[*item as usize].kind == ItemKind::Symbol(kind);
        let own = self.globals.get(&name).copied();
        let namesake = || self.globals.get(&self.library.names.namesake(name)?).copied();
        own.filter(is_meant).or_else(|| namesake().filter(is_meant)).or(own)
    }

    /// The item that a name means in a scope and a region.
    pub fn resolve(&self, name: Name, mut scope: u32, region: u32) -> Option<u32> {
        while scope != 0 {
            let here = &self.scopes[scope as usize];
            if let Some(&(_, item)) = here.bindings.iter().find(|(other, _)| *other == name) {
                return Some(item);
            }
            scope = here.parent;
        }
        if !self.library.names.is_local(name) {
            return self.global(name);
        }
        let mut region = Some(region);
        while let Some(here) = region {
            let here = &self.regions[here as usize];
            if let Some(&item) = here.labels.get(&name) {
                return Some(item);
            }
            region = here.outer;
        }
        None
    }
}
