//! What comes later in a trace.

use crate::traces::{Forest, Step, Trace};
use gray1_isa::Opcode;
use gray1_machine::FastEngine;

/// Whether a trace reads a byte of RAM, from a step on, before it stores another there.
pub fn reads(steps: &[Step], from: usize, place: i32) -> bool {
    let first = steps[from..].iter().find_map(|Step { word, .. }| match word.opcode() {
        Opcode::Sta => (FastEngine::stored_at(word.x()) as i32 == place).then_some(false),
        Opcode::Jmp | Opcode::Jc | Opcode::Jz => None,
        _ => (!word.m() && i32::from(word.x()) == place).then_some(true),
    });
    first.unwrap_or(false)
}

/// Whether a trace stores to a place, from a step on, before there is a way out.
pub fn overwritten(steps: &[Step], from: usize, place: i32) -> bool {
    let first = steps[from..].iter().find_map(|Step { word, .. }| match word.opcode() {
        Opcode::Sta => (FastEngine::stored_at(word.x()) as i32 == place).then_some(true),
        Opcode::Jc | Opcode::Jz => Some(false),
        _ => None,
    });
    first.unwrap_or(false)
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
