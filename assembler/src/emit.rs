//! Code generation: all names are known, so this computes the bits of every word. A value that does not fit is an error.

use crate::codes::ErrorCode;
use crate::contract::Contract;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::evaluate::byte;
use crate::expand::{Assertion, Content, PlacedProgram, PlacedWord};
use crate::names::{Name, shorten_message};
use crate::promises::contracts;
use crate::syntax::{Expression, Operand, OperandValue, OperationKind, expected_operand};
use crate::table::{Binding, BoundValue, Context, Value, ValueKind};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Opcode, Operand as OperandField, PROGRAM_WORDS, Word};
use hashbrown::HashSet;

/// The resolved operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedOperand {
    pub immediate: bool,
    pub value: Value,
}

/// The image of the program, and the resolved operands, which warnings need.
pub(crate) struct MachineCode {
    pub image: Image,
    pub operands: Vec<Option<ResolvedOperand>>,
    /// For each word, whether it is free of errors.
    pub is_valid: Vec<bool>,
    pub contracts: Vec<Contract>,
}

/// Computes every word and constant, and checks the assertions.
pub(crate) fn emit(expanded: &mut PlacedProgram) -> MachineCode {
    let build = &mut expanded.build;
    build.evaluation.is_final = true;
    for index in 0..build.table.entries.len() {
        // A failure is reported where it arises.
        let _ = build.cell_value(build.table.entries[index].cell);
    }
    for index in 0..build.table.assigned.len() {
        let _ = build.cell_value(build.table.assigned[index]);
    }
    for assertion in std::mem::take(&mut expanded.assertions) {
        build.evaluation.last_comparison = None;
        if let Ok(value) = build.evaluate(assertion.condition, assertion.context) {
            build.check_assertion(assertion, value);
        }
    }
    let mut image = Image::blank();
    let mut operands = Vec::with_capacity(expanded.words.len());
    let mut is_valid = Vec::with_capacity(expanded.words.len());
    for &word in &expanded.words {
        let outcome = build.word(word);
        is_valid.push(outcome.is_some());
        let (bits, resolved) = outcome.unwrap_or_default();
        image.set_word(word.address, bits);
        operands.push(resolved);
    }
    let contracts = contracts(expanded, &image);
    MachineCode { image, operands, is_valid, contracts }
}

impl Build<'_> {
    /// Reports an assertion if it does not hold.
    pub fn check_assertion(&mut self, assertion: Assertion, value: Value) {
        if value.number != 0 {
            return;
        }
        let Assertion { condition, text, context } = assertion;
        let message = match text {
            Some(text) => {
                format!("assertion failed: {}", shorten_message(&self.library.syntax.texts[text as usize]))
            }
            None => "assertion failed".to_owned(),
        };
        let last = self.library.syntax.operations(condition).last().map(|operation| operation.kind);
        let label = match (last, self.evaluation.last_comparison) {
            (Some(OperationKind::Infix(operator)), Some((left, right))) if operator.is_comparison() => {
                format!("expected this to hold, but the left side is {left} and the right side {right}")
            }
            // The last comparison decided the result.
            (Some(OperationKind::Truth), Some((left, right))) => {
                format!("expected this to hold, but it compares {left} with {right}")
            }
            _ => "expected anything but 0".to_owned(),
        };
        let diagnostic =
            Diagnostic::error(ErrorCode::AssertionFailed, condition.span(context.file), message, label);
        self.report(diagnostic, context.expansion);
        let operations = self.library.syntax.operations(condition).iter();
        if operations.into_iter().any(|operation| matches!(operation.kind, OperationKind::Name(_))) {
            self.add_root_cause(context.expansion);
        }
    }

    fn word(&mut self, word: PlacedWord) -> Option<(Word, Option<ResolvedOperand>)> {
        match word.content {
            Content::Fixed(bits) => Some((bits, None)),
            Content::Raw(expression) => {
                let number = self.evaluate(expression, word.context).ok()?.number;
                let bits =
                    u16::try_from(number).or_else(|_| i16::try_from(number).map(|number| number as u16));
                if bits.is_err() {
                    let message = format!("{number} does not fit in a word");
                    let diagnostic =
                        Diagnostic::error(ErrorCode::WordRange, word.span, message, "expected -32768..65535");
                    self.report(diagnostic, word.context.expansion);
                }
                Some((Word(bits.ok()?), None))
            }
            Content::Instruction(opcode, operand) | Content::NextByte(opcode, operand) => {
                let mut resolved = self.resolve(opcode, operand, word.context)?;
                if matches!(word.content, Content::NextByte(..)) {
                    resolved.value.number = resolved.value.number.saturating_add(1);
                }
                Some((self.encode(opcode, operand, resolved, word.context)?, Some(resolved)))
            }
            Content::AddNegated(operand, more) => {
                let resolved = self.resolve(Opcode::Add, operand, word.context)?;
                let byte = self.encode(Opcode::Add, operand, resolved, word.context)?.x() as u8;
                let negated = byte.wrapping_add(more).wrapping_neg();
                Some((Word::constant(Opcode::Add, negated), Some(resolved)))
            }
            // The expander has replaced these with fixed words.
            Content::StoreSite(_) | Content::Enter(_) | Content::Return(_) | Content::Leave { .. } => None,
        }
    }

    /// Computes the value of an operand, and whether it is immediate: by its own `#`, or by its argument's.
    fn resolve(&mut self, opcode: Opcode, operand: Operand, context: Context) -> Option<ResolvedOperand> {
        let OperandValue::Expression(expression) = operand.value else {
            let label = format!("expected {}", expected_operand(opcode));
            let diagnostic =
                Diagnostic::error(ErrorCode::TextOperand, operand.span, "a text cannot be an operand", label);
            self.report(diagnostic, context.expansion);
            return None;
        };
        let immediate = match self.immediate_parameter(expression, context) {
            _ if operand.immediate => true,
            // The operand begins with the parameter, so the argument's `#` makes it immediate.
            Some((0, _)) => true,
            Some((_, name)) => {
                let shown = self.library.names.show(name);
                let message = format!("`{shown}` is a constant given with `#`, not an address");
                let label = format!("expected `#` before an expression with `{shown}` in it");
                self.report(
                    Diagnostic::error(ErrorCode::HashMissing, operand.span, message, label),
                    context.expansion,
                );
                return None;
            }
            None => false,
        };
        self.evaluation.address_operand = (!immediate).then(|| expression.span(context.file));
        let value = self.evaluate(expression, context);
        self.evaluation.address_operand = None;
        Some(ResolvedOperand { immediate, value: value.ok()? })
    }

    /// Finds the first parameter in an expression whose argument has a `#`, and the index of that operation.
    pub fn immediate_parameter(&self, expression: Expression, context: Context) -> Option<(usize, Name)> {
        if context.scope == 0 {
            return None;
        }
        let operations = self.library.syntax.operations(expression).iter().enumerate();
        operations.into_iter().find_map(|(index, operation)| {
            let (OperationKind::Name(name) | OperationKind::ValueOrText(name)) = operation.kind else {
                return None;
            };
            let Binding { immediate, value, .. } = self.table.binding(context.scope, name)?;
            (immediate && matches!(value, BoundValue::Cell(_))).then_some((index, name))
        })
    }

    fn encode(
        &mut self,
        opcode: Opcode,
        operand: Operand,
        resolved: ResolvedOperand,
        context: Context,
    ) -> Option<Word> {
        let ResolvedOperand { immediate, value: Value { number, kind } } = resolved;
        let (code, message, label) = match encoded(opcode, resolved) {
            Ok(word) => return Some(word),
            Err(error) => error,
        };
        let is_too_far = code == ErrorCode::TargetRange && kind == ValueKind::Label && number >= 0;
        if is_too_far && self.root_causes.is_too_long {
            return None;
        }
        let help = match (opcode.row().operand, immediate, kind) {
            (OperandField::Value, true, ValueKind::Ram) => {
                Some("without `#` this would be the byte at that address")
            }
            (OperandField::Value, false, ValueKind::Label) => {
                Some("write `#` for the sequence number itself")
            }
            (OperandField::Value, false, _) if (-128..0).contains(&number) => {
                Some("a constant is written with `#`")
            }
            _ => None,
        };
        let diagnostic = Diagnostic::error(code, operand.span, message, label);
        self.report(diagnostic.help_if(help), context.expansion);
        None
    }
}

/// Encodes an instruction; or the error if the operand does not fit, which is not reported yet.
fn encoded(
    opcode: Opcode,
    ResolvedOperand { immediate, value: Value { number, kind } }: ResolvedOperand,
) -> Result<Word, (ErrorCode, String, &'static str)> {
    let (field, mnemonic) = (opcode.row().operand, opcode.row().mnemonic);
    let below = |limit: usize| u16::try_from(number).ok().filter(|&number| usize::from(number) < limit);
    let (word, code, message, label) = match (field, immediate, kind) {
        (OperandField::Value, true, _) => {
            let message = format!("the constant {number} does not fit in a byte");
            let word = byte(number).map(|byte| Word::constant(opcode, byte));
            (word, ErrorCode::ConstantRange, message, "expected -128..255")
        }
        (_, true, _) => {
            let label = match field {
                OperandField::Target => "expected a label, without `#`",
                _ => "expected a RAM address, without `#`",
            };
            (None, ErrorCode::ConstantOperand, format!("{mnemonic} cannot take a constant"), label)
        }
        (OperandField::Target, _, ValueKind::Ram) => {
            let label = "expected a label: programs run from program memory only";
            (None, ErrorCode::JumpToRam, format!("{mnemonic} to an address in RAM"), label)
        }
        (OperandField::Target, ..) => {
            let word = below(PROGRAM_WORDS).map(|target| Word::jump(opcode, target));
            (
                word,
                ErrorCode::TargetRange,
                format!("there is no sequence number {number}"),
                "expected 0..4095",
            )
        }
        (_, _, ValueKind::Label) => {
            let label = "expected an address in RAM: a program cannot read or write program memory";
            (None, ErrorCode::LoadOfLabel, format!("{mnemonic} of a code label"), label)
        }
        (..) => {
            let word = below(RAM_BYTES).map(|address| Word::ram(opcode, address));
            (word, ErrorCode::AddressRange, format!("there is no RAM address {number}"), "expected 0..$FFF")
        }
    };
    word.ok_or((code, message, label))
}

/// Collects the names in operands of `STA`. They are addresses, even if they are defined as constants.
pub(crate) fn stored_names(expanded: &PlacedProgram) -> HashSet<Name> {
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
