//! Scope resolution for editors: visits the statements in the order of the files, and records the scope and the region of
//! each name.
//!
//! This does not use what the expander has resolved, because that covers only expanded code: not the macros that nothing
//! calls, the branches that are not taken, the routines that are not assembled, or a program with an error before its
//! end. The text alone is sufficient, because scopes are lexical. What the expander alone knows, the names that pastings
//! have made and those that are built in, comes from its table, in `names`.

use super::items::{Definition, Item, ItemKind};
use super::scopes::{Scopes, Visibility};
use crate::kind::SymbolKind;
use crate::library::Library;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Mention, Part, Range, Statement, StatementKind, WrittenName};
use hashbrown::{HashMap, HashSet};

/// A mention of a name, with its scope and role.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameUse {
    pub mention: Mention,
    pub at: Visibility,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Use,
    /// The callee of a macro call.
    Called,
    /// The definition of this item.
    Defines(u32),
    /// A definition or a call, on a line that was not understood.
    MayDefine,
}

pub(super) struct Resolver<'l, 'a> {
    pub library: &'l Library<'a>,
    mentions: Vec<Mention>,
    visited: HashSet<u32>,
    pub items: Vec<Item>,
    pub globals: HashMap<Name, u32>,
    pub scopes: Scopes,
    pub uses: Vec<NameUse>,
    /// The current scope and region.
    at: Visibility,
}

/// An open block, and the scope and region to restore after it.
struct Open {
    end: u32,
    at: Visibility,
    /// The region in which the body of a loop began.
    loop_region: Option<u32>,
}

/// Indices of mentions.
type Mentions = std::ops::Range<usize>;

impl<'l, 'a> Resolver<'l, 'a> {
    /// Visits the root file and the files that it includes.
    pub fn through(library: &'l Library<'a>) -> Resolver<'l, 'a> {
        let mut mentions = library.syntax.mentions.clone();
        mentions.sort_by_key(|mention| (mention.span.file, mention.span.start));
        let mut resolver = Resolver {
            library,
            mentions,
            visited: HashSet::new(),
            items: Vec::new(),
            globals: HashMap::new(),
            scopes: Scopes::default(),
            uses: Vec::new(),
            at: Visibility::default(),
        };
        // The remaining files are included in code that the expander did not reach.
        for file in 0..library.sources.paths().count() as u32 {
            if !resolver.visited.contains(&file) {
                resolver.at = Visibility::default();
                resolver.file(file);
            }
        }
        resolver.scopes.finish();
        resolver
    }

    /// Visits a file. The expander limits the depth of includes.
    fn file(&mut self, file: u32) {
        self.visited.insert(file);
        self.scopes.mark(file, 0, self.at);
        let last = self.mentions.partition_point(|mention| mention.span.file <= file);
        let mut next = self.mentions.partition_point(|mention| mention.span.file < file);
        let mut open: Vec<Open> = Vec::new();
        let Range { start, end } = self.library.statements(file);
        for index in start..end {
            let statement = self.library.syntax.statements[index as usize];
            let own_start = self.before(statement.span.start, next..last);
            self.meet_all(next..own_start);
            while let Some(block) = open.pop_if(|block| block.end <= index) {
                let region = match block.loop_region {
                    // The loop has defined a label, to which local labels after the loop are private.
                    Some(begun) if begun != self.at.region => self.scopes.open_region(None),
                    _ => block.at.region,
                };
                self.at = Visibility { region, ..block.at };
                self.scopes.mark(file, statement.span.start, self.at);
            }
            let own_end = self.end_of_own(index, end, statement);
            next = self.before(own_end, own_start..last);
            let before = self.at;
            open.extend(self.statement(statement, own_start..next, own_end));
            if self.at != before {
                self.scopes.mark(file, statement.span.start, self.at);
            }
        }
        self.meet_all(next..last);
    }

    /// The end of the mentions that begin before an offset.
    fn before(&self, offset: u32, mentions: Mentions) -> usize {
        mentions.start + self.mentions[mentions].partition_point(|mention| mention.span.start < offset)
    }

    /// Visits a statement with its mentions, which end at `own_end`; returns the block that it opens.
    fn statement(&mut self, statement: Statement, own: Mentions, own_end: u32) -> Option<Open> {
        let around = self.at;
        let Statement { span, kind, end, .. } = statement;
        if let StatementKind::Label(name) | StatementKind::Routine(name) = kind
            && !self.is_local(name)
        {
            self.at.region = self.scopes.open_region(None);
        }
        let (bound, inside, extent) = self.bindings_of(statement, around, own_end);
        let is_function = matches!(kind, StatementKind::Function(..));
        let mut is_defined = false;
        for (number, at) in own.enumerate() {
            let mention = self.mentions[at];
            let role = match (kind, mention.name) {
                (_, WrittenName::Plain(name)) if mention.is_binding && bound != ItemKind::Unknown => {
                    // The value of a function sees its parameters; the head of a loop does not see its counter.
                    self.at = if is_function { inside } else { around };
                    Role::Defines(self.bind(mention.span, name, bound, inside.scope, extent))
                }
                (StatementKind::Call(..), _) if number == 0 => Role::Called,
                (StatementKind::Broken(broken), WrittenName::Plain(name))
                    if name == broken && !is_defined =>
                {
                    is_defined = true;
                    Role::MayDefine
                }
                (_, WrittenName::Plain(name)) if number == 0 && kind.symbol_kind().is_some() => {
                    Role::Defines(self.define(statement, mention.span, name))
                }
                _ => Role::Use,
            };
            self.meet(mention, role);
        }
        match kind {
            StatementKind::Broken(name) if !is_defined => {
                let last = self.uses.last_mut().filter(|last| last.mention.name.plain() == Some(name));
                last.into_iter().for_each(|last| last.role = Role::MayDefine);
            }
            StatementKind::Include(text) => self.include(text, span.file),
            StatementKind::Function(..) => {
                self.scopes.mark(span.file, span.end, inside);
                self.scopes.mark(span.file, own_end, around);
                self.at = around;
            }
            _ => {}
        }
        let loop_region = (bound == ItemKind::Counter).then_some(inside.region);
        (bound != ItemKind::Unknown && !is_function).then(|| {
            self.at = inside;
            Open { end, at: around, loop_region }
        })
    }

    /// The kind, the scope and region, and the extent of the parameters or counters of a statement.
    fn bindings_of(
        &mut self,
        statement: Statement,
        around: Visibility,
        own_end: u32,
    ) -> (ItemKind, Visibility, Span) {
        match statement.kind {
            StatementKind::Macro(..) => {
                (ItemKind::Parameter, self.open(around, None), self.extent(statement))
            }
            StatementKind::For(..) | StatementKind::Repeat(..) => {
                (ItemKind::Counter, self.open(around, Some(around.region)), self.extent(statement))
            }
            StatementKind::Function(..) => {
                let scope = self.scopes.open_scope(around.scope);
                (ItemKind::Parameter, Visibility { scope, ..around }, Span { end: own_end, ..statement.span })
            }
            _ => (ItemKind::Unknown, self.at, statement.span),
        }
    }

    /// Opens a scope and a region for the body of a macro or a loop.
    fn open(&mut self, around: Visibility, outer: Option<u32>) -> Visibility {
        Visibility { scope: self.scopes.open_scope(around.scope), region: self.scopes.open_region(outer) }
    }

    /// Visits an included file, unless it has been visited before.
    fn include(&mut self, text: u32, from: u32) {
        let included = self.library.included_file(&self.library.syntax.texts[text as usize], from);
        if let Some(included) = included.filter(|included| !self.visited.contains(included)) {
            let scope = self.at.scope;
            self.file(included);
            self.at.scope = scope;
        }
    }

    /// The end of the mentions of a statement: the next statement, or the end of its line.
    fn end_of_own(&self, index: u32, end: u32, statement: Statement) -> u32 {
        let sources = &self.library.sources;
        let Span { file, start, .. } = statement.span;
        let (line_start, line) = sources.line(file, sources.line_index(file, start));
        let line_end = line_start + line.len() as u32;
        let next = &self.library.syntax.statements[index as usize + 1..end as usize];
        // There may be several statements at one place: a broken one and the block that it opens.
        let next = next.iter().map(|next| next.span.start).find(|&other| other > start);
        next.map_or(line_end, |next| next.min(line_end))
    }

    /// The span from the beginning of a block to its end.
    fn extent(&self, statement: Statement) -> Span {
        let end = self.library.syntax.statements.get(statement.end as usize).map(|end| end.span);
        let end = end.filter(|end| end.file == statement.span.file).map_or(statement.span.end, |end| end.end);
        Span { end: end.max(statement.span.end), ..statement.span }
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

    fn meet(&mut self, mention: Mention, role: Role) {
        self.uses.push(NameUse { mention, at: self.at, role });
    }

    fn meet_all(&mut self, mentions: Mentions) {
        mentions.for_each(|at| self.meet(self.mentions[at], Role::Use));
    }

    /// Defines a global name or a local label; returns its item.
    fn define(&mut self, statement: Statement, mention: Span, name: Name) -> u32 {
        let kind = statement.kind.symbol_kind().map_or(ItemKind::Unknown, ItemKind::Symbol);
        let is_local = self.library.names.is_local(name);
        let known = match is_local {
            true => self.scopes.region(self.at.region).labels.get(&name).copied(),
            false => self.globals.get(&name).copied(),
        };
        let item = known.unwrap_or_else(|| {
            let item = self.add_item(name, kind);
            match is_local {
                true => self.scopes.region(self.at.region).labels.insert(name, item),
                false => self.globals.insert(name, item),
            };
            item
        });
        let extent = self.extent(statement);
        self.items[item as usize].definitions.push(Definition {
            name: mention,
            statement: statement.span,
            extent,
        });
        item
    }

    /// Adds a parameter or a counter to a scope; returns its item.
    fn bind(&mut self, mention: Span, name: Name, kind: ItemKind, scope: u32, extent: Span) -> u32 {
        let item = self.add_item(name, kind);
        let definition = Definition { name: mention, statement: mention, extent };
        self.items[item as usize].definitions.push(definition);
        self.scopes.bind(scope, name, item);
        item
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

    /// Looks up a global name of the program or of the library.
    pub fn global(&self, name: Name) -> Option<u32> {
        self.library.names.find(name, |name| self.globals.get(&name).copied())
    }

    /// Looks up the name of a called macro or function. The program may have another kind of item of that name.
    pub fn called(&self, name: Name, kind: SymbolKind) -> Option<u32> {
        let is_meant = |item: &u32| self.items[*item as usize].kind == ItemKind::Symbol(kind);
        let own = |name| self.globals.get(&name).copied();
        self.library.names.find(name, |name| own(name).filter(is_meant)).or_else(|| own(name))
    }

    /// Looks up a name in a scope and a region.
    pub fn resolve(&self, name: Name, at: Visibility) -> Option<u32> {
        let bound = self.scopes.bindings(at.scope).find(|(other, _)| *other == name).map(|(_, item)| item);
        bound.or_else(|| match self.library.names.is_local(name) {
            true => self.scopes.regions(at.region).find_map(|region| region.labels.get(&name).copied()),
            false => self.global(name),
        })
    }
}
