//! Names: where they are defined and used, and changing them.

use crate::server::Failure;
use crate::view::View;
use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Range, WorkspaceEdit};
use gray1_assembler::{Item, ItemKind, Obstacle, Occurrence, Span, StatementAt};
use std::collections::HashSet;

/// The items that are meant at an offset: several if a name is put together there.
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

pub fn references(view: &View, offset: u32, with_definition: bool) -> Vec<Location> {
    view.locations(
        places(view, offset).filter(|place| with_definition || !place.is_definition).map(|place| place.span),
    )
}

pub fn highlights(view: &View, offset: u32) -> Vec<DocumentHighlight> {
    let lines = view.lines();
    let here = places(view, offset).filter(|place| place.span.file == view.file);
    let highlight = |place: &Occurrence| {
        let kind = match place.is_definition || is_stored(view, place) {
            true => DocumentHighlightKind::Write,
            false => DocumentHighlightKind::Read,
        };
        DocumentHighlight { range: lines.range(place.span.start, place.span.end), kind: Some(kind) }
    };
    here.map(highlight).collect()
}

/// Whether a place is in the operand of a store.
fn is_stored(view: &View, place: &Occurrence) -> bool {
    let statement = view.analysis.statement_at(place.span.file, place.span.start);
    statement.is_some_and(|found| found.kind == StatementAt::Instruction(gray1_isa::Opcode::Sta))
}

fn places<'v>(view: &'v View, offset: u32) -> impl Iterator<Item = &'v Occurrence> {
    let items = meant(view, offset);
    let mut seen = HashSet::new();
    let places = items.into_iter().flat_map(|(item, _)| view.analysis.occurrences_of(item));
    places.filter(move |place| seen.insert(place.span))
}

pub fn prepare_rename(view: &View, offset: u32) -> Result<Range, Failure> {
    let place = renamed(view, offset)?;
    refuse(view, place.item, None)?;
    Ok(view.lines().range(place.span.start, place.span.end))
}

pub fn rename(view: &View, offset: u32, new_name: &str) -> Result<WorkspaceEdit, Failure> {
    let place = renamed(view, offset)?;
    // Editors let people type a label with its dot or without.
    let is_local = view.item(place).name.starts_with('.');
    let dotted = format!(".{new_name}");
    let new_name = if is_local && !new_name.starts_with('.') { &dotted } else { new_name };
    refuse(view, place.item, Some(new_name))?;
    let places = view.analysis.occurrences_of(place.item);
    Ok(view.edit(places.map(|place| (place.span, new_name.to_owned()))))
}

fn renamed<'v>(view: &'v View, offset: u32) -> Result<&'v Occurrence, Failure> {
    let place = view.analysis.occurrence_at(view.file, offset);
    place.ok_or_else(|| Failure::Refused("there is no name of the program here".to_owned()))
}

fn refuse(view: &View, item: u32, new_name: Option<&str>) -> Result<(), Failure> {
    let Item { name, kind, .. } = &view.analysis.items[item as usize];
    let is_outside =
        |name: &str| view.server.settings.options.constants.iter().any(|(other, _)| other == name);
    let obstacle = view.analysis.obstacle(item, new_name).or(match new_name {
        // A `?=` gives way to what is defined outside.
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
            format!("`{name}` is put together at {place}, by `{}`", view.source(span))
        }
        Obstacle::NoName => format!("`{wanted}` cannot be a name here"),
        Obstacle::Taken => format!("`{wanted}` means something already"),
    }))
}
