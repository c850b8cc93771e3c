//! The value to compute, as a formula over bytes.
//!
//! Everything is a byte: each operator gives its result modulo 256, and a comparison gives 1 or 0.

use gray1_text::number;
use std::collections::BTreeSet;
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
pub struct Expression(Node);

/// An error in a formula, with its position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what}, at character {}", .at + 1)]
pub struct ExpressionError {
    at: usize,
    what: String,
}

impl ExpressionError {
    /// The same error where so many characters come before the formula.
    pub(crate) fn after(self, characters: usize) -> ExpressionError {
        ExpressionError { at: self.at + characters, ..self }
    }
}

#[derive(Clone, Debug)]
enum Node {
    Number(u8),
    Name(Name),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<[Node; 2]>),
}

type Unary = fn(u8) -> u8;
type Binary = fn(u8, u8) -> u8;

/// Binary operators by precedence, the lowest first. A sign comes before its own prefixes, such as `<=` before `<`.
const OPERATORS: [&[(&str, Binary)]; 7] = [
    &[("==", |one, other| (one == other).into()), ("!=", |one, other| (one != other).into())],
    &[
        ("<=", |one, other| (one <= other).into()),
        (">=", |one, other| (one >= other).into()),
        ("<", |one, other| (one < other).into()),
        (">", |one, other| (one > other).into()),
    ],
    &[("|", |one, other| one | other)],
    &[("^", |one, other| one ^ other)],
    &[("&", |one, other| one & other)],
    &[
        ("<<", |one, other| one.checked_shl(other.into()).unwrap_or(0)),
        (">>", |one, other| one.checked_shr(other.into()).unwrap_or(0)),
    ],
    &[("+", u8::wrapping_add), ("-", u8::wrapping_sub)],
];

/// Signs before a value.
const SIGNS: [(&str, Unary); 2] = [("~", |value| !value), ("-", u8::wrapping_neg)];

/// Functions of one and of two values.
const UNARY: [(&str, Unary); 2] = [
    ("abs", |value| value.cast_signed().unsigned_abs()),
    ("asr", |value| (value.cast_signed() >> 1).cast_unsigned()),
];
const BINARY: [(&str, Binary); 3] = [
    ("min", u8::min),
    ("max", u8::max),
    ("slt", |one, other| (one.cast_signed() < other.cast_signed()).into()),
];

impl Expression {
    /// Parses a formula.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        if text.len() > MOST_LENGTH {
            return Err(parser.error(format!("a formula has at most {MOST_LENGTH} characters")));
        }
        let node = parser.operators(0)?;
        parser.skip_blanks();
        match parser.rest().chars().next() {
            None => Ok(Expression(node)),
            Some(next) => Err(parser.error(format!("`{next}` is not expected here"))),
        }
    }

    /// Its value.
    pub fn value(&self, inputs: &Inputs) -> u8 {
        self.0.value(inputs)
    }

    /// The names in it, each once.
    pub fn names(&self) -> Vec<Name> {
        let names = self.0.leaves().into_iter();
        let names = names.filter_map(|leaf| if let Node::Name(name) = leaf { Some(*name) } else { None });
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The numbers in it.
    pub fn numbers(&self) -> Vec<u8> {
        let numbers = self.0.leaves().into_iter();
        numbers
            .filter_map(|leaf| if let Node::Number(number) = leaf { Some(*number) } else { None })
            .collect()
    }
}

impl Node {
    fn value(&self, inputs: &Inputs) -> u8 {
        match self {
            Node::Number(number) => *number,
            Node::Name(name) => inputs.of(*name),
            Node::Unary(operator, node) => operator(node.value(inputs)),
            Node::Binary(operator, nodes) => operator(nodes[0].value(inputs), nodes[1].value(inputs)),
        }
    }

    /// The names and numbers in it, from left to right.
    fn leaves(&self) -> Vec<&Node> {
        match self {
            Node::Number(_) | Node::Name(_) => vec![self],
            Node::Unary(_, node) => node.leaves(),
            Node::Binary(_, nodes) => nodes.iter().flat_map(Node::leaves).collect(),
        }
    }
}

impl Inputs {
    /// The value of a name.
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
    /// The name with this spelling.
    pub fn parse(text: &str) -> Option<Name> {
        [Name::A, Name::X, Name::Y, Name::C].into_iter().find(|name| name.to_string() == text)
    }
}

/// The maximum depth of nested formulas, because the parser is recursive.
const MOST_DEPTH: usize = 100;
/// The maximum length in bytes: a chain of operators makes a tree as deep as the chain is long.
const MOST_LENGTH: usize = 4_096;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, what: impl Into<String>) -> ExpressionError {
        ExpressionError { at: self.text[..self.at].chars().count(), what: what.into() }
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len() } else { 0 };
        is_there
    }

    fn expect(&mut self, sign: &str) -> Result<(), ExpressionError> {
        if self.takes(sign) { Ok(()) } else { Err(self.error(format!("`{sign}` is missing"))) }
    }

    fn operators(&mut self, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = OPERATORS.get(level) else { return self.value() };
        let mut node = self.operators(level + 1)?;
        loop {
            self.skip_blanks();
            // `<` must not match the beginning of `<<`.
            let found = operators.iter().find(|(sign, _)| {
                self.rest().starts_with(sign)
                    && !(sign.len() == 1 && ["<<", ">>"].iter().any(|shift| self.rest().starts_with(shift)))
            });
            let Some((sign, operator)) = found else { return Ok(node) };
            self.at += sign.len();
            let other = self.operators(level + 1)?;
            node = Node::Binary(*operator, Box::new([node, other]));
        }
    }

    fn value(&mut self) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.error("the formula is nested too deeply"));
        }
        let node = self.value_within();
        self.depth -= 1;
        node
    }

    fn value_within(&mut self) -> Result<Node, ExpressionError> {
        if let Some((_, sign)) = SIGNS.iter().find(|(sign, _)| self.takes(sign)) {
            return Ok(Node::Unary(*sign, Box::new(self.value()?)));
        }
        if self.takes("(") {
            let node = self.operators(0)?;
            return self.expect(")").map(|()| node);
        }
        let word =
            self.rest().find(|letter: char| !letter.is_ascii_alphanumeric() && !"$%#_".contains(letter));
        let word = &self.rest()[..word.unwrap_or(self.rest().len())];
        if word.is_empty() {
            return Err(self.error("a name, a number or `(` is missing"));
        }
        let leaf = match number(word.trim_start_matches('#')) {
            Some(number) => {
                let byte = u8::try_from(number).map_err(|_| self.error(format!("{word} is not a byte")))?;
                Some(Node::Number(byte))
            }
            None => Name::parse(word).map(Node::Name),
        };
        let unary = UNARY.iter().find(|(name, _)| *name == word);
        let binary = BINARY.iter().find(|(name, _)| *name == word);
        if leaf.is_none() && unary.is_none() && binary.is_none() {
            return Err(self.error(format!(
                "`{word}` is not known: write a, x, y, c, a number, or one of min, max, abs, asr, slt"
            )));
        }
        self.at += word.len();
        if let Some(leaf) = leaf {
            return Ok(leaf);
        }
        self.expect("(")?;
        let one = self.operators(0)?;
        let node = match (unary, binary) {
            (_, Some((_, function))) => {
                self.expect(",")?;
                Node::Binary(*function, Box::new([one, self.operators(0)?]))
            }
            (Some((_, function)), _) => Node::Unary(*function, Box::new(one)),
            (None, None) => one,
        };
        self.expect(")").map(|()| node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_mean_what_they_say() {
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
            ("x <= 100 == 1", 1),
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
    fn what_is_wrong_is_said_with_its_place() {
        for (text, error) in [
            ("", "a name, a number or `(` is missing, at character 1"),
            ("a +", "a name, a number or `(` is missing, at character 4"),
            ("a & z", "`z` is not known"),
            ("a & 256", "256 is not a byte, at character 5"),
            ("(a", "`)` is missing, at character 3"),
            ("a x", "`x` is not expected here, at character 3"),
            ("min(a)", "`,` is missing, at character 6"),
            ("ä", "a name, a number or `(` is missing, at character 1"),
        ] {
            let said = Expression::parse(text).expect_err(text).to_string();
            assert!(said.contains(error), "{text}: {said}");
        }
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"~".repeat(100_000)).is_err());
        // This had no limit, and its value overflowed the stack.
        assert!(Expression::parse(&format!("a{}", "+a".repeat(60_000))).is_err());
        assert!(Expression::parse(&format!("a{}", "+a".repeat(2_000))).is_ok());
    }
}
