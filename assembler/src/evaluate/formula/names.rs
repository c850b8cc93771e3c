//! Names in formulas, calls of the program's functions, and indexes.

use super::functions::term_of;
use super::{Continuation, PartialValue, TermFrame, Translation};
use crate::codes::ErrorCode;
use crate::contract::Term;
use crate::evaluate::Origin;
use crate::names::Name;
use crate::syntax::{OperationKind, Range, WrittenName};
use crate::table::{Binding, BoundValue, NoValue, Value, ValueKind};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};

impl Translation<'_, '_> {
    pub(super) fn name(&mut self, name: Name, kind: OperationKind, origin: Origin) -> Result<(), NoValue> {
        let binding = self.build.table.binding(origin.context.scope, name);
        if binding.is_none()
            && let Some(term) = self.word(name, origin)
        {
            self.stack.push(PartialValue::Terms(vec![term]));
            return Ok(());
        }
        let outcome = self.build.apply(kind, origin);
        self.known(outcome, binding.is_some_and(|binding| binding.immediate))?;
        if binding.is_some_and(|binding| self.is_argument(binding))
            && let Some(value) = self.stack.last_mut()
            && let PartialValue::Known(Value { number, kind: ValueKind::Plain }) = *value
        {
            *value = PartialValue::Argument(number);
        }
        if let Some(&PartialValue::Place { address, .. }) = self.stack.last()
            && address >= i64::from(INPUTS)
        {
            if binding.is_none() {
                let shown = self.build.library.names.show(name);
                let message = format!("`{shown}` is an input, which has no lasting value");
                let label = "expected `keys` or `pad(row)`: what the program has read last";
                return self.build.fail(ErrorCode::WrongKind, origin, message, label);
            }
            self.has_input = true;
        }
        Ok(())
    }

    /// Whether a binding is an argument without `#`. (The value of a counter comes from no expression.)
    fn is_argument(&self, Binding { immediate, value, .. }: Binding) -> bool {
        let BoundValue::Cell(cell) = value else { return false };
        !immediate && self.build.table.cells[cell as usize].expression.operations.len() > 0
    }

    /// Looks up a register or an input, unless the program defines the name.
    fn word(&self, name: Name, origin: Origin) -> Option<Term> {
        let library = &self.build.library;
        let spelling = library.names.spelling(name);
        let term = term_of(spelling)?;
        // The library does not see the program's names.
        let is_library = library.is_of_library(origin.context.file);
        (is_library || self.build.table.global(name).is_none()).then_some(term)
    }

    /// Calls a function. Its arguments are on the stack, above the parts of its name if that is pasted.
    pub(super) fn call(&mut self, written: WrittenName, count: usize, origin: Origin) -> Result<(), NoValue> {
        let name = match written {
            WrittenName::Plain(name) => name,
            WrittenName::Pasted(pasting) => {
                let arguments = self.stack.split_off(self.stack.len().saturating_sub(count));
                self.known_below(self.parts(pasting), "part of a name", origin)?;
                let name = self.build.paste_from(pasting, origin)?;
                self.stack.extend(arguments);
                name
            }
        };
        if let Some(function) = self.build.formula_function(name, origin) {
            return self.call_built_in(function, count, origin);
        }
        let (value, context) = self.build.function(name, count, origin)?;
        let Range { start: at, end } = value.operations;
        let arguments = self.stack.len().saturating_sub(count);
        self.frames.push(TermFrame { at, end, context, arguments, continuation: Continuation::Leave });
        Ok(())
    }

    /// Translates `base[number]`: a byte of RAM, of a text or of a table.
    pub(super) fn index(&mut self, origin: Origin) -> Result<(), NoValue> {
        let Some(number) = self.number()? else {
            let message = "this index is not known to the assembler".to_owned();
            let label = "expected a constant: there is no indirect addressing on this machine";
            return self.build.fail(ErrorCode::NotConstant, origin, message, label);
        };
        self.as_place();
        let Some(&PartialValue::Place { address, before }) = self.stack.last() else {
            self.known_below(1, "this", origin)?;
            self.build.evaluation.stack.push(Value::plain(number));
            let outcome = self.build.apply(OperationKind::Index, origin);
            return self.known(outcome, true);
        };
        // A name of one byte, or of none, may be the beginning of something longer.
        let size = match self.build.bytes_named(address).len() as i64 {
            ..=1 => RAM_BYTES as i64,
            size => size,
        };
        if !(0..size).contains(&number) {
            let message = format!("there is no byte {number} from here to the end of its `.ram`");
            let label = format!("expected 0..{}", size - 1);
            return self.build.fail(ErrorCode::OutOfRange, origin, message, &label);
        }
        self.stack.pop();
        self.stack.push(PartialValue::Place { address: address + number, before });
        Ok(())
    }
}
