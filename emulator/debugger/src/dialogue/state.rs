//! A dialogue with a debugger, and what its commands share: writing replies and reading arguments.

use crate::debugger::Debugger;
use crate::error::{DebugError, did_you_mean, require};
use crate::expression::Expression;
use crate::position::Position;
use crate::scanner::Scanner;
use gray1_assembler::closest;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

pub(super) type Result<T = ()> = std::result::Result<T, DebugError>;

/// A dialogue with a debugger.
pub struct Dialogue {
    pub(super) debugger: Debugger,
    /// The reply to the current line so far.
    pub(super) reply: Reply,
    pub(super) is_over: bool,
    pub(super) listener: Option<Listener>,
    /// Commands do not go forwards beyond this position.
    pub(super) limit: Position,
    /// The expressions that are printed at every stop.
    pub(super) displayed: Vec<(String, Expression)>,
    /// Named positions, set by `mark`.
    pub(super) marks: BTreeMap<String, Position>,
    pub(super) scripts: Option<Scripts>,
}

/// Why a command that moves through the run did not reach its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// The target was not found before the halt, or the beginning of the run.
    Missed,
    /// The limit of [`Dialogue::set_limit`] was reached.
    Limit,
}

impl Shortfall {
    /// The message for the line of the command.
    pub fn of(self, line: &str) -> String {
        let line = line.trim();
        match self {
            Shortfall::Missed => format!("`{line}` did not reach its target"),
            Shortfall::Limit => format!("`{line}` stopped at the limit of cycles before its target"),
        }
    }
}

/// Receives the messages of logpoints as they come, without a newline.
pub type Listener = Box<dyn FnMut(&str) + Send>;

/// Reads the text of a file. An error names the file and the cause.
pub type ScriptReader = Box<dyn Fn(&str) -> std::result::Result<String, String> + Send>;

/// The reader of `source`, and the files that it is reading.
pub(super) struct Scripts {
    pub reader: ScriptReader,
    /// The files being read, each included by the one before it. The first may be read by the caller.
    pub open: Vec<String>,
}

/// The maximum size of a reply that contains messages, in bytes.
const MAX_LOGGED: usize = 1 << 20;

/// The reply to a line. As text, the location comes last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The output of the command: lines, each with its newline.
    pub text: String,
    /// If the command moved through the run, the new state of the machine in a line, with its newline.
    pub location: Option<String>,
    /// The requested value, if any.
    pub value: Option<i64>,
    /// The answer of a question as fields for JSON.
    pub fields: Map<String, Value>,
    /// The reason, if the command did not reach its target.
    pub shortfall: Option<Shortfall>,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, self.location.as_deref().unwrap_or_default())
    }
}

impl Dialogue {
    /// A dialogue with this debugger.
    pub fn new(debugger: Debugger) -> Dialogue {
        Dialogue {
            debugger,
            reply: Reply::default(),
            is_over: false,
            listener: None,
            limit: Position::NEVER,
            displayed: Vec::new(),
            marks: BTreeMap::new(),
            scripts: None,
        }
    }

    /// The debugger.
    pub fn debugger(&self) -> &Debugger {
        &self.debugger
    }

    /// The debugger, to move through the run or to change it.
    pub fn debugger_mut(&mut self) -> &mut Debugger {
        &mut self.debugger
    }

    /// Whether `quit` has been given.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Sets how many cycles further than the current position commands may run.
    pub fn set_limit(&mut self, cycles: u64) {
        self.limit = Position::start_of(self.debugger.position().cycle.saturating_add(cycles));
    }

    /// Sets the listener for the messages of logpoints. Without a listener they are part of the reply, whose size is
    /// limited: if there are too many, the oldest are dropped.
    pub fn set_listener(&mut self, listener: Option<Listener>) {
        self.listener = listener;
    }

    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        self.reply.text += text.as_ref();
        self.reply.text.push('\n');
    }

    /// Adds a field to the answer in JSON.
    pub(super) fn set_field(&mut self, name: &str, value: impl Serialize) {
        // Plain data can always be converted.
        self.reply.fields.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
    }

    pub(super) fn expression(&self, scanner: &mut Scanner) -> Result<Expression> {
        self.debugger.parser().expression(scanner)
    }

    /// The value of the next expression.
    pub(super) fn value(&self, scanner: &mut Scanner) -> Result<i64> {
        self.debugger.parser_here(None).expression(scanner)?.value(self.debugger.machine())
    }

    /// The name of a chip; `None` at the end of the line.
    pub(super) fn chip(&self, scanner: &mut Scanner) -> Result<Option<String>> {
        let offset = scanner.offset();
        let Some(name) = scanner.name() else { return Ok(None) };
        let board = self.debugger.board();
        let near = did_you_mean(closest(name, board.chips.iter().map(|chip| chip.name())));
        let chip = require(board.chip(name), offset, format!("the board has no chip `{name}`{near}"))?;
        Ok(Some(chip.name().to_owned()))
    }
}

/// Adds the message of a logpoint to a reply. If there is no room, the older half of the reply is dropped.
pub(super) fn log(reply: &mut String, message: &str) {
    if reply.len() + message.len() > MAX_LOGGED {
        let half = reply.len() / 2;
        let end_of_line = reply.as_bytes()[half..].iter().position(|&byte| byte == b'\n');
        reply.drain(..end_of_line.map_or(reply.len(), |end| half + end + 1));
    }
    reply.push_str(message);
    reply.push('\n');
}
