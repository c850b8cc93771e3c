//! What comes later in a trace.

use crate::traces::Step;
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
