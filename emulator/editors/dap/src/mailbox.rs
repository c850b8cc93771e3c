//! How an arriving request affects the one that is being carried out.
//!
//! One thread reads messages, another runs the machine and checks the mailbox between two slices of the run. An urgent
//! request sets a flag at once, which every long operation checks.

use crate::message::Incoming;
use gray1_wire::{Delivery, Queue, Watch};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Requests that interrupt what is under way.
const URGENT: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// Messages in their order of arrival.
pub type Mailbox = Queue<Incoming, Attention>;

/// Watches the queue and sets the flag.
#[derive(Default)]
pub struct Attention {
    interrupt: Arc<AtomicBool>,
    /// The request being carried out, and whether it has been cancelled.
    current: Option<i64>,
    is_cancelled: bool,
}

impl Attention {
    /// The flag that interrupts long operations.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Sets or clears the flag according to the waiting messages.
    fn update(&self, waiting: &VecDeque<Delivery<Incoming>>) {
        let is_urgent = self.is_cancelled || waiting.iter().any(is_urgent);
        self.interrupt.store(is_urgent, Ordering::Relaxed);
    }
}

impl Watch<Incoming> for Attention {
    /// If a request cancels another, marks that one, whether it is waiting or being carried out.
    fn has_come(&mut self, waiting: &mut VecDeque<Delivery<Incoming>>) {
        if let Some(Delivery::Message(Incoming::Request(request))) = waiting.back()
            && let Some(cancelled) = request.cancels()
        {
            self.is_cancelled |= self.current == Some(cancelled);
            let before = waiting.len() - 1;
            for delivery in waiting.iter_mut().take(before) {
                if let Delivery::Message(Incoming::Request(request)) = delivery
                    && request.seq == cancelled
                {
                    *delivery = Delivery::Message(Incoming::Cancelled(request.clone()));
                }
            }
        }
        self.update(waiting);
    }

    fn is_taken(&mut self, taken: Option<&Delivery<Incoming>>, waiting: &VecDeque<Delivery<Incoming>>) {
        self.current = match taken {
            Some(Delivery::Message(Incoming::Request(request))) => Some(request.seq),
            _ => None,
        };
        self.is_cancelled = false;
        self.update(waiting);
    }
}

fn is_urgent(delivery: &Delivery<Incoming>) -> bool {
    match delivery {
        Delivery::Message(Incoming::Request(request)) => URGENT.contains(&request.command.as_str()),
        Delivery::Message(_) => false,
        Delivery::End(_) => true,
    }
}
