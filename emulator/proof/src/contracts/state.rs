//! The machine as a program sees it, for all inputs at once: each bit is a function of the unknown bits.

use crate::contracts::levels::{Assignment, Byte, Levels, Outcome};
use crate::contracts::number::Number;
use crate::contracts::variables::{Origin, Variables};
use gray1_isa::memory_map::INPUTS;
use gray1_machine::logic::{FALSE, Function, TRUE};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};

/// A symbolic state between two cycles.
#[derive(Clone, Debug)]
pub struct State {
    /// The path condition: 1 for the inputs with which control is here.
    pub condition: Function,
    /// The accumulator.
    pub a: Byte,
    /// The carry.
    pub c: Function,
    /// The bytes of RAM that have been written. All others have their values from the entry.
    pub ram: BTreeMap<u16, Byte>,
    /// The values read last from `PADCOL`, `PADROW` and `KEYS`; `None` for an input that has not been read since the
    /// entry.
    pub inputs: [Option<Byte>; 3],
    /// The cycles since the entry.
    pub cycles: Counter,
    /// The reads of inputs since the entry.
    pub reads: Counter,
}

/// A count that depends on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// The minimum, which all paths share.
    always: u64,
    /// The difference from the minimum.
    more: Number,
}

/// The machine at the entry of an execution.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The accumulator.
    pub a: Byte,
    /// The carry.
    pub c: Function,
    /// The bytes of RAM that have been needed so far.
    ram: BTreeMap<u16, Byte>,
    /// The origin of a byte of RAM.
    origin: fn(u16) -> Origin,
}

impl Entry {
    /// Creates an entry with these registers and unknown RAM.
    pub fn new(a: Byte, c: Function) -> Entry {
        Entry { a, c, ram: BTreeMap::new(), origin: Origin::Ram }
    }

    /// Creates the same entry with other unknown contents of RAM.
    pub fn with_other_ram(&self) -> Entry {
        Entry { a: self.a, c: self.c, ram: BTreeMap::new(), origin: Origin::SecondRam }
    }

    /// Sets the initial value of a ghost byte, by which a contract observes runs.
    pub fn define(&mut self, address: u16, byte: Byte) {
        self.ram.insert(address, byte);
    }

    /// Returns a byte of RAM.
    pub fn byte(&mut self, address: u16, variables: &mut Variables, levels: &mut Levels) -> Outcome<Byte> {
        if let Some(&known) = self.ram.get(&address) {
            return Ok(known);
        }
        let byte = variables.byte((self.origin)(address), levels)?;
        self.ram.insert(address, byte);
        Ok(byte)
    }

    /// Returns the state at the entry.
    pub fn state(&self) -> State {
        State {
            condition: TRUE,
            a: self.a,
            c: self.c,
            ram: BTreeMap::new(),
            inputs: [None; 3],
            cycles: Counter::new(0),
            reads: Counter::new(0),
        }
    }
}

impl State {
    /// Whether a store to an address changes RAM.
    pub fn is_ram(address: u16) -> bool {
        address < INPUTS
    }

    /// Joins two states at the same word: the result is `other` where control came by it, otherwise this state.
    pub fn join(
        mut self,
        other: State,
        entry: &mut Entry,
        variables: &mut Variables,
        levels: &mut Levels,
    ) -> Outcome<State> {
        let which = other.condition;
        let pick = |levels: &mut Levels, here: &mut Byte, there: Byte| -> Outcome<()> {
            for (here, there) in here.iter_mut().zip(there) {
                *here = levels.choose(which, there, *here)?;
            }
            Ok(())
        };
        pick(levels, &mut self.a, other.a)?;
        self.c = levels.choose(which, other.c, self.c)?;
        for (&address, &there) in &other.ram {
            let here = match self.ram.entry(address) {
                Occupied(known) => known.into_mut(),
                Vacant(new) => new.insert(entry.byte(address, variables, levels)?),
            };
            pick(levels, here, there)?;
        }
        for (&address, here) in &mut self.ram {
            if !other.ram.contains_key(&address) {
                let there = entry.byte(address, variables, levels)?;
                pick(levels, here, there)?;
            }
        }
        for (input, there) in other.inputs.into_iter().enumerate() {
            let unread = |variables: &mut Variables, levels: &mut Levels| variables.prior_read(input, levels);
            match (&mut self.inputs[input], there) {
                (None, None) => {}
                (Some(here), there) => {
                    let there = there.map_or_else(|| unread(variables, levels), Ok)?;
                    pick(levels, here, there)?;
                }
                (here @ None, Some(there)) => {
                    let mut byte = unread(variables, levels)?;
                    pick(levels, &mut byte, there)?;
                    *here = Some(byte);
                }
            }
        }
        self.cycles = self.cycles.join(other.cycles, which, levels)?;
        self.reads = self.reads.join(other.reads, which, levels)?;
        self.condition = levels.or(self.condition, which)?;
        Ok(self)
    }

    /// Whether two states have the same bits, whatever their path conditions; A and the inputs read last can be ignored.
    pub fn is_like(&self, other: &State, ignores_a: bool, ignores_inputs: bool) -> bool {
        (self.c, &self.ram) == (other.c, &other.ram)
            && (ignores_a || self.a == other.a)
            && (ignores_inputs || self.inputs == other.inputs)
    }
}

impl Counter {
    /// Creates a count that is the same on all paths.
    pub fn new(number: u64) -> Counter {
        Counter { always: number, more: Number::constant(0) }
    }

    /// Returns the count, if it is the same on all paths.
    pub fn known(&self) -> Option<u64> {
        self.more.magnitude().is_empty().then_some(self.always)
    }

    /// Adds 1.
    pub fn count(&mut self) {
        self.always += 1;
    }

    fn join(self, other: Counter, which: Function, levels: &mut Levels) -> Outcome<Counter> {
        let always = self.always.min(other.always);
        let (here, there) = (self.above(always, levels)?, other.above(always, levels)?);
        Ok(Counter { always, more: levels.choose_number(which, &there, &here)? })
    }

    /// Returns the difference from a smaller number.
    pub fn above(&self, base: u64, levels: &mut Levels) -> Outcome<Number> {
        levels.sum(&self.more, &Number::constant((self.always - base) as i64), false)
    }

    /// Evaluates the count.
    pub fn value(&self, assignment: &Assignment, levels: &Levels) -> u64 {
        let bits = self.more.magnitude().iter().enumerate();
        self.always + bits.map(|(bit, &level)| u64::from(levels.value(level, assignment)) << bit).sum::<u64>()
    }

    /// Returns the minimum or the maximum where a condition holds, with an assignment for it; `None` if it never holds.
    pub fn extreme(
        &self,
        condition: Function,
        is_maximum: bool,
        levels: &mut Levels,
    ) -> Outcome<Option<(u64, Assignment)>> {
        let mut extreme = condition;
        for &bit in self.more.magnitude().iter().rev() {
            let narrower = levels.and(extreme, if is_maximum { bit } else { !bit })?;
            extreme = if narrower == FALSE { extreme } else { narrower };
        }
        Ok(levels.assignment(extreme).map(|assignment| (self.value(&assignment, levels), assignment)))
    }

    /// Returns the condition under which the count exceeds a limit.
    pub fn is_above(&self, limit: u64, levels: &mut Levels) -> Outcome<Function> {
        let bits = self.more.magnitude().len();
        match limit.checked_sub(self.always).map(i64::try_from) {
            None => Ok(TRUE),
            Some(Ok(left)) if bits > 62 || left >> bits == 0 => {
                levels.is_less(&Number::constant(left), &self.more)
            }
            Some(_) => Ok(FALSE),
        }
    }
}
