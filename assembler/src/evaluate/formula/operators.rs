//! Operators in formulas: computed if both sides are constant, otherwise a term after those of the sides.

use crate::contract::Term;
use crate::evaluate::build::Build;
use crate::evaluate::evaluation::{Ending, Frame};
use crate::evaluate::{Effect, Origin};
use crate::source::Span;
use crate::syntax::OperationKind;
use crate::table::{NoValue, Value};
use gray1_text::{OPERATORS, Operator};

impl Build<'_> {
    /// Applies an operator: computes it if all its operands are constant.
    pub(super) fn operator(
        &mut self,
        count: usize,
        term: Term,
        kind: OperationKind,
    ) -> Result<Value, NoValue> {
        self.as_numbers(count);
        let operands = self.last_values(count, 0);
        if operands.iter().all(Value::is_constant) {
            return self.constant(kind);
        }
        // A wrong shift distance or a division by zero is an error whatever the left side is.
        if let Term::Infix(Operator { sign: "/" | "%" | "<<" | ">>", apply, .. }) = term
            && let Some(right) = operands.last().filter(|right| right.is_constant())
        {
            let outcome = apply(0, right.number);
            self.computed(outcome)?;
        }
        self.combine(count, term)
    }

    /// Converts a value to 0 or 1.
    pub(super) fn formula_truth(&mut self) -> Result<Value, NoValue> {
        // `&&` and `||` do that themselves.
        let is_right_side = matches!(self.evaluation.frames.last(), Some(last) if last.at == last.end && matches!(last.ending, Ending::Join(_)));
        self.as_numbers(1);
        let value = self.pop()?;
        if value.is_constant() {
            return Ok(Value::plain(i64::from(value.number != 0)));
        }
        if is_right_side {
            return Ok(value);
        }
        self.evaluation.stack.extend([value, Value::plain(0)]);
        self.combine(2, Term::Infix(operator("!=")))
    }

    /// Evaluates `&&` or `||` after its left side.
    pub(super) fn formula_shortcut(&mut self, decided_by: bool, skip: u32) -> Result<Effect, NoValue> {
        let operator = operator(if decided_by { "||" } else { "&&" });
        self.branch_of_formula(skip, skip, Ending::Join(operator))
    }

    /// Evaluates `?` after its condition. The operation before the other branch has the length of that.
    pub(super) fn formula_choice(&mut self, skip: u32) -> Result<Effect, NoValue> {
        let Some(&Frame { at, .. }) = self.evaluation.frames.last() else { return Err(NoValue::Failed) };
        let other = at + skip;
        let OperationKind::Skip(length) = self.library.syntax.operations[other as usize - 1].kind else {
            return Err(NoValue::Failed);
        };
        let ending = Ending::ElseBranch { at: other, end: other + length };
        self.branch_of_formula(skip - 1, skip + length, ending)
    }

    /// Evaluates the next `length` operations up to their ending, and resumes after `skip` operations.
    fn branch_of_formula(&mut self, length: u32, skip: u32, ending: Ending) -> Result<Effect, NoValue> {
        let frames = &mut self.evaluation.frames;
        let Some(last) = frames.last_mut() else { return Err(NoValue::Failed) };
        let branch = Frame { end: last.at + length, ending, ..*last };
        last.at += skip;
        frames.push(branch);
        Ok(Effect::Skip(0))
    }

    /// Combines the values of a branch, which are on the stack, or continues with the other branch.
    pub(in crate::evaluate) fn finish_branch(&mut self, frame: Frame) -> Result<(), NoValue> {
        let (count, term) = match frame.ending {
            Ending::Join(operator) => (2, Term::Infix(operator)),
            Ending::ElseBranch { at, end } => {
                self.evaluation.frames.push(Frame { at, end, ending: Ending::Choose, ..frame });
                return Ok(());
            }
            _ => (3, Term::Choose),
        };
        // Messages are about the whole last operand.
        let last = self.library.syntax.operations[frame.end as usize - 1];
        let span = Span { file: frame.context.file, start: last.start, end: last.end };
        let at = Origin::new(span, frame.context);
        self.evaluation.at = Origin { calls_from: frame.calls_from, ..at };
        let value = self.combine(count, term)?;
        self.evaluation.stack.push(value);
        Ok(())
    }

    /// Combines the last values with a term that takes them.
    pub(super) fn combine(&mut self, count: usize, term: Term) -> Result<Value, NoValue> {
        let below = self.evaluation.stack.len().saturating_sub(count);
        let mut terms: Vec<Term> = Vec::new();
        for value in self.evaluation.stack.split_off(below) {
            let more = self.terms(value)?;
            if terms.is_empty() {
                terms = more;
            } else {
                self.work += more.len() as u64;
                terms.extend(more);
            }
        }
        terms.push(term);
        self.new_terms(terms)
    }
}

/// Looks up an operator by its sign.
pub(super) fn operator(sign: &str) -> &'static Operator {
    let found = OPERATORS.iter().find(|operator| operator.sign == sign);
    found.unwrap_or(&OPERATORS[0])
}
