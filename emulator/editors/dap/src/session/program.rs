//! The program being debugged.

use super::client_breakpoint::ClientBreakpoint;
use super::launch::Launch;
use gray1_debugger::{Debugger, Dialogue, Position};
use gray1_machine::Snapshot;

/// The program being debugged.
pub(super) struct Program {
    pub launch: Launch,
    pub dialogue: Dialogue,
    pub breakpoints: Vec<ClientBreakpoint>,
    /// The number of the last breakpoint.
    pub last_id: i64,
    /// The number of bytes of output sent to the client.
    pub sent: u64,
    /// The number of stack frames shown, from the outermost.
    pub depth: usize,
}

/// The position and state of the machine at one moment, to find out later whether they have changed.
pub(super) struct Standing {
    pub snapshot: Snapshot,
    pub position: Position,
    pub sequence: u16,
}

impl Program {
    pub fn debugger(&self) -> &Debugger {
        self.dialogue.debugger()
    }

    pub fn debugger_mut(&mut self) -> &mut Debugger {
        self.dialogue.debugger_mut()
    }

    /// The sequence number of the instruction being run.
    pub fn sequence(&self) -> u16 {
        self.debugger().machine().running()
    }

    pub fn is_halted(&self) -> bool {
        self.debugger().history().is_halted()
    }

    /// The current position and state of the machine.
    pub(super) fn standing(&self) -> Standing {
        let debugger = self.debugger();
        let snapshot = debugger.machine().snapshot();
        Standing { snapshot, position: debugger.position(), sequence: self.sequence() }
    }
}
