//! The operators of expressions in the assembler, the debugger and the formulas of boards: the sign, the precedence and
//! the computation of each.

use thiserror::Error;

/// An operator between two values.
#[derive(Debug)]
pub struct Operator {
    /// Its notation.
    pub sign: &'static str,
    /// Its precedence: operators with a higher number are computed first; among equal ones, the left one.
    pub precedence: u8,
    /// Computes its value from the values to its left and right.
    pub apply: fn(i64, i64) -> Result<i64, ArithmeticError>,
}

/// An operator before a value; it binds more tightly than any [`Operator`].
#[derive(Debug)]
pub struct PrefixOperator {
    /// Its notation.
    pub sign: &'static str,
    /// Computes its value.
    pub apply: fn(i64) -> Result<i64, ArithmeticError>,
}

/// Why an operator has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ArithmeticError {
    /// The right side of a division is 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The right side of a shift is not in 0..63.
    #[error("cannot shift by {0}")]
    ShiftDistance(i64),
    /// The value needs more than 64 bits.
    #[error("this value does not fit in 64 bits")]
    Overflow,
}

type Value = Result<i64, ArithmeticError>;

/// The precedence of `?:`: lower than that of every operator.
pub const CHOICE: u8 = 0;
/// The precedence of comparisons, which cannot be chained.
pub const COMPARISON: u8 = 3;

/// The operators between two values. An operator comes before its own prefixes, such as `<=` before `<`. Their
/// precedence is that of Rust.
pub static OPERATORS: [Operator; 18] = [
    operator("||", 1, |a, b| truth(a != 0 || b != 0)),
    operator("&&", 2, |a, b| truth(a != 0 && b != 0)),
    operator("==", COMPARISON, |a, b| truth(a == b)),
    operator("!=", COMPARISON, |a, b| truth(a != b)),
    operator("<<", 7, shift_left),
    operator(">>", 7, |a, b| Ok(a >> distance(b)?)),
    operator("<=", COMPARISON, |a, b| truth(a <= b)),
    operator(">=", COMPARISON, |a, b| truth(a >= b)),
    operator("<", COMPARISON, |a, b| truth(a < b)),
    operator(">", COMPARISON, |a, b| truth(a > b)),
    operator("|", 4, |a, b| Ok(a | b)),
    operator("^", 5, |a, b| Ok(a ^ b)),
    operator("&", 6, |a, b| Ok(a & b)),
    operator("+", 8, |a, b| fits(a.checked_add(b))),
    operator("-", 8, |a, b| fits(a.checked_sub(b))),
    operator("*", 9, |a, b| fits(a.checked_mul(b))),
    operator("/", 9, |a, b| fits(a.checked_div(divisor(b)?))),
    operator("%", 9, |a, b| fits(a.checked_rem(divisor(b)?))),
];

/// The operators before a value.
pub static PREFIX_OPERATORS: [PrefixOperator; 4] = [
    PrefixOperator { sign: "-", apply: |a| fits(a.checked_neg()) },
    PrefixOperator { sign: "+", apply: Ok },
    PrefixOperator { sign: "~", apply: |a| Ok(!a) },
    PrefixOperator { sign: "!", apply: |a| truth(a == 0) },
];

impl Operator {
    /// The operator that a text begins with.
    pub fn at(text: &str) -> Option<&'static Operator> {
        let first = text.bytes().next()?;
        OPERATORS
            .iter()
            .find(|operator| operator.sign.as_bytes()[0] == first && text.starts_with(operator.sign))
    }

    /// Whether it compares its two sides.
    pub fn is_comparison(&self) -> bool {
        self.precedence == COMPARISON
    }
}

impl PartialEq for Operator {
    fn eq(&self, other: &Operator) -> bool {
        self.sign == other.sign
    }
}

impl PartialEq for PrefixOperator {
    fn eq(&self, other: &PrefixOperator) -> bool {
        self.sign == other.sign
    }
}

impl PrefixOperator {
    /// The operator that a text begins with.
    pub fn at(text: &str) -> Option<&'static PrefixOperator> {
        let first = text.bytes().next()?;
        PREFIX_OPERATORS.iter().find(|operator| operator.sign.as_bytes()[0] == first)
    }
}

const fn operator(sign: &'static str, precedence: u8, apply: fn(i64, i64) -> Value) -> Operator {
    Operator { sign, precedence, apply }
}

fn truth(holds: bool) -> Value {
    Ok(i64::from(holds))
}

fn fits(value: Option<i64>) -> Value {
    value.ok_or(ArithmeticError::Overflow)
}

fn divisor(value: i64) -> Value {
    if value == 0 { Err(ArithmeticError::DivisionByZero) } else { Ok(value) }
}

fn distance(value: i64) -> Value {
    if (0..64).contains(&value) { Ok(value) } else { Err(ArithmeticError::ShiftDistance(value)) }
}

fn shift_left(value: i64, by: i64) -> Value {
    let shifted = value << distance(by)?;
    fits((shifted >> by == value).then_some(shifted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_what_has_none() {
        let (zero, overflow) = (ArithmeticError::DivisionByZero, ArithmeticError::Overflow);
        let cases = [
            ("<<", 1, 62, Ok(1 << 62)),
            ("<<", 1, 63, Err(overflow)),
            ("<<", -1, 63, Ok(i64::MIN)),
            ("<<", 1, 64, Err(ArithmeticError::ShiftDistance(64))),
            (">>", -8, 1, Ok(-4)),
            (">>", 1, -1, Err(ArithmeticError::ShiftDistance(-1))),
            ("/", -7, 2, Ok(-3)),
            ("/", 1, 0, Err(zero)),
            ("/", i64::MIN, -1, Err(overflow)),
            ("%", -7, 2, Ok(-1)),
            ("%", 1, 0, Err(zero)),
            ("+", i64::MAX, 1, Err(overflow)),
            ("&&", 2, 4, Ok(1)),
            ("||", 0, 0, Ok(0)),
        ];
        for (sign, left, right, expected) in cases {
            let operator = Operator::at(sign).unwrap();
            assert_eq!(operator.sign, sign);
            assert_eq!((operator.apply)(left, right), expected, "{left} {sign} {right}");
        }
        assert_eq!((PrefixOperator::at("-1").unwrap().apply)(i64::MIN), Err(overflow));
    }

    #[test]
    fn no_operator_hides_a_longer_one() {
        for operator in &OPERATORS {
            assert_eq!(Operator::at(operator.sign).unwrap().sign, operator.sign);
        }
    }
}
