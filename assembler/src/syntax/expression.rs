//! Expressions, operands and pasted names. Precedence climbing translates expressions to postfix operations.
//!
//! The grammar is that of `gray1_text::Grammar`, which has the table of operators. The parser of that is not used here,
//! because its trees lack what the assembler needs: a span for each operation, evaluation without recursion, and texts,
//! pasted names and short circuits as operations.

use super::literal::lowest_number;
use super::parser::Parser;
use super::scan::{ParseResult, refuse};
use super::tree::{Expression, Operand, OperandValue, Operation, OperationKind, Part, Range, WrittenName};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use gray1_text::{CHOICE, Operator, PrefixOperator, radix};

/// The maximum nesting depth of parentheses, prefix operators and the like.
const MAX_DEPTH: usize = 200;
/// The maximum number of operations in an expression.
const MAX_OPERATIONS: usize = 10_000;

/// The built-in functions.
pub(crate) const FUNCTIONS: [&str; 6] = ["gray", "size", "isconst", "isknown", "byte", "len"];

impl Parser<'_> {
    /// Parses operands up to the end of the line, separated by commas.
    pub fn operands(&mut self) -> ParseResult<Range> {
        let found = self.list("operands", Self::operand)?;
        let start = self.syntax.operands.len() as u32;
        self.syntax.operands.extend(found);
        Ok(Range { start, end: self.syntax.operands.len() as u32 })
    }

    /// Parses an operand or argument: an expression, possibly after `#`, or a text.
    pub fn operand(&mut self) -> ParseResult<Operand> {
        self.scan.skip_space();
        let start = self.scan.at;
        let immediate = self.scan.take("#");
        self.scan.skip_space();
        let text = if immediate { None } else { self.whole_text()? };
        let (value, end) = match text {
            Some(text) => (OperandValue::Text(text), self.scan.at),
            None => {
                let expression = self.expression()?;
                return Ok(self.value_operand(immediate, expression, start));
            }
        };
        Ok(Operand { immediate, value, span: self.scan.span(start, end) })
    }

    /// Makes an operand of an expression. If it begins with `byte(#…)`, it is immediate.
    pub fn value_operand(&self, immediate: bool, value: Expression, start: usize) -> Operand {
        let operations = self.syntax.operations(value).iter();
        let begins_with_constant = operations.clone().any(|operation| {
            matches!(operation.kind, OperationKind::Byte { constant: true, .. })
                && operation.start == value.start
        });
        let span = self.scan.span(start, value.end as usize);
        let immediate = immediate || begins_with_constant;
        Operand { immediate, value: OperandValue::Expression(value), span }
    }

    /// Takes a text that is not followed by an index.
    fn whole_text(&mut self) -> ParseResult<Option<u32>> {
        let before = self.scan.clone();
        let text = self.scan.quoted()?;
        if text.is_some() && self.scan.clone().take("[") {
            self.scan = before;
            return Ok(None);
        }
        Ok(text.map(|text| self.keep_text(text)))
    }

    /// Parses an expression up to the end of the statement.
    pub fn last_expression(&mut self) -> ParseResult<Expression> {
        let expression = self.expression()?;
        self.end_of_statement()?;
        Ok(expression)
    }

    pub fn expression(&mut self) -> ParseResult<Expression> {
        self.nested_expression(0)
    }

    fn nested_expression(&mut self, depth: usize) -> ParseResult<Expression> {
        self.expression_of(CHOICE, depth)
    }

    /// Parses an expression of operators with at least this precedence.
    pub fn expression_of(&mut self, weakest: u8, depth: usize) -> ParseResult<Expression> {
        self.scan.skip_space();
        let start = self.scan.at as u32;
        let first = self.syntax.operations.len() as u32;
        let end = self.climb(weakest, depth)? as u32;
        let operations = Range { start: first, end: self.syntax.operations.len() as u32 };
        Ok(Expression { operations, start, end })
    }

    /// Parses operators with at least this precedence; returns the end of their text.
    fn climb(&mut self, weakest: u8, depth: usize) -> ParseResult<usize> {
        self.scan.skip_space();
        let start = self.scan.at;
        let first_operation = self.syntax.operations.len();
        let mut end = self.term(depth)?;
        let mut compared = false;
        loop {
            self.scan.skip_space();
            let rest = self.scan.rest();
            if weakest == CHOICE && rest.starts_with('?') && !rest.starts_with("?=") {
                return self.choice(start, depth);
            }
            let operator = Operator::at(rest).filter(|found| found.precedence >= weakest);
            let Some(operator) = operator else { return Ok(end) };
            let sign = self.scan.span(self.scan.at, self.scan.at + operator.sign.len());
            if operator.is_comparison() && std::mem::replace(&mut compared, true) {
                let message = "comparisons cannot be chained";
                let label = "expected the end of the expression";
                let error = Diagnostic::error(ErrorCode::ChainedComparison, sign, message, label);
                return Err(error.help("write `a < b && b < c`, or use parentheses").into());
            }
            self.scan.at += operator.sign.len();
            if let "||" | "&&" = operator.sign {
                let shortcut = self.push(OperationKind::Truth, start, end);
                end = self.climb(operator.precedence + 1, depth + 1)?;
                let skip = self.push(OperationKind::Truth, start, end) - shortcut;
                let decided_by = operator.sign == "||";
                self.syntax.operations[shortcut].kind =
                    OperationKind::Shortcut { decided_by, skip: skip as u32 };
            } else {
                end = self.climb(operator.precedence + 1, depth + 1)?;
                self.push(OperationKind::Infix(operator), start, end);
            }
            if self.syntax.operations.len() - first_operation > MAX_OPERATIONS {
                let message = format!("this expression has more than {MAX_OPERATIONS} operations");
                let label = "expected a shorter one";
                return refuse(ErrorCode::TooComplex, self.scan.span(start, end), message, label);
            }
        }
    }

    /// Parses `? a : b` after its condition.
    fn choice(&mut self, start: usize, depth: usize) -> ParseResult<usize> {
        self.scan.at += 1;
        let choose = self.push(OperationKind::Choose(0), start, self.scan.at);
        self.climb(CHOICE, depth + 1)?;
        self.scan.expect(":", "`:` and the other value of `?`")?;
        let skip = self.push(OperationKind::Skip(0), start, self.scan.at);
        self.syntax.operations[choose].kind = OperationKind::Choose((skip - choose) as u32);
        let end = self.climb(CHOICE, depth + 1)?;
        let end_of_choice = self.syntax.operations.len();
        self.syntax.operations[skip].kind = OperationKind::Skip((end_of_choice - skip - 1) as u32);
        Ok(end)
    }

    fn term(&mut self, depth: usize) -> ParseResult<usize> {
        self.scan.skip_space();
        let start = self.scan.at;
        if depth > MAX_DEPTH {
            let message = format!("this expression is nested more than {MAX_DEPTH} deep");
            let here = self.scan.span(start, start + 1);
            return refuse(ErrorCode::TooComplex, here, message, "expected a simpler one");
        }
        if let Some(operator) = PrefixOperator::at(self.scan.rest()) {
            self.scan.at += operator.sign.len();
            if let Some(length) = lowest_number(self.scan.rest()).filter(|_| operator.sign == "-") {
                self.scan.at += length;
                let kind = OperationKind::Number { value: i64::MIN, hexadecimal: false };
                self.push(kind, start, self.scan.at);
                return Ok(self.scan.at);
            }
            let end = self.term(depth + 1)?;
            self.push(OperationKind::Prefix(operator), start, end);
            return Ok(end);
        }
        if self.scan.take("(") {
            self.climb(CHOICE, depth + 1)?;
            self.scan.expect(")", "an operator or `)`")?;
            return Ok(self.scan.at);
        }
        let hexadecimal = radix(self.scan.rest()).0 == 16;
        let kind = match self.scan.literal()? {
            Some(value) => OperationKind::Number { value, hexadecimal },
            None if self.scan.peek() == b'.' || self.scan.name_begins() => self.name_or_function(depth)?,
            None if self.scan.peek() == b'"' && self.index_follows() => {
                OperationKind::Text(self.text_operand("a text")?)
            }
            None if self.scan.peek() == b'#' => {
                let error = self.scan.unexpected("a value");
                let help = match self.is_in_contract {
                    true => "in a formula, a number has no `#`, and a RAM name is the byte there",
                    false => "`#` is allowed only before a whole operand",
                };
                return Err(error.help(help).into());
            }
            None => return Err(self.scan.unexpected("a value: a number, a name or `(`")),
        };
        self.warn_of_letter(start);
        let base = self.push(kind, start, self.scan.at);
        if !self.scan.clone().take("[") {
            return Ok(self.syntax.operations[base].end as usize);
        }
        self.scan.take("[");
        self.allow_text(base);
        self.climb(CHOICE, depth + 1)?;
        self.scan.expect("]", "an operator or `]`")?;
        self.push(OperationKind::Index, start, self.scan.at);
        Ok(self.scan.at)
    }

    /// Whether the text that begins here is followed by an index.
    fn index_follows(&self) -> bool {
        let mut ahead = self.scan.clone();
        matches!(ahead.quoted(), Ok(Some(_))) && ahead.take("[")
    }

    /// Allows a name to stand for a text.
    fn allow_text(&mut self, operation: usize) {
        let kind = &mut self.syntax.operations[operation].kind;
        match kind {
            OperationKind::Name(name) => *kind = OperationKind::ValueOrText(*name),
            OperationKind::Argument { may_be_text, .. } | OperationKind::Paste { may_be_text, .. } => {
                *may_be_text = true;
            }
            _ => {}
        }
    }

    fn name_or_function(&mut self, depth: usize) -> ParseResult<OperationKind> {
        let written = self.written_name(depth)?;
        let calls = self.scan.clone().take("(");
        let name = match written {
            WrittenName::Pasted(_) if calls => return self.call_of_function(written, depth),
            WrittenName::Pasted(pasting) => return Ok(OperationKind::Paste { pasting, may_be_text: false }),
            WrittenName::Plain(name) => name,
        };
        let kind = match self.names.spelling(name) {
            "here" => return Ok(OperationKind::Here),
            function @ ("gray" | "size") if calls => {
                let kind = if function == "gray" { OperationKind::Gray } else { OperationKind::Size };
                self.scan.take("(");
                self.climb(CHOICE, depth + 1)?;
                kind
            }
            function @ ("isconst" | "isknown") if calls => {
                let make =
                    if function == "isconst" { OperationKind::IsConst } else { OperationKind::IsKnown };
                self.scan.take("(");
                self.scan.skip_space();
                let Some((start, parameter)) = self.scan.name() else {
                    return Err(self.scan.unexpected("the name of a macro parameter"));
                };
                let parameter = self.intern(parameter);
                self.mention(WrittenName::Plain(parameter), start);
                make(parameter)
            }
            "byte" if calls => self.byte(depth)?,
            "len" if calls => {
                self.scan.take("(");
                self.argument(depth)?;
                OperationKind::Length
            }
            _ if calls => return self.call_of_function(written, depth),
            _ => {
                if let Some(index) = self.function_parameters.iter().position(|&other| other == name) {
                    return Ok(OperationKind::Argument { index: index as u32, may_be_text: false });
                }
                self.mark_used(name);
                return Ok(OperationKind::Name(name));
            }
        };
        self.scan.expect(")", "`)`")?;
        Ok(kind)
    }

    /// Parses `byte(value, number)`, up to the closing parenthesis.
    fn byte(&mut self, depth: usize) -> ParseResult<OperationKind> {
        self.scan.take("(");
        let constant = self.scan.take("#");
        let value = self.nested_expression(depth + 1)?;
        let name = self.syntax.only_name(value);
        self.scan.expect(",", "`,` and which byte: 0 is the lowest")?;
        self.climb(CHOICE, depth + 1)?;
        Ok(OperationKind::Byte { constant, name })
    }

    /// Parses the arguments of a function of the program, in parentheses.
    fn call_of_function(&mut self, written: WrittenName, depth: usize) -> ParseResult<OperationKind> {
        if let WrittenName::Plain(name) = written {
            self.mark_used(name);
        }
        self.scan.take("(");
        let mut count = 0;
        if !self.scan.take(")") {
            count = self.separated("arguments", |parser| parser.argument(depth))?.len();
            self.scan.expect(")", "an operator, `,` or `)`")?;
        }
        Ok(OperationKind::Call(written, count as u32))
    }

    /// Parses an argument of a function: a value or a text.
    fn argument(&mut self, depth: usize) -> ParseResult<()> {
        self.scan.skip_space();
        let start = self.scan.at;
        if let Some(text) = self.whole_text()? {
            self.push(OperationKind::Text(text), start, self.scan.at);
            return Ok(());
        }
        let value = self.nested_expression(depth + 1)?;
        if value.operations.len() == 1 || self.syntax.only_written_name(value).is_some() {
            self.allow_text(value.operations.end as usize - 1);
        }
        Ok(())
    }

    /// Parses a name, in which `{expression}` may stand for its value. A [`OperationKind::Paste`] after the operations of
    /// these expressions uses their values.
    pub fn written_name(&mut self, depth: usize) -> ParseResult<WrittenName> {
        let start = self.scan.at;
        self.scan.take(".");
        let (_, letters) = self.scan.name_characters();
        let spelling = self.scan.text(start, self.scan.at);
        if self.scan.peek() != b'{' {
            if letters.starts_with(|c: char| c.is_ascii_digit()) || letters.is_empty() {
                let span = self.scan.span_from(start);
                let label = "expected a letter or `_` after the dot";
                return refuse(ErrorCode::BadName, span, "this is not a name", label);
            }
            self.check_letters(start);
            let name = WrittenName::Plain(self.intern(spelling));
            return Ok(self.mention(name, start));
        }
        let mut parts = vec![Part::Text(spelling.to_owned())];
        while self.scan.peek() == b'{' {
            self.scan.check_count(parts.len(), "parts of a name")?;
            self.scan.at += 1;
            let value = self.nested_expression(depth + 1)?;
            let first = value.operations.start as usize;
            if let Some(name) = self.syntax.only_name(value) {
                self.syntax.operations[first].kind = OperationKind::NameOrText(name);
            } else if value.operations.len() == 1 {
                self.allow_text(first);
            }
            parts.push(Part::Value(value));
            self.scan.expect("}", "an operator or `}`")?;
            let (_, text) = self.scan.name_characters();
            parts.push(Part::Text(text.to_owned()));
        }
        self.syntax.pastings.push(parts);
        let name = WrittenName::Pasted(self.syntax.pastings.len() as u32 - 1);
        Ok(self.mention(name, start))
    }

    /// Adds an operation; returns its index.
    fn push(&mut self, kind: OperationKind, start: usize, end: usize) -> usize {
        self.syntax.operations.push(Operation { kind, start: start as u32, end: end as u32 });
        self.syntax.operations.len() - 1
    }
}
