//! Changing the machine, and telling the client that it has to look again.

use super::{Program, Session};
use crate::message::Refusal;
use gray1_debugger::Position;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::Snapshot;
use serde_json::json;
use std::sync::atomic::AtomicBool;

/// How the machine was before something happened.
struct Before {
    snapshot: Snapshot,
    position: Position,
    place: u16,
}

impl Session {
    /// Gives places of the machine, each written as in an expression, other values. If that forgets a future, it is
    /// said.
    pub(super) fn set(&mut self, settings: &[(String, String)]) -> Result<(), Refusal> {
        let mut forks = Vec::new();
        let result = self.change(|program| {
            for (target, value) in settings {
                let end = program.debugger().history().end();
                let (said, result) =
                    program.dialogue.line(&format!("set {target} = {value}"), &AtomicBool::new(false));
                result?;
                if program.debugger().history().end() < end {
                    forks.push(said);
                }
            }
            Ok(())
        });
        forks.iter().for_each(|said| self.say("console", said));
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
