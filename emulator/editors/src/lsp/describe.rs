//! Descriptions of values, costs and names in words, for hovers, completions and hints.

use crate::lsp::view::View;
use gray1_assembler::{
    Code, Cost, Cycles, Found, Item, ItemKind, Local, Span, StatementAt, SymbolKind, split_comment,
};
use gray1_isa::gray;
use gray1_text::counted;
use std::collections::BTreeSet;

/// Maximum number of values listed.
const MAX_VALUES: usize = 6;

/// A number in decimal, hexadecimal and binary.
pub fn number(value: i64) -> String {
    let bits = match value {
        -128..256 => 8,
        -32_768..65_536 => 16,
        _ => 64,
    };
    let pattern = if bits == 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) };
    match bits {
        64 => format!("{value} = ${pattern:X}"),
        bits => format!("{value} = ${pattern:0digits$X} = %{pattern:0bits$b}", digits = bits / 4),
    }
}

/// Words and cycles: `3 words, 2..3 cycles`.
pub fn cost(cost: &Cost) -> String {
    let words = counted(cost.words as usize, "word");
    match cost.cycles {
        None => words,
        Some(_) if cost.words == 0 => words,
        Some(Cycles { least: None, .. }) => format!("{words}, endless"),
        Some(Cycles { least: Some(least), most: None }) => format!("{words}, {least} cycles or more"),
        Some(Cycles { most: Some(1), .. }) => format!("{words}, 1 cycle"),
        Some(cycles) => format!("{words}, {cycles} cycles"),
    }
}

/// The costs of something that is assembled in several ways, such as a macro with different arguments.
pub fn costs(costs: &[Cost]) -> Option<String> {
    match costs {
        [] => None,
        [only] => Some(cost(only)),
        [first, .., last] => {
            let bounds = costs.iter().map(|cost| cost.cycles?.least.zip(cost.cycles?.most));
            let bounds: Option<Vec<(usize, usize)>> = bounds.collect();
            let words = match first.words == last.words {
                true => counted(first.words as usize, "word"),
                false => format!("{} to {} words", first.words, last.words),
            };
            let range = bounds.and_then(|bounds| {
                let least = bounds.iter().map(|(least, _)| least).min()?;
                Some(format!("{words}, {least}..{} cycles", bounds.iter().map(|(_, most)| most).max()?))
            });
            Some(range.unwrap_or(words))
        }
    }
}

/// The cost of a statement, unless it has an error: its cost would then be misleading.
pub fn statement_costs(view: &View, statement: &Found) -> Option<String> {
    let Span { file, start, end } = statement.span;
    let end = statement.operands.iter().map(|operand| operand.end).fold(end, u32::max);
    let is_wrong = view.analysis.report.diagnostics.iter().any(|diagnostic| {
        let is_here = |span: Span| span.file == file && (start..=end).contains(&span.start);
        matches!(diagnostic.code, Code::Error(_)) && diagnostic.span.is_some_and(is_here)
    });
    if is_wrong { None } else { costs(&view.analysis.costs(statement.span)) }
}

/// The meaning of an item, in a line or two.
pub fn meaning(view: &View, item: &Item) -> String {
    match item.kind {
        ItemKind::Parameter | ItemKind::Counter => {
            let arguments = view.analysis.arguments(item);
            let values: Vec<String> = arguments.iter().map(|local| argument(local)).collect();
            let what = if item.kind == ItemKind::Counter { "the counter of a loop" } else { "a parameter" };
            match &arguments[..] {
                [] => what.to_owned(),
                [only] if only.kind == SymbolKind::Constant => format!("{what}: {}", number(only.value)),
                _ => format!("{what}: {}", listed(&values)),
            }
        }
        ItemKind::Unknown => "a name whose definition has an error".to_owned(),
        ItemKind::Symbol(kind) => symbol(view, item, kind),
    }
}

fn symbol(view: &View, item: &Item, kind: SymbolKind) -> String {
    let symbols: Vec<_> = view.analysis.symbols(item).collect();
    let values: BTreeSet<i64> = symbols.iter().map(|symbol| symbol.value).collect();
    let several = |what: &str| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        format!("{what}: {}", listed(&values))
    };
    let (Some(&value), is_one) = (values.first(), values.len() == 1) else {
        return match kind {
            SymbolKind::Routine => "a routine that is never called, or has an error".to_owned(),
            kind => format!("a {} without a value", noun(kind)),
        };
    };
    let size = symbols.first().map_or(0, |symbol| symbol.size);
    let is_address = symbols.first().is_some_and(|symbol| symbol.is_address);
    match kind {
        SymbolKind::Constant if is_one && is_address => {
            format!("a constant: the address ${value:03X} in RAM")
        }
        SymbolKind::Constant if is_one => format!("a constant: {}", number(value)),
        SymbolKind::Variable if is_one => format!("a variable, at the end {}", number(value)),
        SymbolKind::Ram if is_one && item.definitions.is_empty() => {
            format!("built in: the address ${value:03X}")
        }
        SymbolKind::Ram if is_one && size > 1 => {
            let last = value + i64::from(size) - 1;
            format!("{size} bytes of RAM: ${value:03X} to ${last:03X} ({value} to {last})")
        }
        SymbolKind::Ram if is_one => format!("a byte of RAM: ${value:03X} ({value})"),
        SymbolKind::Label if is_one => format!("a label: {}", place(value)),
        SymbolKind::Routine if is_one => format!("a routine: {}", place(value)),
        SymbolKind::Macro | SymbolKind::Function | SymbolKind::Table => format!("a {}", noun(kind)),
        kind => several(&format!("{} {}s", values.len(), noun(kind))),
    }
}

/// A sequence number of the program.
fn place(value: i64) -> String {
    let physical = u16::try_from(value).map_or(0, gray);
    format!("sequence number {value} = ${value:03X}, on the chips at ${physical:03X}")
}

/// The value of an argument.
pub fn argument(local: &Local) -> String {
    match local.kind {
        SymbolKind::Ram => format!("RAM ${:03X}", local.value),
        SymbolKind::Label => format!("label {}", local.value),
        _ => local.value.to_string(),
    }
}

/// Lists the first of these values, and states how many there are.
pub fn listed(values: &[String]) -> String {
    match values.len() {
        0..=MAX_VALUES => values.join(", "),
        count => {
            let (first, last) = (&values[..MAX_VALUES - 2], &values[count - 1]);
            format!("{} … {last} ({count} values)", first.join(", "))
        }
    }
}

fn noun(kind: SymbolKind) -> &'static str {
    ItemKind::Symbol(kind).noun()
}

/// The line that defines an item, without its comment.
pub fn definition(view: &View, item: &Item) -> String {
    let Some(definition) = item.definitions.first() else { return item.name.clone() };
    let line = line_at(view, definition.name);
    let code = split_comment(line).0.trim();
    // A label may be followed by a statement on the same line, which is omitted.
    match item.kind {
        ItemKind::Symbol(SymbolKind::Label) => format!("{}:", item.name),
        _ => code.to_owned(),
    }
}

/// The comment above a definition, or after it on the same line.
pub fn comment(view: &View, item: &Item) -> String {
    let Some(definition) = item.definitions.first() else { return String::new() };
    if matches!(item.kind, ItemKind::Parameter | ItemKind::Counter) {
        return String::new();
    }
    let sources = &view.analysis.report.sources;
    let Span { file, start, .. } = definition.name;
    let line = sources.line_index(file, start);
    let above = (0..line).rev().map(|line| sources.line(file, line).1);
    let mut lines: Vec<&str> = above.map_while(|line| line.trim_start().strip_prefix(';')).collect();
    lines.reverse();
    let (_, behind) = split_comment(sources.line(file, line).1);
    lines.extend(behind.strip_prefix(';'));
    let lines = lines.into_iter().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

fn line_at<'v>(view: &'v View, span: Span) -> &'v str {
    let sources = &view.analysis.report.sources;
    sources.line(span.file, sources.line_index(span.file, span.start)).1
}

/// The cost of an item: of a routine as a whole, of a macro over all its calls.
pub fn item_costs(view: &View, item: u32) -> Option<String> {
    let analysis = &view.analysis;
    let extent = analysis.items[item as usize].definitions.first()?.extent;
    match analysis.items[item as usize].kind {
        ItemKind::Symbol(SymbolKind::Routine) => {
            let block = analysis.blocks(extent.file).find(|block| block.opener.start == extent.start)?;
            routine_costs(view, block.opener, block.closer)
        }
        ItemKind::Symbol(SymbolKind::Macro) => {
            let uses = analysis.occurrences_of(item).filter(|place| !place.is_definition);
            let calls = uses.filter_map(|place| {
                let statement = analysis.statement_at(place.span.file, place.span.start)?;
                (statement.kind == StatementAt::Call && statement.span == place.span)
                    .then_some(statement.span)
            });
            let mut all: Vec<Cost> = calls.flat_map(|call| analysis.costs(call)).collect();
            all.sort();
            all.dedup();
            costs(&all)
        }
        _ => None,
    }
}

/// The cost of a routine. Its cycles are left out if it calls others: they end where it first leaves its own words.
pub fn routine_costs(view: &View, opener: Span, closer: Span) -> Option<String> {
    let mut all = view.analysis.costs_between(opener, closer);
    let routines = &view.analysis.program().routines;
    let is_own = |span: Span| span.file == opener.file && (opener.start..=closer.start).contains(&span.start);
    let calls = |jump: &u16| routines.iter().any(|own| is_own(own.span) && own.words.contains(jump));
    if routines.iter().flat_map(|routine| &routine.calls).any(calls) {
        all.iter_mut().for_each(|cost| cost.cycles = None);
    }
    costs(&all)
}

/// The names of the parameters, as written in the definition.
pub fn parameters(view: &View, item: &Item) -> Vec<String> {
    let Some(definition) = item.definitions.first() else { return Vec::new() };
    let own = view.analysis.items.iter().filter(|other| other.kind == ItemKind::Parameter);
    let head = view.analysis.report.sources.line_index(definition.name.file, definition.name.start);
    let of_head = own.filter(|other| {
        other.definitions.iter().any(|place| {
            place.name.file == definition.name.file
                && view.analysis.report.sources.line_index(place.name.file, place.name.start) == head
        })
    });
    of_head.map(|other| other.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_three_ways() {
        for (value, expected) in [
            (8, "8 = $08 = %00001000"),
            (-1, "-1 = $FF = %11111111"),
            (1_000, "1000 = $03E8 = %0000001111101000"),
            (70_000, "70000 = $11170"),
        ] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn costs_are_written_in_words() {
        let cost = |words, least, most| Cost { words, cycles: Some(Cycles { least: Some(least), most }) };
        let unknown = Cost { words: 4, cycles: None };
        for (given, expected) in [
            (vec![], None),
            (vec![cost(1, 1, Some(1))], Some("1 word, 1 cycle")),
            (vec![cost(3, 2, Some(3))], Some("3 words, 2..3 cycles")),
            (vec![cost(3, 2, None)], Some("3 words, 2 cycles or more")),
            (vec![cost(1, 1, Some(1)), cost(3, 2, Some(3))], Some("1 to 3 words, 1..3 cycles")),
            (vec![cost(3, 2, Some(2)), cost(3, 4, Some(4))], Some("3 words, 2..4 cycles")),
            (vec![cost(3, 2, Some(2)), unknown], Some("3 to 4 words")),
        ] {
            assert_eq!(costs(&given).as_deref(), expected);
        }
    }
}
