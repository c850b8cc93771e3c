//! The names and functions that exist only in formulas. A program may define them itself.

use super::operators::operator;
use super::{PartialValue, Translation};
use crate::build::Build;
use crate::codes::ErrorCode;
use crate::contract::Term;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Origin;
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

/// The bits of a byte.
const BYTE: i64 = 0xFF;
/// The bit that makes a byte negative.
const SIGN: i64 = 0x80;

impl Build<'_> {
    /// Looks up a function of formulas, unless the program defines one of this name.
    pub(super) fn formula_function(&self, name: Name, origin: Origin) -> Option<&'static str> {
        let spelling = self.library.names.spelling(name);
        let function = FORMULA_FUNCTIONS.into_iter().find(|function| *function == spelling)?;
        // The library does not see the program's functions.
        let is_library = self.library.is_of_library(origin.context.file);
        (is_library || !self.table.definitions.contains_key(&name)).then_some(function)
    }
}

impl Translation<'_, '_> {
    pub(super) fn call_built_in(
        &mut self,
        function: &'static str,
        count: usize,
        origin: Origin,
    ) -> Result<(), NoValue> {
        if count != 1 {
            let message = format!("`{function}` takes 1 argument, not {count}");
            return self.build.fail(ErrorCode::ArgumentCount, origin, message, "expected 1 argument");
        }
        match function {
            "old" => self.old(origin),
            "word" => self.little_endian(2, origin),
            "long" => self.little_endian(4, origin),
            "signed" => self.signed(origin),
            "pad" => self.combine(1, Term::Pad, origin),
            _ => self.at(origin),
        }
    }

    /// Takes the value at the entry.
    fn old(&mut self, origin: Origin) -> Result<(), NoValue> {
        if !self.has_before {
            let message = "`old` in `.requires`";
            let label = "this is about the entry already: leave `old` out";
            let diagnostic = Diagnostic::error(ErrorCode::MisplacedOld, origin.span, message, label);
            self.build.report_at(diagnostic, origin);
            return Err(NoValue::Failed);
        }
        let value = match self.pop()? {
            PartialValue::Place { address, .. } => PartialValue::Place { address, before: true },
            PartialValue::Terms(mut terms) => {
                for term in &mut terms {
                    match term {
                        Term::Byte { before, .. } | Term::A { before } | Term::C { before } => *before = true,
                        Term::Keys | Term::Pad | Term::At(_) => {
                            let message = "this has no value at the entry".to_owned();
                            let label = "`keys`, `pad` and `at` are about the moment itself, so not in `old`";
                            return self.build.fail(ErrorCode::MisplacedOld, origin, message, label);
                        }
                        _ => {}
                    }
                }
                PartialValue::Terms(terms)
            }
            known => known,
        };
        self.stack.push(value);
        Ok(())
    }

    /// Combines bytes to a number, the lowest byte first.
    fn little_endian(&mut self, bytes: u32, origin: Origin) -> Result<(), NoValue> {
        self.as_place();
        if let Some(&PartialValue::Place { address, before }) = self.stack.last() {
            self.stack.pop();
            let mut terms = Vec::new();
            for number in 0..i64::from(bytes) {
                terms.push(self.byte_at(address + number, before, origin)?);
                if number > 0 {
                    let weight =
                        [Term::Number(8 * number), Term::Infix(operator("<<")), Term::Infix(operator("+"))];
                    terms.extend(weight);
                }
            }
            return self.push(PartialValue::Terms(terms), origin);
        }
        self.masked((1 << (8 * bytes)) - 1, origin)
    }

    /// Reads a byte as -128..127.
    fn signed(&mut self, origin: Origin) -> Result<(), NoValue> {
        self.masked(BYTE, origin)?;
        self.computed_with("^", SIGN, origin)?;
        self.computed_with("-", SIGN, origin)
    }

    /// Masks the last value, unless it is a byte.
    fn masked(&mut self, mask: i64, origin: Origin) -> Result<(), NoValue> {
        match self.stack.last() {
            Some(PartialValue::Place { .. }) => Ok(()),
            Some(PartialValue::Terms(terms)) if matches!(terms[..], [Term::A { .. } | Term::Byte { .. }]) => {
                Ok(())
            }
            _ => self.computed_with("&", mask, origin),
        }
    }

    /// Applies an operator to the last value and a number.
    fn computed_with(&mut self, sign: &str, number: i64, origin: Origin) -> Result<(), NoValue> {
        self.stack.push(PartialValue::Known(Value::plain(number)));
        let infix = operator(sign);
        self.operator(2, Term::Infix(infix), OperationKind::Infix(infix), origin)
    }

    /// Extracts a byte of a number, or gives the byte of RAM at this distance.
    pub(super) fn byte(&mut self, constant: bool, number: i64, origin: Origin) -> Result<(), NoValue> {
        if !constant {
            self.as_place();
        }
        self.as_numbers(1);
        let value = match self.pop()? {
            PartialValue::Place { address, before } => {
                let value = Value { number: address, kind: ValueKind::Ram };
                let value = self.build.byte(value, constant, number, origin)?;
                self.stack.push(match value.kind {
                    ValueKind::Ram => PartialValue::Place { address: value.number, before },
                    _ => PartialValue::Known(value),
                });
                return Ok(());
            }
            PartialValue::Known(value) => value,
            value => {
                // This only checks the number.
                self.build.byte(Value::plain(0), true, number, origin)?;
                self.stack.push(value);
                self.computed_with(">>", 8 * number, origin)?;
                return self.masked(BYTE, origin);
            }
        };
        let value = self.build.byte(value, true, number, origin)?;
        self.stack.push(PartialValue::Known(value));
        Ok(())
    }

    /// Tests whether control is at a label.
    fn at(&mut self, origin: Origin) -> Result<(), NoValue> {
        let value = self.pop()?;
        let sequence = match value {
            PartialValue::Known(Value { number, kind: ValueKind::Label }) => u16::try_from(number).ok(),
            _ => None,
        };
        let Some(sequence) = sequence.filter(|&sequence| usize::from(sequence) < PROGRAM_WORDS) else {
            let message = "`at` of something that is not a label".to_owned();
            return self.build.fail(ErrorCode::WrongKind, origin, message, "expected a label or a routine");
        };
        self.stack.push(PartialValue::Terms(vec![Term::At(sequence)]));
        Ok(())
    }
}
