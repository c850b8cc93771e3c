//! The operands of `.modifies`: bytes of RAM and the registers.

use crate::codes::ErrorCode;
use crate::contract::{Modifies, Term};
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::syntax::{Expression, Operand, OperandValue, Operation, OperationKind, Range, WrittenName};
use crate::table::{Context, ValueKind};
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, INPUTS, RAM_BYTES, RED};

impl Build<'_> {
    /// Adds the operands of a `.modifies`.
    pub fn modify(&mut self, operands: Range, context: Context, modifies: &mut Modifies) {
        for operand in operands.indices() {
            let operand = self.library.syntax.operands[operand];
            if self.add_modified(operand, context, modifies).is_none() {
                let label = "expected a RAM name, `list[2]`, `a` or `c`";
                let message = "`.modifies` lists what may be changed";
                let diagnostic = Diagnostic::error(ErrorCode::WrongOperand, operand.span, message, label);
                self.report(diagnostic, context.expansion);
            }
        }
        modifies.bytes.sort_unstable();
        modifies.bytes.dedup();
    }

    /// Adds an operand of `.modifies`; `None` if it cannot be modified.
    fn add_modified(
        &mut self,
        Operand { immediate, value, .. }: Operand,
        context: Context,
        modifies: &mut Modifies,
    ) -> Option<()> {
        let OperandValue::Expression(expression) = value else { return None };
        if immediate {
            return None;
        }
        // An argument with `#` is a constant.
        if self.immediate_parameter(expression, context).is_some() {
            return Some(());
        }
        let Ok(value) = self.formula_value(expression, context, true) else { return Some(()) };
        let is_lasting = value.number < i64::from(INPUTS) || self.evaluation.formula.has_input;
        match value.kind {
            ValueKind::Ram | ValueKind::Before if self.is_whole(expression) => {
                modifies.bytes.extend(self.bytes_named(value.number));
            }
            ValueKind::Ram | ValueKind::Before if is_lasting => {
                modifies.bytes.push(u16::try_from(value.number).ok()?);
            }
            ValueKind::Terms(terms) => match self.evaluation.formula.terms[terms as usize][..] {
                [Term::A { .. }] => modifies.a = true,
                [Term::C { .. }] => modifies.c = true,
                // `word(x)` and `long(x)` mean their bytes.
                ref terms if self.is_several(expression) => {
                    let bytes = terms.iter().filter_map(|term| match term {
                        Term::Byte { address, .. } => Some(*address),
                        _ => None,
                    });
                    modifies.bytes.extend(bytes);
                }
                _ => return None,
            },
            // An argument that is an address may be written as a number.
            ValueKind::Argument => modifies.bytes.extend(self.bytes_named(value.number)),
            _ => return None,
        }
        Some(())
    }

    /// Whether an operand is a name, which means all bytes of its `.ram` from there on.
    fn is_whole(&self, expression: Expression) -> bool {
        self.library.syntax.only_written_name(expression).is_some()
    }

    /// Whether an operand is `word(name)` or `long(name)`.
    fn is_several(&self, expression: Expression) -> bool {
        match self.library.syntax.operations(expression) {
            [_, Operation { kind: OperationKind::Call(WrittenName::Plain(name), 1), .. }] => {
                matches!(self.library.names.spelling(*name), "word" | "long")
            }
            _ => false,
        }
    }

    /// The bytes that a name of this address means: up to the end of its `.ram`, or of a plane of the display.
    pub(super) fn bytes_named(&self, address: i64) -> std::ops::Range<u16> {
        let Some(start) = u16::try_from(address).ok().filter(|&start| usize::from(start) < RAM_BYTES) else {
            return 0..0;
        };
        let plane =
            [GREEN, RED].into_iter().find(|plane| (*plane..plane + DISPLAY_SIZE as u16).contains(&start));
        let end = match plane {
            Some(plane) => plane + DISPLAY_SIZE as u16,
            None => start + self.table.bytes_from(address).max(1) as u16,
        };
        start..end
    }
}
