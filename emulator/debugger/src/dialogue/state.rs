//! A dialogue with a debugger, and what its commands share: saying something, and reading what they are given.

use crate::debugger::Debugger;
use crate::error::{DebugError, did_you_mean, require};
use crate::expression::Expression;
use crate::scanner::Scanner;
use crate::source::Name;
use gray1_assembler::closest;
use gray1_isa::PROGRAM_WORDS;
use std::fmt;

pub(super) type Result<T = ()> = std::result::Result<T, DebugError>;

/// A dialogue with a debugger.
pub struct Dialogue {
    pub(super) debugger: Debugger,
    /// The reply to the current line, as far as it goes.
    pub(super) text: String,
    pub(super) location: Option<String>,
    pub(super) is_over: bool,
}

/// The reply to a line. When it is displayed, the location follows the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What the command has to say: lines, each with its end.
    pub text: String,
    /// If the command went somewhere, the line that says where the machine is now, with its end.
    pub location: Option<String>,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, self.location.as_deref().unwrap_or_default())
    }
}

impl Dialogue {
    /// A dialogue with this debugger.
    pub fn new(debugger: Debugger) -> Dialogue {
        Dialogue { debugger, text: String::new(), location: None, is_over: false }
    }

    /// The debugger.
    pub fn debugger(&self) -> &Debugger {
        &self.debugger
    }

    /// The debugger, to move through the run or to change it.
    pub fn debugger_mut(&mut self) -> &mut Debugger {
        &mut self.debugger
    }

    /// Whether `quit` has been said.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        self.text += text.as_ref();
        self.text.push('\n');
    }

    pub(super) fn expression(&self, scanner: &mut Scanner) -> Result<Expression> {
        self.debugger.parser().expression(scanner)
    }

    /// The value of the next expression.
    pub(super) fn value(&self, scanner: &mut Scanner) -> Result<i64> {
        self.expression(scanner)?.value(self.debugger.machine())
    }

    /// The name of a chip, if something comes next.
    pub(super) fn chip(&self, scanner: &mut Scanner) -> Result<Option<String>> {
        let offset = scanner.offset();
        let Some(name) = scanner.name() else { return Ok(None) };
        let board = self.debugger.board();
        let near = did_you_mean(closest(name, board.chips.iter().map(|chip| chip.name())));
        let chip = require(board.chip(name), offset, format!("the board has no chip `{name}`{near}"))?;
        Ok(Some(chip.name().to_owned()))
    }

    /// A location in the program, as sequence numbers: a line (`12`, `lib.g1:12`), a label (`loop+2`), or `at` and a
    /// sequence number.
    pub(super) fn location(&self, scanner: &mut Scanner) -> Result<Vec<u16>> {
        let offset = scanner.offset();
        let source = self.debugger.source();
        let word = scanner.rest().split_whitespace().next().unwrap_or("").to_owned();
        let (file, digits) = match word.rsplit_once(':') {
            Some((file, digits)) => (source.find_file(file), digits),
            None => (source.root(), word.as_str()),
        };
        if let Ok(line) = digits.parse::<usize>() {
            let unknown = "no such source file; `at N` is the instruction with sequence number N";
            let file = require(file, offset, unknown)?;
            let starts = source.line_starts(file, line);
            let first = starts.first();
            require(first, offset, format!("line {line} of {file} makes no instruction"))?;
            scanner.take(&word);
            return Ok(starts);
        }
        scanner.take_word("at");
        let value = self.value(scanner)?;
        let sequence = u16::try_from(value).ok().filter(|&number| usize::from(number) < PROGRAM_WORDS);
        let invalid = format!("{value} is not a sequence number: they are 0 to 4095");
        Ok(vec![require(sequence, offset, invalid)?])
    }

    /// Bytes of RAM: a name for all of its bytes, an address, or the first and the last with `..` between them.
    pub(super) fn range(&self, scanner: &mut Scanner) -> Result<(u16, u16)> {
        let mut name_only = scanner.clone();
        let name = name_only.name().and_then(|name| self.debugger.source().name(name));
        let reader = self.debugger.parser();
        let first = reader.address(scanner)?;
        if scanner.take("..") {
            let offset = scanner.offset();
            let last = reader.address(scanner)?;
            let range = (first <= last).then_some((first, last));
            return require(range, offset, "the last byte comes before the first");
        }
        match name {
            Some(Name::Ram(_, size)) if name_only.offset() == scanner.offset() => {
                Ok((first, first + size - 1))
            }
            _ => Ok((first, first)),
        }
    }
}
