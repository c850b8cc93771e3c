//! A dialogue with a debugger, and what its commands share: saying something, and reading what they are given.

use crate::debugger::Debugger;
use crate::error::{DebugError, did_you_mean};
use crate::expression::Expression;
use crate::scan::Scan;
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

    pub(super) fn expression(&self, scan: &mut Scan) -> Result<Expression> {
        self.debugger.reader().expression(scan)
    }

    /// The value of the next expression.
    pub(super) fn value(&self, scan: &mut Scan) -> Result<i64> {
        self.expression(scan)?.value(self.debugger.machine())
    }

    /// The name of a chip, if something comes next.
    pub(super) fn chip(&self, scan: &mut Scan) -> Result<Option<String>> {
        scan.space();
        let offset = scan.at();
        let Some(name) = scan.name() else { return Ok(None) };
        let board = self.debugger.board();
        let unknown = || {
            let near = closest(name, board.chips.iter().map(|chip| chip.name()));
            DebugError::input(offset, format!("the board has no chip `{name}`{}", did_you_mean(near)))
        };
        Ok(Some(board.chip(name).ok_or_else(unknown)?.name().to_owned()))
    }

    /// A location in the program, as sequence numbers: a line (`12`, `lib.g1:12`), a label (`loop+2`), or `at` and a
    /// sequence number.
    pub(super) fn location(&self, scan: &mut Scan) -> Result<Vec<u16>> {
        scan.space();
        let offset = scan.at();
        let source = self.debugger.source();
        let word = scan.rest().split_whitespace().next().unwrap_or("").to_owned();
        let (file, digits) = match word.rsplit_once(':') {
            Some((file, digits)) => (source.find_file(file), digits),
            None => (source.root(), word.as_str()),
        };
        if let Ok(line) = digits.parse::<usize>() {
            let file = file.ok_or_else(|| {
                DebugError::input(offset, "there are no lines of that: write `at` and a sequence number")
            })?;
            let starts = source.line_starts(file, line);
            if starts.is_empty() {
                let message = format!("line {line} of {file} makes no instruction");
                return Err(DebugError::input(offset, message));
            }
            scan.take(&word);
            return Ok(starts);
        }
        scan.take_word("at");
        let value = self.value(scan)?;
        let sequence = u16::try_from(value).ok().filter(|&number| usize::from(number) < PROGRAM_WORDS);
        let invalid = || format!("{value} is no sequence number: they are 0 to 4095");
        Ok(vec![sequence.ok_or_else(|| DebugError::input(offset, invalid()))?])
    }

    /// Bytes of RAM: a name for all of its bytes, an address, or the first and the last with `..` between them.
    pub(super) fn range(&self, scan: &mut Scan) -> Result<(u16, u16)> {
        let mut name_only = scan.clone();
        let name = name_only.name().and_then(|name| self.debugger.source().name(name));
        let reader = self.debugger.reader();
        let first = reader.address(scan)?;
        if scan.take("..") {
            let offset = scan.at();
            let last = reader.address(scan)?;
            if last < first {
                return Err(DebugError::input(offset, "the last byte lies before the first"));
            }
            return Ok((first, last));
        }
        match name {
            Some(Name::Ram(_, size)) if name_only.at() == scan.at() => Ok((first, first + size - 1)),
            _ => Ok((first, first)),
        }
    }
}
