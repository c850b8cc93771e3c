//! The standard layout as edits: only the lines that differ are replaced.

use crate::lsp::failure::Failure;
use crate::lsp::text::Lines;
use crate::lsp::view::View;
use gen_lsp_types::TextEdit;
use gray1_assembler::format;
use gray1_text::counted;

pub fn formatted(view: &View) -> Result<Vec<TextEdit>, Failure> {
    let old = view.text();
    let path = view.analysis.report.sources.path(view.file);
    let new = format(path, old.as_bytes()).map_err(|report| {
        let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        Failure::Refused(format!(
            "not formatted: the source has {} that hide its structure",
            counted(errors, "error")
        ))
    })?;
    let lines = Lines::new(old);
    // The formatter writes `\n`; a buffer keeps its own line endings.
    let new = new.replace('\n', lines.end());
    let mut new_lines = new.split_inclusive('\n').peekable();
    let mut edits = Vec::new();
    let mut replace = |start: usize, end: usize, new_text: String| {
        edits.push(TextEdit { range: lines.range(start as u32, end as u32), new_text });
    };
    let mut offset = 0;
    for line in old.split_inclusive('\n') {
        // The formatter only changes lines one by one and drops blank lines.
        let new_line = new_lines.next_if(|new| is_alike(line, new)).unwrap_or_default();
        if new_line != line {
            replace(offset, offset + line.len(), new_line.to_owned());
        }
        offset += line.len();
    }
    let added: String = new_lines.collect();
    if !added.is_empty() {
        replace(offset, offset, added);
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
