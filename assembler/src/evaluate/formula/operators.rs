//! Operators in formulas: what both sides are known of is computed, the rest becomes a term after those of the sides.

use super::{Piece, Stretch, Then, Translation};
use crate::contract::Term;
use crate::evaluate::Origin;
use crate::syntax::OperationKind;
use crate::table::{NoValue, Value};
use gray1_text::{OPERATORS, Operator};

impl Translation<'_, '_> {
    /// An operator: computed if all its operands are known.
    pub(super) fn operator(
        &mut self,
        count: usize,
        term: Term,
        kind: OperationKind,
        origin: Origin,
    ) -> Result<(), NoValue> {
        self.as_numbers(count);
        let operands = &self.stack[self.stack.len().saturating_sub(count)..];
        if operands.iter().all(|operand| matches!(operand, Piece::Known(_))) {
            self.known_below(count, "this", origin)?;
            let outcome = self.build.apply(kind, origin);
            return self.known(outcome, true);
        }
        // A wrong distance or a division by zero is wrong whatever the other side is.
        if let (
            Term::Infix(Operator { sign: "/" | "%" | "<<" | ">>", apply, .. }),
            Some(Piece::Known(right)),
        ) = (term, operands.last())
        {
            let outcome = apply(0, right.number);
            self.build.computed(outcome, origin)?;
        }
        self.combine(count, term, origin)
    }

    /// Anything but 0 becomes 1.
    pub(super) fn truth(&mut self, origin: Origin) -> Result<(), NoValue> {
        // `&&` and `||` do that themselves.
        let is_right_side = matches!(self.stretches.last(), Some(last) if last.at == last.end && matches!(last.then, Then::Join(_)));
        self.as_numbers(1);
        match self.pop()? {
            Piece::Known(Value { number, .. }) => {
                self.stack.push(Piece::Known(Value::plain(i64::from(number != 0))));
                Ok(())
            }
            piece if is_right_side => {
                self.stack.push(piece);
                Ok(())
            }
            piece => {
                self.stack.push(piece);
                self.stack.push(Piece::Known(Value::plain(0)));
                self.combine(2, Term::Infix(operator("!=")), origin)
            }
        }
    }

    /// `&&` or `||` after its left side.
    pub(super) fn shortcut(&mut self, decided_by: bool, skip: u32) -> Result<(), NoValue> {
        self.as_numbers(1);
        if let Some(&Piece::Known(Value { number, .. })) = self.stack.last() {
            self.stack.pop();
            if (number != 0) == decided_by {
                self.stack.push(Piece::Known(Value::plain(i64::from(decided_by))));
                return self.skip(skip);
            }
            return Ok(());
        }
        let operator = operator(if decided_by { "||" } else { "&&" });
        self.branch(skip, skip, Then::Join(operator))
    }

    /// `?` after its condition. The operation before the other branch says how long that is.
    pub(super) fn choose(&mut self, skip: u32) -> Result<(), NoValue> {
        self.as_numbers(1);
        if let Some(&Piece::Known(Value { number, .. })) = self.stack.last() {
            self.stack.pop();
            return self.skip(if number == 0 { skip } else { 0 });
        }
        let Some(&Stretch { at, .. }) = self.stretches.last() else { return Err(NoValue::Failed) };
        let other = at + skip;
        let OperationKind::Skip(length) = self.build.library.syntax.operations[other as usize - 1].kind
        else {
            return Err(NoValue::Failed);
        };
        self.branch(skip - 1, skip + length, Then::Otherwise { at: other, end: other + length })
    }

    /// Translates the next operations, then what `then` says, and continues after `skip` operations.
    fn branch(&mut self, length: u32, skip: u32, then: Then) -> Result<(), NoValue> {
        let Some(&Stretch { at, context, arguments, .. }) = self.stretches.last() else { return Ok(()) };
        self.skip(skip)?;
        self.stretches.push(Stretch { at, end: at + length, context, arguments, then });
        Ok(())
    }

    pub(super) fn skip(&mut self, count: u32) -> Result<(), NoValue> {
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.at += count;
        }
        Ok(())
    }

    /// Replaces the last pieces by a term that takes their values.
    pub(super) fn combine(&mut self, count: usize, term: Term, origin: Origin) -> Result<(), NoValue> {
        let mut terms: Vec<Term> = Vec::new();
        for piece in self.stack.split_off(self.stack.len().saturating_sub(count)) {
            let more = self.terms(piece, origin)?;
            if terms.is_empty() {
                terms = more;
            } else {
                self.build.work += more.len() as u64;
                terms.extend(more);
            }
        }
        terms.push(term);
        self.push(Piece::Terms(terms), origin)
    }
}

/// The operator of a sign that exists.
pub(super) fn operator(sign: &str) -> &'static Operator {
    let found = OPERATORS.iter().find(|operator| operator.sign == sign);
    found.unwrap_or(&OPERATORS[0])
}
