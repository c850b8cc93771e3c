//! What has happened lately, and what caused it.

use crate::circuit::Net;

/// A change that can still be asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause(u32);

/// A change of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// When, in picoseconds.
    pub at: u64,
    /// Which net.
    pub net: Net,
    /// What it shows since then.
    pub level: bool,
    /// Whether it was a transient, which no cell asked for.
    pub is_transient: bool,
    cause: Cause,
}

/// So many changes are remembered: about a hundred machine cycles.
const REMEMBERED: usize = 1 << 15;

/// The latest changes of all nets.
pub struct Log {
    changes: Vec<Entry>,
    count: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    at: u64,
    cause: Cause,
    net: u16,
    level: bool,
    is_transient: bool,
}

impl Cause {
    /// The oscillator, or a finger.
    pub const OUTSIDE: Cause = Cause(0);
}

impl Log {
    pub fn new() -> Log {
        Log { changes: Vec::with_capacity(REMEMBERED), count: 0 }
    }

    /// Writes a change down; it can be the cause of others.
    #[inline]
    pub fn add(&mut self, at: u64, net: Net, level: bool, cause: Cause, is_transient: bool) -> Cause {
        let entry = Entry { at, cause, net: net as u16, level, is_transient };
        let place = self.count as usize % REMEMBERED;
        match self.changes.get_mut(place) {
            Some(old) => *old = entry,
            None => self.changes.push(entry),
        }
        self.count = self.count.wrapping_add(1);
        if self.count == 0 {
            self.count = REMEMBERED as u32; // 0 means outside
        }
        Cause(self.count)
    }

    /// The latest change of a net.
    pub fn latest(&self, net: Net) -> Option<Change> {
        let numbers = (0..self.changes.len() as u32).map(|back| Cause(self.count.wrapping_sub(back)));
        numbers.filter_map(|cause| self.change(cause)).find(|change| change.net == net)
    }

    /// A change and what led to it, the latest first, as far back as is remembered or wanted.
    pub fn chain(&self, cause: Cause) -> impl Iterator<Item = Change> {
        let mut next = self.change(cause);
        std::iter::from_fn(move || {
            let change = next?;
            next = self.change(change.cause).filter(|before| before.at <= change.at);
            Some(change)
        })
    }

    /// A change with all that led to it.
    pub fn chain_of(&self, change: Change) -> impl Iterator<Item = Change> {
        std::iter::once(change).chain(self.chain(change.cause))
    }

    fn change(&self, cause: Cause) -> Option<Change> {
        let age = self.count.wrapping_sub(cause.0) as usize;
        if cause == Cause::OUTSIDE || age >= self.changes.len() {
            return None;
        }
        let Entry { at, cause, net, level, is_transient } =
            self.changes[(cause.0.wrapping_sub(1)) as usize % REMEMBERED];
        Some(Change { at, net: usize::from(net), level, is_transient, cause })
    }
}
