//! Breakpoints as the client describes them.

use serde::Deserialize;
use serde_json::Value;

/// A breakpoint of the client.
pub(super) struct ClientBreakpoint {
    pub id: i64,
    pub location: Location,
    pub options: Options,
    /// The number of the debugger's breakpoint, if there could be one.
    pub number: Option<usize>,
    /// For one on a line: the file and the line where it is.
    pub line: Option<(String, usize)>,
    /// What the client is told about it.
    pub shown: Value,
}

/// What a breakpoint is on.
#[derive(Clone, PartialEq)]
pub(super) enum Location {
    /// A line of a file, as the client counts.
    Line { file: String, line: i64 },
    /// A label or a routine.
    Label(String),
    /// An instruction, at an offset from a reference.
    Instruction { reference: String, offset: i64 },
    /// RAM or a net, by the `dataId` that the client was given, and the kind of access.
    Data { id: String, access: Option<String> },
}

/// What every breakpoint may have.
#[derive(Clone, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(super) struct Options {
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

impl Location {
    /// Why the machine has stopped there, in the words of the protocol.
    pub fn stop_reason(&self) -> &'static str {
        match self {
            Location::Line { .. } => "breakpoint",
            Location::Label(_) => "function breakpoint",
            Location::Instruction { .. } => "instruction breakpoint",
            Location::Data { .. } => "data breakpoint",
        }
    }
}
