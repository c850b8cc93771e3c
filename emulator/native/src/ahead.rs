//! What comes later in a trace.

use crate::traces::{Forest, Step, Trace};
use gray1_isa::Opcode;
use gray1_machine::FastEngine;
use std::collections::BTreeMap;

/// What becomes of the bytes that a trace uses. Collected once, from its end: to look ahead at each word takes long.
#[derive(Default)]
pub struct Ahead {
    /// For each word, the last that reads its byte before another is stored there, or the word itself if none does.
    pub until: Vec<usize>,
    /// For each word, whether another byte is stored where it stores one before there is a way out.
    pub is_overwritten: Vec<bool>,
    /// The same as `until` for what is there at the beginning, by place.
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

/// Whether the carry is read, from a step on, by an instruction or behind a way out, before it is written.
pub fn needs_carry(steps: &[Step], from: usize) -> bool {
    let first = steps[from..].iter().find_map(|Step { word, .. }| match word.opcode() {
        Opcode::Add | Opcode::Shr => Some(false),
        Opcode::Jc | Opcode::Jz => Some(true),
        _ => None,
    });
    first.unwrap_or(true)
}

/// What has to be there at a place, since it is read, or may be looked at, before it is written.
#[derive(Clone, Copy)]
pub struct Needs {
    pub a: bool,
    pub c: bool,
}

impl Needs {
    /// Where the code may be left.
    pub const ALL: Needs = Needs { a: true, c: true };

    /// What is needed where a trace begins.
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
