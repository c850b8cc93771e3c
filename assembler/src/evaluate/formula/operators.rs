//! Operators in formulas: computed if both sides are constant, otherwise a term after those of the sides.

use super::{Continuation, PartialValue, TermFrame, Translation};
use crate::contract::Term;
use crate::evaluate::Origin;
use crate::syntax::OperationKind;
use crate::table::{NoValue, Value};
use gray1_text::{OPERATORS, Operator};

impl Translation<'_, '_> {
    /// Applies an operator: computes it if all its operands are constant.
    pub(super) fn operator(
        &mut self,
        count: usize,
        term: Term,
        kind: OperationKind,
        origin: Origin,
    ) -> Result<(), NoValue> {
        self.as_numbers(count);
        let operands = &self.stack[self.stack.len().saturating_sub(count)..];
        if operands.iter().all(|operand| matches!(operand, PartialValue::Known(_))) {
            self.known_below(count, "this", origin)?;
            let outcome = self.build.apply(kind, origin);
            return self.known(outcome, true);
        }
        // A wrong shift distance or a division by zero is an error whatever the left side is.
        if let (
            Term::Infix(Operator { sign: "/" | "%" | "<<" | ">>", apply, .. }),
            Some(PartialValue::Known(right)),
        ) = (term, operands.last())
        {
            let outcome = apply(0, right.number);
            self.build.computed(outcome, origin)?;
        }
        self.combine(count, term, origin)
    }

    /// Converts a value to 0 or 1.
    pub(super) fn truth(&mut self, origin: Origin) -> Result<(), NoValue> {
        // `&&` and `||` do that themselves.
        let is_right_side = matches!(self.frames.last(), Some(last) if last.at == last.end && matches!(last.continuation, Continuation::Join(_)));
        self.as_numbers(1);
        match self.pop()? {
            PartialValue::Known(Value { number, .. }) => {
                self.stack.push(PartialValue::Known(Value::plain(i64::from(number != 0))));
                Ok(())
            }
            value if is_right_side => {
                self.stack.push(value);
                Ok(())
            }
            value => {
                self.stack.push(value);
                self.stack.push(PartialValue::Known(Value::plain(0)));
                self.combine(2, Term::Infix(operator("!=")), origin)
            }
        }
    }

    /// Translates `&&` or `||` after its left side.
    pub(super) fn shortcut(&mut self, decided_by: bool, skip: u32) -> Result<(), NoValue> {
        self.as_numbers(1);
        if let Some(&PartialValue::Known(Value { number, .. })) = self.stack.last() {
            self.stack.pop();
            if (number != 0) == decided_by {
                self.stack.push(PartialValue::Known(Value::plain(i64::from(decided_by))));
                return self.skip(skip);
            }
            return Ok(());
        }
        let operator = operator(if decided_by { "||" } else { "&&" });
        self.branch(skip, skip, Continuation::Join(operator))
    }

    /// Translates `?` after its condition. The operation before the other branch has the length of that.
    pub(super) fn choose(&mut self, skip: u32) -> Result<(), NoValue> {
        self.as_numbers(1);
        if let Some(&PartialValue::Known(Value { number, .. })) = self.stack.last() {
            self.stack.pop();
            return self.skip(if number == 0 { skip } else { 0 });
        }
        let Some(&TermFrame { at, .. }) = self.frames.last() else { return Err(NoValue::Failed) };
        let other = at + skip;
        let OperationKind::Skip(length) = self.build.library.syntax.operations[other as usize - 1].kind
        else {
            return Err(NoValue::Failed);
        };
        self.branch(skip - 1, skip + length, Continuation::ElseBranch { at: other, end: other + length })
    }

    /// Translates the next `length` operations, then the continuation, and resumes after `skip` operations.
    fn branch(&mut self, length: u32, skip: u32, continuation: Continuation) -> Result<(), NoValue> {
        let Some(&TermFrame { at, context, arguments, .. }) = self.frames.last() else { return Ok(()) };
        self.skip(skip)?;
        self.frames.push(TermFrame { at, end: at + length, context, arguments, continuation });
        Ok(())
    }

    pub(super) fn skip(&mut self, count: u32) -> Result<(), NoValue> {
        if let Some(frame) = self.frames.last_mut() {
            frame.at += count;
        }
        Ok(())
    }

    /// Combines the last values with a term that takes them.
    pub(super) fn combine(&mut self, count: usize, term: Term, origin: Origin) -> Result<(), NoValue> {
        let mut terms: Vec<Term> = Vec::new();
        for value in self.stack.split_off(self.stack.len().saturating_sub(count)) {
            let more = self.terms(value, origin)?;
            if terms.is_empty() {
                terms = more;
            } else {
                self.build.work += more.len() as u64;
                terms.extend(more);
            }
        }
        terms.push(term);
        self.push(PartialValue::Terms(terms), origin)
    }
}

/// Looks up an operator by its sign.
pub(super) fn operator(sign: &str) -> &'static Operator {
    let found = OPERATORS.iter().find(|operator| operator.sign == sign);
    found.unwrap_or(&OPERATORS[0])
}
