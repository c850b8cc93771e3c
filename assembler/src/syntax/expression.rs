//! Expressions: a precedence climber that writes postfix operations.

use super::scan::Scanned;
use super::statement::Parser;
use super::{Binary, Expression, Operand, OperandValue, Operation, OperationKind, Part, Range, Unary};
use crate::names::Name;

/// Parentheses, prefix signs and the like may be nested this deeply.
const DEEPEST: usize = 200;
/// An expression may have this many operations.
const LONGEST: usize = 10_000;

/// How tightly `?:` binds: looser than everything else.
const CHOICE: u8 = 0;
const OR_ELSE: u8 = 1;
const AND_ALSO: u8 = 2;
const COMPARISON: u8 = 3;
const PREFIX: u8 = 10;

/// The binary operators, a longer one before its own beginning, each with how tightly it binds.
const OPERATORS: [(&str, u8, Option<Binary>); 18] = [
    ("||", OR_ELSE, None),
    ("&&", AND_ALSO, None),
    ("==", COMPARISON, Some(Binary::Equal)),
    ("!=", COMPARISON, Some(Binary::NotEqual)),
    ("<<", 7, Some(Binary::ShiftLeft)),
    (">>", 7, Some(Binary::ShiftRight)),
    ("<=", COMPARISON, Some(Binary::LessOrEqual)),
    (">=", COMPARISON, Some(Binary::GreaterOrEqual)),
    ("<", COMPARISON, Some(Binary::Less)),
    (">", COMPARISON, Some(Binary::Greater)),
    ("|", 4, Some(Binary::Or)),
    ("^", 5, Some(Binary::Xor)),
    ("&", 6, Some(Binary::And)),
    ("+", 8, Some(Binary::Add)),
    ("-", 8, Some(Binary::Subtract)),
    ("*", 9, Some(Binary::Multiply)),
    ("/", 9, Some(Binary::Divide)),
    ("%", 9, Some(Binary::Remainder)),
];

impl Parser<'_> {
    /// An operand or argument: an expression, maybe behind `#`, or a text.
    pub(super) fn operand(&mut self) -> Scanned<Operand> {
        self.scan.skip_space();
        let start = self.scan.at;
        let immediate = self.scan.take("#");
        self.scan.skip_space();
        let value = if self.scan.peek() == b'"' && !immediate {
            OperandValue::Text(self.string()?)
        } else {
            OperandValue::Expression(self.expression()?)
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
            let rest = self.scan.rest();
            let Some(&(text, strength, binary)) = OPERATORS.iter().find(|(text, ..)| rest.starts_with(text))
            else {
                return Ok(end);
            };
            if strength < weakest {
                return Ok(end);
            }
            if strength == COMPARISON && std::mem::replace(&mut compared, true) {
                let span = self.scan.span(sign, sign + text.len());
                let message = "comparisons cannot be chained";
                let mistake = self.scan.mistake(span, message, "expected the end of the expression");
                return Err(mistake.with_help("write `a < b && b < c`, or use parentheses"));
            }
            self.scan.at += text.len();
            match binary {
                Some(binary) => {
                    end = self.climb(strength + 1, depth + 1)?;
                    self.push(OperationKind::Binary(binary), start, end);
                }
                None => {
                    let shortcut = self.syntax.operations.len();
                    let decided_by = strength == OR_ELSE;
                    self.push(OperationKind::Shortcut { decided_by, skip: 0 }, start, end);
                    end = self.climb(strength + 1, depth + 1)?;
                    self.push(OperationKind::Truth, start, end);
                    let skip = (self.syntax.operations.len() - shortcut - 1) as u32;
                    self.syntax.operations[shortcut].kind = OperationKind::Shortcut { decided_by, skip };
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
        let prefix = match self.scan.peek() {
            b'-' => Some(Unary::Negate),
            b'+' => Some(Unary::Plus),
            b'~' => Some(Unary::Complement),
            b'!' => Some(Unary::Not),
            _ => None,
        };
        if let Some(unary) = prefix {
            self.scan.at += 1;
            let end = self.climb(PREFIX, depth + 1)?;
            self.push(OperationKind::Unary(unary), start, end);
            return Ok(end);
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
            b'0'..=b'9' | b'$' | b'%' => {
                let (value, hexadecimal) = self.scan.number()?;
                OperationKind::Number { value, hexadecimal }
            }
            b'\'' => OperationKind::Number { value: self.scan.character()?, hexadecimal: false },
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
