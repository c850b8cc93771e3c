//! Several functions as one number, the lowest bit first.

use crate::diagrams::{Diagrams, FALSE, Function, Result, TRUE, Variable, constant};

impl Diagrams {
    /// Whether the number on these lines is this one.
    pub fn is(&mut self, lines: &[Function], number: u16) -> Result<Function> {
        lines.iter().enumerate().try_fold(TRUE, |all, (bit, &line)| {
            let equal = self.differ(line, constant(number >> bit & 1 == 0))?;
            self.and(all, equal)
        })
    }

    /// Where two numbers are not the same.
    pub fn differ_anywhere(&mut self, one: &[Function], other: &[Function]) -> Result<Function> {
        one.iter().zip(other).try_fold(FALSE, |differ, (&one, &other)| {
            let here = self.differ(one, other)?;
            self.or(differ, here)
        })
    }

    /// Where the number of ones is odd.
    pub fn parity(&mut self, lines: &[Function]) -> Result<Function> {
        lines.iter().try_fold(FALSE, |parity, &line| self.differ(parity, line))
    }

    /// One of two numbers.
    pub fn choose_each(
        &mut self,
        which: Function,
        high: &[Function],
        low: &[Function],
    ) -> Result<Vec<Function>> {
        high.iter().zip(low).map(|(&high, &low)| self.choose(which, high, low)).collect()
    }

    /// The number on these lines for given values of the variables.
    pub fn number(&self, lines: &[Function], level: impl Fn(Variable) -> bool) -> u32 {
        lines.iter().rev().fold(0, |sum, &line| sum << 1 | u32::from(self.value(line, &level)))
    }
}
