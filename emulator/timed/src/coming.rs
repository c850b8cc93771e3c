//! What is to come: the changes of each line, among all other events.

use crate::conditions::LineTiming;
use crate::log::Cause;
use crate::queue::{Event, Queue};
use gray1_machine::netlist::NetId;

/// The changes of all lines that are to come, and other events.
pub struct Coming {
    pub queue: Queue,
    lines: Vec<Line>,
}

/// A line, with its changes to come.
struct Line {
    timing: LineTiming,
    /// How many changes are to come.
    changes: u32,
    /// The latest of them in the queue; each leads to the one before.
    last: u32,
}

impl Coming {
    /// Nothing is to come. No event that is added will be more than `longest` picoseconds ahead.
    pub fn new(timings: Vec<LineTiming>, longest: u64) -> Coming {
        let lines = timings.into_iter().map(|timing| Line { timing, changes: 0, last: 0 });
        Coming { queue: Queue::new(longest), lines: lines.collect() }
    }

    pub fn timing(&self, net: NetId) -> &LineTiming {
        &self.lines[net].timing
    }

    /// A line heads for another level. If the pulse that ends with this change is too short, both of its ends vanish.
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

    /// Adds a change of a line, behind all others of that line.
    #[inline]
    pub fn add(&mut self, net: NetId, mut event: Event) {
        let line = &mut self.lines[net];
        event.before = line.last;
        line.last = self.queue.add(event);
        line.changes += 1;
    }

    /// The next change of a line has come.
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

    /// Nothing is to come any more.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.lines.iter_mut().for_each(|line| line.changes = 0);
    }
}
