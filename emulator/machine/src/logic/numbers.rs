//! Several functions as one number, the lowest bit first.

use crate::logic::diagrams::{Diagrams, FALSE, Function, Result, TRUE, Variable, constant};

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

    /// Adds two numbers; returns the sum and the carry.
    pub fn add<const BITS: usize>(
        &mut self,
        mut one: [Function; BITS],
        other: [Function; BITS],
    ) -> Result<([Function; BITS], Function)> {
        let mut carry = FALSE;
        for (one, other) in one.iter_mut().zip(other) {
            (*one, carry) = self.full_add(*one, other, carry)?;
        }
        Ok((one, carry))
    }

    /// Adds three bits; returns the sum and the carry.
    pub fn full_add(
        &mut self,
        one: Function,
        other: Function,
        carry: Function,
    ) -> Result<(Function, Function)> {
        let half = self.differ(one, other)?;
        let sum = self.differ(half, carry)?;
        // If two bits differ, the carry is passed on; if they are equal, they are the carry.
        Ok((sum, self.choose(half, carry, one)?))
    }

    /// Returns the bits that are 1 in neither number.
    pub fn nor<const BITS: usize>(
        &mut self,
        mut one: [Function; BITS],
        other: [Function; BITS],
    ) -> Result<[Function; BITS]> {
        for (one, other) in one.iter_mut().zip(other) {
            *one = self.and(!*one, !other)?;
        }
        Ok(one)
    }

    /// Evaluates a number.
    pub fn number(&self, lines: &[Function], level: impl Fn(Variable) -> bool) -> u32 {
        lines.iter().rev().fold(0, |sum, &line| sum << 1 | u32::from(self.value(line, &level)))
    }
}

/// Shifts a number right by one; returns it and the bit that is shifted out.
pub fn shifted_right<const BITS: usize>(number: [Function; BITS]) -> ([Function; BITS], Function) {
    (std::array::from_fn(|bit| number.get(bit + 1).copied().unwrap_or(FALSE)), number[0])
}
