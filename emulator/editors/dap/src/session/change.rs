//! Changes to the machine, and the events that tell the client what to refresh.

use super::program::{Program, Standing};
use super::state::Session;
use crate::message::Refusal;
use gray1_debugger::Edit;
use gray1_isa::memory_map::RAM_BYTES;
use serde_json::json;

impl Session {
    /// Changes registers and RAM, and reports a future that this discards.
    pub(super) fn edit(&mut self, edits: &[Edit]) -> Result<(), Refusal> {
        let mut forks = Vec::new();
        let result = self.change(|program| {
            for edit in edits {
                forks.push(program.debugger_mut().history_mut().edit(*edit)?);
            }
            Ok(())
        });
        for fork in forks.iter().filter(|fork| fork.left > 0) {
            self.say("console", &fork.to_string());
        }
        result
    }

    /// Runs code that may change or move the machine, and tells the client if it did.
    fn change<T>(&mut self, change: impl FnOnce(&mut Program) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let program = self.loaded()?.0;
        let standing = program.standing();
        let result = change(program);
        self.tell_changes(&standing, false)?;
        result
    }

    /// Tells the client what has changed. If the machine was announced as running, also tells it that it has stopped.
    pub(super) fn tell_changes(&mut self, before: &Standing, was_announced: bool) -> Result<(), Refusal> {
        let (program, outbox, client) = self.loaded()?;
        program.send_output(outbox, true);
        let now = program.standing();
        let is_changed = now.snapshot != before.snapshot;
        if is_changed && client.supports_memory_event {
            let all = json!({ "memoryReference": "0x000", "offset": 0, "count": RAM_BYTES });
            outbox.event("memory", all);
        }
        let is_moved = (now.position, now.sequence) != (before.position, before.sequence);
        if was_announced {
            self.stop("goto", "Paused");
        } else if is_changed && !is_moved && client.supports_invalidated_event {
            outbox.event("invalidated", json!({ "areas": ["all"] }));
        } else if is_changed {
            // Some clients ignore `stopped` if nothing was running before.
            outbox.event("continued", json!({ "threadId": 1, "allThreadsContinued": true }));
            self.stop("goto", "Paused elsewhere");
        }
        Ok(())
    }
}
