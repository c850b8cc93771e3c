//! The ranges of a source that can be folded.

use crate::view::View;
use gen_lsp_types::{FoldingRange, FoldingRangeKind};

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
