//! Diagnostics as text, in the style of the Rust compiler.
//!
//! The rendering library gets only one line for each position, so the cost does not grow with the file, and only the
//! part around the position if the line is very long.

use crate::diagnostic::{Diagnostic, Report, Severity};
use crate::expansion::{Expansion, ExpansionKind};
use crate::names::shorten;
use crate::source::Span;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use gray1_text::visible;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// The maximum length of a line; longer ones are shortened to the part around the underlined text.
const MAX_LINE: usize = 400;
/// The number of bytes that are kept on either side of it.
const NEIGHBOURHOOD: usize = 60;
/// The maximum length of a chain of expansions; of longer ones, only the two ends are listed.
const MAX_CHAIN: usize = 12;
/// The maximum length of the chain of a related position.
const MAX_RELATED_CHAIN: usize = 4;

/// Without colours.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl Error for Report {}

/// As a note in a message.
impl fmt::Display for ExpansionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpansionKind::Include => f.write_str("included here"),
            ExpansionKind::Macro(name) | ExpansionKind::Function(name) => {
                write!(f, "in this call of `{}`", shorten(name))
            }
            ExpansionKind::Iteration { counter: Some(counter), value } => {
                write!(f, "in the iteration with {} = {value}", shorten(counter))
            }
            ExpansionKind::Iteration { counter: None, value } => {
                write!(f, "in iteration {value}, counted from 0")
            }
        }
    }
}

impl Report {
    /// Formats all diagnostics, with or without colours; the text is empty if there are none.
    pub fn render(&self, colour: bool) -> String {
        self.diagnostics.iter().map(|diagnostic| self.render_one(diagnostic, colour) + "\n\n").collect()
    }

    /// Formats a diagnostic, with or without colours.
    pub fn render_one(&self, diagnostic: &Diagnostic, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&self.groups(diagnostic))
    }

    fn groups<'a>(&'a self, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
        let message = diagnostic.message.as_str();
        let title = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning(_) => Level::WARNING,
        };
        let title = title.primary_title(message).id(diagnostic.code.name());
        let mut main = Group::with_title(title);
        if let Some(span) = diagnostic.span {
            main = self.annotated(main, span, &diagnostic.label, AnnotationKind::Primary);
        }
        for help in &diagnostic.help {
            main = main.element(Level::HELP.message(help.as_str()));
        }
        let mut groups = vec![main];
        for related in &diagnostic.related {
            groups.push(self.note(&related.text, related.span));
            let chain = related.chain.iter().take(MAX_RELATED_CHAIN);
            groups.extend(chain.map(|expansion| self.expansion(expansion)));
        }
        let chain: Vec<&[Expansion]> = diagnostic.chain.chunk_by(|one, next| one == next).collect();
        let half = MAX_CHAIN / 2;
        for (index, same) in chain.iter().enumerate() {
            if chain.len() > MAX_CHAIN && index == half {
                let left_out = chain.len() - MAX_CHAIN;
                groups.push(remark(format!("… and {left_out} more …")));
            }
            if chain.len() <= MAX_CHAIN || index < half || index >= chain.len() - half {
                groups.push(self.expansion(&same[0]));
                if same.len() > 1 {
                    groups.push(remark(format!("… {} times, each inside the one before", same.len())));
                }
            }
        }
        groups
    }

    fn expansion<'a>(&'a self, Expansion { kind, span }: &Expansion) -> Group<'a> {
        self.note(kind.to_string(), *span)
    }

    fn note<'a>(&'a self, text: impl Into<Cow<'a, str>>, span: Span) -> Group<'a> {
        self.annotated(remark(text), span, "", AnnotationKind::Context)
    }

    /// Adds the `file:line:column` of a span, and its line with the span underlined.
    fn annotated<'a>(
        &'a self,
        group: Group<'a>,
        span: Span,
        label: &'a str,
        kind: AnnotationKind,
    ) -> Group<'a> {
        let position = self.sources.position(span);
        let (line_start, line) = self.sources.line(span.file, position.line - 1);
        let start = ((span.start - line_start) as usize).min(line.len());
        let end = ((span.end.max(span.start) - line_start) as usize).min(line.len()).max(start);
        let (text, range) = excerpt(line, start..end);
        let path = visible(self.sources.path(span.file));
        let mut annotation = kind.span(range);
        if !label.is_empty() {
            annotation = annotation.label(label);
        }
        let is_whole = text.len() == line.len();
        let snippet = Snippet::source(text).line_start(position.line).annotation(annotation);
        if is_whole {
            return group.element(snippet.path(path.into_owned()));
        }
        // The library would count the column in the excerpt.
        let origin = Origin::path(path.into_owned()).line(position.line).char_column(position.column);
        group.element(origin).element(snippet)
    }
}

fn remark<'a>(text: impl Into<Cow<'a, str>>) -> Group<'a> {
    Group::with_title(Level::NOTE.secondary_title(text))
}

/// The line, or the relevant part of a very long one, and the range of the span in it.
fn excerpt(line: &str, range: Range<usize>) -> (String, Range<usize>) {
    if line.len() <= MAX_LINE {
        return (line.to_owned(), range);
    }
    let boundary = |mut at: usize| {
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let first = boundary(range.start.saturating_sub(NEIGHBOURHOOD));
    let shown_end = boundary(range.end.min(range.start + NEIGHBOURHOOD).max(range.start));
    let last = boundary((shown_end + NEIGHBOURHOOD).min(line.len()));
    let before = if first > 0 { "…" } else { "" };
    let end = if last < line.len() { "…" } else { "" };
    let shift = before.len();
    let text = format!("{before}{}{end}", &line[first..last]);
    (text, range.start - first + shift..shown_end - first + shift)
}
