//! Changing the machine, and telling the client that it has to look again.

use super::{Program, Session};
use crate::message::Refusal;
use gray1_debugger::{Edit, Position};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::Snapshot;
use serde_json::json;

/// How the machine was before something happened.
struct Before {
    snapshot: Snapshot,
    position: Position,
    place: u16,
}

impl Session {
    /// Changes registers and RAM. If that makes the run after it invalid, the user is told.
    pub(super) fn edit(&mut self, edits: &[Edit]) -> Result<(), Refusal> {
        let mut forks = Vec::new();
        let result = self.change(|program| {
            for edit in edits {
                forks.push(program.debugger_mut().history_mut().edit(*edit)?);
            }
            Ok(())
        });
        for fork in forks.iter().filter(|fork| fork.forgotten > 0) {
            self.say("console", &fork.to_string());
        }
        result
    }

    /// Does something that may change the machine or move it.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Program) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let program = self.parts()?.0;
        let (snapshot, position) = (program.debugger().machine().snapshot(), program.debugger().position());
        let before = Before { snapshot, position, place: program.place() };
        let result = change(program);
        self.look_again(&before)?;
        result
    }

    /// Tells the client to look again if the machine is not as it was.
    fn look_again(&mut self, before: &Before) -> Result<(), Refusal> {
        let (program, outbox, client) = self.parts()?;
        program.tell_output(outbox, true);
        let machine = program.debugger().machine();
        if machine.snapshot() == before.snapshot {
            return Ok(());
        }
        let here = (program.debugger().position(), machine.running());
        let is_moved = here != (before.position, before.place);
        if client.supports_memory_event {
            let all = json!({ "memoryReference": "0x000", "offset": 0, "count": RAM_BYTES });
            outbox.event("memory", all);
        }
        if !is_moved && client.supports_invalidated_event {
            outbox.event("invalidated", json!({ "areas": ["all"] }));
            return Ok(());
        }
        // Some clients believe in a stop only if something went on before.
        outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
        self.stop("goto", "Paused elsewhere");
        Ok(())
    }
}
