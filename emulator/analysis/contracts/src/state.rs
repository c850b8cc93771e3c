//! The machine as a program sees it, for all inputs at once: each bit is a function of what was unknown.

use crate::levels::{Byte, Example, Levels, Outcome};
use crate::number::Number;
use crate::variables::{Origin, Variables};
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};

/// A state between two cycles, for the inputs for which `condition` is 1.
#[derive(Clone, Debug)]
pub struct State<L> {
    /// Where control is here.
    pub condition: L,
    /// The accumulator.
    pub a: Byte<L>,
    /// The carry.
    pub c: L,
    /// The bytes of RAM that have been written; all others are as at the entry.
    pub ram: BTreeMap<u16, Byte<L>>,
    /// What was read last from `PADCOL`, `PADROW` and `KEYS`, as far as they have been read since the entry.
    pub inputs: [Option<Byte<L>>; 3],
    /// The cycles since the entry.
    pub cycles: Count<L>,
    /// The reads of inputs since then.
    pub reads: Count<L>,
}

/// A number that depends on the way that a run takes: one that is always added, and one that depends.
#[derive(Clone, Debug, PartialEq)]
pub struct Count<L> {
    always: u64,
    more: Vec<L>,
}

/// What the machine was when the walk began.
#[derive(Clone, Debug)]
pub struct Entry<L> {
    /// The accumulator.
    pub a: Byte<L>,
    /// The carry.
    pub c: L,
    /// The bytes of RAM that were needed so far.
    ram: BTreeMap<u16, Byte<L>>,
    /// What a byte of RAM is.
    origin: fn(u16) -> Origin,
}

impl<L: Copy + Eq> Entry<L> {
    /// An entry with these registers; nothing is known of RAM.
    pub fn new(a: Byte<L>, c: L) -> Entry<L> {
        Entry { a, c, ram: BTreeMap::new(), origin: Origin::Ram }
    }

    /// The same with other contents of RAM, of which nothing is known either.
    pub fn with_other_ram(&self) -> Entry<L> {
        Entry { a: self.a, c: self.c, ram: BTreeMap::new(), origin: Origin::Second }
    }

    /// Gives a byte that is no RAM a value at the entry: a contract observes runs by such bytes.
    pub fn define(&mut self, address: u16, byte: Byte<L>) {
        self.ram.insert(address, byte);
    }

    /// A byte of RAM.
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

    /// Its first state.
    pub fn state<B: Levels<Level = L>>(&self, levels: &B) -> State<L> {
        State {
            condition: levels.constant(true),
            a: self.a,
            c: self.c,
            ram: BTreeMap::new(),
            inputs: [None; 3],
            cycles: Count::of(0),
            reads: Count::of(0),
        }
    }
}

impl<L: Copy + Eq> State<L> {
    /// Which of [`State::inputs`] an address reads, if it reads one.
    pub fn input_at(address: u16) -> Option<usize> {
        [PADCOL, PADROW, KEYS].iter().position(|&input| input == address)
    }

    /// Whether a store to an address changes RAM.
    pub fn is_ram(address: u16) -> bool {
        address < INPUTS
    }

    /// This state where control came by it, and `other` elsewhere.
    pub fn joined<B: Levels<Level = L>>(
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
            let unread = |variables: &mut Variables, levels: &mut B| variables.unread(input, levels);
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
        self.cycles = self.cycles.joined(other.cycles, which, levels)?;
        self.reads = self.reads.joined(other.reads, which, levels)?;
        self.condition = levels.or(self.condition, which)?;
        Ok(self)
    }

    /// Whether two states have the same bits, whatever led to them, and whatever is in A and was read last if that makes
    /// no difference.
    pub fn is_like(&self, other: &State<L>, ignores_a: bool, ignores_inputs: bool) -> bool {
        (self.c, &self.ram) == (other.c, &other.ram)
            && (ignores_a || self.a == other.a)
            && (ignores_inputs || self.inputs == other.inputs)
    }
}

impl<L: Copy + Eq> Count<L> {
    /// A number that is the same on all ways.
    pub fn of(number: u64) -> Count<L> {
        Count { always: number, more: Vec::new() }
    }

    /// Its value, if it is the same on all ways.
    pub fn known(&self) -> Option<u64> {
        self.more.is_empty().then_some(self.always)
    }

    /// One more.
    pub fn count(&mut self) {
        self.always += 1;
    }

    fn joined<B: Levels<Level = L>>(self, other: Count<L>, which: L, levels: &mut B) -> Outcome<Count<L>> {
        let always = self.always.min(other.always);
        let [here, there] = [self, other].map(|cycles| cycles.above(always, levels));
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
        Ok(Count { always, more })
    }

    /// Its lowest bits.
    pub fn bits<B: Levels<Level = L>>(&self, count: usize, levels: &mut B) -> Outcome<Vec<L>> {
        let mut bits = self.clone().above(0, levels)?;
        bits.resize(count, levels.constant(false));
        Ok(bits)
    }

    /// The bits of the number above another number.
    fn above<B: Levels<Level = L>>(self, base: u64, levels: &mut B) -> Outcome<Vec<L>> {
        let Count { always, more } = self;
        let added = always - base;
        let width = (64 - added.leading_zeros() as usize).max(more.len()) + 1;
        let mut carry = levels.constant(false);
        let mut sum = Vec::with_capacity(width);
        for bit in 0..width {
            let one = more.get(bit).copied().unwrap_or_else(|| levels.constant(false));
            let other = levels.constant(added >> bit.min(63) & 1 == 1 && bit < 64);
            let half = levels.differ(one, other)?;
            sum.push(levels.differ(half, carry)?);
            carry = levels.choose(half, carry, one)?;
        }
        Ok(sum)
    }

    /// Its value for these variables.
    pub fn value<B: Levels<Level = L>>(&self, example: &Example, levels: &B) -> u64 {
        let bits = self.more.iter().enumerate();
        self.always + bits.map(|(bit, &level)| u64::from(levels.value(level, example)) << bit).sum::<u64>()
    }

    /// The least or the most cycles where a condition holds, and an example; `None` if it never holds.
    pub fn extreme<B: Levels<Level = L>>(
        &self,
        condition: L,
        most: bool,
        levels: &mut B,
    ) -> Outcome<Option<(u64, Example)>> {
        if !levels.is_possible(condition)? {
            return Ok(None);
        }
        let mut where_ = condition;
        for &bit in self.more.iter().rev() {
            let wanted = if most { bit } else { levels.not(bit) };
            let narrower = levels.and(where_, wanted)?;
            if levels.is_possible(narrower)? {
                where_ = narrower;
            }
        }
        Ok(levels.example(where_)?.map(|example| (self.value(&example, levels), example)))
    }

    /// Where the cycles are more than a number.
    pub fn is_above<B: Levels<Level = L>>(&self, limit: u64, levels: &mut B) -> Outcome<L> {
        let Some(left) = limit.checked_sub(self.always) else { return Ok(levels.constant(true)) };
        if self.more.len() < 64 && left >> self.more.len() > 0 {
            return Ok(levels.constant(false));
        }
        // From the lowest bit on: above in the bits so far.
        self.more.iter().enumerate().try_fold(levels.constant(false), |above, (bit, &level)| {
            let limit = levels.constant(left >> bit & 1 == 1);
            let differ = levels.differ(level, limit)?;
            levels.choose(differ, level, above)
        })
    }
}

/// A byte as a number.
pub fn number<B: Levels>(byte: &Byte<B::Level>, levels: &B) -> Number<B::Level> {
    Number::of_bits(levels, byte)
}
