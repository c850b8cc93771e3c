//! The scope of warnings: words outside macros, and reachable words.

use crate::evaluate::build::Build;
use crate::expand::PlacedWord;
use crate::expansion::ancestors;
use crate::source::Span;
use gray1_isa::{Image, Opcode, PROGRAM_WORDS};

/// Whether a word is outside macros and loops.
pub fn is_own(word: &PlacedWord) -> bool {
    word.context.expansion == 0
}

/// The position of a word outside the library: its own, or that of the call that made it.
pub fn position(build: &Build, word: &PlacedWord) -> Span {
    let calls = ancestors(&build.expansions, word.context.expansion).map(|node| node.expansion.span);
    let mut spans = std::iter::once(word.span).chain(calls);
    spans.find(|span| !build.library.is_of_library(span.file)).unwrap_or(word.span)
}

/// Visits the words that are reachable from `start`; continues only from words for which `visit` returns true.
pub fn walk(image: &Image, start: u16, mut visit: impl FnMut(u16, Opcode) -> bool) {
    let mut seen = vec![false; PROGRAM_WORDS];
    let mut waiting = vec![start % PROGRAM_WORDS as u16];
    while let Some(at) = waiting.pop() {
        let word = image.word(at);
        if std::mem::replace(&mut seen[usize::from(at)], true) || !visit(at, word.opcode()) {
            continue;
        }
        waiting.extend(word.landing());
        if word.opcode() != Opcode::Jmp {
            waiting.push((at + 1) % PROGRAM_WORDS as u16);
        }
    }
}
