//! Symbolic integers: signed, and as wide as necessary, so no operation overflows.

use crate::Obstacle;
use crate::levels::{Levels, Outcome};
use gray1_text::{Operator, PrefixOperator};

/// The maximum width of a number, in bits.
const MAX_BITS: usize = 128;

/// An integer in two's complement, the lowest bit first; the last bit is the sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number<L>(Vec<L>);

/// The value of an expression, which may be undefined: after a division by 0, for instance.
#[derive(Clone, Debug)]
pub struct Value<L> {
    /// The number.
    pub number: Number<L>,
    /// The condition under which the value is defined.
    pub exists: L,
}

impl<L: Copy + Eq> Number<L> {
    /// Creates a number that is not negative from its bits.
    pub fn from_bits<B: Levels<Level = L>>(levels: &B, bits: &[L]) -> Number<L> {
        let mut all = bits.to_vec();
        all.push(levels.constant(false));
        Number(all).trimmed()
    }

    /// Creates a constant.
    pub fn constant<B: Levels<Level = L>>(levels: &B, value: i64) -> Number<L> {
        Number((0..64).map(|bit| levels.constant(value >> bit & 1 == 1)).collect()).trimmed()
    }

    fn bit(&self, bit: usize) -> L {
        self.0[bit.min(self.0.len() - 1)]
    }

    fn sign(&self) -> L {
        self.0[self.0.len() - 1]
    }

    fn trimmed(mut self) -> Number<L> {
        while self.0.len() > 1 && self.0[self.0.len() - 1] == self.0[self.0.len() - 2] {
            self.0.pop();
        }
        self
    }

    /// Returns the lowest bits.
    pub fn bits(&self, width: usize) -> Vec<L> {
        (0..width).map(|bit| self.bit(bit)).collect()
    }
}

/// Arithmetic on numbers.
pub struct Arithmetic<'a, B: Levels>(pub &'a mut B);

/// An operation on two bits.
type BitOperation<B> =
    fn(&mut B, <B as Levels>::Level, <B as Levels>::Level) -> Outcome<<B as Levels>::Level>;

type Num<B> = Number<<B as Levels>::Level>;

impl<B: Levels> Arithmetic<'_, B> {
    /// Returns where a number is not 0.
    pub fn truth(&mut self, number: &Num<B>) -> Outcome<B::Level> {
        self.0.any(&number.0)
    }

    /// Converts a level to 0 or 1.
    pub fn as_number(&mut self, level: B::Level) -> Num<B> {
        Number::from_bits(self.0, &[level])
    }

    /// Adds two numbers and a carry.
    fn sum(&mut self, one: &Num<B>, other: &Num<B>, carry: bool) -> Outcome<Num<B>> {
        let width = one.0.len().max(other.0.len()) + 1;
        let mut carry = self.0.constant(carry);
        let mut sum = Vec::with_capacity(width);
        for bit in 0..width {
            let (digit, next) = self.0.full_add(one.bit(bit), other.bit(bit), carry)?;
            sum.push(digit);
            carry = next;
        }
        checked(Number(sum))
    }

    fn inverted(&mut self, number: &Num<B>) -> Num<B> {
        Number(number.0.iter().map(|&bit| self.0.not(bit)).collect())
    }

    fn negated(&mut self, number: &Num<B>) -> Outcome<Num<B>> {
        let inverted = self.inverted(number);
        let zero = Number::constant(self.0, 0);
        self.sum(&inverted, &zero, true)
    }

    fn difference(&mut self, one: &Num<B>, other: &Num<B>) -> Outcome<Num<B>> {
        let inverted = self.inverted(other);
        self.sum(one, &inverted, true)
    }

    /// Returns `high` where a level is 1, and `low` where it is 0.
    pub fn choose(&mut self, which: B::Level, high: &Num<B>, low: &Num<B>) -> Outcome<Num<B>> {
        let width = high.0.len().max(low.0.len());
        let bits = (0..width).map(|bit| self.0.choose(which, high.bit(bit), low.bit(bit)));
        Ok(Number(bits.collect::<Outcome<_>>()?).trimmed())
    }

    fn absolute(&mut self, number: &Num<B>) -> Outcome<Num<B>> {
        let negated = self.negated(number)?;
        self.choose(number.sign(), &negated, number)
    }

    fn product(&mut self, one: &Num<B>, other: &Num<B>) -> Outcome<Num<B>> {
        let (one, other) = if one.0.len() < other.0.len() { (other, one) } else { (one, other) };
        let zero = Number::constant(self.0, 0);
        let mut product = zero.clone();
        for bit in 0..other.0.len() {
            let shifted = shifted_left(self.0, one, bit)?;
            let row = self.choose(other.bit(bit), &shifted, &zero)?;
            // The last bit is the sign: its weight is negative.
            product = match bit + 1 == other.0.len() {
                true => self.difference(&product, &row)?,
                false => self.sum(&product, &row, false)?,
            };
        }
        Ok(product)
    }

    /// Returns the quotient, rounded towards 0, and the remainder, by long division. The divisor must not be 0.
    fn quotient(&mut self, one: &Num<B>, other: &Num<B>) -> Outcome<[Num<B>; 2]> {
        let (dividend, divisor) = (self.absolute(one)?, self.absolute(other)?);
        let mut rest = Number::constant(self.0, 0);
        let mut quotient = vec![self.0.constant(false); dividend.0.len() + 1];
        for bit in (0..dividend.0.len()).rev() {
            let mut bits = vec![dividend.bit(bit)];
            bits.extend(rest.0);
            rest = Number(bits).trimmed();
            let without = self.difference(&rest, &divisor)?;
            let fits = self.0.not(without.sign());
            quotient[bit] = fits;
            rest = self.choose(fits, &without, &rest)?;
        }
        let quotient = Number(quotient).trimmed();
        let is_negative = self.0.differ(one.sign(), other.sign())?;
        let (less, without) = (self.negated(&quotient)?, self.negated(&rest)?);
        Ok([self.choose(is_negative, &less, &quotient)?, self.choose(one.sign(), &without, &rest)?])
    }

    /// Shifts by a distance of 0 to 63.
    fn shifted(&mut self, number: &Num<B>, distance: &Num<B>, left: bool) -> Outcome<Num<B>> {
        let mut shifted = number.clone();
        for bit in 0..6 {
            let which = distance.bit(bit);
            if self.0.known(which) == Some(false) {
                continue;
            }
            let by = 1 << bit;
            let further = match left {
                true => shifted_left(self.0, &shifted, by)?,
                false => Number(shifted.0[by.min(shifted.0.len() - 1)..].to_vec()).trimmed(),
            };
            shifted = self.choose(which, &further, &shifted)?;
        }
        Ok(shifted)
    }

    fn is_less(&mut self, one: &Num<B>, other: &Num<B>) -> Outcome<B::Level> {
        Ok(self.difference(one, other)?.sign())
    }

    /// Returns where two numbers differ.
    pub fn differ(&mut self, one: &Num<B>, other: &Num<B>) -> Outcome<B::Level> {
        let width = one.0.len().max(other.0.len());
        (0..width).rev().try_fold(self.0.constant(false), |differ, bit| {
            let here = self.0.differ(one.bit(bit), other.bit(bit))?;
            self.0.or(differ, here)
        })
    }

    fn bitwise(&mut self, one: &Num<B>, other: &Num<B>, apply: BitOperation<B>) -> Outcome<Num<B>> {
        let width = one.0.len().max(other.0.len());
        let bits = one.bits(width).into_iter().zip(other.bits(width));
        Ok(Number(bits.map(|(one, other)| apply(self.0, one, other)).collect::<Outcome<_>>()?).trimmed())
    }

    /// Applies a prefix operator.
    pub fn prefix(&mut self, operator: &PrefixOperator, number: &Num<B>) -> Outcome<Num<B>> {
        Ok(match operator.sign {
            "-" => self.negated(number)?,
            "~" => self.inverted(number),
            "!" => {
                let truth = self.truth(number)?;
                let not = self.0.not(truth);
                self.as_number(not)
            }
            _ => number.clone(),
        })
    }

    /// Applies an infix operator, as the assembler's own [`Operator::apply`] does, except that no number is too large.
    pub fn infix(&mut self, operator: &Operator, one: &Num<B>, other: &Num<B>) -> Outcome<Value<B::Level>> {
        let always = self.0.constant(true);
        let mut exists = always;
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
                let most = Number::constant(self.0, 63);
                let (below, above) = (other.sign(), self.is_less(&most, other)?);
                let outside = self.0.or(below, above)?;
                exists = self.0.not(outside);
                self.shifted(one, other, operator.sign == "<<")?
            }
            "&" => self.bitwise(one, other, |levels, one, other| levels.and(one, other))?,
            "|" => self.bitwise(one, other, |levels, one, other| levels.or(one, other))?,
            "^" => self.bitwise(one, other, |levels, one, other| levels.differ(one, other))?,
            sign => {
                let level = match sign {
                    "==" | "!=" => self.differ(one, other)?,
                    "<" | ">=" => self.is_less(one, other)?,
                    ">" | "<=" => self.is_less(other, one)?,
                    "&&" => {
                        let [one, other] = [self.truth(one)?, self.truth(other)?];
                        self.0.and(one, other)?
                    }
                    _ => {
                        let [one, other] = [self.truth(one)?, self.truth(other)?];
                        self.0.or(one, other)?
                    }
                };
                let level = if matches!(sign, "==" | ">=" | "<=") { self.0.not(level) } else { level };
                self.as_number(level)
            }
        };
        Ok(Value { number, exists })
    }
}

fn shifted_left<B: Levels>(levels: &B, number: &Num<B>, by: usize) -> Outcome<Num<B>> {
    let mut bits = vec![levels.constant(false); by];
    bits.extend(&number.0);
    checked(Number(bits))
}

fn checked<L: Copy + Eq>(number: Number<L>) -> Outcome<Number<L>> {
    let number = number.trimmed();
    if number.0.len() > MAX_BITS { Err(Obstacle::TooWide(MAX_BITS)) } else { Ok(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::{Assignment, Diagram};
    use gray1_text::{OPERATORS, PREFIX_OPERATORS};
    use proptest::prelude::*;

    /// Creates a number whose bits in the mask `unknown` are variables, and whose other bits are those of `value`.
    fn number(
        levels: &mut Diagram,
        value: i64,
        width: usize,
        unknown: u64,
        from: u32,
    ) -> Num<Diagram<'static>> {
        let bits = (0..width).map(|bit| match unknown >> bit & 1 {
            1 => levels.variable(2 * bit as u32 + from).unwrap(),
            _ => levels.constant(value >> bit & 1 == 1),
        });
        Number(bits.collect())
    }

    fn value(number: &Num<Diagram>, levels: &Diagram, assignment: &Assignment) -> i128 {
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
            let mut levels = Diagram::new(1 << 20, &|| false);
            let left = number(&mut levels, one, 8, first, 0);
            let right = number(&mut levels, other, 8, second, 1);
            let bits = |value: i64, from: u32| {
                (0..8u32).map(move |bit| (2 * bit + from, value >> bit & 1 == 1))
            };
            let assignment: Assignment = bits(one, 0).chain(bits(other, 1)).collect();
            for operator in &OPERATORS {
                let expected = (operator.apply)(one, other);
                let found = Arithmetic(&mut levels).infix(operator, &left, &right).unwrap();
                let exists = levels.value(found.exists, &assignment);
                let is_large = expected == Err(gray1_text::ArithmeticError::Overflow);
                prop_assert_eq!(exists, expected.is_ok() || is_large, "{} {} {}", one, operator.sign, other);
                if let Ok(expected) = expected {
                    let found = value(&found.number, &levels, &assignment);
                    prop_assert_eq!(found, i128::from(expected), "{} {} {}", one, operator.sign, other);
                }
            }
            for operator in &PREFIX_OPERATORS {
                let found = Arithmetic(&mut levels).prefix(operator, &left).unwrap();
                let expected = (operator.apply)(one).unwrap();
                prop_assert_eq!(value(&found, &levels, &assignment), i128::from(expected), "{} {}", operator.sign, one);
            }
        }
    }
}
