//! Changes to the machine, and the events that tell the client what to refresh.

use super::program::Standing;
use super::state::Session;
use crate::dap::message::Refusal;
use gray1_debugger::Edit;
use serde_json::json;

impl Session {
    /// Changes a register or a byte of RAM, tells the client, and reports a future that this discards.
    pub(super) fn edit(&mut self, edit: Edit) -> Result<(), Refusal> {
        let program = self.loaded()?.0;
        let standing = program.standing();
        let fork = program.debugger_mut().history_mut().edit(edit);
        self.tell_changes(&standing, false)?;
        let fork = fork?;
        if fork.left > 0 {
            self.say("console", &fork.to_string());
        }
        Ok(())
    }

    /// Tells the client what has changed. If the machine was announced as running, also tells it that it has stopped.
    pub(super) fn tell_changes(&mut self, before: &Standing, was_announced: bool) -> Result<(), Refusal> {
        let (program, outbox, client) = self.loaded()?;
        program.send_output(outbox, true);
        let now = program.standing();
        let is_changed = now.snapshot != before.snapshot;
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
