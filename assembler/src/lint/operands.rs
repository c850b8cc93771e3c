//! Operands of instructions: a missing or superfluous `#`, addresses used in place of the bytes there, jumps without
//! effect.

use super::reach::is_own;
use crate::codes::Warning;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit::{MachineCode, ResolvedOperand, stored_names};
use crate::evaluate::build::Build;
use crate::expand::{Content, PlacedProgram, PlacedWord};
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operand, OperandValue, Operation, OperationKind};
use crate::table::{BoundValue, CellState, Value, ValueKind};
use gray1_isa::memory_map::INPUTS;
use gray1_isa::{Opcode, Operand as OperandField};
use hashbrown::HashSet;

/// The maximum depth to which definitions of constants are followed.
const MAX_DEPTH: usize = 8;

pub(super) fn check_operands(expanded: &PlacedProgram, emitted: &MachineCode, found: &mut Diagnostics) {
    let operands = Operands { build: &expanded.build, stored: stored_names(expanded) };
    for (word, resolved) in expanded.words.iter().zip(&emitted.operands) {
        store_to_input(expanded, emitted, word, found);
        let (opcode, operand, resolved) = match (word.content, resolved) {
            (Content::Instruction(opcode, operand), Some(resolved)) => (opcode, operand, resolved),
            (Content::AddNegated(operand, _), Some(resolved)) => (Opcode::Add, operand, resolved),
            _ => continue,
        };
        let OperandValue::Expression(value) = operand.value else { continue };
        let warning = match is_own(word) {
            true => operands.own(word, opcode, (operand, value), *resolved),
            false => operands.argument(word, opcode, value, *resolved),
        };
        warning.into_iter().for_each(|warning| found.push(warning));
    }
}

/// Checks the code of macros, too: an argument may be the input.
fn store_to_input(
    expanded: &PlacedProgram,
    emitted: &MachineCode,
    word: &PlacedWord,
    found: &mut Diagnostics,
) {
    let bits = emitted.image.word(word.address);
    let is_instruction = matches!(word.content, Content::Instruction(..));
    if is_instruction && bits.opcode() == Opcode::Sta && bits.x() >= INPUTS {
        let message = format!("a store to ${:03X}, which reads an input", bits.x());
        let label =
            "this byte is not stored: PADCOL, PADROW, KEYS and the addresses after them are read-only";
        let warning = Diagnostic::warning(Warning::StoreToInput, word.span, &message, label);
        found.push(warning.within(expanded.build.chain(word.context.expansion)));
    }
}

struct Operands<'a> {
    build: &'a Build<'a>,
    /// The names in operands of `STA`, which are addresses, even if they are defined as constants.
    stored: HashSet<Name>,
}

impl Operands<'_> {
    /// Checks an operand in the root file.
    fn own(
        &self,
        word: &PlacedWord,
        opcode: Opcode,
        (Operand { span, .. }, value): (Operand, Expression),
        ResolvedOperand { immediate, value: Value { number, kind } }: ResolvedOperand,
    ) -> Option<Diagnostic> {
        let (warning, message, label) = match (opcode.row().operand, immediate, kind) {
            (OperandField::Target, ..) if number == i64::from(word.address) + 1 => (
                Warning::JumpToNext,
                "this jumps to the next instruction",
                "the program would go there anyway",
            ),
            (OperandField::Target, _, ValueKind::Plain) if self.mentions(value, ValueKind::Label) => (
                Warning::AddressAsValue,
                "the result of this computation is not a label",
                "only a label plus or minus a number is a label",
            ),
            (OperandField::Target, ..) => return None,
            (_, true, ValueKind::Ram) => (
                Warning::SuperfluousHash,
                "this is the address, not the byte there",
                "expected the name without `#` for the byte in RAM",
            ),
            (_, false, ValueKind::Ram) if self.is_name_in_parentheses(span, value) => (
                Warning::AddressAsValue,
                "this is the byte at the address itself: there is no indirect addressing",
                "without parentheses it means the same",
            ),
            (_, false, ValueKind::Plain) if self.mentions(value, ValueKind::Ram) => (
                Warning::AddressAsValue,
                "this computes with an address, not with the byte there",
                "the program must compute with bytes when it runs, with instructions",
            ),
            (OperandField::Value, false, ValueKind::Plain) if number < 256 && !self.is_address(value) => {
                return Some(forgotten_hash(span, number));
            }
            _ => return None,
        };
        let span = if warning == Warning::JumpToNext { word.span } else { span };
        Some(Diagnostic::warning(warning, span, message, label))
    }

    /// Checks an operand of a macro that begins with a parameter whose argument is in the root file.
    fn argument(
        &self,
        word: &PlacedWord,
        opcode: Opcode,
        value: Expression,
        resolved: ResolvedOperand,
    ) -> Option<Diagnostic> {
        let operand = opcode.row().operand;
        if operand != OperandField::Value || resolved.immediate || resolved.value.kind != ValueKind::Plain {
            return None;
        }
        let OperationKind::Name(name) = self.operations(value).first()?.kind else { return None };
        let BoundValue::Cell(cell) = self.build.table.binding(word.context.scope, name)?.value else {
            return None;
        };
        let cell = self.build.table.cells[cell as usize];
        let CellState::Settled(Ok(Value { number, kind: ValueKind::Plain })) = cell.state else {
            return None;
        };
        let is_own = cell.context.expansion == 0 && cell.expression.operations.len() > 0;
        let is_number = match number {
            ..256 => !self.is_address(cell.expression),
            _ => self.is_decimal(cell.expression, MAX_DEPTH),
        };
        (is_own && is_number).then(|| forgotten_hash(cell.expression.span(cell.context.file), number))
    }

    /// Whether an expression looks like an address.
    fn is_address(&self, value: Expression) -> bool {
        self.operations(value).iter().any(|operation| match operation.kind {
            OperationKind::Number { hexadecimal, .. } => hexadecimal,
            OperationKind::Name(name) => self.stored.contains(&name),
            _ => false,
        })
    }

    /// Whether an expression consists of decimal numbers, and of constants that do.
    fn is_decimal(&self, value: Expression, deepest: usize) -> bool {
        self.operations(value).iter().all(|operation| match operation.kind {
            OperationKind::Number { hexadecimal, .. } => !hexadecimal,
            OperationKind::Name(name) => self.build.global(name).is_some_and(|entry| {
                let expression = self.build.table.cells[entry.cell as usize].expression;
                deepest > 0 && entry.kind == SymbolKind::Constant && self.is_decimal(expression, deepest - 1)
            }),
            _ => true,
        })
    }

    fn mentions(&self, value: Expression, wanted: ValueKind) -> bool {
        self.operations(value).iter().any(|operation| {
            let OperationKind::Name(name) = operation.kind else { return false };
            let entry = self.build.global(name);
            let state = entry.map(|entry| self.build.table.cells[entry.cell as usize].state);
            matches!(state, Some(CellState::Settled(Ok(Value { kind, .. }))) if kind == wanted)
        })
    }

    fn operations(&self, value: Expression) -> &[Operation] {
        self.build.library.syntax.operations(value)
    }

    fn is_name_in_parentheses(&self, span: Span, value: Expression) -> bool {
        let text = &self.build.library.sources.text(span.file)[span.start as usize..span.end as usize];
        self.build.library.syntax.only_name(value).is_some() && text.starts_with('(')
    }
}

fn forgotten_hash(span: Span, number: i64) -> Diagnostic {
    let message = format!("this is the byte at RAM address {number}, not the number {number}");
    let label = "expected `#` before a constant, or a name made by `.ram`";
    Diagnostic::warning(Warning::ForgottenHash, span, &message, label)
}
