//! The code of comparisons and of tests of bits: the shortest known sequences.
//!
//! ADD gives a carry if the sum is 256 or more, which decides how two bytes compare:
//!
//! ```text
//!   A + (256 - k)    carry if A >= k      NOT A + v    carry if A < v
//! ```
//!
//! With `ADD #$80` before, the bytes -128..127 have the order of 0..255. Of numbers of 16 bits, the low bytes decide what
//! is compared with the high bytes.
//!
//! A sequence is written as a program: `x` and `y` are the two sides, `t` is a byte of RAM, `low` and `high` are the bytes
//! of a constant. A jump without an operand goes to the target. `not` is `NOR #0`, `bias` is `ADD #$80`, and `jnc` and
//! `jnz` jump if a flag is 0. If `x` is A, it is not loaded.

use super::branch::{Branch, Step, constant};
use super::words::Content;
use crate::syntax::{Comparison, Operand, Reading};
use gray1_isa::{Opcode, Word};

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Accumulator,
    /// A byte, or the first of two.
    Byte(Operand),
    Constant(Operand, u16),
}

/// The meaning of the operands of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub x: Side,
    pub y: Side,
    /// The number to compare with, if `y` is a constant, and what that is greater by than `y`.
    pub number: u16,
    pub more: u8,
    /// The address of `t`.
    pub temporary: u16,
}

/// The sequence that jumps if a comparison of a byte, or of two, with bytes holds. A is compared with `>` as it is; of two
/// bytes, either can be loaded.
pub(super) fn of_bytes(reading: Reading, comparison: Comparison) -> &'static str {
    match (reading, comparison) {
        (Reading::Bytes | Reading::Signed, Comparison::EQUAL) => "lda x, not, add y, not, jz",
        (Reading::Bytes | Reading::Signed, Comparison::NOT_EQUAL) => "lda x, not, add y, not, jnz",
        (Reading::Bytes, Comparison::LESS) => "lda x, not, add y, jc",
        (Reading::Bytes, Comparison::GREATER_OR_EQUAL) => "lda x, not, add y, jnc",
        // Without a carry, NOT A + v is 255 if they are equal.
        (Reading::Bytes, Comparison::LESS_OR_EQUAL) => "lda x, not, add y, jc, not, jz",
        (Reading::Bytes, _) => "lda x, sta t, lda y, not, add t, jc",
        (Reading::Signed, Comparison::LESS) => "lda x, bias, not, sta t, lda y, bias, add t, jc",
        (Reading::Signed, Comparison::GREATER_OR_EQUAL) => "lda x, bias, not, sta t, lda y, bias, add t, jnc",
        (Reading::Signed, Comparison::GREATER) => "lda x, bias, sta t, lda y, bias, not, add t, jc",
        (Reading::Signed, _) => "lda x, bias, sta t, lda y, bias, not, add t, jnc",
        (Reading::Words, Comparison::EQUAL) => {
            "lda x, not, add y, not, jnz .1, lda x+1, not, add y+1, not, jz, .1:"
        }
        (Reading::Words, Comparison::NOT_EQUAL) => {
            "lda x, not, add y, not, jnz, lda x+1, not, add y+1, not, jnz"
        }
        // A low byte that is less makes the high byte count as less if it is equal.
        (Reading::Words, Comparison::LESS | Comparison::LESS_OR_EQUAL) => {
            "lda x, not, add y, lda x+1, not, jnc .1, add #1, jc, .1:, add y+1, jc"
        }
        (Reading::Words, _) => "lda x, not, add y, lda y+1, not, jc .1, add #1, jc, .1:, add x+1, jc",
    }
}

/// The sequence for a comparison of a byte, or of two, with a constant, which [`bounded`] has simplified to `==`, `!=`,
/// `<` or `>=`.
pub(super) fn of_constant(reading: Reading, comparison: Comparison, number: u16) -> &'static str {
    let is_less = comparison == Comparison::LESS;
    match (reading, comparison, number.to_be_bytes()) {
        (Reading::Words, Comparison::EQUAL, [0, 0]) => "lda x, add x+1, jc .1, jz, .1:",
        (Reading::Words, Comparison::NOT_EQUAL, [0, 0]) => "lda x, add x+1, jc, jnz",
        (Reading::Words, Comparison::EQUAL, _) => "lda x, sub low, jnz .1, lda x+1, sub high, jz, .1:",
        (Reading::Words, Comparison::NOT_EQUAL, _) => "lda x, sub low, jnz, lda x+1, sub high, jnz",
        (Reading::Words, _, [1, 0]) if is_less => "lda x+1, jz",
        (Reading::Words, _, [1, 0]) => "lda x+1, jnz",
        (Reading::Words, _, [_, 0]) if is_less => "lda x+1, sub high, jnc",
        (Reading::Words, _, [_, 0]) => "lda x+1, sub high, jc",
        (Reading::Words, _, [0, _]) if is_less => "lda x, sub low, jc .1, lda x+1, jz, .1:",
        (Reading::Words, _, [0, _]) => "lda x, sub low, jc, lda x+1, jnz",
        (Reading::Words, ..) if is_less => {
            "lda x, sub low, lda x+1, jc .1, add !high, jmp .2, .1:, sub high, .2:, jnc"
        }
        (Reading::Words, ..) => "lda x, sub low, lda x+1, jc .1, add !high, jmp .2, .1:, sub high, .2:, jc",
        (_, Comparison::EQUAL, [_, 0]) => "lda x, jz",
        (_, Comparison::NOT_EQUAL, [_, 0]) => "lda x, jnz",
        (_, Comparison::EQUAL, _) => "lda x, sub y, jz",
        (_, Comparison::NOT_EQUAL, _) => "lda x, sub y, jnz",
        (Reading::Bytes, ..) if is_less => "lda x, sub y, jnc",
        (Reading::Bytes, ..) => "lda x, sub y, jc",
        // ADD #$80 alone gives a carry if the number is negative.
        (Reading::Signed, _, [_, 0x80]) if is_less => "lda x, bias, jc",
        (Reading::Signed, _, [_, 0x80]) => "lda x, bias, jnc",
        (Reading::Signed, ..) if is_less => "lda x, bias, sub low, jnc",
        (Reading::Signed, ..) => "lda x, bias, sub low, jc",
    }
}

/// The sequence that jumps if two sides have a bit in common, or if they have none.
pub(super) fn of_test(x: Side, y: Side, wanted: bool) -> &'static str {
    match (x, y, wanted) {
        (_, Side::Constant(_, 0xFF), true) => "lda x, jnz",
        (_, Side::Constant(_, 0xFF), false) => "lda x, jz",
        (_, Side::Constant(_, mask), true) if mask.is_power_of_two() => "lda x, nor !low, jz",
        (_, Side::Constant(..), true) => "lda x, not, nor !low, jnz",
        (_, Side::Constant(..), false) => "lda x, not, nor !low, jz",
        // NOT (x OR y) + y + x is 255, and the common bits once more.
        (Side::Byte(_), _, true) => "lda x, nor y, add y, add x, jc",
        (Side::Byte(_), _, false) => "lda x, nor y, add y, add x, jnc",
        (_, _, true) => "sta t, nor y, add y, add t, jc",
        (_, _, false) => "sta t, nor y, add y, add t, jnc",
    }
}

/// Whether a sequence changes A, apart from loading a side.
fn changes_a(sequence: &str) -> bool {
    !matches!(sequence, "lda x, jz" | "lda x, jnz")
}

impl Branch {
    /// Adds a sequence, which jumps to this target.
    pub fn add_sequence(&mut self, sequence: &str, sides: &Sides, target: Option<usize>) {
        let mut labels = [None; 2];
        for step in sequence.split(", ") {
            let (word, operand) = step.split_once(' ').unwrap_or((step, ""));
            let mut label = |name: &str| {
                let index = usize::from(name.starts_with(".2"));
                *labels[index].get_or_insert_with(|| self.new_label())
            };
            let to = if operand.starts_with('.') { Some(label(operand)) } else { target };
            match word {
                "jmp" => self.jump_if(Opcode::Jmp, true, to),
                "jc" | "jnc" => self.jump_if(Opcode::Jc, word == "jc", to),
                "jz" | "jnz" => self.jump_if(Opcode::Jz, word == "jz", to),
                ".1:" | ".2:" => {
                    let label = label(word);
                    self.steps.push(Step::Label(label));
                }
                _ => self.put(sides.instruction(word, operand)),
            }
        }
        if changes_a(sequence) {
            self.steps.push(Step::ComparisonEnd);
        }
    }
}

impl Sides {
    /// An instruction of a sequence; none if it would load A, or subtract 0.
    fn instruction(&self, word: &str, operand: &str) -> Option<Content> {
        let [low, high] = self.number.to_le_bytes();
        let subtract = |byte: u8| (byte != 0).then(|| constant(Opcode::Add, byte.wrapping_neg()));
        let opcode = match (word, operand, self.y) {
            ("not", ..) => return Some(constant(Opcode::Nor, 0)),
            ("bias", ..) => return Some(constant(Opcode::Add, 0x80)),
            ("sub", "low", _) => return subtract(low),
            ("sub", "high", _) => return subtract(high),
            ("sub", _, Side::Constant(operand, _)) => return Some(Content::AddNegated(operand, self.more)),
            _ => Opcode::from_mnemonic(word)?,
        };
        let side = if operand.starts_with('x') { self.x } else { self.y };
        match (operand, side) {
            ("t", _) => Some(Content::Fixed(Word::ram(opcode, self.temporary))),
            ("#1", _) => Some(constant(opcode, 1)),
            ("!low", _) => Some(constant(opcode, !low)),
            ("!high", _) => Some(constant(opcode, !high)),
            ("x+1" | "y+1", Side::Byte(first)) => Some(Content::NextByte(opcode, first)),
            (_, Side::Byte(byte)) => Some(Content::Instruction(opcode, byte)),
            _ => None,
        }
    }
}

/// A comparison with `>=` or `<` in place of `>` and `<=`, or with `==` or `!=` if that means the same; its constant, and
/// what that is greater by; or whether it holds for all numbers up to the greatest one.
pub(super) fn bounded(
    comparison: Comparison,
    number: u16,
    greatest: u16,
) -> Result<(Comparison, u16, u8), bool> {
    let (comparison, number, more) = match comparison {
        Comparison::GREATER | Comparison::LESS_OR_EQUAL if number == greatest => {
            return Err(comparison == Comparison::LESS_OR_EQUAL);
        }
        Comparison::GREATER => (Comparison::GREATER_OR_EQUAL, number + 1, 1),
        Comparison::LESS_OR_EQUAL => (Comparison::LESS, number + 1, 1),
        _ => (comparison, number, 0),
    };
    match (comparison, number) {
        (Comparison::LESS, 0) => Err(false),
        (Comparison::GREATER_OR_EQUAL, 0) => Err(true),
        _ => Ok((comparison, number, more)),
    }
}
