//! Parsers with names that shells complete: shipped programs, chips, codes. Other values, such as the path of a file,
//! are passed to the inner parser.

use clap::builder::{PathBufValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use gray1_assembler::{Code, ShippedProgram, Warning};
use gray1_lessons::Course;
use gray1_machine::board::{Board, Chip};
use gray1_proof::Claim;
use std::ffi::OsStr;
use std::sync::LazyLock;

/// A parser with names that shells complete.
#[derive(Clone)]
pub struct Completed<P> {
    inner: P,
    names: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Completed<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.inner.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// Makes a parser for a program: a file, or the name of a shipped program.
pub fn program() -> Completed<PathBufValueParser> {
    named(PathBufValueParser::new(), programs)
}

/// Returns the names of the shipped programs.
pub fn programs() -> Vec<&'static str> {
    ShippedProgram::all().map(|program| program.name()).collect()
}

/// Makes a parser for the name of a chip.
pub fn chip() -> Completed<StringValueParser> {
    named(StringValueParser::new(), || {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| Board::gray1().chips.iter().map(Chip::name).map(str::to_owned).collect());
        NAMES.iter().map(String::as_str).collect()
    })
}

/// Makes a parser for the name of an error or a warning.
pub fn code<P: TypedValueParser>(inner: P) -> Completed<P> {
    named(inner, || Code::all().map(Code::name).collect())
}

/// Makes a parser for the name of a warning.
pub fn warning<P: TypedValueParser>(inner: P) -> Completed<P> {
    named(inner, || Warning::ALL.iter().map(|warning| warning.name()).collect())
}

/// Makes a parser for the name of a claim about the board, or of a contract.
pub fn claim() -> Completed<StringValueParser> {
    named(StringValueParser::new(), || Claim::ALL.into_iter().map(|claim| claim.wording().name).collect())
}

/// Makes a parser for the number of an exercise or a level.
pub fn exercise() -> Completed<StringValueParser> {
    named(StringValueParser::new(), || {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| Course::with_levels().exercises().map(|exercise| exercise.id).collect());
        NAMES.iter().map(String::as_str).chain(["all"]).collect()
    })
}

/// Makes a parser that completes these names.
pub fn named<P: TypedValueParser>(inner: P, names: fn() -> Vec<&'static str>) -> Completed<P> {
    Completed { inner, names }
}
