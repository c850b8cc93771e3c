//! Formulas over names that have values: the operators of the assembler, and a few functions.
//!
//! ```text
//!   a ^ b ^ carry      enable ? input : held      majority(a, b, carry)      parity(PC) == 1
//! ```

use crate::expression::{Expression, Function, Grammar, GrammarError, Operation};
use crate::{ArithmeticError, closest, number, word};
use std::collections::BTreeSet;
use thiserror::Error;

/// A formula over names that have indices.
#[derive(Clone, Debug)]
pub struct Formula(Expression<usize>);

/// An error in a formula, and the byte of its text at which it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
#[allow(missing_docs)]
pub struct FormulaError {
    pub at: usize,
    pub message: String,
}

/// The functions; each takes any number of values.
const FUNCTIONS: [(&str, Function); 2] = [("majority", majority), ("parity", parity)];

/// Whether more than half of the values are not 0.
fn majority(values: &[i64]) -> i64 {
    let set = values.iter().filter(|&&value| value != 0).count();
    (2 * set > values.len()).into()
}

/// Whether the values have an odd number of ones together.
fn parity(values: &[i64]) -> i64 {
    (values.iter().map(|value| value.count_ones()).sum::<u32>() % 2).into()
}

impl Formula {
    /// Parses a formula over these names.
    ///
    /// ```
    /// use gray1_text::Formula;
    ///
    /// let formula = Formula::parse("majority(a, b, carry)", &["a", "b", "carry"])?;
    /// assert_eq!(formula.value(&[1, 0, 1]), Ok(1));
    /// # Ok::<(), gray1_text::FormulaError>(())
    /// ```
    pub fn parse(text: &str, names: &[&str]) -> Result<Formula, FormulaError> {
        Parser { text, names, at: 0 }.whole().map(Formula)
    }

    /// Its value, for the value of each name.
    pub fn value(&self, values: &[i64]) -> Result<i64, ArithmeticError> {
        self.0.evaluate(&mut |name: &usize| Ok(values[*name]))
    }

    /// The indices of the names that it uses.
    pub fn uses(&self) -> BTreeSet<usize> {
        let name = |part: &Expression<usize>| match part {
            Expression::Name(name) => Some(*name),
            _ => None,
        };
        self.0.parts().into_iter().filter_map(name).collect()
    }

    /// The number of its values, operators and functions.
    pub fn operations(&self) -> usize {
        self.0.parts().len()
    }
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [&'a str],
    at: usize,
}

impl Grammar for Parser<'_> {
    type Name = usize;
    type Error = FormulaError;

    fn rest(&mut self) -> &str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn advance(&mut self, length: usize) {
        self.at += length;
    }

    fn error(&mut self, error: GrammarError) -> FormulaError {
        self.wrong(error.to_string())
    }

    fn value(&mut self, depth: usize) -> Result<Expression<usize>, FormulaError> {
        let word = word(&self.text[self.at..]);
        if word.is_empty() {
            return Err(self.error(GrammarError::NoValue));
        }
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let number =
                number(word).ok_or_else(|| self.wrong(format!("`{word}` is not a number of 32 bits")))?;
            self.at += word.len();
            return Ok(Expression::Number(number.into()));
        }
        let is_call = self.text[self.at + word.len()..].trim_start().starts_with('(');
        if !is_call {
            return self.name(word);
        }
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word);
        let Some((_, function)) = function else {
            let names = FUNCTIONS.map(|(name, _)| name).join(" and ");
            return Err(self.wrong(format!("there is no function `{word}`: the functions are {names}")));
        };
        self.at += word.len();
        Ok(Expression::Operation(Operation::Call(*function), self.arguments(depth)?))
    }
}

impl Parser<'_> {
    fn wrong(&self, message: String) -> FormulaError {
        FormulaError { at: self.at, message }
    }

    fn name(&mut self, word: &str) -> Result<Expression<usize>, FormulaError> {
        let index = self.names.iter().position(|name| *name == word);
        let index = index.ok_or_else(|| match closest(word, self.names.iter().copied()) {
            Some(near) => self.wrong(format!("there is no `{word}` here; did you mean `{near}`?")),
            None => {
                let names = self.names.join(" ");
                self.wrong(format!("there is no `{word}` here: the names are {names}"))
            }
        })?;
        self.at += word.len();
        Ok(Expression::Name(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_mean_what_they_say() {
        let (names, values) = (["a", "b", "c", "word"], [1, 0, 1, 0b1101]);
        for (text, value) in [
            ("a ^ b ^ c", 0),
            ("a & !b | c & b", 1),
            ("~a", -2),
            ("a == b || word > 12", 1),
            ("b ? 1 / b : 7", 7),
            ("b && 1 / b", 0),
            ("a || 1 / b", 1),
            ("a ? b ? 1 : 2 : 3", 2),
            ("word >> 2 & 1", 1),
            ("word % 4 + %101 + 0x10 + $F", 37),
            ("majority(a, b, c) + majority(a, b)", 1),
            ("parity(word) + 2 * parity(word, a)", 1),
            ("2 + 3 * 4 - -1", 15),
            ("1 << 2 + 1", 8),
        ] {
            let formula = Formula::parse(text, &names).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(formula.value(&values), Ok(value), "{text}");
        }
        let formula = Formula::parse("c + a - c", &names).unwrap();
        assert_eq!((formula.uses(), formula.operations()), (BTreeSet::from([0, 2]), 5));
        let divided = Formula::parse("a / b", &names).unwrap();
        assert_eq!(divided.value(&values), Err(ArithmeticError::DivisionByZero));
    }

    #[test]
    fn the_grammar_is_the_common_one() {
        for line in include_str!("../tests/expressions.txt").lines().filter(|line| !line.starts_with('#')) {
            let (text, expected) = line.rsplit_once(" | ").unwrap();
            let formula = Formula::parse(text, &["x", "y"]);
            match expected.trim_end_matches(" by a name").parse() {
                Ok(value) => assert_eq!(formula.unwrap().value(&[3, 5]), Ok(value), "{text}"),
                Err(_) => assert!(formula.unwrap_err().message.contains(expected), "{text}"),
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, at, message) in [
            ("", 0, "expected a value"),
            ("a +", 3, "expected a value: a name, a number or `(`"),
            ("a & carri", 4, "there is no `carri` here; did you mean `carry`?"),
            ("a & q", 4, "there is no `q` here: the names are a b carry"),
            ("(a", 2, "expected `)`"),
            ("a b", 2, "unexpected `b`"),
            ("a = b", 2, "unexpected `=`: `==` compares"),
            ("a < b < a", 6, "comparisons cannot be chained"),
            ("a ? b", 5, "expected `:`"),
            ("mux(a, b)", 0, "there is no function `mux`: the functions are majority and parity"),
            ("majority()", 9, "expected a value"),
            ("0x1_0000_0000", 0, "`0x1_0000_0000` is not a number of 32 bits"),
            ("12x", 0, "`12x` is not a number"),
            ("ä", 0, "expected a value"),
            ("a § b", 2, "unexpected `§`"),
        ] {
            let error = Formula::parse(text, &["a", "b", "carry"]).expect_err(text);
            assert!(error.at == at && error.message.contains(message), "{text}: {} {error}", error.at);
        }
        for sign in ["(", "~", "a?", "a^(", "majority("] {
            assert!(
                Formula::parse(&sign.repeat(crate::expression::MAX_LENGTH / sign.len()), &["a"]).is_err(),
                "{sign}"
            );
            assert!(Formula::parse(&sign.repeat(crate::expression::MAX_LENGTH), &["a"]).is_err(), "{sign}");
        }
        assert_eq!(Formula::parse(&format!("a{}", "^a".repeat(2_000)), &["a"]).unwrap().value(&[1]), Ok(1));
    }
}
