//! Where messages wait for the server, and how one that makes work pointless interrupts it.
//!
//! One thread reads messages, another answers them. What comes in raises a flag at once, which every long piece of work
//! looks at: a request is given up only if it is cancelled, for a change behind it says nothing about its own text; what
//! nobody has asked for makes way for a change.

use gray1_wire::WireError;
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// When more than this is waiting, the reading thread waits too.
const MOST_MESSAGES: usize = 4_096;
const MOST_BYTES: usize = 64 << 20;
/// Cancellations of requests that have not come are forgotten beyond this many.
const MOST_CANCELLED: usize = 4_096;

/// What comes in.
#[derive(Debug)]
pub enum Delivery {
    /// A message, and how many bytes it took.
    Message(Result<Value, String>, usize),
    /// Nothing more will come.
    End(Result<(), WireError>),
}

/// Messages in the order they came.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the request being answered is cancelled.
    pub is_cancelled: AtomicBool,
    /// Whether a change of a text or the end is waiting, so that nothing should be done now without being asked.
    pub is_urgent: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Delivery>,
    bytes: usize,
    /// The id of the request being answered.
    current: Option<Value>,
    /// The ids of the requests that are cancelled, as JSON.
    cancelled: HashSet<String>,
    is_closed: bool,
}

impl Inbox {
    /// Puts something in; returns false if nobody will take it out.
    pub fn put(&self, delivery: Delivery) -> bool {
        let mut state = self.lock();
        while (state.waiting.len() >= MOST_MESSAGES || state.bytes >= MOST_BYTES) && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if let Delivery::Message(message, bytes) = &delivery {
            state.bytes += bytes;
            if let Some(id) = message.as_ref().ok().and_then(cancels)
                && state.cancelled.len() < MOST_CANCELLED
            {
                state.cancelled.insert(id.to_string());
            }
        }
        state.waiting.push_back(delivery);
        self.update(&state);
        !state.is_closed
    }

    /// Takes the next message, if there is one.
    pub fn try_take(&self) -> Option<Delivery> {
        self.take_from(&mut self.lock())
    }

    /// Waits for the next message.
    pub fn take(&self) -> Delivery {
        let mut state = self.lock();
        loop {
            match self.take_from(&mut state) {
                Some(delivery) => return delivery,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Says that nobody will take anything out any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn take_from(&self, state: &mut State) -> Option<Delivery> {
        if let Some(answered) = state.current.take() {
            state.cancelled.remove(&answered.to_string());
        }
        let delivery = state.waiting.pop_front();
        if let Some(Delivery::Message(message, bytes)) = &delivery {
            state.bytes -= bytes;
            state.current = message.as_ref().ok().and_then(|message| message.get("id")).cloned();
        }
        if state.waiting.is_empty() && state.current.is_none() {
            state.cancelled.clear();
        }
        self.update(state);
        delivery
    }

    /// Raises each flag if there is a reason to, and lowers it otherwise; wakes who waits for a change.
    fn update(&self, state: &State) {
        let is_cancelled = !state.cancelled.is_empty()
            && state.current.as_ref().is_some_and(|id| state.cancelled.contains(&id.to_string()));
        self.is_cancelled.store(is_cancelled, Ordering::Relaxed);
        let is_urgent = |delivery: &Delivery| is_change(delivery) || is_end(delivery);
        self.is_urgent.store(state.waiting.iter().any(is_urgent), Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id of the request that a message cancels.
fn cancels(message: &Value) -> Option<&Value> {
    let is_meant = message.get("method").is_some_and(|method| method == "$/cancelRequest");
    message.get("params").filter(|_| is_meant)?.get("id")
}

/// Whether a message makes what is known of a text pointless.
fn is_change(delivery: &Delivery) -> bool {
    method(delivery)
        .is_some_and(|method| ["textDocument/didChange", "textDocument/didClose"].contains(&method))
}

/// Whether the editor leaves.
fn is_end(delivery: &Delivery) -> bool {
    matches!(delivery, Delivery::End(_)) || method(delivery) == Some("exit")
}

fn method(delivery: &Delivery) -> Option<&str> {
    match delivery {
        Delivery::Message(Ok(message), _) => message.get("method").and_then(Value::as_str),
        _ => None,
    }
}
