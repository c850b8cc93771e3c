//! Levels that depend on variables: what the bits of an unknown state are made of. Everything that is computed with
//! them needs only these few operations, so the same walk through a program works with decision diagrams and with
//! questions for a solver.

use crate::Obstacle;
use gray1_logic::{Diagrams, FALSE, Function, TRUE, TooLarge, Variable, constant};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

/// What needs an answer, which may not be found.
pub type Outcome<T> = Result<T, Obstacle>;

/// Whether to end the work.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Levels of variables; those that are missing do not matter.
pub type Example = BTreeMap<Variable, bool>;

/// Eight bits, the lowest first.
pub type Byte<L> = [L; 8];

/// How many words are walked between two looks whether to stop.
pub const LOOK_EVERY: u64 = 256;
static WORDS: AtomicU64 = AtomicU64::new(0);

/// The words that all proofs of this process have walked so far, roughly: to show progress.
pub fn words_walked() -> u64 {
    WORDS.load(Ordering::Relaxed)
}

/// Functions of variables.
pub trait Levels {
    /// A level that depends on variables. Equal ones are the same function.
    type Level: Copy + Eq + Hash + Debug;

    /// The level that is always this.
    fn constant(&self, level: bool) -> Self::Level;
    /// The level of a variable.
    fn variable(&mut self, variable: Variable) -> Outcome<Self::Level>;
    /// The opposite level.
    fn not(&mut self, level: Self::Level) -> Self::Level;
    /// `high` where `which` is 1, `low` where it is 0.
    fn choose(&mut self, which: Self::Level, high: Self::Level, low: Self::Level) -> Outcome<Self::Level>;
    /// Variables for which a level is 1, if there are any.
    fn example(&mut self, level: Self::Level) -> Outcome<Option<Example>>;
    /// The value of a level for these variables.
    fn value(&self, level: Self::Level, example: &Example) -> bool;
    /// Where a level can be 1 whatever these variables are: 1 where it is 1 for some of their values.
    fn forget(&mut self, level: Self::Level, variables: &dyn Fn(Variable) -> bool) -> Outcome<Self::Level>;
    /// A level that is equal to this one where a condition holds, and may be simpler.
    fn within(&mut self, level: Self::Level, condition: Self::Level) -> Outcome<Self::Level>;
    /// Fails if the work is to be stopped.
    fn check(&self) -> Outcome<()>;
    /// Calls `take` with each variable that a level depends on.
    fn variables_of(&self, levels: &[Self::Level], take: &mut dyn FnMut(Variable));

    /// Whether a level can be 1.
    fn is_possible(&mut self, level: Self::Level) -> Outcome<bool> {
        match self.known(level) {
            Some(known) => Ok(known),
            None => Ok(self.example(level)?.is_some()),
        }
    }

    /// The level, if it is the same for all variables.
    fn known(&self, level: Self::Level) -> Option<bool> {
        if level == self.constant(true) {
            Some(true)
        } else if level == self.constant(false) {
            Some(false)
        } else {
            None
        }
    }

    /// Where both are 1.
    fn and(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let never = self.constant(false);
        self.choose(one, other, never)
    }

    /// Where one of them is 1, or both.
    fn or(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let always = self.constant(true);
        self.choose(one, always, other)
    }

    /// Where they are not the same.
    fn differ(&mut self, one: Self::Level, other: Self::Level) -> Outcome<Self::Level> {
        let opposite = self.not(other);
        self.choose(one, opposite, other)
    }

    /// Where one of these is 1.
    fn any(&mut self, levels: &[Self::Level]) -> Outcome<Self::Level> {
        let never = self.constant(false);
        levels.iter().try_fold(never, |any, &level| self.or(any, level))
    }
}

/// Decision diagrams.
pub struct Diagram<'a> {
    diagrams: Diagrams,
    /// The number of nodes for which there is room now, and the most that there may be.
    room: usize,
    most: usize,
    stop: Stop<'a>,
}

/// How many nodes are made between two looks at the flag that stops the work.
const STRETCH: usize = 1 << 15;

impl<'a> Diagram<'a> {
    /// No functions yet, and at most this many nodes.
    pub fn new(most: usize, stop: Stop<'a>) -> Diagram<'a> {
        let room = STRETCH.min(most);
        Diagram { diagrams: Diagrams::new(room), room, most, stop }
    }

    /// A function with a variable replaced by another.
    pub fn rename(&mut self, level: Function, from: Variable, to: Variable) -> Outcome<Function> {
        self.with_room(|diagrams| {
            let [from, to] = [diagrams.variable(from)?, diagrams.variable(to)?];
            diagrams.replace(level, from, to)
        })
    }

    /// Carries out work that needs nodes. What has been computed is remembered, so beginning again loses nothing.
    fn with_room<T>(&mut self, work: impl Fn(&mut Diagrams) -> gray1_logic::Result<T>) -> Outcome<T> {
        loop {
            match work(&mut self.diagrams) {
                Ok(done) => return Ok(done),
                Err(TooLarge(_)) if (self.stop)() => return Err(Obstacle::Stopped),
                Err(TooLarge(_)) if self.room >= self.most => return Err(Obstacle::Diagrams(self.most)),
                Err(TooLarge(_)) => {
                    self.room = (self.room + STRETCH).min(self.most);
                    self.diagrams.make_room(self.room);
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
        self.with_room(|diagrams| diagrams.variable(variable))
    }

    fn not(&mut self, level: Function) -> Function {
        !level
    }

    fn choose(&mut self, which: Function, high: Function, low: Function) -> Outcome<Function> {
        self.with_room(|diagrams| diagrams.choose(which, high, low))
    }

    fn example(&mut self, level: Function) -> Outcome<Option<Example>> {
        let possible = level != FALSE;
        Ok(possible.then(|| self.diagrams.witness(level).into_iter().collect()))
    }

    fn value(&self, level: Function, example: &Example) -> bool {
        self.diagrams.value(level, |variable| example.get(&variable).copied().unwrap_or(false))
    }

    fn forget(&mut self, level: Function, variables: &dyn Fn(Variable) -> bool) -> Outcome<Function> {
        self.with_room(|diagrams| diagrams.exists(level, variables))
    }

    fn within(&mut self, level: Function, condition: Function) -> Outcome<Function> {
        self.with_room(|diagrams| diagrams.constrain(level, condition))
    }

    fn check(&self) -> Outcome<()> {
        WORDS.fetch_add(LOOK_EVERY, Ordering::Relaxed);
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
