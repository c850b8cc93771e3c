//! Symbolic levels: Boolean functions of variables, which are the bits of a symbolic state, as decision diagrams.

use crate::contracts::Obstacle;
use gray1_machine::logic::{Diagrams, FALSE, Function, TRUE, TooLarge, Variable};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A result that may not be found.
pub type Outcome<T> = Result<T, Obstacle>;

/// Returns true to cancel the work.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// A partial assignment of levels to variables; the other variables do not matter.
pub type Assignment = BTreeMap<Variable, bool>;

/// Eight bits, the lowest first.
pub type Byte = [Function; 8];

/// The number of executed words between two checks for cancellation.
pub const CHECK_INTERVAL: u64 = 256;
static WORDS: AtomicU64 = AtomicU64::new(0);

/// Returns the approximate number of words that all proofs of this process have executed so far, for progress reports.
pub fn words_executed() -> u64 {
    WORDS.load(Ordering::Relaxed)
}

/// The functions of one execution. Equal functions are equal values.
pub struct Levels<'a> {
    diagrams: Diagrams,
    /// The number of nodes that may be made before the next check for cancellation.
    capacity: usize,
    max_nodes: usize,
    stop: Stop<'a>,
}

/// The number of new nodes between two checks for cancellation.
const NODES_PER_CHECK: usize = 1 << 15;

impl<'a> Levels<'a> {
    /// Creates levels with diagrams of at most this many nodes.
    pub fn new(max_nodes: usize, stop: Stop<'a>) -> Levels<'a> {
        let capacity = NODES_PER_CHECK.min(max_nodes);
        Levels { diagrams: Diagrams::new(capacity), capacity, max_nodes, stop }
    }

    /// Does work that needs nodes. Results are cached, so starting again after a check loses nothing.
    pub fn with<T>(&mut self, work: impl Fn(&mut Diagrams) -> gray1_machine::logic::Result<T>) -> Outcome<T> {
        loop {
            match work(&mut self.diagrams) {
                Ok(done) => return Ok(done),
                Err(TooLarge(_)) if (self.stop)() => return Err(Obstacle::Stopped),
                Err(TooLarge(_)) if self.capacity >= self.max_nodes => {
                    return Err(Obstacle::Diagrams(self.max_nodes));
                }
                Err(TooLarge(_)) => {
                    self.capacity = (self.capacity + NODES_PER_CHECK).min(self.max_nodes);
                    self.diagrams.set_max_nodes(self.capacity);
                }
            }
        }
    }

    /// Fails if the work is cancelled. Counts the words executed since the last check.
    pub fn check(&self) -> Outcome<()> {
        WORDS.fetch_add(CHECK_INTERVAL, Ordering::Relaxed);
        if (self.stop)() { Err(Obstacle::Stopped) } else { Ok(()) }
    }

    /// Returns the function that is equal to a variable.
    pub fn variable(&mut self, variable: Variable) -> Outcome<Function> {
        self.with(|diagrams| diagrams.variable(variable))
    }

    /// Returns `high` where `which` is 1, and `low` where it is 0.
    pub fn choose(&mut self, which: Function, high: Function, low: Function) -> Outcome<Function> {
        self.with(|diagrams| diagrams.choose(which, high, low))
    }

    /// Returns the conjunction.
    pub fn and(&mut self, one: Function, other: Function) -> Outcome<Function> {
        self.choose(one, other, FALSE)
    }

    /// Returns the disjunction.
    pub fn or(&mut self, one: Function, other: Function) -> Outcome<Function> {
        self.choose(one, TRUE, other)
    }

    /// Returns the exclusive or.
    pub fn differ(&mut self, one: Function, other: Function) -> Outcome<Function> {
        self.choose(one, !other, other)
    }

    /// Returns the disjunction of several levels.
    pub fn any(&mut self, levels: &[Function]) -> Outcome<Function> {
        levels.iter().try_fold(FALSE, |any, &level| self.or(any, level))
    }

    /// Returns where some bits differ.
    pub fn differ_anywhere(&mut self, one: &[Function], other: &[Function]) -> Outcome<Function> {
        self.with(|diagrams| diagrams.differ_anywhere(one, other))
    }

    /// Quantifies variables existentially: the result is 1 where the level is 1 for some of their values.
    pub fn exists(&mut self, level: Function, variables: &dyn Fn(Variable) -> bool) -> Outcome<Function> {
        self.with(|diagrams| diagrams.exists(level, variables))
    }

    /// Returns a level that is equal to this one where a condition holds, and may be simpler.
    pub fn constrain(&mut self, level: Function, condition: Function) -> Outcome<Function> {
        self.with(|diagrams| diagrams.constrain(level, condition))
    }

    /// Replaces a variable by another.
    pub fn rename(&mut self, level: Function, from: Variable, to: Variable) -> Outcome<Function> {
        self.with(|diagrams| {
            let [from, to] = [diagrams.variable(from)?, diagrams.variable(to)?];
            diagrams.replace(level, from, to)
        })
    }

    /// Returns a satisfying assignment, if there is one.
    pub fn assignment(&self, level: Function) -> Option<Assignment> {
        (level != FALSE).then(|| self.diagrams.witness(level).into_iter().collect())
    }

    /// Evaluates a level.
    pub fn value(&self, level: Function, assignment: &Assignment) -> bool {
        self.diagrams.value(level, |variable| assignment.get(&variable).copied().unwrap_or(false))
    }

    /// Calls `take` with each variable that some of these levels depend on.
    pub fn variables_of(&self, levels: &[Function], take: &mut dyn FnMut(Variable)) {
        self.diagrams.variables_of(levels, take);
    }
}
