//! The events to come, in the order of time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Events to come. Those at the same time are taken in the order in which they were added.
#[derive(Default)]
pub struct Queue {
    /// One number holds all by which events are ordered: the time, the number of the event, and what it concerns.
    events: BinaryHeap<Reverse<u128>>,
    last_number: u32,
}

/// An event that is due.
pub struct Event {
    pub at: u64,
    /// Its number, counted up as events are added.
    pub number: u32,
    /// What it concerns.
    pub index: usize,
}

impl Queue {
    /// Adds an event; its number tells it from others of the same index.
    #[inline]
    pub fn add(&mut self, at: u64, index: usize) -> u32 {
        self.last_number = self.last_number.wrapping_add(1);
        let number = self.last_number;
        self.events.push(Reverse(u128::from(at) << 64 | u128::from(number) << 32 | index as u128));
        number
    }

    /// The next event, unless it comes after this time.
    #[inline]
    pub fn next(&mut self, end: u64) -> Option<Event> {
        let &Reverse(event) = self.events.peek()?;
        let (at, number, index) = ((event >> 64) as u64, (event >> 32) as u32, event as u32 as usize);
        if at > end {
            return None;
        }
        self.events.pop();
        Some(Event { at, number, index })
    }

    pub fn clear(&mut self) {
        self.events.clear();
    }
}
