//! Symbolic levels: Boolean functions of variables, which are the bits of a symbolic state. Symbolic execution needs only
//! the operations of [`Levels`], so it works with decision diagrams and with queries to a solver.

use crate::Obstacle;
use gray1_logic::{Diagrams, FALSE, Function, TRUE, TooLarge, Variable, constant};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

/// A result that may not be found.
pub type Outcome<T> = Result<T, Obstacle>;

/// Returns true to cancel the work.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// A partial assignment of levels to variables; the other variables do not matter.
pub type Assignment = BTreeMap<Variable, bool>;

/// Eight bits, the lowest first.
pub type Byte<L> = [L; 8];

/// The number of executed words between two checks for cancellation.
pub const CHECK_INTERVAL: u64 = 256;
static WORDS: AtomicU64 = AtomicU64::new(0);

/// The approximate number of words that all proofs of this process have executed so far, for progress reports.
pub fn words_executed() -> u64 {
    WORDS.load(Ordering::Relaxed)
}

/// A representation of Boolean functions.
pub trait Levels {
    /// A function. Equal values are the same function.
    type Level: Copy + Eq + Hash + Debug;

    /// Returns a constant.
    fn constant(&self, level: bool) -> Self::Level;
    /// Returns the function that is equal to a variable.
    fn variable(&mut self, variable: Variable) -> Outcome<Self::Level>;
    /// Negates a level.
    fn not(&mut self, level: Self::Level) -> Self::Level;
    /// Returns `high` where `which` is 1, and `low` where it is 0.
    fn choose(&mut self, which: Self::Level, high: Self::Level, low: Self::Level) -> Outcome<Self::Level>;
    /// Returns a satisfying assignment, if there is one.
    fn assignment(&mut self, level: Self::Level) -> Outcome<Option<Assignment>>;
    /// Evaluates a level.
    fn value(&self, level: Self::Level, assignment: &Assignment) -> bool;
    /// Quantifies variables existentially: the result is 1 where the level is 1 for some of their values.
    fn exists(&mut self, level: Self::Level, variables: &dyn Fn(Variable) -> bool) -> Outcome<Self::Level>;
    /// Returns a level that is equal to this one where a condition holds, and may be simpler.
    fn constrain(&mut self, level: Self::Level, condition: Self::Level) -> Outcome<Self::Level>;
    /// Fails if the work is cancelled.
    fn check(&self) -> Outcome<()>;
    /// Calls `take` with each variable that some of these levels depend on.
    fn variables_of(&self, levels: &[Self::Level], take: &mut dyn FnMut(Variable));

    /// Whether a level is satisfiable.
    fn is_possible(&mut self, level: Self::Level) -> Outcome<bool> {
        match self.known(level) {
            Some(known) => Ok(known),
            None => Ok(self.assignment(level)?.is_some()),
        }
    }

    /// Returns the value of a constant level.
    fn known(&self, level: Self::Level) -> Option<bool> {
        if level == self.constant(true) {
            Some(true)
        } else if level == self.constant(false) {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the conjunction.
    fn and(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let never = self.constant(false);
        self.choose(one, other, never)
    }

    /// Returns the disjunction.
    fn or(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let always = self.constant(true);
        self.choose(one, always, other)
    }

    /// Returns the exclusive or.
    fn differ(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let opposite = self.not(other);
        self.choose(one, opposite, other)
    }

    /// Returns the disjunction of several levels.
    fn any(&mut self, levels: &[Self::Level]) -> Outcome<Self::Level> {
        let never = self.constant(false);
        levels.iter().try_fold(never, |any, &level| self.or(any, level))
    }

    /// Adds three bits. Returns the sum and the carry.
    fn full_add(
        &mut self,
        one: Self::Level,
        other: Self::Level,
        carry: Self::Level,
    ) -> Outcome<(Self::Level, Self::Level)> {
        let half = self.differ(one, other)?;
        Ok((self.differ(half, carry)?, self.choose(half, carry, one)?))
    }
}

/// Levels as decision diagrams.
pub struct Diagram<'a> {
    diagrams: Diagrams,
    /// The number of nodes that may be made before the next check for cancellation.
    capacity: usize,
    max_nodes: usize,
    stop: Stop<'a>,
}

/// The number of new nodes between two checks for cancellation.
const NODES_PER_CHECK: usize = 1 << 15;

impl<'a> Diagram<'a> {
    /// Creates diagrams of at most this many nodes.
    pub fn new(max_nodes: usize, stop: Stop<'a>) -> Diagram<'a> {
        let capacity = NODES_PER_CHECK.min(max_nodes);
        Diagram { diagrams: Diagrams::new(capacity), capacity, max_nodes, stop }
    }

    /// Replaces a variable by another.
    pub fn rename(&mut self, level: Function, from: Variable, to: Variable) -> Outcome<Function> {
        self.with_capacity(|diagrams| {
            let [from, to] = [diagrams.variable(from)?, diagrams.variable(to)?];
            diagrams.replace(level, from, to)
        })
    }

    /// Does work that needs nodes. Results are cached, so starting again after a check loses nothing.
    fn with_capacity<T>(&mut self, work: impl Fn(&mut Diagrams) -> gray1_logic::Result<T>) -> Outcome<T> {
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
}

impl Levels for Diagram<'_> {
    type Level = Function;

    fn constant(&self, level: bool) -> Function {
        constant(level)
    }

    fn variable(&mut self, variable: Variable) -> Outcome<Function> {
        self.with_capacity(|diagrams| diagrams.variable(variable))
    }

    fn not(&mut self, level: Function) -> Function {
        !level
    }

    fn choose(&mut self, which: Function, high: Function, low: Function) -> Outcome<Function> {
        self.with_capacity(|diagrams| diagrams.choose(which, high, low))
    }

    fn assignment(&mut self, level: Function) -> Outcome<Option<Assignment>> {
        let possible = level != FALSE;
        Ok(possible.then(|| self.diagrams.witness(level).into_iter().collect()))
    }

    fn value(&self, level: Function, assignment: &Assignment) -> bool {
        self.diagrams.value(level, |variable| assignment.get(&variable).copied().unwrap_or(false))
    }

    fn exists(&mut self, level: Function, variables: &dyn Fn(Variable) -> bool) -> Outcome<Function> {
        self.with_capacity(|diagrams| diagrams.exists(level, variables))
    }

    fn constrain(&mut self, level: Function, condition: Function) -> Outcome<Function> {
        self.with_capacity(|diagrams| diagrams.constrain(level, condition))
    }

    fn check(&self) -> Outcome<()> {
        WORDS.fetch_add(CHECK_INTERVAL, Ordering::Relaxed);
        if (self.stop)() { Err(Obstacle::Stopped) } else { Ok(()) }
    }

    fn variables_of(&self, levels: &[Function], take: &mut dyn FnMut(Variable)) {
        self.diagrams.variables_of(levels, take);
    }

    fn is_possible(&mut self, level: Function) -> Outcome<bool> {
        Ok(level != FALSE)
    }

    fn known(&self, level: Function) -> Option<bool> {
        match level {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }
}
