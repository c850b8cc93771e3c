//! The grammar of expressions: operators, `?:` and parentheses around the values of a language, and their evaluation.
//!
//! A language implements [`Grammar`] with its own values (names, numbers, what is in brackets) and its own errors.

use crate::{ArithmeticError, CHOICE, Operator, PrefixOperator};
use thiserror::Error;

/// The maximum depth of nested expressions, because the parser is recursive.
pub const MAX_DEPTH: usize = 100;
/// The maximum length in bytes: a chain of operators makes a tree as deep as the chain is long.
pub const MAX_LENGTH: usize = 4_096;

/// An expression over the names `N`.
#[derive(Clone, Debug)]
pub enum Expression<N> {
    /// A number.
    Number(i64),
    /// A name, or another value of the language.
    Name(N),
    /// An operation on its operands.
    Operation(Operation, Vec<Expression<N>>),
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// An operator before its operand.
    Prefix(&'static PrefixOperator),
    /// An operator between its operands.
    Infix(&'static Operator),
    /// `?:`, with a condition and two values.
    Choice,
    /// A function of any number of values.
    Call(Function),
}

/// A function.
pub type Function = fn(&[i64]) -> i64;

/// A syntax error in an expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GrammarError {
    /// `a < b < c`.
    #[error("comparisons cannot be chained: write `a < b && b < c`, or use parentheses")]
    Chained,
    /// Too many levels of parentheses or operators.
    #[error("this expression is nested more than {MAX_DEPTH} deep")]
    Depth,
    /// Too long.
    #[error("an expression has at most {MAX_LENGTH} bytes")]
    Length,
    /// Another sign than this one.
    #[error("expected `{0}`")]
    Expected(&'static str),
    /// No value where one is needed.
    #[error("expected a value: a name, a number or `(`")]
    NoValue,
    /// More text after the expression.
    #[error("unexpected `{0}`{hint}", hint = if .0 == "=" { ": `==` compares" } else { "" })]
    Unexpected(String),
}

/// A language with expressions: how its text is read, and its values.
pub trait Grammar {
    /// Its names.
    type Name;
    /// Its errors.
    type Error;

    /// The rest of the text, without blanks before it.
    fn rest(&mut self) -> &str;

    /// Takes bytes of the rest.
    fn advance(&mut self, length: usize);

    /// Parses a value that is neither a prefix operator nor in parentheses.
    fn value(&mut self, depth: usize) -> Result<Expression<Self::Name>, Self::Error>;

    /// An error at the beginning of the rest.
    fn error(&mut self, error: GrammarError) -> Self::Error;

    /// The length of the operator at the beginning of the rest, and the operator.
    fn operator(&mut self) -> Option<(usize, &'static Operator)> {
        Operator::at(self.rest()).map(|operator| (operator.sign.len(), operator))
    }

    /// Parses an expression; other text may follow it.
    fn expression(&mut self, depth: usize) -> Result<Expression<Self::Name>, Self::Error> {
        if self.rest().len() > MAX_LENGTH {
            return Err(self.error(GrammarError::Length));
        }
        self.operations(CHOICE, depth)
    }

    /// Parses an expression up to the end of the text.
    fn whole(&mut self) -> Result<Expression<Self::Name>, Self::Error> {
        let expression = self.expression(0)?;
        let rest = self.rest();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let next =
            rest.chars().next().map(|next| rest[..word.max(next.len_utf8())].escape_debug().to_string());
        match next {
            None => Ok(expression),
            Some(next) => Err(self.error(GrammarError::Unexpected(next))),
        }
    }

    /// Takes a sign if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.advance(sign.len());
        }
        is_next
    }

    /// Takes a sign that has to come next.
    fn expect(&mut self, sign: &'static str) -> Result<(), Self::Error> {
        if self.take(sign) { Ok(()) } else { Err(self.error(GrammarError::Expected(sign))) }
    }

    /// Parses the arguments of a function, in parentheses.
    fn arguments(&mut self, depth: usize) -> Result<Vec<Expression<Self::Name>>, Self::Error> {
        self.expect("(")?;
        let mut arguments = vec![self.expression(depth + 1)?];
        while self.take(",") {
            arguments.push(self.expression(depth + 1)?);
        }
        self.expect(")").map(|()| arguments)
    }

    /// Parses operators of at least this precedence, and their operands.
    fn operations(&mut self, weakest: u8, depth: usize) -> Result<Expression<Self::Name>, Self::Error> {
        let mut left = self.operand(depth)?;
        let mut is_compared = false;
        loop {
            if weakest == CHOICE && self.take("?") {
                let yes = self.operations(CHOICE, depth + 1)?;
                self.expect(":")?;
                let no = self.operations(CHOICE, depth + 1)?;
                return Ok(Expression::Operation(Operation::Choice, vec![left, yes, no]));
            }
            let operator = self.operator().filter(|(_, operator)| operator.precedence >= weakest);
            let Some((length, operator)) = operator else { return Ok(left) };
            if operator.is_comparison() && std::mem::replace(&mut is_compared, true) {
                return Err(self.error(GrammarError::Chained));
            }
            self.advance(length);
            let right = self.operations(operator.precedence + 1, depth + 1)?;
            left = Expression::Operation(Operation::Infix(operator), vec![left, right]);
        }
    }

    /// Parses a value with its prefix operators, or an expression in parentheses.
    fn operand(&mut self, depth: usize) -> Result<Expression<Self::Name>, Self::Error> {
        if depth > MAX_DEPTH {
            return Err(self.error(GrammarError::Depth));
        }
        if let Some(operator) = PrefixOperator::at(self.rest()) {
            self.advance(operator.sign.len());
            let operand = self.operand(depth + 1)?;
            return Ok(Expression::Operation(Operation::Prefix(operator), vec![operand]));
        }
        if self.take("(") {
            let inner = self.operations(CHOICE, depth + 1)?;
            return self.expect(")").map(|()| inner);
        }
        self.value(depth)
    }
}

/// The values of names, and the arithmetic.
pub trait Values<N> {
    /// The reason why a name or an operation has no value.
    type Error;

    /// The value of a name.
    fn name(&mut self, name: &N) -> Result<i64, Self::Error>;

    /// The value of an operation, from its value in 64 bits.
    fn computed(&mut self, value: Result<i64, ArithmeticError>) -> Result<i64, Self::Error>;
}

impl<N, E: From<ArithmeticError>, F: FnMut(&N) -> Result<i64, E>> Values<N> for F {
    type Error = E;

    fn name(&mut self, name: &N) -> Result<i64, E> {
        self(name)
    }

    fn computed(&mut self, value: Result<i64, ArithmeticError>) -> Result<i64, E> {
        Ok(value?)
    }
}

impl<N> Expression<N> {
    /// The value of the expression. `&&`, `||` and `?:` evaluate only the operands that they need.
    pub fn evaluate<V: Values<N>>(&self, values: &mut V) -> Result<i64, V::Error> {
        let (operation, operands) = match self {
            Expression::Number(number) => return Ok(*number),
            Expression::Name(name) => return values.name(name),
            Expression::Operation(operation, operands) => (operation, operands),
        };
        let first = operands[0].evaluate(values)?;
        let computed = match operation {
            Operation::Prefix(operator) => (operator.apply)(first),
            Operation::Infix(Operator { sign: "&&", .. }) if first == 0 => Ok(0),
            Operation::Infix(Operator { sign: "||", .. }) if first != 0 => Ok(1),
            Operation::Infix(operator) => (operator.apply)(first, operands[1].evaluate(values)?),
            Operation::Choice => return operands[if first != 0 { 1 } else { 2 }].evaluate(values),
            Operation::Call(function) => {
                let more = operands[1..].iter().map(|operand| operand.evaluate(values));
                let arguments: Result<Vec<i64>, _> = std::iter::once(Ok(first)).chain(more).collect();
                Ok(function(&arguments?))
            }
        };
        values.computed(computed)
    }

    /// The expression and all its operands, each before its own.
    pub fn parts(&self) -> Vec<&Expression<N>> {
        let mut parts = vec![self];
        let mut next = 0;
        while let Some(part) = parts.get(next) {
            if let Expression::Operation(_, operands) = part {
                parts.extend(operands);
            }
            next += 1;
        }
        parts
    }
}
