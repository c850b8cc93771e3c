//! Formulas over names that have values: the operators of the assembler, and a few functions.
//!
//! ```text
//!   a ^ b ^ carry      enable ? input : held      majority(a, b, carry)      parity(PC) == 1
//! ```

use crate::{ArithmeticError, CHOICE, Operator, PrefixOperator, closest, number};
use std::collections::BTreeSet;
use thiserror::Error;

/// A formula.
#[derive(Clone, Debug)]
pub struct Formula {
    root: Node,
    operations: usize,
}

/// An error in a formula, and the byte of its text at which it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
#[allow(missing_docs)]
pub struct FormulaError {
    pub at: usize,
    pub message: String,
}

#[derive(Clone, Debug)]
enum Node {
    Number(i64),
    /// The index of a name.
    Name(usize),
    Prefix(&'static PrefixOperator, Box<Node>),
    Infix(&'static Operator, Box<[Node; 2]>),
    Choice(Box<[Node; 3]>),
    Call(Function, Vec<Node>),
}

type Function = fn(&[i64]) -> i64;

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

/// The maximum depth of nested formulas, because the parser is recursive.
const MOST_DEPTH: usize = 100;
/// The maximum length in bytes: a chain of operators makes a tree as deep as the chain is long.
const MOST_LENGTH: usize = 4_096;

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
        let mut parser = Parser { text, names, at: 0, operations: 0 };
        if text.len() > MOST_LENGTH {
            return Err(parser.error(format!("a formula has at most {MOST_LENGTH} characters")));
        }
        let root = parser.climb(CHOICE, 0)?;
        let rest = parser.rest();
        match rest.chars().next() {
            None => Ok(Formula { root, operations: parser.operations }),
            Some('=') => Err(parser.error("`=` is not expected here: `==` compares")),
            Some(next) => {
                let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let next = if word.is_empty() { next.to_string() } else { word.to_owned() };
                Err(parser.error(format!("`{}` is not expected here", next.escape_debug())))
            }
        }
    }

    /// Its value, for the value of each name.
    pub fn value(&self, values: &[i64]) -> Result<i64, ArithmeticError> {
        self.root.value(values)
    }

    /// The indices of the names that it uses.
    pub fn uses(&self) -> BTreeSet<usize> {
        let mut names = BTreeSet::new();
        self.root.collect(&mut names);
        names
    }

    /// How many values, operators and functions it has.
    pub fn operations(&self) -> usize {
        self.operations
    }
}

impl Node {
    fn value(&self, values: &[i64]) -> Result<i64, ArithmeticError> {
        match self {
            Node::Number(number) => Ok(*number),
            Node::Name(name) => Ok(values[*name]),
            Node::Prefix(operator, node) => (operator.apply)(node.value(values)?),
            Node::Infix(operator, nodes) => {
                let left = nodes[0].value(values)?;
                // The right side of these may have no value where the left side decides.
                match operator.sign {
                    "&&" if left == 0 => Ok(0),
                    "||" if left != 0 => Ok(1),
                    _ => (operator.apply)(left, nodes[1].value(values)?),
                }
            }
            Node::Choice(nodes) => nodes[if nodes[0].value(values)? != 0 { 1 } else { 2 }].value(values),
            Node::Call(function, nodes) => {
                let arguments: Result<Vec<i64>, _> = nodes.iter().map(|node| node.value(values)).collect();
                Ok(function(&arguments?))
            }
        }
    }

    fn collect(&self, names: &mut BTreeSet<usize>) {
        let nodes = match self {
            Node::Number(_) => return,
            Node::Name(name) => {
                names.insert(*name);
                return;
            }
            Node::Prefix(_, node) => std::slice::from_ref(&**node),
            Node::Infix(_, nodes) => &nodes[..],
            Node::Choice(nodes) => &nodes[..],
            Node::Call(_, nodes) => nodes,
        };
        nodes.iter().for_each(|node| node.collect(names));
    }
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [&'a str],
    at: usize,
    operations: usize,
}

impl<'a> Parser<'a> {
    /// The text that is left, without blanks before it.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn error(&self, message: impl Into<String>) -> FormulaError {
        FormulaError { at: self.at, message: message.into() }
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len() } else { 0 };
        is_there
    }

    fn expect(&mut self, sign: &str) -> Result<(), FormulaError> {
        if self.takes(sign) { Ok(()) } else { Err(self.error(format!("`{sign}` is missing here"))) }
    }

    /// Operators that bind at least as tightly as `weakest`.
    fn climb(&mut self, weakest: u8, depth: usize) -> Result<Node, FormulaError> {
        let mut node = self.term(depth)?;
        let mut compared = false;
        loop {
            if weakest == CHOICE && self.takes("?") {
                let yes = self.climb(CHOICE, depth + 1)?;
                self.expect(":")?;
                let no = self.climb(CHOICE, depth + 1)?;
                return Ok(Node::Choice(Box::new([node, yes, no])));
            }
            let operator = Operator::at(self.rest()).filter(|found| found.precedence >= weakest);
            let Some(operator) = operator else { return Ok(node) };
            if operator.is_comparison() && std::mem::replace(&mut compared, true) {
                return Err(
                    self.error("comparisons cannot be chained: write `a < b && b < c`, or use parentheses")
                );
            }
            self.at += operator.sign.len();
            let other = self.climb(operator.precedence + 1, depth + 1)?;
            self.operations += 1;
            node = Node::Infix(operator, Box::new([node, other]));
        }
    }

    fn term(&mut self, depth: usize) -> Result<Node, FormulaError> {
        if depth > MOST_DEPTH {
            return Err(self.error(format!("this formula is nested more than {MOST_DEPTH} deep")));
        }
        self.operations += 1;
        let rest = self.rest();
        if let Some(operator) = PrefixOperator::at(rest) {
            self.at += operator.sign.len();
            return Ok(Node::Prefix(operator, Box::new(self.term(depth + 1)?)));
        }
        if self.takes("(") {
            let node = self.climb(CHOICE, depth + 1)?;
            return self.expect(")").map(|()| node);
        }
        let prefix = usize::from(rest.starts_with(['$', '%']));
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = rest[prefix..].find(|c| !is_letter(c)).map_or(rest.len(), |length| prefix + length);
        let word = &rest[..length];
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let number = number(word).map(|number| Node::Number(number.into()));
            let number = number.ok_or_else(|| match word {
                "" => self.error("a value is missing here: a name, a number or `(`"),
                _ => self.error(format!("`{word}` is not a number of 32 bits")),
            })?;
            self.at += word.len();
            return Ok(number);
        }
        let after = self.text[self.at + word.len()..].trim_start();
        if after.starts_with('(') { self.call(word, depth) } else { self.name(word) }
    }

    fn name(&mut self, word: &str) -> Result<Node, FormulaError> {
        let index = self.names.iter().position(|name| *name == word);
        let index = index.ok_or_else(|| match closest(word, self.names.iter().copied()) {
            Some(near) => self.error(format!("there is no `{word}` here; did you mean `{near}`?")),
            None => {
                let names = self.names.join(" ");
                self.error(format!("there is no `{word}` here: the names are {names}"))
            }
        })?;
        self.at += word.len();
        Ok(Node::Name(index))
    }

    fn call(&mut self, word: &str, depth: usize) -> Result<Node, FormulaError> {
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word);
        let Some((_, function)) = function else {
            let names = FUNCTIONS.map(|(name, _)| name).join(" and ");
            return Err(self.error(format!("there is no function `{word}`: the functions are {names}")));
        };
        self.at += word.len();
        self.expect("(")?;
        let mut arguments = vec![self.climb(CHOICE, depth + 1)?];
        while self.takes(",") {
            arguments.push(self.climb(CHOICE, depth + 1)?);
        }
        self.expect(")").map(|()| Node::Call(*function, arguments))
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
    fn what_is_wrong_is_said_with_its_place() {
        for (text, at, message) in [
            ("", 0, "a value is missing here"),
            ("a +", 3, "a value is missing here: a name, a number or `(`"),
            ("a & carri", 4, "there is no `carri` here; did you mean `carry`?"),
            ("a & q", 4, "there is no `q` here: the names are a b carry"),
            ("(a", 2, "`)` is missing here"),
            ("a b", 2, "`b` is not expected here"),
            ("a = b", 2, "`=` is not expected here: `==` compares"),
            ("a < b < a", 6, "comparisons cannot be chained"),
            ("a ? b", 5, "`:` is missing here"),
            ("mux(a, b)", 0, "there is no function `mux`: the functions are majority and parity"),
            ("majority()", 9, "a value is missing here"),
            ("0x1_0000_0000", 0, "`0x1_0000_0000` is not a number of 32 bits"),
            ("12x", 0, "`12x` is not a number"),
            ("ä", 0, "a value is missing here"),
            ("a § b", 2, "`§` is not expected here"),
        ] {
            let error = Formula::parse(text, &["a", "b", "carry"]).expect_err(text);
            assert!(error.at == at && error.message.contains(message), "{text}: {} {error}", error.at);
        }
        for sign in ["(", "~", "a?", "a^(", "majority("] {
            assert!(Formula::parse(&sign.repeat(MOST_LENGTH / sign.len()), &["a"]).is_err(), "{sign}");
            assert!(Formula::parse(&sign.repeat(MOST_LENGTH), &["a"]).is_err(), "{sign}");
        }
        assert_eq!(Formula::parse(&format!("a{}", "^a".repeat(2_000)), &["a"]).unwrap().value(&[1]), Ok(1));
    }
}
