//! The standard layout as edits: only the lines that differ are replaced.

use crate::failure::Failure;
use crate::text::Lines;
use crate::view::View;
use gen_lsp_types::{Range, TextEdit};
use gray1_assembler::format;
use gray1_text::counted;

pub fn formatted(view: &View) -> Result<Vec<TextEdit>, Failure> {
    edits(view, 0..usize::MAX)
}

/// Formats only the lines that a range touches. The whole text is laid out, since indentation depends on lines above.
pub fn formatted_range(view: &View, range: Range) -> Result<Vec<TextEdit>, Failure> {
    // A range that ends at the beginning of a line does not touch it.
    let touches_last = range.end.character > 0 || range.end == range.start;
    let end = range.end.line as usize + usize::from(touches_last);
    edits(view, range.start.line as usize..end)
}

fn edits(view: &View, wanted: std::ops::Range<usize>) -> Result<Vec<TextEdit>, Failure> {
    let old = view.text();
    let path = view.analysis.report.sources.path(view.file);
    let new = format(path, old.as_bytes()).map_err(|report| {
        let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        Failure::Refused(format!(
            "not formatted: the source has {} that hide its structure",
            counted(errors, "error")
        ))
    })?;
    let lines = Lines::new(old, view.workspace.encoding());
    // The formatter writes `\n`; a buffer keeps its own line endings.
    let new = new.replace('\n', lines.end());
    let mut new_lines = new.split_inclusive('\n').peekable();
    let mut edits = Vec::new();
    let mut replace = |number: usize, start: usize, end: usize, new_text: String| {
        if wanted.contains(&number) {
            edits.push(TextEdit { range: lines.range(start as u32, end as u32), new_text });
        }
    };
    let (mut count, mut offset) = (0, 0);
    for line in old.split_inclusive('\n') {
        // The formatter only changes lines one by one and drops blank lines.
        let new_line = new_lines.next_if(|new| is_alike(line, new)).unwrap_or_default();
        if new_line != line {
            replace(count, offset, offset + line.len(), new_line.to_owned());
        }
        (count, offset) = (count + 1, offset + line.len());
    }
    let added: String = new_lines.collect();
    if !added.is_empty() {
        replace(count, offset, offset, added);
    }
    Ok(edits)
}

/// Whether two lines are the same except for spaces and case.
fn is_alike(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|c| !c.is_whitespace());
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    letters(one) == letters(other)
}
