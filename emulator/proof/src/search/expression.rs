//! The value to compute, as a formula over bytes.
//!
//! Everything is a byte: each operator gives its result modulo 256, and a comparison gives 1 or 0.

use gray1_text::{
    ArithmeticError, Expression as Tree, Function, Grammar, GrammarError, Operation, Values, counted, number,
    word,
};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;
use thiserror::Error;

/// The state before a sequence: A, the two cells that it may read, and the carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Inputs {
    pub a: u8,
    pub x: u8,
    pub y: u8,
    pub c: bool,
}

/// A name in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Name {
    A,
    X,
    Y,
    C,
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Expression(Tree<Name>);

/// An error in a formula, with its position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what}, at character {}", .at + 1)]
pub struct ExpressionError {
    at: usize,
    what: String,
}

impl ExpressionError {
    /// Moves the error by the number of characters before the formula.
    pub(crate) fn after(self, characters: usize) -> ExpressionError {
        ExpressionError { at: self.at + characters, ..self }
    }
}

/// The functions: name, number of arguments, implementation.
const FUNCTIONS: [(&str, usize, Function); 5] = [
    ("min", 2, |bytes| bytes[0].min(bytes[1])),
    ("max", 2, |bytes| bytes[0].max(bytes[1])),
    ("abs", 1, |bytes| signed(bytes[0]).abs()),
    ("asr", 1, |bytes| signed(bytes[0]) >> 1),
    ("slt", 2, |bytes| (signed(bytes[0]) < signed(bytes[1])).into()),
];

/// Reinterprets a byte as -128..127.
fn signed(byte: i64) -> i64 {
    i64::from(byte as i8)
}

impl Expression {
    /// Parses a formula.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut parser = Parser { text, at: 0 };
        let tree = parser.whole()?;
        let divides_by_number = |part: &&Tree<Name>| match part {
            Tree::Operation(Operation::Infix(operator), operands) if "/%".contains(operator.sign) => {
                matches!(operands[1], Tree::Number(1..))
            }
            _ => true,
        };
        if tree.parts().iter().all(divides_by_number) {
            return Ok(Expression(tree));
        }
        Err(parser.wrong("a formula can only be divided by a number other than 0"))
    }

    /// Evaluates the formula.
    pub fn value(&self, inputs: &Inputs) -> u8 {
        let Ok(value) = self.0.evaluate(&mut Bytes(inputs));
        value as u8
    }

    /// Returns the names in the formula, each once.
    pub fn names(&self) -> Vec<Name> {
        let name = |part: &Tree<Name>| if let Tree::Name(name) = part { Some(*name) } else { None };
        self.0.parts().into_iter().filter_map(name).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the numbers in the formula.
    pub fn numbers(&self) -> Vec<u8> {
        let number =
            |part: &Tree<Name>| if let Tree::Number(number) = part { Some(*number as u8) } else { None };
        self.0.parts().into_iter().filter_map(number).collect()
    }
}

/// Arithmetic modulo 256.
struct Bytes<'a>(&'a Inputs);

impl Values<Name> for Bytes<'_> {
    type Error = Infallible;

    fn name(&mut self, name: &Name) -> Result<i64, Infallible> {
        Ok(self.0.of(*name).into())
    }

    /// Only shifts can overflow 64 bits, and these shift all bits out of a byte.
    fn computed(&mut self, value: Result<i64, ArithmeticError>) -> Result<i64, Infallible> {
        Ok(value.unwrap_or(0) & 0xFF)
    }
}

impl Inputs {
    /// Returns the value of a name.
    pub fn of(&self, name: Name) -> u8 {
        match name {
            Name::A => self.a,
            Name::X => self.x,
            Name::Y => self.y,
            Name::C => self.c.into(),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(["a", "x", "y", "c"][*self as usize])
    }
}

impl Name {
    /// Parses a name.
    pub fn parse(text: &str) -> Option<Name> {
        [Name::A, Name::X, Name::Y, Name::C].into_iter().find(|name| name.to_string() == text)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Grammar for Parser<'_> {
    type Name = Name;
    type Error = ExpressionError;

    fn rest(&mut self) -> &str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn advance(&mut self, length: usize) {
        self.at += length;
    }

    fn error(&mut self, error: GrammarError) -> ExpressionError {
        self.wrong(error.to_string())
    }

    fn value(&mut self, depth: usize) -> Result<Tree<Name>, ExpressionError> {
        self.take("#");
        let word = word(&self.text[self.at..]);
        if word.is_empty() {
            return Err(self.error(GrammarError::NoValue));
        }
        if let Some(number) = number(word) {
            let byte = u8::try_from(number).map_err(|_| self.wrong(format!("{word} is not a byte")))?;
            self.at += word.len();
            return Ok(Tree::Number(byte.into()));
        }
        if let Some(name) = Name::parse(word) {
            self.at += word.len();
            return Ok(Tree::Name(name));
        }
        let Some((_, count, function)) = FUNCTIONS.into_iter().find(|(name, ..)| *name == word) else {
            let known = "write a, x, y, c, a number, or one of min, max, abs, asr, slt";
            return Err(self.wrong(format!("`{word}` is not known: {known}")));
        };
        self.at += word.len();
        let arguments = self.arguments(depth)?;
        if arguments.len() != count {
            return Err(self.wrong(format!("`{word}` takes {}", counted(count, "argument"))));
        }
        Ok(Tree::Operation(Operation::Call(function), arguments))
    }
}

impl Parser<'_> {
    fn wrong(&self, what: impl Into<String>) -> ExpressionError {
        ExpressionError { at: self.text[..self.at].chars().count(), what: what.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_their_values() {
        let inputs = Inputs { a: 200, x: 100, y: 7, c: true };
        for (text, value) in [
            ("a & x", 64),
            ("a ^ $FF", 55),
            ("~a | 1", 55),
            ("a + x", 44),
            ("x - a", 156),
            ("-x", 156),
            ("x << 2", 144),
            ("x >> 2 + 1", 12),
            ("(x >> 2) + 1", 26),
            ("x << 9", 0),
            ("a < x", 0),
            ("a + x < x", 1),
            ("(x <= 100) == 1", 1),
            ("a == 3 || a == 200 && !(x == 1)", 1),
            ("a > x ? a % 7 * 2 : 1 / 2", 8),
            ("x << y + 100", 0),
            ("a & 8 != 0", 1),
            ("abs(a)", 56),
            ("asr(a)", 228),
            ("max(a, x) - min(a, x)", 100),
            ("slt(a, x)", 1),
            ("a + c", 201),
            ("%101 | 0x10 | 0b1000 | #2", 31),
        ] {
            assert_eq!(Expression::parse(text).map(|formula| formula.value(&inputs)), Ok(value), "{text}");
        }
        assert_eq!(Expression::parse("y + a - y + 3").unwrap().names(), [Name::A, Name::Y]);
    }

    #[test]
    fn the_grammar_is_that_of_the_assembler() {
        let inputs = Inputs { x: 3, y: 5, ..Inputs::default() };
        let cases = include_str!("../../../text/tests/expressions.txt");
        for line in cases.lines().filter(|line| !line.starts_with('#')) {
            let (text, expected) = line.rsplit_once(" | ").unwrap();
            let parsed = Expression::parse(text);
            match expected.parse() {
                Ok(value) => assert_eq!(parsed.unwrap().value(&inputs), value, "{text}"),
                // There is no division by a name here.
                Err(_) => {
                    let error = parsed.unwrap_err().to_string();
                    let wanted = if expected.ends_with("by a name") { "divided by" } else { expected };
                    assert!(error.contains(wanted), "{text}: {error}");
                }
            }
        }
    }

    #[test]
    fn errors_have_positions() {
        for (text, error) in [
            ("", "expected a value: a name, a number or `(`, at character 1"),
            ("a +", "expected a value: a name, a number or `(`, at character 4"),
            ("a & z", "`z` is not known"),
            ("a & 256", "256 is not a byte, at character 5"),
            ("(a", "expected `)`, at character 3"),
            ("a x", "unexpected `x`, at character 3"),
            ("a == 3 | a == 4", "comparisons cannot be chained"),
            ("a / x", "divided by a number other than 0"),
            ("a % 0", "divided by a number other than 0"),
            ("min(a)", "`min` takes 2 arguments, at character 7"),
            ("ä", "expected a value: a name, a number or `(`, at character 1"),
        ] {
            let found = Expression::parse(text).expect_err(text).to_string();
            assert!(found.contains(error), "{text}: {found}");
        }
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"~".repeat(100_000)).is_err());
        // This had no limit, and its value overflowed the stack.
        assert!(Expression::parse(&format!("a{}", "+a".repeat(60_000))).is_err());
        assert!(Expression::parse(&format!("a{}", "+a".repeat(2_000))).is_ok());
    }
}
