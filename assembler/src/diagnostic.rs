//! What the assembler has to say about a program, as data; `render` turns it into text.

use crate::expansion::Expansion;
use crate::source::{Sources, Span};
use std::collections::HashSet;

/// Past this many errors, and as many warnings, the rest is only counted.
const MOST_SHOWN: usize = 1_000;
/// Past this many, more are not even kept for sorting.
const MOST_KEPT: usize = 5_000;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot be assembled.
    Error,
    /// It can, but this looks like a mistake.
    Warning(Warning),
}

macro_rules! warnings {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal;)*) => {
        /// The kinds of warnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Warning { $($(#[doc = $doc])* $variant),* }

        impl Warning {
            /// Every kind.
            pub const ALL: &'static [Warning] = &[$(Warning::$variant),*];

            /// The name that silences or denies it.
            pub const fn name(self) -> &'static str {
                match self { $(Warning::$variant => $name),* }
            }
        }
    };
}

warnings! {
    /// Instructions of the root file that nothing falls or jumps into.
    UnreachableCode = "unreachable-code";
    /// A name of the root file that is never mentioned; one that begins with `_` is left alone.
    UnusedName = "unused-name";
    /// RAM of the root file that is read, but that no instruction writes: it holds noise at power-up.
    NeverWritten = "never-written";
    /// `lda limit` where `limit` is a plain number: meant as `lda #limit`?
    ForgottenHash = "forgotten-hash";
    /// `lda #n` where `n` is RAM: meant as `lda n`?
    SuperfluousHash = "superfluous-hash";
    /// A jump to the instruction that follows anyway.
    JumpToNext = "jump-to-next";
    /// A routine that the instruction before it, or the start of the program, runs into.
    RunsIntoRoutine = "runs-into-routine";
    /// What is in A or C at a call, or left there by a routine, when the call or the return overwrites it.
    LostInCall = "lost-in-call";
    /// An address where the byte there is meant: in arithmetic, in `.if`, in a pasted name, in parentheses.
    AddressAsValue = "address-as-value";
    /// A name that is defined where a parameter or counter of that name hides it.
    HiddenName = "hidden-name";
    /// A constant from outside that the program does not use.
    UnusedDefinition = "unused-definition";
}

impl Warning {
    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Warning> {
        Warning::ALL.iter().copied().find(|warning| warning.name() == name)
    }
}

/// Another position that matters for a diagnostic.
#[derive(Clone, Debug)]
pub struct Related {
    /// Where it is.
    pub span: Span,
    /// What it is, in one line.
    pub text: String,
    /// What led there, innermost first.
    pub chain: Vec<Expansion>,
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where; `None` when no file is to blame.
    pub span: Option<Span>,
    /// What stands under the underlined source: mostly what was expected.
    pub label: String,
    /// Other positions that matter.
    pub related: Vec<Related>,
    /// What led here, innermost first.
    pub chain: Vec<Expansion>,
    /// Advice, one sentence each.
    pub help: Vec<String>,
}

impl Diagnostic {
    pub(crate) fn error(
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: span.into(),
            label: label.into(),
            related: Vec::new(),
            chain: Vec::new(),
            help: Vec::new(),
        }
    }

    pub(crate) fn warning(
        warning: Warning,
        span: impl Into<Option<Span>>,
        message: &str,
        label: &str,
    ) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(span, message, label);
        diagnostic.severity = Severity::Warning(warning);
        diagnostic
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    pub(crate) fn did_you_mean(self, candidate: Option<&str>) -> Diagnostic {
        match candidate {
            Some(candidate) => self.help(format!("did you mean `{candidate}`?")),
            None => self,
        }
    }

    pub(crate) fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push(Related { span, text: text.into(), chain: Vec::new() });
        self
    }

    pub(crate) fn within(mut self, chain: Vec<Expansion>) -> Diagnostic {
        self.chain = chain;
        self
    }

    /// Whether it keeps the program from being assembled.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Its place in the order in which the assembler walks through the source.
    fn order(&self) -> Vec<u32> {
        self.chain
            .iter()
            .rev()
            .map(|expansion| expansion.span.start)
            .chain(self.span.map(|span| span.start))
            .collect()
    }
}

/// What was found in a program, and the files it was found in.
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

/// Collects diagnostics: each mistake once, and no more than anybody reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagnostics {
    kept: Vec<Diagnostic>,
    seen: HashSet<(Option<Span>, String, Vec<Span>)>,
    dropped: usize,
}

impl Diagnostics {
    pub(crate) fn is_news(&self, span: Span, message: &str, chain: &[Expansion]) -> bool {
        let calls = chain.iter().map(|expansion| expansion.span).collect();
        !self.is_full() && !self.seen.contains(&(Some(span), message.to_owned(), calls))
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.dropped += 1;
            return;
        }
        let calls = diagnostic.chain.iter().map(|expansion| expansion.span).collect();
        if self.seen.insert((diagnostic.span, diagnostic.message.clone(), calls)) {
            self.kept.push(diagnostic);
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= MOST_KEPT
    }

    pub(crate) fn append(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        other.kept.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.kept.iter().any(Diagnostic::is_error)
    }

    /// All diagnostics in source order; `severity` has the last word on each (`None` silences it).
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
            if *count <= MOST_SHOWN {
                shown.push(diagnostic);
            } else if diagnostic.is_error() {
                dropped += 1;
            }
        }
        if dropped > 0 {
            shown.push(Diagnostic::error(None, format!("and {dropped} more errors"), ""));
        }
        shown
    }
}
