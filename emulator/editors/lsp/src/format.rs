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
    let encoding = view.workspace.encoding();
    let lines = Lines::new(old, encoding);
    // The formatter writes `\n`; a buffer keeps its own line endings.
    let new = new.replace('\n', lines.end());
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let mut offset = 0;
    for (first, changes) in stretches(&old_lines, &new_lines) {
        let Stretch { kept, removed, added } = changes;
        offset += old_lines[first - kept..first].iter().map(|line| line.len()).sum::<usize>();
        let length: usize = old_lines[first..first + removed].iter().map(|line| line.len()).sum();
        let range = lines.range(offset as u32, (offset + length) as u32);
        offset += length;
        if first < wanted.end && (first + removed).max(first + 1) > wanted.start {
            edits.push(TextEdit { range, new_text: added });
        }
    }
    Ok(edits)
}

/// A number of lines that stay, followed by lines that are replaced.
struct Stretch {
    kept: usize,
    removed: usize,
    added: String,
}

/// The differences between two texts. The formatter only changes lines one by one and drops blank lines, so two lines
/// are matched if they are the same except for spaces and case.
fn stretches(old: &[&str], new: &[&str]) -> Vec<(usize, Stretch)> {
    let mut found = Vec::new();
    let (mut at, mut kept) = (0, 0);
    let mut rest = new.iter();
    let mut next = rest.next();
    while at < old.len() || next.is_some() {
        match (old.get(at), next) {
            (Some(old), Some(new)) if old == new => {
                kept += 1;
                at += 1;
                next = rest.next();
                continue;
            }
            (Some(old), Some(new)) if is_alike(old, new) => {
                found.push((at, Stretch { kept, removed: 1, added: (*new).to_owned() }));
                at += 1;
                next = rest.next();
            }
            (Some(_), _) => {
                found.push((at, Stretch { kept, removed: 1, added: String::new() }));
                at += 1;
            }
            (None, Some(new)) => {
                found.push((at, Stretch { kept, removed: 0, added: (*new).to_owned() }));
                next = rest.next();
            }
            (None, None) => break,
        }
        kept = 0;
    }
    found
}

fn is_alike(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|c| !c.is_whitespace());
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    letters(one) == letters(other)
}
