//! Ranges of a source: those that can be folded, and those that "expand selection" selects step by step.

use crate::view::View;
use gen_lsp_types::{FoldingRange, FoldingRangeKind, Position, SelectionRange};
use gray1_assembler::{Span, split_comment};

/// Maximum number of blocks around a place that are selected one by one, the innermost first. The answer nests as
/// deeply as the blocks, and neither editors nor the JSON writer can nest without limit.
const MOST_BLOCKS: usize = 32;

/// Blocks, and comments of several lines.
pub fn folding(view: &View) -> Vec<FoldingRange> {
    let lines = view.lines();
    let fold = |start: usize, end: usize, kind: Option<FoldingRangeKind>| FoldingRange {
        start_line: start as u32,
        end_line: end as u32,
        kind,
        ..FoldingRange::default()
    };
    let blocks = view.analysis.blocks(view.file).filter_map(|block| {
        let (first, last) = (lines.line_of(block.opener.start), lines.line_of(block.closer.start));
        // The line that closes a block stays visible.
        (last > first + 1).then(|| fold(first, last - 1, None))
    });
    let mut found: Vec<FoldingRange> = blocks.collect();
    let mut first = None;
    for line in 0..=lines.count() {
        let is_comment = line < lines.count() && lines.line(line).trim_start().starts_with(';');
        match (is_comment, first) {
            (true, None) => first = Some(line),
            (false, Some(begun)) => {
                if line > begun + 1 {
                    found.push(fold(begun, line - 1, Some(FoldingRangeKind::Comment)));
                }
                first = None;
            }
            _ => {}
        }
    }
    found.sort_by_key(|range| (range.start_line, std::cmp::Reverse(range.end_line)));
    found
}

/// The ranges to select: the word, its statement, its line, the blocks around it, and the whole file.
pub fn selection(view: &View, positions: &[Position]) -> Vec<SelectionRange> {
    let lines = view.lines();
    let ranges = positions.iter().map(|&position| {
        let mut stretches = stretches(view, lines.offset(position));
        stretches.dedup();
        let mut range = None;
        for (start, end) in stretches.into_iter().rev() {
            range = Some(SelectionRange { range: lines.range(start, end), parent: range.map(Box::new) });
        }
        range.unwrap_or_default()
    });
    ranges.collect()
}

/// The ranges around an offset, each within the next.
fn stretches(view: &View, offset: u32) -> Vec<(u32, u32)> {
    let lines = view.lines();
    let (start, end) = lines.bounds(lines.line_of(offset));
    let line = &view.text()[start..end];
    let at = offset as usize - start;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.{}".contains(c);
    let word_start = start + line[..at].trim_end_matches(is_letter).len();
    let word_end = end - line[at..].trim_start_matches(is_letter).len();
    let code = split_comment(line).0;
    let (indent, code_end) = (code.len() - code.trim_start().len(), code.trim_end().len());
    let mut found = vec![(word_start as u32, word_end as u32)];
    if let Some(statement) = view.analysis.statement_at(view.file, offset) {
        let inside = |span: &Span| span.start <= offset && offset <= span.end;
        found.extend(statement.operands.iter().copied().filter(inside).map(|span| (span.start, span.end)));
    }
    if (indent..=code_end).contains(&at) {
        found.push(((start + indent) as u32, (start + code_end) as u32));
    }
    found.push((start as u32, end as u32));
    let mut blocks: Vec<(u32, u32)> = view
        .analysis
        .blocks(view.file)
        .map(|block| {
            let first = lines.bounds(lines.line_of(block.opener.start)).0;
            (first as u32, lines.bounds(lines.line_of(block.closer.start)).1 as u32)
        })
        .filter(|(first, last)| *first <= start as u32 && end as u32 <= *last)
        .collect();
    blocks.sort_by_key(|(first, last)| last - first);
    found.extend(blocks.into_iter().take(MOST_BLOCKS));
    found.push((0, view.text().len() as u32));
    // Each has to contain the one before.
    let mut nested: Vec<(u32, u32)> = Vec::new();
    for (first, last) in found {
        match nested.last() {
            Some(&(inner, outer)) if first > inner || last < outer => {}
            _ => nested.push((first, last)),
        }
    }
    nested
}
