//! The queue of requests, and the flag by which an urgent request interrupts the current one.
//!
//! One thread reads messages, another runs the machine and checks the mailbox between two slices of the run. An urgent
//! request sets the flag at once, and every long operation checks it.

use crate::dap::message::Incoming;
use crate::framing::{Delivery, Queue, Watch};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Requests that interrupt the current one.
const URGENT: [&str; 4] = ["pause", "terminate", "disconnect", "restart"];

/// Messages in their order of arrival.
pub type Mailbox = Queue<Incoming, Attention>;

/// Watches the queue and sets the flag.
#[derive(Default)]
pub struct Attention {
    interrupt: Arc<AtomicBool>,
}

impl Attention {
    /// The flag that interrupts long operations.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Sets or clears the flag according to the waiting messages.
    fn update(&self, waiting: &VecDeque<Delivery<Incoming>>) {
        self.interrupt.store(waiting.iter().any(is_urgent), Ordering::Relaxed);
    }
}

impl Watch<Incoming> for Attention {
    fn on_arrival(&mut self, waiting: &mut VecDeque<Delivery<Incoming>>) {
        self.update(waiting);
    }

    fn on_take(&mut self, _: Option<&Delivery<Incoming>>, waiting: &VecDeque<Delivery<Incoming>>) {
        self.update(waiting);
    }
}

fn is_urgent(delivery: &Delivery<Incoming>) -> bool {
    match delivery {
        Delivery::Message(Incoming::Request(request)) => URGENT.contains(&request.command.as_str()),
        Delivery::Message(Incoming::Invalid(_)) => false,
        Delivery::End(_) => true,
    }
}
