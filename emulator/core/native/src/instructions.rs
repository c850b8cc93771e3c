//! The instructions of a program as cycles: what each does to the bytes of a [`FastEngine`].

use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::FastEngine;
use gray1_machine::evaluated::{BYTES, Function, Functions, Next, Node, To, Two};

/// Where A and the carry are while translated code runs: after all other bytes.
pub const A: u16 = BYTES as u16 - 2;
pub const C: u16 = BYTES as u16 - 1;
/// Where the constants begin.
const CONSTANTS: u16 = 4096;

/// The cycles of a program, by sequence number. A jump that always leads to itself is left to the fast engine.
pub fn nodes(image: &Image, functions: &mut Functions) -> Option<Vec<Option<Node>>> {
    let mut tables = Tables::new(functions)?;
    let node = |at: u16| tables.node(at, image.word(at));
    let nodes: Vec<Option<Option<Node>>> = (0..PROGRAM_WORDS as u16).map(node).collect();
    nodes.into_iter().collect()
}

struct Tables<'a> {
    functions: &'a mut Functions,
    is_zero: u16,
    half: u16,
    lowest: u16,
}

impl Tables<'_> {
    fn new(functions: &mut Functions) -> Option<Tables<'_>> {
        let [is_zero, half, lowest] = [|byte: u8| u8::from(byte == 0), |byte| byte >> 1, |byte| byte & 1]
            .map(|of: fn(u8) -> u8| functions.map(std::array::from_fn(|byte| of(byte as u8))));
        Some(Tables { is_zero: is_zero?, half: half?, lowest: lowest?, functions })
    }

    /// A function of A and the operand.
    fn with(&mut self, two: Two, word: Word) -> Option<Function> {
        match word.m() {
            false => Some(Function::Two(two, [word.x(), A])),
            true => {
                let map = std::array::from_fn(|byte| two.of(word.x() as u8, byte as u8));
                Some(Function::Map(self.functions.map(map)?, A))
            }
        }
    }

    /// The cycle of a word. `None` if there are too many tables.
    fn node(&mut self, at: u16, word: Word) -> Option<Option<Node>> {
        let following = u32::from(at + 1) % PROGRAM_WORDS as u32;
        let operand = if word.m() { CONSTANTS + (word.x() & 0xFF) } else { word.x() };
        let landing = u32::from(word.landing().unwrap_or_default());
        let fork = |function| {
            let there = To { node: landing, has_halted: landing == u32::from(at) };
            Next::Fork(function, [To { node: following, has_halted: false }, there])
        };
        let (mut changes, mut outlets, mut next) = (Vec::new(), Vec::new(), Next::Always(following));
        match word.opcode() {
            Opcode::Lda => changes.push((A, Function::Copy(operand))),
            Opcode::Sta => {
                changes.push((FastEngine::stored_at(word.x()) as u16, Function::Copy(A)));
                if (GREEN..=OUT).contains(&word.x()) {
                    outlets.push((word.x(), Function::Copy(A)));
                }
            }
            Opcode::Add => {
                changes.push((C, self.with(Two::Carry, word)?));
                changes.push((A, self.with(Two::Sum, word)?));
            }
            Opcode::Nor => changes.push((A, self.with(Two::Nor, word)?)),
            Opcode::Shr => {
                changes.push((C, Function::Map(self.lowest, operand)));
                changes.push((A, Function::Map(self.half, operand)));
            }
            Opcode::Jmp if landing == u32::from(at) => return Some(None),
            Opcode::Jmp => next = Next::Always(landing),
            Opcode::Jc => next = fork(Function::Copy(C)),
            Opcode::Jz => next = fork(Function::Map(self.is_zero, A)),
        }
        Some(Some(Node { opcode: word.opcode() as u8, changes, outlets, next }))
    }
}
