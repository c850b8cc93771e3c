//! The code of comparisons of numbers of 16 bits, the low byte first: the low bytes decide what is compared with the high
//! bytes. All change A; see `comparisons`.

use super::branch::{Branch, Step, constant};
use super::side::{INVERT, Side, bounded};
use super::words::Content;
use crate::syntax::{Comparison, Operand};
use gray1_isa::Opcode;

pub(super) fn compare_word_constant(
    branch: &mut Branch,
    left: Side,
    comparison: Comparison,
    number: u16,
    target: Option<usize>,
) -> bool {
    let (comparison, number) = match bounded(comparison, number, 0xFFFF) {
        Ok((Comparison::Less, 1, _)) => (Comparison::Equal, 0),
        Ok((Comparison::GreaterOrEqual, 1, _)) => (Comparison::NotEqual, 0),
        Ok((comparison, number, _)) => (comparison, number),
        Err(always) => return branch.decide(always, target),
    };
    let [low, high] = number.to_le_bytes();
    match comparison {
        Comparison::Equal | Comparison::NotEqual if number == 0 => {
            branch.put(left.load());
            // The sum of two bytes is 0 without a carry only if both are 0.
            branch.put(left.high(Opcode::Add));
            if comparison == Comparison::Equal {
                branch.skip_if(Opcode::Jc, true, |branch| branch.jump_if(Opcode::Jz, true, target));
            } else {
                branch.jump_if(Opcode::Jc, true, target);
                branch.jump_if(Opcode::Jz, false, target);
            }
        }
        Comparison::Equal | Comparison::NotEqual => {
            branch.put(left.load());
            branch.subtract(low);
            let high_byte = |branch: &mut Branch| {
                branch.put(left.high(Opcode::Lda));
                branch.subtract(high);
                branch.jump_if(Opcode::Jz, comparison == Comparison::Equal, target);
            };
            branch.both_equal(comparison, target, high_byte);
        }
        _ => {
            let is_less = comparison == Comparison::Less;
            match (low, high) {
                (0, 1) => {
                    branch.put(left.high(Opcode::Lda));
                    branch.jump_if(Opcode::Jz, is_less, target);
                }
                (0, _) => {
                    branch.put(left.high(Opcode::Lda));
                    branch.subtract(high);
                    branch.jump_if(Opcode::Jc, !is_less, target);
                }
                (_, 0) => {
                    branch.put(left.load());
                    branch.subtract(low);
                    if is_less {
                        branch.skip_if(Opcode::Jc, true, |branch| {
                            branch.put(left.high(Opcode::Lda));
                            branch.jump_if(Opcode::Jz, true, target);
                        });
                    } else {
                        branch.jump_if(Opcode::Jc, true, target);
                        branch.put(left.high(Opcode::Lda));
                        branch.jump_if(Opcode::Jz, false, target);
                    }
                }
                _ => {
                    let (carry, end) = (branch.new_label(), branch.new_label());
                    branch.put(left.load());
                    branch.subtract(low);
                    branch.put(left.high(Opcode::Lda));
                    branch.jump_if(Opcode::Jc, true, Some(carry));
                    branch.put([constant(Opcode::Add, !high)]);
                    branch.jump_if(Opcode::Jmp, true, Some(end));
                    branch.steps.push(Step::Label(carry));
                    branch.put([constant(Opcode::Add, high.wrapping_neg())]);
                    branch.steps.push(Step::Label(end));
                    branch.jump_if(Opcode::Jc, !is_less, target);
                }
            }
        }
    }
    true
}

pub(super) fn compare_words(
    branch: &mut Branch,
    left: Side,
    comparison: Comparison,
    right: Operand,
    target: Option<usize>,
) -> bool {
    let (left, right, comparison) = match (comparison, left) {
        (Comparison::Greater | Comparison::LessOrEqual, Side::Byte(left)) => {
            (Side::Byte(right), left, comparison.mirrored())
        }
        _ => (left, right, comparison),
    };
    let (add, other) = (Content::Instruction(Opcode::Add, right), Side::Byte(right));
    branch.put(left.load());
    match comparison {
        Comparison::Equal | Comparison::NotEqual => {
            branch.put([INVERT, add, INVERT]);
            branch.both_equal(comparison, target, |branch| {
                branch.put(left.high(Opcode::Lda));
                branch.put([INVERT]);
                branch.put(other.high(Opcode::Add));
                branch.put([INVERT]);
                branch.jump_if(Opcode::Jz, comparison == Comparison::Equal, target);
            });
        }
        Comparison::Less | Comparison::LessOrEqual => {
            branch.put([INVERT, add]);
            branch.put(left.high(Opcode::Lda));
            branch.put([INVERT]);
            // A low byte that is less makes the high byte count as less if it is equal.
            branch.skip_if(Opcode::Jc, false, |branch| {
                branch.put([constant(Opcode::Add, 1)]);
                branch.jump_if(Opcode::Jc, true, target);
            });
            branch.put(other.high(Opcode::Add));
            branch.jump_if(Opcode::Jc, true, target);
        }
        Comparison::Greater | Comparison::GreaterOrEqual => {
            branch.put([INVERT, add]);
            branch.put(other.high(Opcode::Lda));
            branch.put([INVERT]);
            branch.skip_if(Opcode::Jc, true, |branch| {
                branch.put([constant(Opcode::Add, 1)]);
                branch.jump_if(Opcode::Jc, true, target);
            });
            branch.put(left.high(Opcode::Add));
            branch.jump_if(Opcode::Jc, true, target);
        }
    }
    true
}

impl Branch {
    /// Code that is left out if the flag has this value.
    fn skip_if(&mut self, flag: Opcode, value: bool, code: impl FnOnce(&mut Branch)) {
        let end = self.new_label();
        self.jump_if(flag, value, Some(end));
        code(self);
        self.steps.push(Step::Label(end));
    }

    /// The second half of a test for equality, after the difference of the low bytes.
    fn both_equal(
        &mut self,
        comparison: Comparison,
        target: Option<usize>,
        high_byte: impl FnOnce(&mut Branch),
    ) {
        if comparison == Comparison::Equal {
            self.skip_if(Opcode::Jz, false, high_byte);
        } else {
            self.jump_if(Opcode::Jz, false, target);
            high_byte(self);
        }
    }
}
