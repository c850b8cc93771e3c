//! Values whose names shells complete: shipped programs, chips, codes. Other values, such as the path of a file, are
//! accepted too, and judged by the parser of the option.

use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use gray1_assembler::{Code, ShippedProgram};
use gray1_machine::board::{Board, Chip};
use std::ffi::OsStr;
use std::sync::LazyLock;

/// A parser with the names that shells complete.
#[derive(Clone)]
pub struct Known<P> {
    inner: P,
    names: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Known<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.inner.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// A parser of a program: a file, or the name of a shipped program.
pub fn program() -> Known<PathBufValueParser> {
    Known { inner: PathBufValueParser::new(), names: programs }
}

/// The names of the shipped programs.
pub fn programs() -> Vec<&'static str> {
    ShippedProgram::all().map(|program| program.name()).collect()
}

/// A parser of the name of a chip.
pub fn chip() -> Known<clap::builder::StringValueParser> {
    Known { inner: clap::builder::StringValueParser::new(), names: chips }
}

fn chips() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| Board::gray1().chips.iter().map(Chip::name).map(str::to_owned).collect());
    NAMES.iter().map(String::as_str).collect()
}

/// A parser of the name of an error or a warning.
pub fn code<P: TypedValueParser>(inner: P) -> Known<P> {
    named(inner, || Code::all().map(Code::name).collect())
}

/// A parser of one of these names.
pub fn named<P: TypedValueParser>(inner: P, names: fn() -> Vec<&'static str>) -> Known<P> {
    Known { inner, names }
}
