//! Conditions that are evaluated at run time: `carry`, `zero`, comparisons of bytes and of numbers of 16 bits, tests of
//! bits, and combinations with `!`, `&&` and `||`.

use super::parser::Parser;
use super::scan::{ParseResult, refuse};
use super::tree::{Comparison, Condition, Operand, Reading};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use gray1_text::{COMPARISON, Operator};

/// The maximum depth of parentheses. (Each level may be parsed twice, because only its end shows whether it belongs to a
/// value.)
const MAX_DEPTH: usize = 8;
/// The maximum number of comparisons and flags in one condition.
const MAX_PARTS: usize = 64;

impl Parser<'_> {
    /// Parses a condition up to the end of the statement; returns its number.
    pub fn last_condition(&mut self) -> ParseResult<u32> {
        let condition = self.either(0)?;
        self.end_of_statement()
            .map_err(|error| error.help_if(self.comparison().map(|_| "write `a < b && b < c`")))?;
        Ok(condition)
    }

    fn either(&mut self, depth: usize) -> ParseResult<u32> {
        self.joined("||", Condition::Either, |parser| {
            parser.joined("&&", Condition::Both, |parser| parser.negated(depth))
        })
    }

    fn joined(
        &mut self,
        sign: &str,
        join: fn(u32, u32) -> Condition,
        mut part: impl FnMut(&mut Self) -> ParseResult<u32>,
    ) -> ParseResult<u32> {
        let mut condition = part(self)?;
        let first = self.syntax.conditions.len();
        while self.scan.take(sign) {
            if self.syntax.conditions.len() - first > MAX_PARTS {
                let message = format!("this condition has more than {MAX_PARTS} parts");
                let here = self.scan.span_from(self.scan.at - sign.len());
                return refuse(ErrorCode::TooComplex, here, message, "expected a shorter one");
            }
            let right = part(self)?;
            condition = self.add_condition(join(condition, right));
        }
        Ok(condition)
    }

    fn negated(&mut self, depth: usize) -> ParseResult<u32> {
        let mut is_negated = false;
        while !self.scan.rest().trim_start().starts_with("!=") && self.scan.take("!") {
            is_negated = !is_negated;
        }
        let condition = match self.in_parentheses(depth)? {
            Some(condition) => condition,
            None => self.single(is_negated)?,
        };
        Ok(if is_negated { self.add_condition(Condition::Not(condition)) } else { condition })
    }

    /// Parses a condition in parentheses, unless they belong to a value: `(x + 1) == #5`.
    fn in_parentheses(&mut self, depth: usize) -> ParseResult<Option<u32>> {
        let scan = self.scan.clone();
        let lengths = (self.syntax.operations.len(), self.syntax.pastings.len(), self.syntax.mentions.len());
        if depth < MAX_DEPTH && self.scan.take("(") {
            let condition = self.either(depth + 1).ok();
            if condition.is_some() && self.scan.is_at_end() {
                return Err(self.scan.unexpected("`&&`, `||` or `)`"));
            }
            let condition = condition.filter(|_| self.scan.take(")"));
            let goes_on = Operator::at(self.scan.rest().trim_start());
            if condition.is_some() && goes_on.is_none_or(|operator| matches!(operator.sign, "&&" | "||")) {
                return Ok(condition);
            }
        }
        self.scan = scan;
        self.syntax.operations.truncate(lengths.0);
        self.syntax.pastings.truncate(lengths.1);
        self.syntax.mentions.truncate(lengths.2);
        Ok(None)
    }

    /// Parses a flag, a comparison or a test.
    fn single(&mut self, is_negated: bool) -> ParseResult<u32> {
        if let Some(flag) = self.flag() {
            return Ok(self.add_condition(flag));
        }
        let reading = self.reading();
        let left = self.side()?;
        let is_test = reading == Reading::Bytes && self.take_word("has");
        let comparison = if is_test { None } else { self.comparison() };
        if !is_test && comparison.is_none() {
            let error = self.scan.unexpected("a comparison: `==`, `!=`, `<`, `<=`, `>` or `>=`");
            let is_whole = self.scan.is_at_end() && error.help.is_empty();
            let help = "the conditions are `carry`, `zero`, comparisons such as `x != #0`, and tests such as `x has #4`";
            return Err(error.help_if(is_whole.then_some(help)).into());
        }
        if is_negated {
            let (what, help) = match is_test {
                true => ("a test of bits", "write `!(x has #4)`"),
                false => ("a comparison", "write `!(x == #5)`, or `x != #5`"),
            };
            let message = format!("`!` before {what} without parentheses");
            let label = "expected `carry`, `zero` or `(` after `!`";
            let error = Diagnostic::error(ErrorCode::SyntaxError, left.span, message, label);
            return Err(error.help(help).into());
        }
        let right = self.side()?;
        Ok(self.add_condition(match comparison {
            Some(comparison) => Condition::Compare(reading, left, comparison, right),
            None => Condition::Has(left, right),
        }))
    }

    /// Takes `signed` or `word` before a value, unless it is a name in the comparison or test.
    fn reading(&mut self) -> Reading {
        let before = self.scan.clone();
        for (word, reading) in [("signed", Reading::Signed), ("word", Reading::Words)] {
            if self.take_word(word) {
                let mut value = self.scan.clone();
                value.skip_space();
                let is_value = match value.clone().name() {
                    Some((_, name)) => !name.eq_ignore_ascii_case("has"),
                    None => value.rest().starts_with(|c: char| c.is_ascii_digit() || "#$.".contains(c)),
                };
                if is_value {
                    return reading;
                }
                self.scan = before.clone();
            }
        }
        Reading::Bytes
    }

    /// Takes a word if it is next.
    fn take_word(&mut self, wanted: &str) -> bool {
        self.scan.skip_space();
        let mut ahead = self.scan.clone();
        let is_wanted = ahead.name().is_some_and(|(_, word)| word.eq_ignore_ascii_case(wanted));
        if is_wanted {
            self.scan = ahead;
        }
        is_wanted
    }

    /// Takes `carry` or `zero`, unless it is a name in a comparison.
    fn flag(&mut self) -> Option<Condition> {
        self.scan.skip_space();
        let mut ahead = self.scan.clone();
        let (_, word) = ahead.name()?;
        let flag = match word {
            _ if word.eq_ignore_ascii_case("carry") => Condition::Carry,
            _ if word.eq_ignore_ascii_case("zero") => Condition::Zero,
            _ => return None,
        };
        let ends = ahead.is_at_end() || [")", "&&", "||"].iter().any(|sign| ahead.rest().starts_with(sign));
        ends.then(|| {
            self.scan = ahead;
            flag
        })
    }

    /// Parses a side of a comparison.
    fn side(&mut self) -> ParseResult<Operand> {
        self.scan.skip_space();
        let start = self.scan.at;
        let immediate = self.scan.take("#");
        let value = self.expression_of(COMPARISON + 1, 0)?;
        Ok(self.value_operand(immediate, value, start))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        self.scan.skip_space();
        let operator = Operator::at(self.scan.rest())?;
        let comparison = match operator.sign {
            "==" => Comparison::EQUAL,
            "!=" => Comparison::NOT_EQUAL,
            "<" => Comparison::LESS,
            "<=" => Comparison::LESS_OR_EQUAL,
            ">" => Comparison::GREATER,
            ">=" => Comparison::GREATER_OR_EQUAL,
            _ => return None,
        };
        self.scan.at += operator.sign.len();
        Some(comparison)
    }

    fn add_condition(&mut self, condition: Condition) -> u32 {
        self.syntax.conditions.push(condition);
        self.syntax.conditions.len() as u32 - 1
    }
}
