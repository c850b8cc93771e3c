//! Where messages wait for the session, and how an urgent one interrupts it.
//!
//! One thread reads messages, another runs the machine and looks into the mailbox between two slices of the run. An
//! urgent request raises a flag at once, which every long operation looks at.

use crate::message::{Incoming, Request};
use gray1_wire::WireError;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// When more messages than this are waiting, the reading thread waits too.
const CAPACITY: usize = 1024;
/// Requests that interrupt what is under way.
const URGENT: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// Messages in the order they came.
#[derive(Default)]
pub struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
    interrupt: Arc<AtomicBool>,
}

/// What is delivered to the mailbox.
#[derive(Debug)]
pub enum Delivery {
    Message(Incoming),
    /// Nothing more will come.
    End(Result<(), WireError>),
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Delivery>,
    /// The request being carried out, and whether it has been cancelled.
    current: Option<i64>,
    is_cancelled: bool,
    is_closed: bool,
}

impl Mailbox {
    /// The flag that interrupts long operations.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Puts something in; returns false if nobody will take it out.
    pub fn put(&self, delivery: Delivery) -> bool {
        let mut state = self.lock();
        while state.waiting.len() >= CAPACITY && !state.is_closed {
            state = self.wait(state);
        }
        if let Delivery::Message(Incoming::Request(request)) = &delivery {
            state.cancel(request);
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
                None => state = self.wait(state),
            }
        }
    }

    /// Says that nobody will take anything out any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn take_from(&self, state: &mut State) -> Option<Delivery> {
        let delivery = state.waiting.pop_front();
        state.current = match &delivery {
            Some(Delivery::Message(Incoming::Request(request))) => Some(request.seq),
            _ => None,
        };
        state.is_cancelled = false;
        self.update(state);
        delivery
    }

    /// Raises the flag if there is a reason to, and lowers it otherwise; wakes who waits for a change.
    fn update(&self, state: &State) {
        let is_urgent = state.is_cancelled || state.waiting.iter().any(Delivery::is_urgent);
        self.interrupt.store(is_urgent, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// If this request cancels another, marks that one, whether it is waiting or being carried out.
    fn cancel(&mut self, request: &Request) {
        let Some(cancelled) = request.cancels() else { return };
        self.is_cancelled |= self.current == Some(cancelled);
        for delivery in &mut self.waiting {
            if let Delivery::Message(Incoming::Request(request)) = delivery
                && request.seq == cancelled
            {
                *delivery = Delivery::Message(Incoming::Cancelled(request.clone()));
            }
        }
    }
}

impl Delivery {
    fn is_urgent(&self) -> bool {
        match self {
            Delivery::Message(Incoming::Request(request)) => URGENT.contains(&request.command.as_str()),
            Delivery::Message(_) => false,
            Delivery::End(_) => true,
        }
    }
}
