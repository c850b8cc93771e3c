//! What the program sends, as the client is told of it: every byte once, however often the run is repeated.

use super::Program;
use crate::message::Outbox;
use serde_json::json;

impl Program {
    /// Tells the client what the program has sent and it has not been told. The beginning of a letter waits for its
    /// end, unless `all` has to be told.
    pub(super) fn tell_output(&mut self, outbox: &mut Outbox, all: bool) {
        let (_, sent) = self.debugger().history().output();
        self.tell_output_until(sent, outbox, all);
    }

    /// The same, but no more than what had been sent at some moment.
    pub(super) fn tell_output_until(&mut self, sent: u64, outbox: &mut Outbox, all: bool) {
        let (output, _) = self.dialogue.debugger().history().output();
        // What a fork has made forgotten has not been told.
        let (kept, dropped) = output.until(u64::MAX);
        self.told = self.told.min(dropped + kept.len() as u64);
        let (bytes, dropped) = output.until(sent);
        if sent <= self.told {
            return;
        }
        let lost = dropped.saturating_sub(self.told);
        let new = &bytes[bytes.len() - (sent - self.told - lost).min(bytes.len() as u64) as usize..];
        let new = if all { new } else { &new[..whole_letters(new)] };
        self.told += lost + new.len() as u64;
        if lost > 0 {
            let text = format!("({lost} bytes of output were too many to keep)\n");
            outbox.event("output", json!({ "category": "console", "output": text }));
        }
        if !new.is_empty() {
            let text = String::from_utf8_lossy(new);
            outbox.event("output", json!({ "category": "stdout", "output": text }));
        }
    }
}

/// How many bytes there are without the beginning of a letter at the end.
fn whole_letters(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .map(|back| bytes.len() - back)
        .find(|&at| matches!(std::str::from_utf8(&bytes[at..]), Err(error) if error.error_len().is_none()))
        .unwrap_or(bytes.len())
}
