//! Who calls whom: routines and macros, and the program outside of them.

use crate::names::{everywhere, meant};
use crate::symbols::kind;
use crate::view::View;
use gen_lsp_types::{Range, SymbolKind as Kind};
use gray1_assembler::{Definition, Item, ItemKind, Span, SymbolKind};
use serde_json::{Value, json};

/// What can call, and be called.
#[derive(Clone, Copy)]
enum Party<'v> {
    /// A routine or a macro.
    Named(&'v Item, &'v Definition),
    /// The part of a file that is outside of these.
    File(u32),
}

/// The routine or macro whose name is at an offset; else the one around it, or the file.
pub fn prepare(view: &View, offset: u32) -> Value {
    let here = Span { file: view.file, start: offset, end: offset };
    let party = named(view, offset).unwrap_or_else(|| around(view, here));
    json!(shown(view, party).into_iter().collect::<Vec<_>>())
}

/// The callers of the routine or macro whose name is at an offset, in all open programs.
pub fn incoming(view: &View, offset: u32) -> Value {
    let mut calls = Vec::new();
    for (view, items) in everywhere(view, offset) {
        for item in items.into_iter().filter(|item| is_called(&view.analysis.items[*item as usize])) {
            for place in view.analysis.occurrences_of(item).filter(|place| !place.is_definition) {
                add(&view, &mut calls, around(&view, place.span), place.span);
            }
        }
    }
    listed("from", calls)
}

/// What the routine or macro whose name is at an offset calls; elsewhere, what the file calls outside of them.
pub fn outgoing(view: &View, offset: u32) -> Value {
    let caller = named(view, offset).unwrap_or(Party::File(view.file));
    let mut calls = Vec::new();
    for place in view.analysis.occurrences(caller.file()).iter().filter(|place| !place.is_definition) {
        let callee = view.item(place);
        if let Some(definition) = callee.definitions.first().filter(|_| is_called(callee))
            && around(view, place.span).start() == caller.start()
        {
            add(view, &mut calls, Party::Named(callee, definition), place.span);
        }
    }
    listed("to", calls)
}

fn is_called(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Symbol(SymbolKind::Routine | SymbolKind::Macro))
}

fn named<'v>(view: &'v View, offset: u32) -> Option<Party<'v>> {
    let items = meant(view, offset).into_iter().map(|(_, item)| item);
    items.filter(|item| is_called(item)).find_map(|item| Some(Party::Named(item, item.definitions.first()?)))
}

/// The innermost routine or macro around a place.
fn around<'v>(view: &'v View, place: Span) -> Party<'v> {
    let items = view.analysis.items.iter().filter(|item| is_called(item));
    let definitions =
        items.flat_map(|item| item.definitions.iter().map(move |definition| (item, definition)));
    let around = definitions.filter(|(_, Definition { extent, .. })| {
        extent.file == place.file && (extent.start..=extent.end).contains(&place.start)
    });
    let innermost = around.max_by_key(|(_, definition)| definition.extent.start);
    innermost.map_or(Party::File(place.file), |(item, definition)| Party::Named(item, definition))
}

/// A party as an editor shows it; `None` in a file that it cannot open.
fn shown(view: &View, party: Party) -> Option<Value> {
    let (name, kind, whole, own) = match party {
        Party::Named(item, Definition { name, extent, .. }) => {
            let whole =
                Span { start: extent.start.min(name.start), end: extent.end.max(name.end), ..*extent };
            (item.name.as_str(), kind(item.kind), whole, *name)
        }
        Party::File(file) => {
            let path = view.analysis.report.sources.path(file);
            let start = Span { file, start: 0, end: 0 };
            (path.rsplit('/').next().unwrap_or(path), Kind::File, start, start)
        }
    };
    let [whole, own] = view.locations([whole, own]).try_into().ok()?;
    Some(
        json!({ "name": name, "kind": kind, "uri": whole.uri, "range": whole.range, "selectionRange": own.range }),
    )
}

/// Adds a call of or by a party.
fn add(view: &View, calls: &mut Vec<(Value, Vec<Range>)>, party: Party, place: Span) {
    let Some(item) = shown(view, party) else { return };
    let ranges = view.locations([place]).into_iter().map(|location| location.range);
    match calls.iter_mut().find(|(known, _)| *known == item) {
        Some((_, known)) => ranges.for_each(|range| {
            if !known.contains(&range) {
                known.push(range);
            }
        }),
        None => calls.push((item, ranges.collect())),
    }
}

fn listed(direction: &str, calls: Vec<(Value, Vec<Range>)>) -> Value {
    calls.into_iter().map(|(item, ranges)| json!({ direction: item, "fromRanges": ranges })).collect()
}

impl Party<'_> {
    fn file(&self) -> u32 {
        match self {
            Party::Named(_, definition) => definition.extent.file,
            Party::File(file) => *file,
        }
    }

    /// Where its name is; `None` for a file.
    fn start(&self) -> Option<Span> {
        match self {
            Party::Named(_, definition) => Some(definition.name),
            Party::File(_) => None,
        }
    }
}
