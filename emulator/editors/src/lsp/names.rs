//! Definitions and uses of names, and renaming.

use crate::lsp::failure::Failure;
use crate::lsp::view::View;
use gen_lsp_types::{Location, Range, TextEdit, Uri, WorkspaceEdit};
use gray1_assembler::{Item, ItemKind, Obstacle, Occurrence, Span, StatementAt};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The items that the name at an offset refers to: several if the name is pasted together.
pub fn meant<'v>(view: &'v View, offset: u32) -> Vec<(u32, &'v Item)> {
    let analysis = &view.analysis;
    let Some(occurrence) = analysis.occurrence_at(view.file, offset) else { return Vec::new() };
    let mut items: Vec<u32> = analysis.meanings(occurrence.span).collect();
    items.dedup();
    items.into_iter().map(|item| (item, &analysis.items[item as usize])).collect()
}

pub fn definition(view: &View, offset: u32) -> Vec<Location> {
    if let Some(included) = included(view, offset) {
        return view.locations([Span { file: included, start: 0, end: 0 }]);
    }
    let items = meant(view, offset);
    let mut seen = HashSet::new();
    let spans = items.iter().flat_map(|(_, item)| &item.definitions).map(|definition| definition.name);
    view.locations(spans.filter(|&span| seen.insert(span)))
}

/// The file that an `.include` names, if one is at this offset.
fn included(view: &View, offset: u32) -> Option<u32> {
    match view.analysis.statement_at(view.file, offset)?.kind {
        StatementAt::Include(file) => file,
        _ => None,
    }
}

/// The references in all open programs: a file may be part of several.
pub fn references(view: &View, offset: u32, with_definition: bool) -> Vec<Location> {
    let wanted = |place: &&Occurrence| with_definition || !place.is_definition;
    let mut found: Vec<Location> = Vec::new();
    for (view, items) in everywhere(view, offset) {
        let places = items.into_iter().flat_map(|item| view.analysis.occurrences_of(item));
        found.extend(view.locations(places.filter(wanted).map(|place| place.span)));
    }
    let mut seen = HashSet::new();
    found.retain(|location| seen.insert((location.uri.clone(), location.range.start, location.range.end)));
    found
}

/// The items meant at an offset, in each open program that mentions them. A name in a shared file means the same in
/// all programs that include the file.
pub fn everywhere<'s>(view: &View<'s>, offset: u32) -> Vec<(View<'s>, BTreeSet<u32>)> {
    let mut found: Vec<(View, BTreeSet<u32>)> = Vec::new();
    for view in view.workspace.programs() {
        found.push((view, BTreeSet::new()));
    }
    let path = |view: &View, file: u32| view.analysis.report.sources.path(file).to_owned();
    let mut waiting = vec![(path(view, view.file), offset)];
    let mut seen = HashSet::new();
    while let Some((file, offset)) = waiting.pop() {
        for (view, items) in &mut found {
            let Some(number) = view.analysis.report.sources.paths().position(|path| path == file) else {
                continue;
            };
            let Some(place) = view.analysis.occurrence_at(number as u32, offset) else { continue };
            for item in view.analysis.meanings(place.span) {
                if items.insert(item) {
                    let places = view.analysis.occurrences_of(item).filter(|place| !place.is_pasted);
                    let places = places.map(|place| (path(view, place.span.file), place.span.start));
                    waiting.extend(places.filter(|place| seen.insert(place.clone())));
                }
            }
        }
    }
    found.retain(|(_, items)| !items.is_empty());
    found
}

pub fn prepare_rename(view: &View, offset: u32) -> Result<Range, Failure> {
    let place = renamed(view, offset)?;
    refuse_anywhere(view, offset, None)?;
    Ok(view.lines().range(place.span.start, place.span.end))
}

pub fn rename(view: &View, offset: u32, new_name: &str) -> Result<WorkspaceEdit, Failure> {
    let place = renamed(view, offset)?;
    // A user may type the new name of a local label with its dot or without.
    let is_local = view.item(place).name.starts_with('.');
    let dotted = format!(".{new_name}");
    let new_name = if is_local && !new_name.starts_with('.') { &dotted } else { new_name };
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (view, item) in refuse_anywhere(view, offset, Some(new_name))? {
        let places = view.analysis.occurrences_of(item);
        let edit = view.edit(places.map(|place| (place.span, new_name.to_owned())));
        for (uri, edits) in edit.changes.into_iter().flatten() {
            let known = changes.entry(uri).or_default();
            let new = edits.into_iter().filter(|edit| !known.contains(edit)).collect::<Vec<_>>();
            known.extend(new);
        }
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// The occurrences to rename in each open program, or why renaming is not possible.
fn refuse_anywhere<'s>(
    view: &View<'s>,
    offset: u32,
    new_name: Option<&str>,
) -> Result<Vec<(View<'s>, u32)>, Failure> {
    let mut found = Vec::new();
    for (view, items) in everywhere(view, offset) {
        for item in items {
            refuse(&view, item, new_name)?;
            found.push((view.clone(), item));
        }
    }
    Ok(found)
}

fn renamed<'v>(view: &'v View, offset: u32) -> Result<&'v Occurrence, Failure> {
    let place = view.analysis.occurrence_at(view.file, offset);
    place.ok_or_else(|| Failure::Refused("there is no name of the program here".to_owned()))
}

fn refuse(view: &View, item: u32, new_name: Option<&str>) -> Result<(), Failure> {
    let Item { name, kind, .. } = &view.analysis.items[item as usize];
    let is_outside =
        |name: &str| view.workspace.settings.options.constants.iter().any(|(other, _)| other == name);
    let obstacle = view.analysis.obstacle(item, new_name).or(match new_name {
        // A `?=` does not take effect if the constant is defined outside.
        _ if matches!(kind, ItemKind::Symbol(_)) && is_outside(name) => Some(Obstacle::BuiltIn),
        Some(new_name) if is_outside(new_name) => Some(Obstacle::Taken),
        _ => None,
    });
    let Some(obstacle) = obstacle else { return Ok(()) };
    let wanted = new_name.unwrap_or_default();
    Err(Failure::Refused(match obstacle {
        Obstacle::Library => format!("`{name}` belongs to the library"),
        Obstacle::BuiltIn => format!("`{name}` is built in, or defined outside of the program"),
        Obstacle::Pasted(span) => {
            let place = view.analysis.report.sources.position(span);
            format!("`{name}` is pasted together at {place}, by `{}`", view.source(span))
        }
        Obstacle::NoName => format!("`{wanted}` cannot be a name here"),
        Obstacle::Taken => format!("`{wanted}` already has a meaning here"),
    }))
}
