//! Changing the machine, and telling the client what has to be shown again.

use super::state::{Program, Session};
use crate::message::Refusal;
use gray1_debugger::Edit;
use gray1_isa::memory_map::RAM_BYTES;
use serde_json::json;

impl Session {
    /// Changes registers and RAM. If a part of the history is forgotten, the user is told.
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

    /// Does something that may change the machine or move it, and tells the client if it did.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Program) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let (program, outbox, client) = self.loaded()?;
        let snapshot = program.debugger().machine().snapshot();
        let location = (program.debugger().position(), program.sequence());
        let result = change(program);
        program.send_output(outbox, true);
        if program.debugger().machine().snapshot() == snapshot {
            return result;
        }
        let is_moved = (program.debugger().position(), program.sequence()) != location;
        if client.supports_memory_event {
            let all = json!({ "memoryReference": "0x000", "offset": 0, "count": RAM_BYTES });
            outbox.event("memory", all);
        }
        if !is_moved && client.supports_invalidated_event {
            outbox.event("invalidated", json!({ "areas": ["all"] }));
        } else {
            // Some clients ignore a stop if nothing was running before.
            outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
            self.stop("goto", "Paused elsewhere");
        }
        result
    }
}
