//! A dialogue with a debugger, and what its commands share: saying something, and reading what they are given.

use crate::debugger::Debugger;
use crate::error::{DebugError, did_you_mean, require};
use crate::expression::Expression;
use crate::scanner::Scanner;
use gray1_assembler::closest;
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
}
