//! The sides of a comparison, and what their code has in common.

use super::branch::constant;
use super::words::Content;
use crate::syntax::{Comparison, Operand};
use gray1_isa::Opcode;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Accumulator,
    /// A byte, or the first of two.
    Byte(Operand),
    Constant(Operand, u16),
}

/// `NOR #0`: A ← NOT A.
pub(super) const INVERT: Content = constant(Opcode::Nor, 0);
impl Side {
    pub fn load(self) -> Option<Content> {
        match self {
            Side::Byte(operand) => Some(Content::Instruction(Opcode::Lda, operand)),
            Side::Accumulator | Side::Constant(..) => None,
        }
    }

    /// An instruction with the high byte.
    pub fn high(self, opcode: Opcode) -> Option<Content> {
        match self {
            Side::Byte(operand) => Some(Content::NextByte(opcode, operand)),
            Side::Accumulator | Side::Constant(..) => None,
        }
    }

    /// The two sides of a comparison: a constant on the right, A on the left, as far as that is possible.
    pub fn zip_with(self, right: Side, comparison: Comparison) -> (Side, Comparison, Side) {
        match (self, right) {
            (Side::Constant(..), Side::Accumulator | Side::Byte(_)) | (Side::Byte(_), Side::Accumulator) => {
                (right, comparison.mirrored(), self)
            }
            _ => (self, comparison, right),
        }
    }
}

/// A comparison with `>=` or `<` in place of `>` and `<=`, its constant, and what that is greater by; or whether it holds
/// for all numbers up to the greatest one.
pub(super) fn bounded(
    comparison: Comparison,
    number: u16,
    greatest: u16,
) -> Result<(Comparison, u16, u8), bool> {
    let (comparison, number, more) = match comparison {
        Comparison::Greater | Comparison::LessOrEqual if number == greatest => {
            return Err(comparison == Comparison::LessOrEqual);
        }
        Comparison::Greater => (Comparison::GreaterOrEqual, number + 1, 1),
        Comparison::LessOrEqual => (Comparison::Less, number + 1, 1),
        _ => (comparison, number, 0),
    };
    match (comparison, number) {
        (Comparison::Less, 0) => Err(false),
        (Comparison::GreaterOrEqual, 0) => Err(true),
        _ => Ok((comparison, number, more)),
    }
}
