//! The assembler's diagnostics in the form of the protocol.

use crate::lsp::text::Lines;
use crate::lsp::workspace::Workspace;
use gen_lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Range,
};
use gray1_assembler::{self as assembler, Analysis, Code, Expansion, Severity, Span, Warning};
use std::collections::{BTreeMap, HashMap};

/// Maximum number of expansions reported of a long chain.
const MAX_CHAIN: usize = 16;
/// Maximum number of bytes of related places in all diagnostics of a program together; the rest is omitted. An error in
/// nested loops is reported up to a thousand times, each time with its chain of expansions.
const MAX_RELATED: usize = 1 << 20;
/// Approximate number of bytes of a place in JSON, not counting its file and its text.
const PLACE: usize = 150;

/// The errors and warnings of a program, by the paths of their files.
pub fn diagnostics(workspace: &Workspace, analysis: &Analysis) -> BTreeMap<String, Vec<Diagnostic>> {
    let mut converter = Converter { workspace, analysis, lines: HashMap::new(), room: MAX_RELATED };
    let mut found: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for diagnostic in &analysis.report.diagnostics {
        let place = shown_at(analysis, diagnostic);
        let path = analysis.report.sources.path(place.map_or(0, |span| span.file));
        let converted = converter.convert(diagnostic, place);
        found.entry(path.to_owned()).or_default().push(converted);
    }
    found
}

/// The message of a diagnostic with its label and its remedy.
pub fn message(diagnostic: &assembler::Diagnostic) -> String {
    let label = Some(&diagnostic.label).filter(|label| !label.is_empty()).cloned();
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    std::iter::once(diagnostic.message.clone()).chain(label).chain(help).collect::<Vec<_>>().join("\n")
}

/// The place where a diagnostic is shown: an error inside the library is shown at the call that led there.
pub fn shown_at(analysis: &Analysis, diagnostic: &assembler::Diagnostic) -> Option<Span> {
    let chain = diagnostic.chain.iter().map(|expansion| expansion.span);
    diagnostic
        .span
        .into_iter()
        .chain(chain)
        .find(|span| !analysis.is_of_library(span.file))
        .or(diagnostic.span)
}

struct Converter<'a> {
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    lines: HashMap<u32, Lines<'a>>,
    /// Bytes that related places may still take.
    room: usize,
}

impl<'a> Converter<'a> {
    fn range(&mut self, span: Span) -> Range {
        let Converter { analysis, lines, .. } = self;
        let text = || Lines::new(analysis.report.sources.text(span.file));
        lines.entry(span.file).or_insert_with(text).range(span.start, span.end)
    }

    fn location(&mut self, span: Span) -> Option<Location> {
        let uri = self.workspace.uri(self.analysis.report.sources.path(span.file))?;
        Some(Location { uri, range: self.range(span) })
    }

    fn convert(&mut self, diagnostic: &assembler::Diagnostic, place: Option<Span>) -> Diagnostic {
        let severity = match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning(_) => DiagnosticSeverity::Warning,
        };
        let is_superfluous = matches!(
            diagnostic.code,
            Code::Warning(Warning::UnusedName | Warning::UnreachableCode | Warning::JumpToNext)
        );
        let mut related = Vec::new();
        let mut add = |converter: &mut Converter, span: Span, message: String| {
            let Some(location) = converter.location(span) else { return };
            let size = message.len() + location.uri.0.as_str().len() + PLACE;
            if let Some(room) = converter.room.checked_sub(size) {
                converter.room = room;
                related.push(DiagnosticRelatedInformation { location, message });
            }
        };
        if let Some(span) = diagnostic.span.filter(|&span| Some(span) != place) {
            add(self, span, diagnostic.message.clone());
        }
        let expansions = |chain: &[Expansion]| {
            let chain = chain.iter().take(MAX_CHAIN);
            chain.map(|expansion| (expansion.span, expansion.kind.to_string())).collect::<Vec<_>>()
        };
        for other in &diagnostic.related {
            add(self, other.span, other.text.clone());
            expansions(&other.chain).into_iter().for_each(|(span, text)| add(self, span, text));
        }
        expansions(&diagnostic.chain).into_iter().for_each(|(span, text)| add(self, span, text));
        Diagnostic {
            range: place.map_or_else(Range::default, |span| self.range(span)),
            severity: Some(severity),
            code: Some(diagnostic.code.name().to_owned().into()),
            source: Some("gray1".to_owned()),
            message: message(diagnostic).into(),
            tags: is_superfluous.then(|| vec![DiagnosticTag::Unnecessary]),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }
}
