//! The machine as a program sees it, for all inputs at once: each bit is a function of the unknown bits.

use crate::access::INPUT_NAMES;
use crate::levels::{Assignment, Byte, Levels, Outcome};
use crate::number::Number;
use crate::variables::{Origin, Variables};
use gray1_isa::memory_map::INPUTS;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};

/// A symbolic state between two cycles.
#[derive(Clone, Debug)]
pub struct State<L> {
    /// The path condition: 1 for the inputs with which control is here.
    pub condition: L,
    /// The accumulator.
    pub a: Byte<L>,
    /// The carry.
    pub c: L,
    /// The bytes of RAM that have been written. All others have their values from the entry.
    pub ram: BTreeMap<u16, Byte<L>>,
    /// The values read last from `PADCOL`, `PADROW` and `KEYS`; `None` for an input that has not been read since the
    /// entry.
    pub inputs: [Option<Byte<L>>; 3],
    /// The cycles since the entry.
    pub cycles: Counter<L>,
    /// The reads of inputs since the entry.
    pub reads: Counter<L>,
}

/// A count that depends on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter<L> {
    /// The minimum, which all paths share.
    always: u64,
    /// The bits of the difference from the minimum, the lowest first.
    more: Vec<L>,
}

/// The machine at the entry of an execution.
#[derive(Clone, Debug)]
pub struct Entry<L> {
    /// The accumulator.
    pub a: Byte<L>,
    /// The carry.
    pub c: L,
    /// The bytes of RAM that have been needed so far.
    ram: BTreeMap<u16, Byte<L>>,
    /// The origin of a byte of RAM.
    origin: fn(u16) -> Origin,
}

impl<L: Copy + Eq> Entry<L> {
    /// Creates an entry with these registers and unknown RAM.
    pub fn new(a: Byte<L>, c: L) -> Entry<L> {
        Entry { a, c, ram: BTreeMap::new(), origin: Origin::Ram }
    }

    /// Creates the same entry with other unknown contents of RAM.
    pub fn with_other_ram(&self) -> Entry<L> {
        Entry { a: self.a, c: self.c, ram: BTreeMap::new(), origin: Origin::SecondRam }
    }

    /// Sets the initial value of a ghost byte, by which a contract observes runs.
    pub fn define(&mut self, address: u16, byte: Byte<L>) {
        self.ram.insert(address, byte);
    }

    /// Returns a byte of RAM.
    pub fn byte<B: Levels<Level = L>>(
        &mut self,
        address: u16,
        variables: &mut Variables,
        levels: &mut B,
    ) -> Outcome<Byte<L>> {
        if let Some(&known) = self.ram.get(&address) {
            return Ok(known);
        }
        let byte = variables.byte((self.origin)(address), levels)?;
        self.ram.insert(address, byte);
        Ok(byte)
    }

    /// Returns the state at the entry.
    pub fn state<B: Levels<Level = L>>(&self, levels: &B) -> State<L> {
        State {
            condition: levels.constant(true),
            a: self.a,
            c: self.c,
            ram: BTreeMap::new(),
            inputs: [None; 3],
            cycles: Counter::new(0),
            reads: Counter::new(0),
        }
    }
}

impl<L: Copy + Eq> State<L> {
    /// Returns the index in [`State::inputs`] of the input at an address, if there is one.
    pub fn input_at(address: u16) -> Option<usize> {
        INPUT_NAMES.iter().position(|&(input, _)| input == address)
    }

    /// Whether a store to an address changes RAM.
    pub fn is_ram(address: u16) -> bool {
        address < INPUTS
    }

    /// Joins two states at the same word: the result is `other` where control came by it, otherwise this state.
    pub fn join<B: Levels<Level = L>>(
        mut self,
        other: State<L>,
        entry: &mut Entry<L>,
        variables: &mut Variables,
        levels: &mut B,
    ) -> Outcome<State<L>> {
        let which = other.condition;
        let pick = |levels: &mut B, here: &mut Byte<L>, there: Byte<L>| -> Outcome<()> {
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
            let unread = |variables: &mut Variables, levels: &mut B| variables.prior_read(input, levels);
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
    pub fn is_like(&self, other: &State<L>, ignores_a: bool, ignores_inputs: bool) -> bool {
        (self.c, &self.ram) == (other.c, &other.ram)
            && (ignores_a || self.a == other.a)
            && (ignores_inputs || self.inputs == other.inputs)
    }
}

impl<L: Copy + Eq> Counter<L> {
    /// Creates a count that is the same on all paths.
    pub fn new(number: u64) -> Counter<L> {
        Counter { always: number, more: Vec::new() }
    }

    /// Returns the count, if it is the same on all paths.
    pub fn known(&self) -> Option<u64> {
        self.more.is_empty().then_some(self.always)
    }

    /// Adds 1.
    pub fn count(&mut self) {
        self.always += 1;
    }

    fn join<B: Levels<Level = L>>(self, other: Counter<L>, which: L, levels: &mut B) -> Outcome<Counter<L>> {
        let always = self.always.min(other.always);
        let [here, there] = [self, other].map(|counter| counter.above(always, levels));
        let [here, there] = [here?, there?];
        let width = here.len().max(there.len());
        let bit = |bits: &[L], bit: usize, levels: &B| {
            bits.get(bit).copied().unwrap_or_else(|| levels.constant(false))
        };
        let mut more = Vec::with_capacity(width);
        for number in 0..width {
            let (here, there) = (bit(&here, number, levels), bit(&there, number, levels));
            more.push(levels.choose(which, there, here)?);
        }
        while more.last().is_some_and(|&last| levels.known(last) == Some(false)) {
            more.pop();
        }
        Ok(Counter { always, more })
    }

    /// Returns the lowest bits.
    pub fn bits<B: Levels<Level = L>>(&self, count: usize, levels: &mut B) -> Outcome<Vec<L>> {
        let mut bits = self.clone().above(0, levels)?;
        bits.resize(count, levels.constant(false));
        Ok(bits)
    }

    /// Returns the bits of the difference from a smaller number.
    fn above<B: Levels<Level = L>>(self, base: u64, levels: &mut B) -> Outcome<Vec<L>> {
        let Counter { always, more } = self;
        let added = always - base;
        let width = (64 - added.leading_zeros() as usize).max(more.len()) + 1;
        let mut carry = levels.constant(false);
        let mut sum = Vec::with_capacity(width);
        for bit in 0..width {
            let one = more.get(bit).copied().unwrap_or_else(|| levels.constant(false));
            let other = levels.constant(added >> bit.min(63) & 1 == 1 && bit < 64);
            let (digit, next) = levels.full_add(one, other, carry)?;
            sum.push(digit);
            carry = next;
        }
        Ok(sum)
    }

    /// Evaluates the count.
    pub fn value<B: Levels<Level = L>>(&self, assignment: &Assignment, levels: &B) -> u64 {
        let bits = self.more.iter().enumerate();
        self.always + bits.map(|(bit, &level)| u64::from(levels.value(level, assignment)) << bit).sum::<u64>()
    }

    /// Returns the minimum or the maximum where a condition holds, with an assignment for it; `None` if it never holds.
    pub fn extreme<B: Levels<Level = L>>(
        &self,
        condition: L,
        is_maximum: bool,
        levels: &mut B,
    ) -> Outcome<Option<(u64, Assignment)>> {
        if !levels.is_possible(condition)? {
            return Ok(None);
        }
        let mut extreme = condition;
        for &bit in self.more.iter().rev() {
            let preferred = if is_maximum { bit } else { levels.not(bit) };
            let narrower = levels.and(extreme, preferred)?;
            if levels.is_possible(narrower)? {
                extreme = narrower;
            }
        }
        Ok(levels.assignment(extreme)?.map(|assignment| (self.value(&assignment, levels), assignment)))
    }

    /// Returns the condition under which the count exceeds a limit.
    pub fn is_above<B: Levels<Level = L>>(&self, limit: u64, levels: &mut B) -> Outcome<L> {
        let Some(left) = limit.checked_sub(self.always) else { return Ok(levels.constant(true)) };
        if self.more.len() < 64 && left >> self.more.len() > 0 {
            return Ok(levels.constant(false));
        }
        // From the lowest bit on: whether the bits so far exceed those of the limit.
        self.more.iter().enumerate().try_fold(levels.constant(false), |above, (bit, &level)| {
            let limit = levels.constant(left >> bit & 1 == 1);
            let differ = levels.differ(level, limit)?;
            levels.choose(differ, level, above)
        })
    }
}

/// Converts a byte to a number.
pub fn number<B: Levels>(byte: &Byte<B::Level>, levels: &B) -> Number<B::Level> {
    Number::from_bits(levels, byte)
}
