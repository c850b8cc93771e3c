//! Breakpoints as the client describes them.

use gray1_debugger::PointOptions;
use serde_json::Value;

/// A breakpoint of the client.
pub(super) struct ClientBreakpoint {
    pub id: i64,
    pub location: Location,
    pub options: PointOptions,
    /// The number of the debugger's breakpoint, if there could be one.
    pub number: Option<usize>,
    /// For a breakpoint on a line: its file and line.
    pub line: Option<(String, usize)>,
    /// The description sent to the client.
    pub shown: Value,
}

/// The location of a breakpoint.
#[derive(Clone, PartialEq)]
pub(super) enum Location {
    /// A line of a file, in the client's count.
    Line { file: String, line: i64 },
    /// A label or a routine.
    Label(String),
    /// An instruction, at an offset from a reference.
    Instruction { reference: String, offset: i64 },
    /// RAM or a net, by the `dataId` that was sent to the client, and the kind of access.
    Data { id: String, access: Option<String> },
}

impl Location {
    /// The reason for a stop there, in the terms of the protocol.
    pub fn stop_reason(&self) -> &'static str {
        match self {
            Location::Line { .. } => "breakpoint",
            Location::Label(_) => "function breakpoint",
            Location::Instruction { .. } => "instruction breakpoint",
            Location::Data { .. } => "data breakpoint",
        }
    }
}
