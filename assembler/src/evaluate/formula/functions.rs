//! The names and functions that exist only in formulas. A program may define them itself.

use super::operators::operator;
use crate::codes::ErrorCode;
use crate::contract::Term;
use crate::evaluate::build::Build;
use crate::names::Name;
use crate::syntax::OperationKind;
use crate::table::{NoValue, Value, ValueKind};
use gray1_isa::PROGRAM_WORDS;

/// The functions of formulas. Each has one argument.
pub(crate) const FORMULA_FUNCTIONS: [&str; 6] = ["old", "word", "long", "signed", "pad", "at"];
/// The registers, and the last byte read from the keys.
const WORDS: [(&str, Term); 3] =
    [("a", Term::A { before: false }), ("c", Term::C { before: false }), ("keys", Term::Keys)];

/// Whether a name has a special meaning in formulas.
pub(crate) fn is_formula_word(spelling: &str) -> bool {
    FORMULA_FUNCTIONS.contains(&spelling) || term_of(spelling).is_some()
}

/// Looks up a register or an input.
pub(super) fn term_of(spelling: &str) -> Option<Term> {
    let is_it = |word: &str| word == spelling || word.len() == 1 && word.eq_ignore_ascii_case(spelling);
    WORDS.iter().find(|(word, _)| is_it(word)).map(|(_, term)| *term)
}

/// The number of rows of pads.
const BOARD_SIZE: i64 = 8;
/// The bits of a byte.
const BYTE: i64 = 0xFF;
/// The bit that makes a byte negative.
const SIGN: i64 = 0x80;

impl Build<'_> {
    /// Looks up a function of formulas, unless the program defines one of this name.
    pub(super) fn formula_function(&self, name: Name) -> Option<&'static str> {
        let spelling = self.library.names.spelling(name);
        let function = FORMULA_FUNCTIONS.into_iter().find(|function| *function == spelling)?;
        // The library does not see the program's functions.
        let is_library = self.library.is_of_library(self.evaluation.at.context.file);
        (is_library || !self.table.definitions.contains_key(&name)).then_some(function)
    }

    pub(super) fn call_built_in(&mut self, function: &'static str, count: usize) -> Result<Value, NoValue> {
        if count != 1 {
            let message = format!("`{function}` takes 1 argument, not {count}");
            return self.fail(ErrorCode::ArgumentCount, message, "expected 1 argument");
        }
        match function {
            "old" => self.old(),
            "word" => self.little_endian(2),
            "long" => self.little_endian(4),
            "signed" => self.signed(),
            "pad" => self.pad(),
            _ => self.at(),
        }
    }

    /// Takes the value at the entry.
    fn old(&mut self) -> Result<Value, NoValue> {
        if !self.evaluation.formula.has_before {
            let message = "`old` in `.requires`";
            let label = "this is about the entry already: leave `old` out";
            return self.fail(ErrorCode::MisplacedOld, message, label);
        }
        let value = self.pop()?;
        let ValueKind::Terms(_) = value.kind else {
            let kind = if value.kind == ValueKind::Ram { ValueKind::Before } else { value.kind };
            return Ok(Value { kind, ..value });
        };
        let mut terms = self.terms(value)?;
        for term in &mut terms {
            match term {
                Term::Byte { before, .. } | Term::A { before } | Term::C { before } => *before = true,
                Term::Keys | Term::Pad | Term::At(_) => {
                    let message = "this has no value at the entry";
                    let label = "`keys`, `pad` and `at` are about the moment itself, so not in `old`";
                    return self.fail(ErrorCode::MisplacedOld, message, label);
                }
                _ => {}
            }
        }
        self.new_terms(terms)
    }

    /// Combines bytes to a number, the lowest byte first.
    fn little_endian(&mut self, bytes: u32) -> Result<Value, NoValue> {
        let Some(Value { number: address, kind }) = self.as_place() else {
            return self.masked((1 << (8 * bytes)) - 1);
        };
        self.pop()?;
        let mut terms = Vec::new();
        for number in 0..i64::from(bytes) {
            terms.push(self.byte_at(address + number, kind == ValueKind::Before)?);
            if number > 0 {
                let weight =
                    [Term::Number(8 * number), Term::Infix(operator("<<")), Term::Infix(operator("+"))];
                terms.extend(weight);
            }
        }
        self.new_terms(terms)
    }

    /// Reads a byte as -128..127.
    fn signed(&mut self) -> Result<Value, NoValue> {
        let byte = self.masked(BYTE)?;
        let flipped = self.computed_with(byte, "^", SIGN)?;
        self.computed_with(flipped, "-", SIGN)
    }

    /// Takes the last value, and masks it unless it is a byte.
    fn masked(&mut self, mask: i64) -> Result<Value, NoValue> {
        let value = self.pop()?;
        let is_byte = match value.kind {
            ValueKind::Ram | ValueKind::Before => true,
            ValueKind::Terms(terms) => {
                let terms = &self.evaluation.formula.terms[terms as usize][..];
                matches!(terms, [Term::A { .. } | Term::Byte { .. }])
            }
            _ => false,
        };
        if is_byte { Ok(value) } else { self.computed_with(value, "&", mask) }
    }

    /// Applies an operator to a value and a number.
    fn computed_with(&mut self, value: Value, sign: &str, number: i64) -> Result<Value, NoValue> {
        self.evaluation.stack.extend([value, Value::plain(number)]);
        let infix = operator(sign);
        self.operator(2, Term::Infix(infix), OperationKind::Infix(infix))
    }

    /// Takes the last value: extracts a byte of a number, or gives the byte of RAM at this distance.
    pub(super) fn formula_byte(&mut self, constant: bool, number: i64) -> Result<Value, NoValue> {
        if !constant {
            self.as_place();
        }
        self.as_numbers(1);
        let value = self.pop()?;
        match value.kind {
            ValueKind::Ram | ValueKind::Before => {
                let byte = self.byte(Value { kind: ValueKind::Ram, ..value }, constant, number)?;
                Ok(if byte.kind == ValueKind::Ram { Value { kind: value.kind, ..byte } } else { byte })
            }
            ValueKind::Terms(_) => {
                // This only checks the number.
                self.byte(Value::plain(0), true, number)?;
                let shifted = self.computed_with(value, ">>", 8 * number)?;
                self.computed_with(shifted, "&", BYTE)
            }
            _ => self.byte(value, true, number),
        }
    }

    fn pad(&mut self) -> Result<Value, NoValue> {
        match self.last_values(1, 0) {
            [row] if row.is_constant() && !(0..BOARD_SIZE).contains(&row.number) => {
                let message = format!("there is no row {}", row.number);
                self.fail(ErrorCode::OutOfRange, message, "expected 0..7 in `pad`")
            }
            _ => self.combine(1, Term::Pad),
        }
    }

    /// Tests whether control is at a label.
    fn at(&mut self) -> Result<Value, NoValue> {
        let Value { number, kind } = self.pop()?;
        let sequence = u16::try_from(number).ok().filter(|&sequence| usize::from(sequence) < PROGRAM_WORDS);
        let Some(sequence) = sequence.filter(|_| kind == ValueKind::Label) else {
            let message = "`at` of something that is not a label";
            return self.fail(ErrorCode::WrongKind, message, "expected a label or a routine");
        };
        self.new_terms(vec![Term::At(sequence)])
    }
}
