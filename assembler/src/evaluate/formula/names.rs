//! Names in formulas, calls of the program's functions, and indexes.

use super::functions::term_of;
use crate::codes::ErrorCode;
use crate::contract::Term;
use crate::evaluate::Effect;
use crate::evaluate::build::Build;
use crate::names::Name;
use crate::syntax::{OperationKind, WrittenName};
use crate::table::{Binding, BoundValue, NoValue, Value, ValueKind};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};

impl Build<'_> {
    pub(super) fn formula_name(&mut self, name: Name, kind: OperationKind) -> Result<Value, NoValue> {
        let binding = self.table.binding(self.evaluation.at.context.scope, name);
        if binding.is_none()
            && let Some(term) = self.register(name)
        {
            return self.new_terms(vec![term]);
        }
        let mut value = self.constant(kind)?;
        value.kind = match (value.kind, binding) {
            (ValueKind::Ram, Some(Binding { immediate: true, .. })) => ValueKind::Plain,
            (ValueKind::Plain, Some(binding)) if self.is_argument(binding) => ValueKind::Argument,
            (kind, _) => kind,
        };
        if value.kind == ValueKind::Ram && value.number >= i64::from(INPUTS) {
            if binding.is_none() {
                let shown = self.library.names.show(name);
                return self.no_lasting_value(&format!("`{shown}`"));
            }
            self.evaluation.formula.has_input = true;
        }
        Ok(value)
    }

    /// Whether a binding is an argument without `#`. (The value of a counter comes from no expression.)
    fn is_argument(&self, Binding { immediate, value, .. }: Binding) -> bool {
        let BoundValue::Cell(cell) = value else { return false };
        !immediate && self.table.cells[cell as usize].expression.operations.len() > 0
    }

    /// Looks up a register or an input, unless the program defines the name.
    fn register(&self, name: Name) -> Option<Term> {
        let term = term_of(self.library.names.spelling(name))?;
        // The library does not see the program's names.
        let is_library = self.library.is_of_library(self.evaluation.at.context.file);
        (is_library || self.table.global(name).is_none()).then_some(term)
    }

    /// Calls a function. Its arguments are on the stack, above the parts of its name if that is pasted.
    pub(super) fn formula_call(&mut self, written: WrittenName, count: usize) -> Result<Effect, NoValue> {
        if let WrittenName::Pasted(pasting) = written {
            self.require_constants(self.parts(pasting), count, "part of a name")?;
        }
        let name = self.called_name(written, count)?;
        match self.formula_function(name) {
            Some(function) => Ok(Effect::Push(self.call_built_in(function, count)?)),
            None => self.enter(name, count),
        }
    }

    /// Evaluates `base[number]`: a byte of RAM, of a text or of a table.
    pub(super) fn formula_index(&mut self) -> Result<Value, NoValue> {
        self.as_numbers(1);
        let Value { number, kind } = self.pop()?;
        if !matches!(kind, ValueKind::Plain | ValueKind::Label) {
            let message = "this index is not known to the assembler";
            let label = "expected a constant: there is no indirect addressing on this machine";
            return self.fail(ErrorCode::NotConstant, message, label);
        }
        let Some(place) = self.as_place() else {
            self.require_constants(1, 0, "this")?;
            self.evaluation.stack.push(Value::plain(number));
            return self.constant(OperationKind::Index);
        };
        // A name of one byte, or of none, may be the beginning of something longer.
        let size = match self.bytes_named(place.number).len() as i64 {
            ..=1 => RAM_BYTES as i64,
            size => size,
        };
        if !(0..size).contains(&number) {
            let message = format!("there is no byte {number} from here to the end of its `.ram`");
            let label = format!("expected 0..{}", size - 1);
            return self.fail(ErrorCode::OutOfRange, message, &label);
        }
        self.pop()?;
        Ok(Value { number: place.number + number, ..place })
    }
}
