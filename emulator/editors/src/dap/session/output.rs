//! The output of the program for the client: every byte is sent once, however often the run is repeated.

use super::program::Program;
use crate::dap::message::Outbox;
use serde_json::json;

impl Program {
    /// Sends new output. Incomplete characters at its end are held back, unless `all` is set.
    pub fn send_output(&mut self, outbox: &mut Outbox, all: bool) {
        let (_, sent) = self.debugger().history().output();
        self.send_output_until(sent, outbox, all);
    }

    /// Sends new output up to this number of bytes since the beginning of the run.
    pub fn send_output_until(&mut self, end: u64, outbox: &mut Outbox, all: bool) {
        let (output, _) = self.dialogue.debugger().history().output();
        // Output that was discarded with an abandoned future counts as not sent.
        let (kept, dropped) = output.until(u64::MAX);
        self.sent = self.sent.min(dropped + kept.len() as u64);
        let (bytes, dropped) = output.until(end);
        if end <= self.sent {
            return;
        }
        let lost = dropped.saturating_sub(self.sent);
        let new = &bytes[bytes.len() - (end - self.sent - lost).min(bytes.len() as u64) as usize..];
        let new = if all { new } else { &new[..whole_characters(new)] };
        self.sent += lost + new.len() as u64;
        if lost > 0 {
            let text = format!("({lost} bytes of output were dropped)\n");
            outbox.event("output", json!({ "category": "console", "output": text }));
        }
        if !new.is_empty() {
            let text = String::from_utf8_lossy(new);
            outbox.event("output", json!({ "category": "stdout", "output": text }));
        }
    }
}

/// The number of bytes without an unfinished character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .map(|back| bytes.len() - back)
        .find(|&at| matches!(std::str::from_utf8(&bytes[at..]), Err(error) if error.error_len().is_none()))
        .unwrap_or(bytes.len())
}
