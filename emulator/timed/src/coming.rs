//! The future changes of each line, in one queue with all other future events.

use crate::conditions::LineTiming;
use crate::log::Cause;
use crate::queue::{Event, Queue};
use gray1_machine::netlist::NetId;

/// The future changes of all lines, and other events.
pub struct Coming {
    pub queue: Queue,
    lines: Vec<Line>,
}

/// A line with its future changes.
struct Line {
    timing: LineTiming,
    /// The number of its future changes.
    changes: u32,
    /// The latest of them in the queue; each one links to the one before it.
    last: u32,
}

impl Coming {
    /// An empty queue. No event that is added may be more than `longest` picoseconds ahead.
    pub fn new(timings: Vec<LineTiming>, longest: u64) -> Coming {
        let lines = timings.into_iter().map(|timing| Line { timing, changes: 0, last: 0 });
        Coming { queue: Queue::new(longest), lines: lines.collect() }
    }

    pub fn timing(&self, net: NetId) -> &LineTiming {
        &self.lines[net].timing
    }

    /// Schedules a change of a line. If the pulse that ends with this change is too short, both of its edges are
    /// removed.
    #[inline]
    pub fn head(&mut self, now: u64, net: NetId, level: bool, cause: Cause) {
        let Line { timing, changes, last } = &mut self.lines[net];
        let at = now + if level { timing.rise } else { timing.fall };
        if *changes > 0 {
            let Event { at: last_at, before, .. } = *self.queue.event(*last);
            if at < last_at + timing.inertia {
                self.queue.remove(*last);
                *last = before;
                *changes -= 1;
                return;
            }
        }
        self.add(net, Event::new(at, net, cause));
    }

    /// Adds a change of a line, after all others of that line.
    #[inline]
    pub fn add(&mut self, net: NetId, mut event: Event) {
        let line = &mut self.lines[net];
        event.before = line.last;
        line.last = self.queue.add(event);
        line.changes += 1;
    }

    /// Removes the next change of a line, which takes place now.
    #[inline]
    pub fn has_come(&mut self, net: NetId) {
        self.lines[net].changes -= 1;
    }

    /// The next change of a line.
    pub fn next_of(&self, net: NetId) -> Option<&Event> {
        let Line { changes, last, .. } = self.lines[net];
        let first = (1..changes).fold(last, |number, _| self.queue.event(number).before);
        (changes > 0).then(|| self.queue.event(first))
    }

    /// Removes all events.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.lines.iter_mut().for_each(|line| line.changes = 0);
    }
}
