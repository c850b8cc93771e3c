//! The last stage: all names are known, so every word gets its bits; a value that does not fit is an error.

use crate::build::Build;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Stage;
use crate::expand::{Assertion, Content, Expanded, PlacedWord};
use crate::names::Name;
use crate::syntax::{Operand, OperandValue, OperationKind, expected_operand};
use crate::table::{BoundValue, Context, Value, ValueKind};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Opcode, Operand as OperandField, PROGRAM_WORDS, Word};
use std::collections::HashSet;

/// What the operand of an instruction turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub immediate: bool,
    pub value: Value,
}

/// The program's image, with what each word's operand was, for the warnings.
pub(crate) struct Emitted {
    pub image: Image,
    pub operands: Vec<Option<Resolved>>,
}

/// Computes every word, constant and assertion.
pub(crate) fn emit(expanded: &mut Expanded) -> Emitted {
    let build = &mut expanded.build;
    for index in 0..build.table.entries.len() {
        // A failure is reported where it arises.
        let _ = build.cell_value(build.table.entries[index].cell, Stage::Finished);
    }
    for assertion in std::mem::take(&mut expanded.assertions) {
        if let Ok(value) = build.evaluate(assertion.condition, assertion.context, Stage::Finished) {
            build.judge(assertion, value);
        }
    }
    let mut image = Image::blank();
    let mut operands = Vec::with_capacity(expanded.words.len());
    for &word in &expanded.words {
        let (bits, resolved) = build.word(word);
        image.set_word(word.address, bits.unwrap_or_default());
        operands.push(resolved);
    }
    Emitted { image, operands }
}

impl Build<'_> {
    /// Reports an assertion that does not hold.
    pub fn judge(&mut self, assertion: Assertion, value: Value) {
        if value.number != 0 {
            return;
        }
        let Assertion { condition, text, context } = assertion;
        let message = match text {
            Some(text) => format!("assertion failed: {}", self.library.syntax.texts[text as usize]),
            None => "assertion failed".to_owned(),
        };
        let compares = self.library.syntax.operations(condition).last().is_some_and(
            |operation| matches!(operation.kind, OperationKind::Infix(operator) if operator.is_comparison()),
        );
        let label = match self.last_comparison {
            Some((left, right)) if compares => {
                format!("expected this to hold, but the left side is {left} and the right side {right}")
            }
            _ => "expected anything but 0".to_owned(),
        };
        self.error(condition.span(context.file), context.expansion, message, label);
    }

    fn word(&mut self, word: PlacedWord) -> (Option<Word>, Option<Resolved>) {
        match word.content {
            Content::Fixed(bits) => (Some(bits), None),
            Content::Raw(expression) => {
                let Ok(Value { number, .. }) = self.evaluate(expression, word.context, Stage::Finished)
                else {
                    return (None, None);
                };
                let bits =
                    u16::try_from(number).or_else(|_| i16::try_from(number).map(|number| number as u16));
                if bits.is_err() {
                    let message = format!("{number} does not fit in a word");
                    self.error(word.span, word.context.expansion, message, "expected -32768..65535");
                }
                (bits.ok().map(Word), None)
            }
            Content::Instruction(opcode, operand) => {
                let Some(resolved) = self.resolve(opcode, operand, word.context) else { return (None, None) };
                (self.encode(opcode, operand, resolved, word.context), Some(resolved))
            }
            // The expander has made fixed words of these.
            Content::StoreSite(_) | Content::Enter(_) | Content::Return(_) | Content::Leave { .. } => {
                (None, None)
            }
        }
    }

    /// The value of an operand, and whether it is a constant: by its own `#`, or that of the argument it is.
    fn resolve(&mut self, opcode: Opcode, operand: Operand, context: Context) -> Option<Resolved> {
        let OperandValue::Expression(expression) = operand.value else {
            let label = format!("expected {}", expected_operand(opcode));
            self.error(operand.span, context.expansion, "a text cannot be an operand", label);
            return None;
        };
        let mut immediate = operand.immediate;
        if context.scope != 0 && !immediate {
            let operations = self.library.syntax.operations(expression);
            let given_with_hash =
                operations.iter().enumerate().find_map(|(index, operation)| match operation.kind {
                    OperationKind::Name(name) => {
                        let binding = self.table.binding(context.scope, name)?;
                        (binding.immediate && matches!(binding.value, BoundValue::Cell(_)))
                            .then_some((index, name))
                    }
                    _ => None,
                });
            match given_with_hash {
                // It comes first, so its `#` counts as the operand's.
                Some((0, _)) => immediate = true,
                Some((_, name)) => {
                    let shown = self.library.names.show(name);
                    let message = format!("`{shown}` is a constant given with `#`, not an address");
                    let label = format!("expected `#` in front of an expression with `{shown}` in it");
                    self.error(operand.span, context.expansion, message, label);
                    return None;
                }
                None => {}
            }
        }
        let value = self.evaluate(expression, context, Stage::Finished).ok()?;
        Some(Resolved { immediate, value })
    }

    fn encode(
        &mut self,
        opcode: Opcode,
        operand: Operand,
        Resolved { immediate, value }: Resolved,
        context: Context,
    ) -> Option<Word> {
        let row = opcode.row();
        let Value { number, kind } = value;
        let (message, label, help) = match (row.operand, immediate, kind) {
            (OperandField::Value, true, _) => {
                match u8::try_from(number).or_else(|_| i8::try_from(number).map(|negative| negative as u8)) {
                    Ok(byte) => return Some(Word::constant(opcode, byte)),
                    Err(_) => {
                        let help = (kind == ValueKind::Ram)
                            .then_some("without `#` this would be the byte at that address");
                        (format!("the constant {number} does not fit in a byte"), "expected -128..255", help)
                    }
                }
            }
            (OperandField::Address, true, _) => (
                format!("{} cannot take a constant", row.mnemonic),
                "expected a RAM address, without `#`",
                None,
            ),
            (OperandField::Target, true, _) => {
                (format!("{} cannot take a constant", row.mnemonic), "expected a label, without `#`", None)
            }
            (OperandField::Target, false, ValueKind::Ram) => (
                format!("{} to an address in RAM", row.mnemonic),
                "expected a label: programs run from program memory only",
                None,
            ),
            (OperandField::Target, false, _) => match u16::try_from(number) {
                Ok(target) if usize::from(target) < PROGRAM_WORDS => return Some(Word::jump(opcode, target)),
                _ => (format!("there is no sequence number {number}"), "expected 0..4095", None),
            },
            (OperandField::Value | OperandField::Address, false, ValueKind::Label) => (
                format!("{} of a code label", row.mnemonic),
                "expected an address in RAM: a program cannot read or write program memory",
                (row.operand == OperandField::Value).then_some("write `#` for the sequence number itself"),
            ),
            (OperandField::Value | OperandField::Address, false, _) => match u16::try_from(number) {
                Ok(address) if usize::from(address) < RAM_BYTES => return Some(Word::ram(opcode, address)),
                _ => {
                    let help = (row.operand == OperandField::Value && (-128..0).contains(&number))
                        .then_some("a constant is written with `#`");
                    (format!("there is no RAM address {number}"), "expected 0..$FFF", help)
                }
            },
        };
        let mut diagnostic = Diagnostic::error(operand.span, message).label(label);
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic, context.expansion);
        None
    }
}

/// The names in operands of `STA`: they are addresses, whatever they look like.
pub(crate) fn stored_names(expanded: &Expanded) -> HashSet<Name> {
    let syntax = &expanded.build.library.syntax;
    let stored = expanded.words.iter().filter_map(|word| match word.content {
        Content::Instruction(Opcode::Sta, Operand { value: OperandValue::Expression(value), .. }) => {
            Some(syntax.operations(value))
        }
        _ => None,
    });
    stored
        .flatten()
        .filter_map(|operation| match operation.kind {
            OperationKind::Name(name) => Some(name),
            _ => None,
        })
        .collect()
}
