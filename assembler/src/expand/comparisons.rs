//! The code of comparisons and of tests of bits: the shortest known sequences.
//!
//! ADD gives a carry if the sum is 256 or more, which decides how two bytes compare:
//!
//! ```text
//!   A + (256 - k)    carry if A >= k      NOT A + v    carry if A < v
//! ```
//!
//! With `ADD #$80` before, the bytes -128..127 have the order of 0..255.

use super::branch::{Branch, Step, constant};
use super::expander::Expander;
use super::side::{INVERT, Side, bounded};
use super::wide_comparisons::{compare_word_constant, compare_words};
use super::words::Content;
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::byte;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Comparison, Operand, OperandValue, Reading};
use gray1_isa::{Opcode, Word};

/// A comparison as it is written.
pub(super) type Compared = (Reading, Operand, Comparison, Operand);

/// `ADD #$80`: -128..127 in the order of 0..255.
const BIAS: Content = constant(Opcode::Add, 0x80);

impl Expander<'_, '_> {
    /// Adds code that jumps if a comparison holds; `None` if it has a mistake, which has been reported.
    pub fn add_comparison(
        &mut self,
        branch: &mut Branch,
        (reading, left, comparison, right): Compared,
        target: Option<usize>,
        who: &str,
    ) -> Option<()> {
        let sides = (self.side(left, reading, who)?, self.side(right, reading, who)?);
        let (one, comparison, other) = sides.0.zip_with(sides.1, comparison);
        let is_compared = match (reading, one, other) {
            (_, Side::Constant(..), _) | (_, _, Side::Accumulator) => {
                self.idle(left, right, one);
                return None;
            }
            (Reading::Bytes, _, Side::Constant(operand, number)) => {
                compare_constant(branch, one, comparison, (operand, number as u8), target)
            }
            (Reading::Bytes, _, Side::Byte(right)) => {
                self.compare_bytes(branch, one, comparison, right, target)
            }
            (Reading::Signed, _, Side::Constant(operand, number)) => {
                compare_signed_constant(branch, one, comparison, (operand, number as u8), target)
            }
            (Reading::Signed, _, Side::Byte(right)) => {
                self.compare_signed(branch, one, comparison, right, target)
            }
            (Reading::Words, _, Side::Constant(_, number)) => {
                compare_word_constant(branch, one, comparison, number, target)
            }
            (Reading::Words, _, Side::Byte(right)) => compare_words(branch, one, comparison, right, target),
        };
        if is_compared {
            branch.steps.push(Step::Compared);
        }
        Some(())
    }

    /// Adds code that jumps if two sides have a bit in common, or if they have none; `None` if there is a mistake, which
    /// has been reported.
    pub fn add_test(
        &mut self,
        branch: &mut Branch,
        (left, right): (Operand, Operand),
        wanted: bool,
        target: Option<usize>,
        who: &str,
    ) -> Option<()> {
        let sides = (self.side(left, Reading::Bytes, who)?, self.side(right, Reading::Bytes, who)?);
        let (one, _, other) = sides.0.zip_with(sides.1, Comparison::Equal);
        match (one, other) {
            (Side::Constant(..), _) | (_, Side::Accumulator) => {
                self.idle(left, right, one);
                return None;
            }
            (_, Side::Constant(_, 0)) => {
                if !wanted {
                    branch.jump_if(Opcode::Jmp, true, target);
                }
                return Some(());
            }
            (_, Side::Constant(_, 0xFF)) => {
                branch.put(one.load());
                branch.jump_if(Opcode::Jz, !wanted, target);
                return Some(());
            }
            (_, Side::Constant(_, mask)) => {
                let others = constant(Opcode::Nor, !(mask as u8));
                branch.put(one.load());
                if mask.is_power_of_two() && wanted {
                    // 0 if the bit is set.
                    branch.put([others]);
                    branch.jump_if(Opcode::Jz, true, target);
                } else {
                    branch.put([INVERT, others]);
                    branch.jump_if(Opcode::Jz, !wanted, target);
                }
            }
            (_, Side::Byte(other)) => {
                branch.put(one.load());
                // NOT (x OR y) + y + x is 255, and the common bits once more.
                let again = match one {
                    Side::Byte(left) => Content::Instruction(Opcode::Add, left),
                    _ => {
                        let byte = self.compared_byte();
                        branch.put([Content::Fixed(Word::ram(Opcode::Sta, byte))]);
                        Content::Fixed(Word::ram(Opcode::Add, byte))
                    }
                };
                branch.put([Opcode::Nor, Opcode::Add].map(|opcode| Content::Instruction(opcode, other)));
                branch.put([again]);
                branch.jump_if(Opcode::Jc, wanted, target);
            }
        }
        branch.steps.push(Step::Compared);
        Some(())
    }

    /// Whether a comparison of two constants holds.
    pub fn compared_now(&mut self, (reading, left, comparison, right): Compared, who: &str) -> Option<bool> {
        let (left, right) = self.constants(left, right, reading, who)?;
        let order = match reading {
            Reading::Signed => (left as u8 as i8).cmp(&(right as u8 as i8)),
            Reading::Bytes | Reading::Words => left.cmp(&right),
        };
        Some(match comparison {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        })
    }

    /// Whether two constants have a bit in common.
    pub fn tested_now(&mut self, left: Operand, right: Operand, who: &str) -> Option<bool> {
        self.constants(left, right, Reading::Bytes, who).map(|(left, right)| left & right != 0)
    }

    fn constants(
        &mut self,
        left: Operand,
        right: Operand,
        reading: Reading,
        who: &str,
    ) -> Option<(u16, u16)> {
        match (self.side(left, reading, who)?, self.side(right, reading, who)?) {
            (Side::Constant(_, left), Side::Constant(_, right)) => Some((left, right)),
            _ => None,
        }
    }

    fn idle(&mut self, left: Operand, right: Operand, one: Side) {
        let span = Span { end: right.span.end, ..left.span };
        let (message, label) = match one {
            Side::Accumulator => ("A is compared with itself", "expected a byte or a constant"),
            _ => ("this compares two constants", "expected a RAM name, or `a`, on one side"),
        };
        let diagnostic = Diagnostic::error(ErrorCode::IdleComparison, span, message, label);
        self.report(diagnostic.help("what the assembler can decide is `.if`"));
    }

    fn side(&mut self, operand: Operand, reading: Reading, who: &str) -> Option<Side> {
        let OperandValue::Expression(expression) = operand.value else { return None };
        let context = self.context;
        let first_with_hash = self.build.given_with_hash(expression, context);
        if operand.immediate || matches!(first_with_hash, Some((0, _))) {
            let number = self.known(expression, who)?.number;
            let (number, room) = match reading {
                Reading::Words => {
                    let word =
                        u16::try_from(number).or_else(|_| i16::try_from(number).map(|number| number as u16));
                    (word.ok().ok_or(number), ("16 bits", "expected -32768..65535"))
                }
                _ => (byte(number).map(u16::from).ok_or(number), ("a byte", "expected -128..255")),
            };
            if let Err(number) = number {
                let message = format!("the constant {number} does not fit in {}", room.0);
                self.error(ErrorCode::ConstantRange, operand.span, message, room.1);
            }
            return Some(Side::Constant(operand, number.ok()?));
        }
        match self.syntax().only_name(expression) {
            Some(name) if self.is_accumulator(name) => {
                if reading == Reading::Words {
                    let message = "A is a byte, not a number of 16 bits";
                    let label = "expected a RAM name or a constant";
                    self.error(ErrorCode::WrongOperand, operand.span, message, label);
                    return None;
                }
                Some(Side::Accumulator)
            }
            _ => Some(Side::Byte(operand)),
        }
    }

    /// Whether a name is `a`, and the program does not define it.
    fn is_accumulator(&self, name: Name) -> bool {
        let build = &self.build;
        build.library.names.spelling(name).eq_ignore_ascii_case("a")
            && (build.library.is_of_library(self.context.file)
                || !build.library.names.defined[name.index()] && build.table.global(name).is_none())
            && build.table.binding(self.context.scope, name).is_none()
    }

    /// Returns whether A is changed, as the other comparisons do.
    fn compare_bytes(
        &mut self,
        branch: &mut Branch,
        left: Side,
        comparison: Comparison,
        right: Operand,
        target: Option<usize>,
    ) -> bool {
        let swapped = matches!(comparison, Comparison::Greater | Comparison::LessOrEqual);
        let (left, right, comparison) = match left {
            // Of two bytes either can be loaded.
            Side::Byte(left) if swapped => (Side::Byte(right), left, comparison.mirrored()),
            _ => (left, right, comparison),
        };
        branch.put(left.load());
        let add = Content::Instruction(Opcode::Add, right);
        match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                branch.put([INVERT, add, INVERT]);
                branch.jump_if(Opcode::Jz, comparison == Comparison::Equal, target);
            }
            // NOT A + v has a carry if A < v; without one it is 255 if they are equal.
            Comparison::Less | Comparison::GreaterOrEqual => {
                branch.put([INVERT, add]);
                branch.jump_if(Opcode::Jc, comparison == Comparison::Less, target);
            }
            Comparison::LessOrEqual => {
                branch.put([INVERT, add]);
                branch.jump_if(Opcode::Jc, true, target);
                branch.put([INVERT]);
                branch.jump_if(Opcode::Jz, true, target);
            }
            Comparison::Greater => {
                let byte = self.compared_byte();
                let [store, add] =
                    [Opcode::Sta, Opcode::Add].map(|opcode| Content::Fixed(Word::ram(opcode, byte)));
                branch.put([store, Content::Instruction(Opcode::Lda, right), INVERT, add]);
                branch.jump_if(Opcode::Jc, true, target);
            }
        }
        true
    }

    fn compare_signed(
        &mut self,
        branch: &mut Branch,
        left: Side,
        comparison: Comparison,
        right: Operand,
        target: Option<usize>,
    ) -> bool {
        let is_less = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                return self.compare_bytes(branch, left, comparison, right, target);
            }
            Comparison::Less | Comparison::GreaterOrEqual => true,
            Comparison::Greater | Comparison::LessOrEqual => false,
        };
        let byte = self.compared_byte();
        let [store, add] = [Opcode::Sta, Opcode::Add].map(|opcode| Content::Fixed(Word::ram(opcode, byte)));
        branch.put(left.load());
        branch.put([BIAS]);
        branch.put(is_less.then_some(INVERT));
        branch.put([store, Content::Instruction(Opcode::Lda, right), BIAS]);
        branch.put((!is_less).then_some(INVERT));
        branch.put([add]);
        branch.jump_if(Opcode::Jc, matches!(comparison, Comparison::Less | Comparison::Greater), target);
        true
    }
}

/// If the constant is at an end of 0..255, some comparisons need less code, or none.
fn compare_constant(
    branch: &mut Branch,
    left: Side,
    comparison: Comparison,
    (operand, number): (Operand, u8),
    target: Option<usize>,
) -> bool {
    let (comparison, number, more) = match bounded(comparison, u16::from(number), 255) {
        Ok((Comparison::Less, 1, more)) => (Comparison::Equal, 0, more),
        Ok((Comparison::GreaterOrEqual, 1, more)) => (Comparison::NotEqual, 0, more),
        Ok(found) => found,
        Err(always) => return branch.decide(always, target),
    };
    branch.put(left.load());
    let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    let is_changed = !(is_equality && number == 0);
    if is_changed {
        branch.put([Content::AddNegated(operand, more)]);
    }
    match comparison {
        Comparison::Equal => branch.jump_if(Opcode::Jz, true, target),
        Comparison::NotEqual => branch.jump_if(Opcode::Jz, false, target),
        Comparison::Less => branch.jump_if(Opcode::Jc, false, target),
        _ => branch.jump_if(Opcode::Jc, true, target),
    }
    is_changed
}

fn compare_signed_constant(
    branch: &mut Branch,
    left: Side,
    comparison: Comparison,
    (operand, number): (Operand, u8),
    target: Option<usize>,
) -> bool {
    if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
        return compare_constant(branch, left, comparison, (operand, number), target);
    }
    let (comparison, biased) = match bounded(comparison, u16::from(number ^ 0x80), 255) {
        Ok((comparison, biased, _)) => (comparison, biased as u8),
        Err(always) => return branch.decide(always, target),
    };
    branch.put(left.load());
    branch.put([BIAS]);
    // ADD #$80 alone gives a carry if the number is negative.
    let is_sign = biased == 0x80;
    if !is_sign {
        branch.subtract(biased);
    }
    branch.jump_if(Opcode::Jc, (comparison == Comparison::Less) == is_sign, target);
    true
}
