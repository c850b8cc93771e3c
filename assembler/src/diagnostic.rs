//! The assembler's errors and warnings about a program, as data; `render` turns them into text.

use crate::codes::{Code, ErrorCode, Warning};
use crate::expansion::{Expansion, ExpansionKind};
use crate::source::{Sources, Span};
use hashbrown::HashSet;

/// The maximum number of errors, and of warnings, in a report. The rest is counted.
const MAX_SHOWN: usize = 1_000;
/// The maximum number of errors that are kept for sorting.
const MAX_KEPT: usize = 5_000;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot be assembled.
    Error,
    /// The program can be assembled, but this is probably an error.
    Warning(Warning),
}

/// A related position of a diagnostic.
#[derive(Clone, Debug)]
pub struct Related {
    /// The position.
    pub span: Span,
    /// Its explanation, in one line.
    pub text: String,
    /// The expansions that led there, innermost first.
    pub chain: Vec<Expansion>,
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The kind of error or warning.
    pub code: Code,
    /// The message, in one line.
    pub message: String,
    /// The position; `None` if it is not in a file.
    pub span: Option<Span>,
    /// The text under the underlined source, usually the expected syntax or value.
    pub label: String,
    /// Related positions.
    pub related: Vec<Related>,
    /// The expansions that led here, innermost first.
    pub chain: Vec<Expansion>,
    /// Advice, one sentence each.
    pub help: Vec<String>,
    /// A suggestion for the word at the beginning of this span.
    pub suggestion: Option<(Span, String)>,
}

impl Diagnostic {
    pub(crate) fn error(
        code: ErrorCode,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: Code::Error(code),
            message: message.into(),
            span: span.into(),
            label: label.into(),
            related: Vec::new(),
            chain: Vec::new(),
            help: Vec::new(),
            suggestion: None,
        }
    }

    pub(crate) fn warning(
        warning: Warning,
        span: impl Into<Option<Span>>,
        message: &str,
        label: &str,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning(warning),
            code: Code::Warning(warning),
            ..Diagnostic::error(ErrorCode::SyntaxError, span, message, label)
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    pub(crate) fn help_if(self, help: Option<impl Into<String>>) -> Diagnostic {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    pub(crate) fn did_you_mean(self, candidate: Option<&str>) -> Diagnostic {
        let span = self.span;
        self.did_you_mean_at(span, candidate)
    }

    /// Suggests a replacement for the source at another position.
    pub(crate) fn did_you_mean_at(mut self, span: Option<Span>, candidate: Option<&str>) -> Diagnostic {
        let Some(candidate) = candidate else { return self };
        self.suggestion = span.map(|span| (span, candidate.to_owned()));
        self.help(format!("did you mean `{candidate}`?"))
    }

    pub(crate) fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push(Related { span, text: text.into(), chain: Vec::new() });
        self
    }

    pub(crate) fn within(mut self, chain: Vec<Expansion>) -> Diagnostic {
        self.chain = chain;
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Moves a diagnostic in the library to the call that led there, and makes the library a related position; returns
    /// whether there is such a call.
    pub(crate) fn show_caller(&mut self, is_of_library: impl Fn(u32) -> bool) -> bool {
        let Some(inside) = self.span.filter(|span| is_of_library(span.file)) else { return false };
        let call = self.chain.iter().position(|expansion| !is_of_library(expansion.span.file));
        let is_include = |call: &usize| matches!(self.chain[*call].kind, ExpansionKind::Include);
        let Some(call) = call.filter(|call| !is_include(call)) else { return false };
        let outer = self.chain.split_off(call + 1);
        let chain = std::mem::replace(&mut self.chain, outer);
        self.span = chain.last().map(|expansion| expansion.span);
        self.suggestion = None;
        self.related.insert(0, Related { span: inside, text: self.message.clone(), chain });
        true
    }

    /// The sort key: the order in which the assembler visits the source.
    fn order(&self) -> Vec<u32> {
        self.chain
            .iter()
            .rev()
            .map(|expansion| expansion.span.start)
            .chain(self.span.map(|span| span.start))
            .collect()
    }
}

/// The diagnostics of a program, and the files to which they refer.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Errors and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that they point into.
    pub sources: Sources,
}

impl Report {
    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Collects diagnostics: each of them once, up to a limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagnostics {
    kept: Vec<Diagnostic>,
    /// The number of errors kept.
    errors: usize,
    seen: HashSet<(Option<Span>, String, Vec<Span>)>,
    /// The number of errors dropped.
    dropped: usize,
}

impl Diagnostics {
    pub(crate) fn is_new(&self, span: Span, message: &str, chain: &[Expansion]) -> bool {
        let calls = chain.iter().map(|expansion| expansion.span).collect();
        !self.is_full() && !self.seen.contains(&(Some(span), message.to_owned(), calls))
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() && self.is_full() {
            self.dropped += 1;
            return;
        }
        let calls = diagnostic.chain.iter().map(|expansion| expansion.span).collect();
        if self.seen.insert((diagnostic.span, diagnostic.message.clone(), calls)) {
            self.errors += usize::from(diagnostic.is_error());
            self.kept.push(diagnostic);
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.errors >= MAX_KEPT
    }

    pub(crate) fn append(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        other.kept.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// The errors in some code, except those that more code elsewhere may cause.
    pub(crate) fn errors_in(self, code: &[Span]) -> impl Iterator<Item = Diagnostic> {
        use ErrorCode::{DuplicateName, OccupiedWord, ProgramTooLong, RamFull, TooManyCalls, TooMuchWork};
        let others = [DuplicateName, OccupiedWord, ProgramTooLong, RamFull, TooManyCalls, TooMuchWork];
        let others = others.map(Code::Error);
        let is_inside = |span: &Span| {
            code.iter().any(|code| code.file == span.file && code.start <= span.start && span.end <= code.end)
        };
        self.kept.into_iter().filter(move |error| {
            let spans = error.span.iter().chain(error.chain.iter().map(|expansion| &expansion.span));
            error.is_error() && !others.contains(&error.code) && spans.into_iter().any(is_inside)
        })
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the diagnostics in source order, each with its final severity; `None` silences it.
    pub(crate) fn finish(self, severity: impl Fn(&Diagnostic) -> Option<Severity>) -> Vec<Diagnostic> {
        let mut sorted = self.kept;
        sorted.sort_by_cached_key(Diagnostic::order);
        let mut dropped = self.dropped;
        let mut shown = Vec::new();
        let mut counts = [0; 2];
        for mut diagnostic in sorted {
            let Some(severity) = severity(&diagnostic) else { continue };
            diagnostic.severity = severity;
            let count = &mut counts[usize::from(diagnostic.is_error())];
            *count += 1;
            if *count <= MAX_SHOWN {
                shown.push(diagnostic);
            } else if diagnostic.is_error() {
                dropped += 1;
            }
        }
        if dropped > 0 {
            shown.push(Diagnostic::error(
                ErrorCode::TooManyErrors,
                None,
                format!("and {dropped} more errors"),
                "",
            ));
        }
        shown
    }
}
