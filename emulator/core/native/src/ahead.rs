//! Liveness: the bytes and registers that later words of a trace read and overwrite.

use crate::traces::{Forest, Step, Trace};
use gray1_isa::Opcode;
use gray1_machine::FastEngine;
use std::collections::BTreeMap;

/// The later uses of the bytes of a trace. Collected in one pass from its end, since searching ahead from each word
/// would be slow.
#[derive(Default)]
pub struct Ahead {
    /// For each word, the last word that reads its byte before it is overwritten, or the word itself if none does.
    pub until: Vec<usize>,
    /// For each word that stores, whether its byte is overwritten before the next way out of the trace.
    pub is_overwritten: Vec<bool>,
    /// Like `until`, for the bytes at the beginning of the trace, by their place in RAM.
    pub from_the_start: BTreeMap<i32, usize>,
}

impl Ahead {
    pub fn of(steps: &[Step]) -> Ahead {
        let (mut until, mut is_overwritten) = (vec![0; steps.len()], vec![false; steps.len()]);
        let (mut last_reads, mut next_stores, mut way_out) = (BTreeMap::new(), BTreeMap::new(), usize::MAX);
        for (at, Step { word, .. }) in steps.iter().enumerate().rev() {
            let place = match word.opcode() {
                Opcode::Sta => FastEngine::stored_at(word.x()) as i32,
                _ => i32::from(word.x()),
            };
            until[at] = last_reads.get(&place).copied().unwrap_or(at);
            match word.opcode() {
                Opcode::Sta => {
                    last_reads.remove(&place);
                    let next = next_stores.insert(place, at);
                    is_overwritten[at] = next.is_some_and(|next| next < way_out);
                }
                Opcode::Jc | Opcode::Jz => way_out = at,
                Opcode::Jmp => {}
                _ if word.m() => {}
                _ => {
                    last_reads.entry(place).or_insert(at);
                }
            }
        }
        Ahead { until, is_overwritten, from_the_start: last_reads }
    }
}

/// Whether the carry is read from this step on, by an instruction or after a way out, before it is written.
pub fn needs_carry(steps: &[Step], from: usize) -> bool {
    let first = steps[from..].iter().find_map(|Step { word, .. }| match word.opcode() {
        Opcode::Add | Opcode::Shr => Some(false),
        Opcode::Jc | Opcode::Jz => Some(true),
        _ => None,
    });
    first.unwrap_or(true)
}

/// Which of A and C must be correct at a place, because they may be read before they are written.
#[derive(Clone, Copy)]
pub struct Needs {
    pub a: bool,
    pub c: bool,
}

impl Needs {
    /// The needs of a place where the code may be left.
    pub const ALL: Needs = Needs { a: true, c: true };

    /// The needs at the beginning of a trace.
    pub fn of(forest: &Forest, trace: &Trace) -> Needs {
        let at = |to| forest.branch(to).map_or(Needs::ALL, |branch| Needs::of(forest, branch));
        trace.steps.iter().rfold(Needs::ALL, |needs, step| match (step.word.opcode(), step.word.landing()) {
            (_, Some(landing)) if landing == step.at => Needs::ALL,
            (Opcode::Jc, Some(landing)) => Needs { a: needs.a || at(landing).a, c: true },
            (Opcode::Jz, Some(landing)) => Needs { a: true, c: needs.c || at(landing).c },
            (Opcode::Lda, _) => Needs { a: false, ..needs },
            (Opcode::Shr, _) => Needs { a: false, c: false },
            (Opcode::Add, _) => Needs { a: true, c: false },
            (Opcode::Sta | Opcode::Nor, _) => Needs { a: true, ..needs },
            (Opcode::Jmp | Opcode::Jc | Opcode::Jz, _) => needs,
        })
    }
}
