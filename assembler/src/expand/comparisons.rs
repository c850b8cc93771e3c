//! Comparisons and tests of bits: classifies their two sides, and decides those of constants. `sequences` has the code.

use super::branch::Branch;
use super::expander::Expander;
use super::sequences::{Side, Sides, bounded, of_bytes, of_constant, of_test};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::byte;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Comparison, Operand, OperandValue, Reading, StatementKind};

/// A comparison, as in the source.
pub(super) type SourceComparison = (Reading, Operand, Comparison, Operand);

impl Expander<'_, '_> {
    /// Adds code that jumps if a comparison holds; `None` if it has an error, which has been reported.
    pub fn add_comparison(
        &mut self,
        branch: &mut Branch,
        (reading, left, comparison, right): SourceComparison,
        target: Option<usize>,
    ) -> Option<()> {
        let (mut x, mut comparison, mut y) = self.two_sides(left, reading, comparison, right)?;
        let (sequence, number, more) = match y {
            Side::Constant(_, number) => {
                let (bias, greatest) = match (reading, comparison) {
                    (Reading::Words, _) => (0, 0xFFFF),
                    (Reading::Bytes, _) | (_, Comparison::EQUAL | Comparison::NOT_EQUAL) => (0, 0xFF),
                    // The order of -128..127 is that of 0..255.
                    (Reading::Signed, _) => (0x80, 0xFF),
                };
                let (comparison, number, more) = match bounded(comparison, number ^ bias, greatest) {
                    Ok((Comparison::LESS, 1, more)) if bias == 0 => (Comparison::EQUAL, 0, more),
                    Ok((Comparison::GREATER_OR_EQUAL, 1, more)) if bias == 0 => {
                        (Comparison::NOT_EQUAL, 0, more)
                    }
                    Ok(bounded) => bounded,
                    Err(always) => {
                        branch.decide(always, target);
                        return Some(());
                    }
                };
                (of_constant(reading, comparison, number), number, more)
            }
            _ => {
                let is_swapped = matches!(comparison, Comparison::GREATER | Comparison::LESS_OR_EQUAL);
                if is_swapped && matches!(x, Side::Byte(_)) && reading != Reading::Signed {
                    (x, comparison, y) = (y, comparison.mirrored(), x);
                }
                (of_bytes(reading, comparison), 0, 0)
            }
        };
        self.add_sequence(branch, sequence, Sides { x, y, number, more, temporary: 0 }, target);
        Some(())
    }

    /// Adds code that jumps if two sides have a common bit, or if they have none; `None` if there is an error, which has
    /// been reported.
    pub fn add_test(
        &mut self,
        branch: &mut Branch,
        (left, right): (Operand, Operand),
        wanted: bool,
        target: Option<usize>,
    ) -> Option<()> {
        let (x, _, y) = self.two_sides(left, Reading::Bytes, Comparison::EQUAL, right)?;
        let number = match y {
            Side::Constant(_, 0) => {
                branch.decide(!wanted, target);
                return Some(());
            }
            Side::Constant(_, mask) => mask,
            _ => 0,
        };
        let sides = Sides { x, y, number, more: 0, temporary: 0 };
        self.add_sequence(branch, of_test(x, y, wanted), sides, target);
        Some(())
    }

    /// Adds a sequence, with a byte of RAM if it needs one.
    fn add_sequence(&mut self, branch: &mut Branch, sequence: &str, sides: Sides, target: Option<usize>) {
        let temporary = if sequence.contains("sta t") { self.compared_byte() } else { 0 };
        branch.add_sequence(sequence, &Sides { temporary, ..sides }, target);
    }

    /// Classifies the two sides of a comparison, and puts A on the left and a constant on the right; `None` if there is an
    /// error, which has been reported.
    fn two_sides(
        &mut self,
        left: Operand,
        reading: Reading,
        comparison: Comparison,
        right: Operand,
    ) -> Option<(Side, Comparison, Side)> {
        let sides = (self.side(left, reading)?, self.side(right, reading)?);
        let (message, label) = match sides {
            (Side::Constant(..), Side::Constant(..)) => {
                ("this compares two constants", "expected a RAM name, or `a`, on one side")
            }
            (Side::Accumulator, Side::Accumulator) => {
                ("A is compared with itself", "expected a byte or a constant")
            }
            (Side::Constant(..), _) | (_, Side::Accumulator) => {
                return Some((sides.1, comparison.mirrored(), sides.0));
            }
            _ => return Some((sides.0, comparison, sides.1)),
        };
        let span = Span { end: right.span.end, ..left.span };
        let diagnostic = Diagnostic::error(ErrorCode::IdleComparison, span, message, label);
        self.report(diagnostic.help("use `.if` for what the assembler decides"));
        None
    }

    /// Whether a comparison of two constants holds; `None` if it has other sides.
    pub fn compared_now(&mut self, (reading, left, comparison, right): SourceComparison) -> Option<bool> {
        let (left, right) = self.constants(left, right, reading)?;
        Some(comparison.holds(match reading {
            Reading::Signed => (left as u8 as i8).cmp(&(right as u8 as i8)),
            Reading::Bytes | Reading::Words => left.cmp(&right),
        }))
    }

    /// Whether two constants have a common bit; `None` if there are other sides.
    pub fn tested_now(&mut self, left: Operand, right: Operand) -> Option<bool> {
        self.constants(left, right, Reading::Bytes).map(|(left, right)| left & right != 0)
    }

    fn constants(&mut self, left: Operand, right: Operand, reading: Reading) -> Option<(u16, u16)> {
        match (self.side(left, reading)?, self.side(right, reading)?) {
            (Side::Constant(_, left), Side::Constant(_, right)) => Some((left, right)),
            _ => None,
        }
    }

    fn side(&mut self, operand: Operand, reading: Reading) -> Option<Side> {
        let OperandValue::Expression(expression) = operand.value else { return None };
        let needed_by = match self.syntax().statements[self.index as usize].kind {
            StatementKind::While(_) => "`.while`",
            StatementKind::RepeatUntil(_) => "`.repeat_until`",
            _ => "`.when`",
        };
        let context = self.context;
        let immediate_parameter = self.build.immediate_parameter(expression, context);
        if operand.immediate || matches!(immediate_parameter, Some((0, _))) {
            let number = self.known(expression, needed_by)?.number;
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

    /// Whether a name means the accumulator: `a`, unless the program defines it.
    fn is_accumulator(&self, name: Name) -> bool {
        let build = &self.build;
        build.library.names.spelling(name).eq_ignore_ascii_case("a")
            && (build.library.is_of_library(self.context.file)
                || !build.library.names.defined[name.index()] && build.table.global(name).is_none())
            && build.table.binding(self.context.scope, name).is_none()
    }
}
