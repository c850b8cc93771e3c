//! Several functions as one number, the lowest bit first.

use crate::diagrams::{Diagrams, FALSE, Function, Result, TRUE, Variable, constant};

impl Diagrams {
    /// Returns where a number is equal to a constant.
    pub fn is(&mut self, lines: &[Function], number: u16) -> Result<Function> {
        lines.iter().enumerate().try_fold(TRUE, |all, (bit, &line)| {
            let equal = self.differ(line, constant(number >> bit & 1 == 0))?;
            self.and(all, equal)
        })
    }

    /// Returns where two numbers differ.
    pub fn differ_anywhere(&mut self, one: &[Function], other: &[Function]) -> Result<Function> {
        one.iter().zip(other).try_fold(FALSE, |differ, (&one, &other)| {
            let here = self.differ(one, other)?;
            self.or(differ, here)
        })
    }

    /// Returns the exclusive or of several functions.
    pub fn parity(&mut self, lines: &[Function]) -> Result<Function> {
        lines.iter().try_fold(FALSE, |parity, &line| self.differ(parity, line))
    }

    /// Returns the number `high` where `which` is 1, and `low` where it is 0.
    pub fn choose_each(
        &mut self,
        which: Function,
        high: &[Function],
        low: &[Function],
    ) -> Result<Vec<Function>> {
        high.iter().zip(low).map(|(&high, &low)| self.choose(which, high, low)).collect()
    }

    /// Evaluates a number.
    pub fn number(&self, lines: &[Function], level: impl Fn(Variable) -> bool) -> u32 {
        lines.iter().rev().fold(0, |sum, &line| sum << 1 | u32::from(self.value(line, &level)))
    }
}
