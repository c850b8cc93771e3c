//! The queue of messages, and the flags by which an arriving message interrupts the current work.
//!
//! One thread reads messages, another answers them. The reading thread sets flags at once, and all long work checks
//! them. A request is abandoned only if it is cancelled: a change after it is about a later version of the text. Work
//! without a request is abandoned as soon as a change arrives.

use crate::framing::{Delivery, Queue, Watch};
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of cancellations that are remembered for requests that have not arrived.
const MAX_CANCELLED: usize = 4_096;

/// A message, or why it is not JSON.
pub type Incoming = Result<Value, String>;

/// Messages in their order of arrival.
pub type Inbox = Queue<Incoming, Attention>;

/// The flags that long work checks.
#[derive(Default)]
pub struct Flags {
    /// Whether the request being answered is cancelled.
    pub is_cancelled: AtomicBool,
    /// Whether a change of a text or the end is waiting. Only requests are worked on then.
    pub is_urgent: AtomicBool,
}

/// Watches the queue and sets the flags.
#[derive(Default)]
pub struct Attention {
    flags: Arc<Flags>,
    /// The id of the request being answered.
    current: Option<Value>,
    /// The ids of the requests that are cancelled, as JSON.
    cancelled: HashSet<String>,
}

impl Attention {
    pub fn flags(&self) -> Arc<Flags> {
        Arc::clone(&self.flags)
    }

    /// Sets or clears each flag according to the waiting messages.
    fn update(&self, waiting: &VecDeque<Delivery<Incoming>>) {
        let is_cancelled = !self.cancelled.is_empty()
            && self.current.as_ref().is_some_and(|id| self.cancelled.contains(&id.to_string()));
        self.flags.is_cancelled.store(is_cancelled, Ordering::Relaxed);
        let is_urgent = |delivery: &Delivery<Incoming>| is_change(delivery) || is_end(delivery);
        self.flags.is_urgent.store(waiting.iter().any(is_urgent), Ordering::Relaxed);
    }
}

impl Watch<Incoming> for Attention {
    fn on_arrival(&mut self, waiting: &mut VecDeque<Delivery<Incoming>>) {
        if let Some(Delivery::Message(Ok(message))) = waiting.back()
            && let Some(id) = cancels(message)
            && self.cancelled.len() < MAX_CANCELLED
        {
            self.cancelled.insert(id.to_string());
        }
        self.update(waiting);
    }

    fn on_take(&mut self, taken: Option<&Delivery<Incoming>>, waiting: &VecDeque<Delivery<Incoming>>) {
        if let Some(answered) = self.current.take() {
            self.cancelled.remove(&answered.to_string());
        }
        if let Some(Delivery::Message(Ok(message))) = taken {
            self.current = message.get("id").cloned();
        }
        if waiting.is_empty() && self.current.is_none() {
            self.cancelled.clear();
        }
        self.update(waiting);
    }
}

/// The id of the request that a message cancels.
fn cancels(message: &Value) -> Option<&Value> {
    let is_meant = message.get("method").is_some_and(|method| method == "$/cancelRequest");
    message.get("params").filter(|_| is_meant)?.get("id")
}

/// Whether a message makes the analysis of a text outdated.
fn is_change(delivery: &Delivery<Incoming>) -> bool {
    method(delivery)
        .is_some_and(|method| ["textDocument/didChange", "textDocument/didClose"].contains(&method))
}

/// Whether the editor is ending the session.
fn is_end(delivery: &Delivery<Incoming>) -> bool {
    matches!(delivery, Delivery::End(_)) || method(delivery) == Some("exit")
}

fn method(delivery: &Delivery<Incoming>) -> Option<&str> {
    match delivery {
        Delivery::Message(Ok(message)) => message.get("method").and_then(Value::as_str),
        _ => None,
    }
}
