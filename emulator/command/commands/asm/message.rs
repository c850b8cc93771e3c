//! Formats the assembler's diagnostics as JSON, one object per line, for editors and scripts.

use gray1_assembler::{Diagnostic, Expansion, Report, Span};
use serde::Serialize;

/// An error or a warning. Lines and columns count from 1; a column is a character; the end is exclusive.
#[derive(Serialize)]
struct Message<'a> {
    level: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Location,
    /// The text under the underlined source.
    label: &'a str,
    help: Option<String>,
    related: Vec<Related>,
}

/// A related location, or an enclosing call, loop or include.
#[derive(Serialize)]
struct Related {
    message: String,
    #[serde(flatten)]
    place: Location,
}

#[derive(Serialize)]
struct Location {
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

/// Formats all errors and warnings of a report.
pub fn lines(report: &Report) -> String {
    let mut text = String::new();
    for diagnostic in &report.diagnostics {
        // Serializing plain data cannot fail.
        text += &serde_json::to_string(&message(report, diagnostic)).unwrap_or_default();
        text.push('\n');
    }
    text
}

fn message<'a>(report: &Report, diagnostic: &'a Diagnostic) -> Message<'a> {
    let around = |expansion: &Expansion| (expansion.kind.to_string(), expansion.span);
    let related = diagnostic.related.iter().flat_map(|related| {
        std::iter::once((related.text.clone(), related.span)).chain(related.chain.iter().map(around))
    });
    let related = related.chain(diagnostic.chain.iter().map(around));
    let related = related.map(|(message, span)| Related { message, place: place(report, Some(span)) });
    Message {
        level: if diagnostic.is_error() { "error" } else { "warning" },
        code: diagnostic.code.name(),
        message: &diagnostic.message,
        place: place(report, diagnostic.span),
        label: &diagnostic.label,
        help: (!diagnostic.help.is_empty()).then(|| diagnostic.help.join("\n")),
        related: related.collect(),
    }
}

fn place(report: &Report, span: Option<Span>) -> Location {
    let start = span.map(|span| report.sources.position(span));
    let end = span.map(|span| report.sources.position(Span { start: span.end.max(span.start), ..span }));
    Location {
        line: start.as_ref().map(|start| start.line),
        column: start.as_ref().map(|start| start.column),
        file: start.map(|start| start.file),
        end_line: end.as_ref().map(|end| end.line),
        end_column: end.map(|end| end.column),
    }
}
