//! Symbolic integers: signed, and as wide as necessary, so no operation overflows.

use crate::contracts::Obstacle;
use crate::contracts::levels::{Levels, Outcome};
use gray1_machine::logic::{Diagrams, FALSE, Function, TRUE, constant};
use gray1_text::{Operator, PrefixOperator};

/// The maximum width of a number, in bits.
const MAX_BITS: usize = 128;

/// An integer in two's complement, the lowest bit first; the last bit is the sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Vec<Function>);

/// The value of an expression, which may be undefined: after a division by 0, for instance.
#[derive(Clone, Debug)]
pub struct Value {
    /// The number.
    pub number: Number,
    /// The condition under which the value is defined.
    pub exists: Function,
}

impl Number {
    /// Creates a number that is not negative from its bits.
    pub fn from_bits(bits: &[Function]) -> Number {
        let mut all = bits.to_vec();
        all.push(FALSE);
        Number(all).trimmed()
    }

    /// Creates a constant.
    pub fn constant(value: i64) -> Number {
        Number((0..64).map(|bit| constant(value >> bit & 1 == 1)).collect()).trimmed()
    }

    fn bit(&self, bit: usize) -> Function {
        self.0[bit.min(self.0.len() - 1)]
    }

    fn sign(&self) -> Function {
        self.0[self.0.len() - 1]
    }

    /// Returns the bits without the sign.
    pub fn magnitude(&self) -> &[Function] {
        &self.0[..self.0.len() - 1]
    }

    fn trimmed(mut self) -> Number {
        while self.0.len() > 1 && self.0[self.0.len() - 1] == self.0[self.0.len() - 2] {
            self.0.pop();
        }
        self
    }

    fn inverted(&self) -> Number {
        Number(self.0.iter().map(|&bit| !bit).collect())
    }

    /// Returns the lowest bits.
    pub fn bits(&self, width: usize) -> Vec<Function> {
        (0..width).map(|bit| self.bit(bit)).collect()
    }
}

/// An operation on two bits.
type BitOperation = fn(&mut Diagrams, Function, Function) -> gray1_machine::logic::Result<Function>;

/// Arithmetic on numbers.
impl Levels<'_> {
    /// Returns where a number is not 0.
    pub fn truth(&mut self, number: &Number) -> Outcome<Function> {
        self.any(&number.0)
    }

    /// Adds two numbers and a carry.
    pub fn sum(&mut self, one: &Number, other: &Number, carry: bool) -> Outcome<Number> {
        let width = one.0.len().max(other.0.len()) + 1;
        let mut carry = constant(carry);
        let mut sum = Vec::with_capacity(width);
        for bit in 0..width {
            let bits = [one.bit(bit), other.bit(bit)];
            let (digit, next) = self.with(|diagrams| diagrams.full_add(bits[0], bits[1], carry))?;
            sum.push(digit);
            carry = next;
        }
        checked(Number(sum))
    }

    fn negated(&mut self, number: &Number) -> Outcome<Number> {
        self.sum(&number.inverted(), &Number::constant(0), true)
    }

    fn difference(&mut self, one: &Number, other: &Number) -> Outcome<Number> {
        self.sum(one, &other.inverted(), true)
    }

    /// Returns `high` where a level is 1, and `low` where it is 0.
    pub fn choose_number(&mut self, which: Function, high: &Number, low: &Number) -> Outcome<Number> {
        let width = high.0.len().max(low.0.len());
        let bits = (0..width).map(|bit| self.choose(which, high.bit(bit), low.bit(bit)));
        Ok(Number(bits.collect::<Outcome<_>>()?).trimmed())
    }

    fn absolute(&mut self, number: &Number) -> Outcome<Number> {
        let negated = self.negated(number)?;
        self.choose_number(number.sign(), &negated, number)
    }

    fn product(&mut self, one: &Number, other: &Number) -> Outcome<Number> {
        let (one, other) = if one.0.len() < other.0.len() { (other, one) } else { (one, other) };
        let zero = Number::constant(0);
        let mut product = zero.clone();
        for bit in 0..other.0.len() {
            let shifted = shifted_left(one, bit)?;
            let row = self.choose_number(other.bit(bit), &shifted, &zero)?;
            // The last bit is the sign: its weight is negative.
            product = match bit + 1 == other.0.len() {
                true => self.difference(&product, &row)?,
                false => self.sum(&product, &row, false)?,
            };
        }
        Ok(product)
    }

    /// Returns the quotient, rounded towards 0, and the remainder, by long division. The divisor must not be 0.
    fn quotient(&mut self, one: &Number, other: &Number) -> Outcome<[Number; 2]> {
        let (dividend, divisor) = (self.absolute(one)?, self.absolute(other)?);
        let mut rest = Number::constant(0);
        let mut quotient = vec![FALSE; dividend.0.len() + 1];
        for bit in (0..dividend.0.len()).rev() {
            let mut bits = vec![dividend.bit(bit)];
            bits.extend(rest.0);
            rest = Number(bits).trimmed();
            let without = self.difference(&rest, &divisor)?;
            let fits = !without.sign();
            quotient[bit] = fits;
            rest = self.choose_number(fits, &without, &rest)?;
        }
        let quotient = Number(quotient).trimmed();
        let is_negative = self.differ(one.sign(), other.sign())?;
        let (less, without) = (self.negated(&quotient)?, self.negated(&rest)?);
        Ok([
            self.choose_number(is_negative, &less, &quotient)?,
            self.choose_number(one.sign(), &without, &rest)?,
        ])
    }

    /// Shifts by a distance of 0 to 63.
    fn shifted(&mut self, number: &Number, distance: &Number, left: bool) -> Outcome<Number> {
        let mut shifted = number.clone();
        for bit in 0..6 {
            let which = distance.bit(bit);
            if which.known() == Some(false) {
                continue;
            }
            let by = 1 << bit;
            let further = match left {
                true => shifted_left(&shifted, by)?,
                false => Number(shifted.0[by.min(shifted.0.len() - 1)..].to_vec()).trimmed(),
            };
            shifted = self.choose_number(which, &further, &shifted)?;
        }
        Ok(shifted)
    }

    /// Returns where a number is less than another.
    pub fn is_less(&mut self, one: &Number, other: &Number) -> Outcome<Function> {
        Ok(self.difference(one, other)?.sign())
    }

    /// Returns where two numbers differ.
    pub fn differ_in_number(&mut self, one: &Number, other: &Number) -> Outcome<Function> {
        let width = one.0.len().max(other.0.len());
        (0..width).rev().try_fold(FALSE, |differ, bit| {
            let here = self.differ(one.bit(bit), other.bit(bit))?;
            self.or(differ, here)
        })
    }

    fn bitwise(&mut self, one: &Number, other: &Number, apply: BitOperation) -> Outcome<Number> {
        let width = one.0.len().max(other.0.len());
        let bits = one.bits(width).into_iter().zip(other.bits(width));
        Ok(Number(
            bits.map(|(one, other)| self.with(|diagrams| apply(diagrams, one, other)))
                .collect::<Outcome<_>>()?,
        )
        .trimmed())
    }

    /// Applies a prefix operator.
    pub fn prefix(&mut self, operator: &PrefixOperator, number: &Number) -> Outcome<Number> {
        Ok(match operator.sign {
            "-" => self.negated(number)?,
            "~" => number.inverted(),
            "!" => Number::from_bits(&[!self.truth(number)?]),
            _ => number.clone(),
        })
    }

    /// Applies an infix operator, as the assembler's own [`Operator::apply`] does, except that no number is too large.
    pub fn infix(&mut self, operator: &Operator, one: &Number, other: &Number) -> Outcome<Value> {
        let mut exists = TRUE;
        let number = match operator.sign {
            "+" => self.sum(one, other, false)?,
            "-" => self.difference(one, other)?,
            "*" => self.product(one, other)?,
            "/" | "%" => {
                exists = self.truth(other)?;
                let [quotient, rest] = self.quotient(one, other)?;
                if operator.sign == "/" { quotient } else { rest }
            }
            "<<" | ">>" => {
                let above = self.is_less(&Number::constant(63), other)?;
                exists = !self.or(other.sign(), above)?;
                self.shifted(one, other, operator.sign == "<<")?
            }
            "&" => self.bitwise(one, other, Diagrams::and)?,
            "|" => self.bitwise(one, other, Diagrams::or)?,
            "^" => self.bitwise(one, other, Diagrams::differ)?,
            sign => {
                let level = match sign {
                    "==" | "!=" => self.differ_in_number(one, other)?,
                    "<" | ">=" => self.is_less(one, other)?,
                    ">" | "<=" => self.is_less(other, one)?,
                    "&&" => {
                        let [one, other] = [self.truth(one)?, self.truth(other)?];
                        self.and(one, other)?
                    }
                    _ => {
                        let [one, other] = [self.truth(one)?, self.truth(other)?];
                        self.or(one, other)?
                    }
                };
                let level = if matches!(sign, "==" | ">=" | "<=") { !level } else { level };
                Number::from_bits(&[level])
            }
        };
        Ok(Value { number, exists })
    }
}

fn shifted_left(number: &Number, by: usize) -> Outcome<Number> {
    let mut bits = vec![FALSE; by];
    bits.extend(&number.0);
    checked(Number(bits))
}

fn checked(number: Number) -> Outcome<Number> {
    let number = number.trimmed();
    if number.0.len() > MAX_BITS { Err(Obstacle::TooWide(MAX_BITS)) } else { Ok(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::levels::Assignment;
    use gray1_text::{OPERATORS, PREFIX_OPERATORS};
    use proptest::prelude::*;

    /// Creates a number whose bits in the mask `unknown` are variables, and whose other bits are those of `value`.
    fn number(levels: &mut Levels, value: i64, width: usize, unknown: u64, from: u32) -> Number {
        let bits = (0..width).map(|bit| match unknown >> bit & 1 {
            1 => levels.variable(2 * bit as u32 + from).unwrap(),
            _ => constant(value >> bit & 1 == 1),
        });
        Number(bits.collect())
    }

    fn value(number: &Number, levels: &Levels, assignment: &Assignment) -> i128 {
        let bits = number.0.iter().enumerate();
        let sum: i128 = bits.map(|(bit, &level)| i128::from(levels.value(level, assignment)) << bit).sum();
        let sign = number.0.len();
        if levels.value(number.0[sign - 1], assignment) { sum - (1i128 << sign) } else { sum }
    }

    proptest! {
        /// For each assignment, every operator gives the assembler's result.
        #[test]
        fn operators_agree_with_the_assembler(
            one in -128i64..128, other in -20i64..128, unknown: [u64; 2], known: bool,
        ) {
            let [first, second] = if known { [0, 0] } else { unknown };
            let mut levels = Levels::new(1 << 20, &|| false);
            let left = number(&mut levels, one, 8, first, 0);
            let right = number(&mut levels, other, 8, second, 1);
            let bits = |value: i64, from: u32| {
                (0..8u32).map(move |bit| (2 * bit + from, value >> bit & 1 == 1))
            };
            let assignment: Assignment = bits(one, 0).chain(bits(other, 1)).collect();
            for operator in &OPERATORS {
                let expected = (operator.apply)(one, other);
                let found = levels.infix(operator, &left, &right).unwrap();
                let exists = levels.value(found.exists, &assignment);
                let is_large = expected == Err(gray1_text::ArithmeticError::Overflow);
                prop_assert_eq!(exists, expected.is_ok() || is_large, "{} {} {}", one, operator.sign, other);
                if let Ok(expected) = expected {
                    let found = value(&found.number, &levels, &assignment);
                    prop_assert_eq!(found, i128::from(expected), "{} {} {}", one, operator.sign, other);
                }
            }
            for operator in &PREFIX_OPERATORS {
                let found = levels.prefix(operator, &left).unwrap();
                let expected = (operator.apply)(one).unwrap();
                prop_assert_eq!(value(&found, &levels, &assignment), i128::from(expected), "{} {}", operator.sign, one);
            }
        }
    }
}
