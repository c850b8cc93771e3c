//! Expressions: a precedence climber that writes postfix operations.

use super::literal::radix;
use super::operator::CHOICE;
use super::scan::Scanned;
use super::statement::Parser;
use super::{
    Expression, Operand, OperandValue, Operation, OperationKind, Operator, Part, PrefixOperator, Range,
};
use crate::names::Name;

/// Parentheses, prefix signs and the like may be nested this deeply.
const DEEPEST: usize = 200;
/// An expression may have this many operations.
const LONGEST: usize = 10_000;

impl Parser<'_> {
    /// An operand or argument: an expression, maybe behind `#`, or a text.
    pub(super) fn operand(&mut self) -> Scanned<Operand> {
        self.scan.skip_space();
        let start = self.scan.at;
        let immediate = self.scan.take("#");
        self.scan.skip_space();
        let text = if immediate { None } else { self.text()? };
        let value = match text {
            Some(text) => OperandValue::Text(text),
            None => OperandValue::Expression(self.expression()?),
        };
        let end = match value {
            OperandValue::Expression(expression) => expression.end as usize,
            OperandValue::Text(_) => self.scan.at,
        };
        Ok(Operand { immediate, value, span: self.scan.span(start, end) })
    }

    pub(super) fn expression(&mut self) -> Scanned<Expression> {
        self.scan.skip_space();
        let start = self.scan.at as u32;
        let first = self.syntax.operations.len() as u32;
        let end = self.climb(CHOICE, 0)? as u32;
        let last = self.syntax.operations.len() as u32;
        Ok(Expression { operations: Range { start: first, end: last }, start, end })
    }

    /// Parses operators that bind at least as tightly as `weakest`; returns where the text of them ends.
    fn climb(&mut self, weakest: u8, depth: usize) -> Scanned<usize> {
        self.scan.skip_space();
        let start = self.scan.at;
        let first_operation = self.syntax.operations.len();
        let mut end = self.term(depth)?;
        let mut compared = false;
        loop {
            self.scan.skip_space();
            let sign = self.scan.at;
            if weakest == CHOICE && self.scan.peek() == b'?' && self.scan.peek_at(1) != b'=' {
                return self.choice(start, depth);
            }
            let operator = Operator::at(self.scan.rest()).filter(|found| found.precedence >= weakest);
            let Some(operator) = operator else { return Ok(end) };
            if operator.is_comparison() && std::mem::replace(&mut compared, true) {
                let span = self.scan.span(sign, sign + operator.sign.len());
                let message = "comparisons cannot be chained";
                let mistake = self.scan.mistake(span, message, "expected the end of the expression");
                return Err(mistake.with_help("write `a < b && b < c`, or use parentheses"));
            }
            self.scan.at += operator.sign.len();
            match operator.sign {
                "||" | "&&" => {
                    let shortcut = self.syntax.operations.len();
                    let decided_by = operator.sign == "||";
                    self.push(OperationKind::Shortcut { decided_by, skip: 0 }, start, end);
                    end = self.climb(operator.precedence + 1, depth + 1)?;
                    self.push(OperationKind::Truth, start, end);
                    let skip = (self.syntax.operations.len() - shortcut - 1) as u32;
                    self.syntax.operations[shortcut].kind = OperationKind::Shortcut { decided_by, skip };
                }
                _ => {
                    end = self.climb(operator.precedence + 1, depth + 1)?;
                    self.push(OperationKind::Infix(operator), start, end);
                }
            }
            if self.syntax.operations.len() - first_operation > LONGEST {
                let span = self.scan.span(start, end);
                let message = format!("this expression has more than {LONGEST} operations");
                return Err(self.scan.mistake(span, message, "expected a shorter one"));
            }
        }
    }

    /// `condition ? a : b`, the condition already parsed.
    fn choice(&mut self, start: usize, depth: usize) -> Scanned<usize> {
        self.scan.at += 1;
        let choose = self.syntax.operations.len();
        self.push(OperationKind::Choose { skip: 0 }, start, self.scan.at);
        self.climb(CHOICE, depth + 1)?;
        if !self.scan.take(":") {
            return Err(self.scan.unexpected("`:` and the other value of `?`"));
        }
        let skip = self.syntax.operations.len();
        self.push(OperationKind::Skip(0), start, self.scan.at);
        self.syntax.operations[choose].kind = OperationKind::Choose { skip: (skip - choose) as u32 };
        let end = self.climb(CHOICE, depth + 1)?;
        let behind = self.syntax.operations.len();
        self.syntax.operations[skip].kind = OperationKind::Skip((behind - skip - 1) as u32);
        Ok(end)
    }

    fn term(&mut self, depth: usize) -> Scanned<usize> {
        self.scan.skip_space();
        let start = self.scan.at;
        if depth > DEEPEST {
            let span = self.scan.span(start, start + 1);
            let message = format!("this expression is nested more than {DEEPEST} deep");
            return Err(self.scan.mistake(span, message, "expected a simpler one"));
        }
        if let Some(operator) = PrefixOperator::at(self.scan.rest()) {
            self.scan.at += operator.sign.len();
            let end = self.term(depth + 1)?;
            self.push(OperationKind::Prefix(operator), start, end);
            return Ok(end);
        }
        let hexadecimal = radix(self.scan.rest()).0 == 16;
        if let Some(value) = self.scan.literal()? {
            self.push(OperationKind::Number { value, hexadecimal }, start, self.scan.at);
            return Ok(self.scan.at);
        }
        let kind = match self.scan.peek() {
            b'(' => {
                self.scan.at += 1;
                self.climb(CHOICE, depth + 1)?;
                if !self.scan.take(")") {
                    return Err(self.scan.unexpected("an operator or `)`"));
                }
                return Ok(self.scan.at);
            }
            b'.' | b'_' | b'{' | b'a'..=b'z' | b'A'..=b'Z' => self.name_or_function(depth)?,
            b'#' => {
                let mistake = self.scan.unexpected("a value");
                return Err(mistake.with_help("`#` stands only in front of a whole operand"));
            }
            _ => return Err(self.scan.unexpected("a value: a number, a name or `(`")),
        };
        self.push(kind, start, self.scan.at);
        Ok(self.scan.at)
    }

    fn name_or_function(&mut self, depth: usize) -> Scanned<OperationKind> {
        match self.maybe_pasted_name(depth)? {
            AnyName::Pasted(pasting) => Ok(OperationKind::Paste(pasting)),
            AnyName::Plain(name) => {
                let function = match self.names.spelling(name) {
                    "here" => return Ok(OperationKind::Here),
                    function @ ("gray" | "isconst") if self.next_is_parenthesis() => function == "gray",
                    _ => {
                        self.syntax.mention(name);
                        return Ok(OperationKind::Name(name));
                    }
                };
                self.scan.take("(");
                let kind = if function {
                    self.climb(CHOICE, depth + 1)?;
                    OperationKind::Gray
                } else {
                    self.scan.skip_space();
                    let Some((_, parameter)) = self.scan.name() else {
                        return Err(self.scan.unexpected("the name of a macro parameter"));
                    };
                    OperationKind::IsConst(self.names.intern(parameter))
                };
                if !self.scan.take(")") {
                    return Err(self.scan.unexpected("`)`"));
                }
                Ok(kind)
            }
        }
    }

    fn next_is_parenthesis(&self) -> bool {
        self.scan.rest().trim_start().starts_with('(')
    }

    /// A name, in which `{expression}` may stand for its value. The operations of those expressions are left
    /// for a [`OperationKind::Paste`] to follow.
    pub(super) fn maybe_pasted_name(&mut self, depth: usize) -> Scanned<AnyName> {
        let start = self.scan.at;
        self.scan.at += usize::from(self.scan.peek() == b'.');
        self.scan.name_bytes();
        if self.scan.peek() != b'{' {
            let spelling = self.scan.text(start, self.scan.at);
            let letters = spelling.strip_prefix('.').unwrap_or(spelling);
            if !letters.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
                let span = self.scan.span(start, self.scan.at);
                return Err(self.scan.mistake(
                    span,
                    "this is not a name",
                    "expected a letter or `_` behind the dot",
                ));
            }
            return Ok(AnyName::Plain(self.names.intern(spelling)));
        }
        let mut parts = vec![Part::Text(self.scan.text(start, self.scan.at).to_owned())];
        while self.scan.peek() == b'{' {
            self.scan.check_count(parts.len(), "parts of a name")?;
            self.scan.at += 1;
            self.scan.skip_space();
            let value_start = self.scan.at as u32;
            let first = self.syntax.operations.len() as u32;
            let end = self.climb(CHOICE, depth + 1)? as u32;
            let operations = Range { start: first, end: self.syntax.operations.len() as u32 };
            if let [Operation { kind, .. }] = &mut self.syntax.operations[operations.indices()]
                && let OperationKind::Name(name) = *kind
            {
                *kind = OperationKind::NameOrText(name);
            }
            parts.push(Part::Value(Expression { operations, start: value_start, end }));
            if !self.scan.take("}") {
                return Err(self.scan.unexpected("an operator or `}`"));
            }
            let (_, text) = self.scan.name_bytes();
            parts.push(Part::Text(text.to_owned()));
        }
        self.syntax.pastings.push(parts);
        Ok(AnyName::Pasted(self.syntax.pastings.len() as u32 - 1))
    }

    fn push(&mut self, kind: OperationKind, start: usize, end: usize) {
        self.syntax.operations.push(Operation { kind, start: start as u32, end: end as u32 });
    }
}

/// A name as it is written.
pub(super) enum AnyName {
    Plain(Name),
    Pasted(u32),
}
