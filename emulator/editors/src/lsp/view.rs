//! A file of an open program with its analysis. Requests are answered from it.

use crate::lsp::text::Lines;
use crate::lsp::workspace::Workspace;
use gen_lsp_types::{Location, Position, Range, TextEdit, Uri, WorkspaceEdit};
use gray1_assembler::{Analysis, Item, Occurrence, Span};
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone)]
pub struct View<'s> {
    pub workspace: &'s Workspace,
    pub analysis: Rc<Analysis>,
    /// The number of the file in the program.
    pub file: u32,
}

impl<'s> View<'s> {
    pub fn new(workspace: &'s Workspace, analysis: Rc<Analysis>, file: u32) -> View<'s> {
        View { workspace, analysis, file }
    }

    /// The text that was assembled.
    pub fn text(&self) -> &str {
        self.analysis.report.sources.text(self.file)
    }

    pub fn lines(&self) -> Lines<'_> {
        Lines::new(self.text())
    }

    pub fn offset(&self, position: Position) -> u32 {
        self.lines().offset(position)
    }

    /// The text of a span.
    pub fn source(&self, span: Span) -> &str {
        let text = self.analysis.report.sources.text(span.file);
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub fn item(&self, occurrence: &Occurrence) -> &Item {
        &self.analysis.items[occurrence.item as usize]
    }

    /// The locations of these spans for the editor. Spans in files that it cannot open are left out.
    pub fn locations(&self, spans: impl IntoIterator<Item = Span>) -> Vec<Location> {
        let sources = &self.analysis.report.sources;
        let mut files: HashMap<u32, (Option<Uri>, Lines)> = HashMap::new();
        let located = spans.into_iter().filter_map(|span| {
            let (uri, lines) = files.entry(span.file).or_insert_with(|| {
                let lines = Lines::new(sources.text(span.file));
                (self.workspace.uri(sources.path(span.file)), lines)
            });
            Some(Location { uri: uri.clone()?, range: lines.range(span.start, span.end) })
        });
        located.collect()
    }

    /// An edit that replaces these spans by these texts.
    pub fn edit(&self, changes: impl IntoIterator<Item = (Span, String)>) -> WorkspaceEdit {
        let mut edits: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for (span, new_text) in changes {
            for Location { uri, range } in self.locations([span]) {
                edits.entry(uri).or_default().push(TextEdit { range, new_text: new_text.clone() });
            }
        }
        WorkspaceEdit { changes: Some(edits), ..WorkspaceEdit::default() }
    }

    /// The span of a range of this file.
    pub fn span(&self, range: Range) -> Span {
        let lines = self.lines();
        let start = lines.offset(range.start);
        Span { file: self.file, start, end: lines.offset(range.end).max(start) }
    }
}
