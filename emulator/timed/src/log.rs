//! The latest changes of all nets, each with its cause.

use gray1_machine::netlist::NetId;

/// A change as the cause of others: its number, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause(u32);

/// A change of a net. It is kept small because there are many.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The time, in picoseconds.
    pub at: u64,
    cause: Cause,
    net: u16,
    /// The new level.
    pub level: bool,
    /// Whether it belongs to a transient.
    pub is_transient: bool,
}

/// The number of changes to remember: about a hundred machine cycles.
const REMEMBERED: usize = 1 << 15;

/// The latest changes of all nets, in a ring buffer.
pub struct Log {
    changes: Vec<Change>,
    /// The number of the latest change.
    count: u32,
}

impl Cause {
    /// The oscillator, a pad or a key.
    pub const OUTSIDE: Cause = Cause(0);
}

impl Change {
    pub fn net(&self) -> NetId {
        usize::from(self.net)
    }
}

impl Log {
    pub fn new() -> Log {
        Log { changes: Vec::with_capacity(REMEMBERED), count: 0 }
    }

    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.count = 0;
    }

    /// Adds a change, which can now be the cause of others.
    #[inline]
    pub fn add(&mut self, at: u64, net: NetId, level: bool, cause: Cause, is_transient: bool) -> Cause {
        let change = Change { at, cause, net: net as u16, level, is_transient };
        match self.changes.get_mut(self.count as usize % REMEMBERED) {
            Some(oldest) => *oldest = change,
            None => self.changes.push(change),
        }
        self.count = self.count.wrapping_add(1);
        if self.count == 0 {
            self.count = REMEMBERED as u32; // 0 means outside
        }
        Cause(self.count)
    }

    /// The latest change of a net.
    pub fn latest(&self, net: NetId) -> Option<Change> {
        let latest_first = (0..self.changes.len() as u32).map(|age| Cause(self.count.wrapping_sub(age)));
        latest_first.filter_map(|cause| self.change(cause)).find(|change| change.net() == net)
    }

    /// A change and the changes that led to it, the latest first, as far back as they are remembered.
    pub fn chain(&self, cause: Cause) -> impl Iterator<Item = Change> {
        self.chain_of(self.change(cause))
    }

    /// The chain of a change that has been looked up.
    pub fn chain_of(&self, change: Option<Change>) -> impl Iterator<Item = Change> {
        std::iter::successors(change, |change| {
            self.change(change.cause).filter(|before| before.at <= change.at)
        })
    }

    fn change(&self, cause: Cause) -> Option<Change> {
        let age = self.count.wrapping_sub(cause.0) as usize;
        if cause == Cause::OUTSIDE || age >= self.changes.len() {
            return None;
        }
        Some(self.changes[cause.0.wrapping_sub(1) as usize % REMEMBERED])
    }
}
