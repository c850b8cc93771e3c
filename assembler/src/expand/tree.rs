//! The code that reads a table: a tree of decisions on A.
//!
//! `ADD` of a constant makes A 0 at some index, with a carry from there on, so `JC` tells two halves apart; and where A is
//! 0 for the first index, `JZ` picks that one out. A leaf loads its value. Equal neighbours are one leaf, and so are
//! neighbours that go up or down by one each: there A, which is the index but for a constant, becomes the value by an `ADD`.
//! Leaves that load the same value are one.
//!
//! ```text
//!   .table t, 7, 9, 9, 7          add  #-1 … -3        which indexes are left, and what A is for the first of them,
//!                                 jc   upper           is all that matters for the best tree: each is found once,
//!                                                      with the fewest cycles in the worst case, then the fewest words
//! ```

use super::conditions::{Branch, Step};
use super::words::Content;
use gray1_isa::{Opcode, Word};
use std::collections::BTreeMap;

/// How much work it is to find the tree for these values.
pub(super) fn work(values: &[u8]) -> u64 {
    let stretches = boundaries(values).len() as u64;
    stretches.pow(3) / 64 + values.len() as u64
}

/// The code that makes A the value at the index in A. It jumps to its target when it is done, or runs into it.
pub(super) fn tree(values: &[u8]) -> Branch {
    let bounds = boundaries(values);
    let stretches = bounds.len() - 1;
    let mut planner =
        Planner { values, bounds, stretches, plans: vec![[Plan::default(); 2]; (stretches + 1).pow(2)] };
    planner.plan();
    let mut writer = Writer { planner, branch: Branch::default(), leaves: BTreeMap::new(), budget: 0 };
    writer.budget = writer.planner.at(0, stretches, FROM_ZERO).cycles;
    writer.node(0, stretches, FROM_ZERO, 0, 0);
    writer.finish()
}

/// Whether A is 0 for the first index, or never.
const NEVER_ZERO: usize = 0;
const FROM_ZERO: usize = 1;

/// The cycles of a leaf that loads its value, and of the jump behind it.
const LEAF_CYCLES: u16 = 2;

/// How a stretch of neighbours becomes one leaf.
#[derive(Clone, Copy, PartialEq)]
enum Leaf {
    Equal,
    Rising,
    Falling,
}

#[derive(Clone, Copy, Default)]
enum Choice {
    #[default]
    Leaf,
    /// `JZ` for the first stretch, which is one index.
    First,
    /// `ADD`, `JC` for the stretches from here on.
    Split(usize),
}

/// The best way to tell some stretches apart.
#[derive(Clone, Copy, Default)]
struct Plan {
    cycles: u16,
    words: u16,
    choice: Choice,
}

/// Where a decision can be useful: between neighbours that do not go on as their own neighbours do; and both ends.
fn boundaries(values: &[u8]) -> Vec<usize> {
    let step = |at: usize| values[at].wrapping_sub(values[at - 1]);
    let inside = |at: &usize| {
        let goes_on = |other: usize| (1..values.len()).contains(&other) && step(other) == step(*at);
        !(matches!(step(*at), 0 | 1 | 0xFF) && goes_on(at - 1) && goes_on(at + 1))
    };
    let mut bounds = vec![0];
    bounds.extend((1..values.len()).filter(inside));
    bounds.push(values.len());
    bounds
}

struct Planner<'a> {
    values: &'a [u8],
    /// Where each stretch begins, and the end of the last.
    bounds: Vec<usize>,
    stretches: usize,
    /// For each first stretch and end, the plans where A is never 0 and from 0.
    plans: Vec<[Plan; 2]>,
}

impl Planner<'_> {
    fn at(&self, from: usize, to: usize, start: usize) -> Plan {
        self.plans[from * (self.stretches + 1) + to][start]
    }

    fn plan(&mut self) {
        for length in 1..=self.stretches {
            for from in 0..=self.stretches - length {
                let to = from + length;
                let plans = match self.leaf(from, to) {
                    Some(leaf) => [leaf_plan(leaf); 2],
                    None => self.divided(from, to),
                };
                self.plans[from * (self.stretches + 1) + to] = plans;
            }
        }
    }

    fn divided(&self, from: usize, to: usize) -> [Plan; 2] {
        let split = |at: usize| {
            let (low, high) = (self.at(from, at, NEVER_ZERO), self.at(at, to, FROM_ZERO));
            let cycles = 2 + low.cycles.max(high.cycles);
            Plan { cycles, words: 2 + low.words + high.words, choice: Choice::Split(at) }
        };
        let best = (from + 1..to).map(split).min_by_key(Plan::order).unwrap_or_default();
        let first = (self.bounds[from + 1] - self.bounds[from] == 1).then(|| {
            let rest = self.at(from + 1, to, NEVER_ZERO);
            let cycles = 1 + rest.cycles.max(LEAF_CYCLES);
            Plan { cycles, words: 2 + rest.words, choice: Choice::First }
        });
        [best, first.into_iter().chain([best]).min_by_key(Plan::order).unwrap_or(best)]
    }

    /// How some stretches are one leaf, if they can be.
    fn leaf(&self, from: usize, to: usize) -> Option<Leaf> {
        let values = &self.values[self.bounds[from]..self.bounds[to]];
        let all = |step: u8| values.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
        let kinds = [(0, Leaf::Equal), (1, Leaf::Rising), (0xFF, Leaf::Falling)];
        kinds.into_iter().find(|&(step, _)| all(step)).map(|(_, leaf)| leaf)
    }
}

impl Plan {
    fn order(&self) -> (u16, u16) {
        (self.cycles, self.words)
    }
}

fn leaf_plan(leaf: Leaf) -> Plan {
    let cycles = if leaf == Leaf::Falling { LEAF_CYCLES + 1 } else { LEAF_CYCLES };
    Plan { cycles, words: if leaf == Leaf::Equal { 1 } else { cycles }, choice: Choice::Leaf }
}

struct Writer<'a> {
    planner: Planner<'a>,
    branch: Branch,
    /// For each value that is loaded, its label, and whether it stands anywhere yet.
    leaves: BTreeMap<u8, (usize, bool)>,
    /// The most cycles that any way may take.
    budget: u16,
}

impl Writer<'_> {
    /// Some stretches, with A = index + offset, after so many cycles.
    fn node(&mut self, from: usize, to: usize, start: usize, offset: u8, spent: u16) {
        match self.planner.at(from, to, start).choice {
            Choice::Leaf => self.leaf(from, to, offset, spent),
            Choice::First => {
                let first = self.shared(self.planner.values[self.planner.bounds[from]]);
                self.branch.steps.push(Step::Jump(Opcode::Jz, Some(first)));
                self.node(from + 1, to, NEVER_ZERO, offset, spent + 1);
            }
            Choice::Split(at) => {
                let middle = self.planner.bounds[at] as u8;
                self.add(0u8.wrapping_sub(middle.wrapping_add(offset)));
                let offset = 0u8.wrapping_sub(middle);
                let high = match self.planner.leaf(at, to) {
                    Some(Leaf::Equal) => Some(self.shared(self.planner.values[self.planner.bounds[at]])),
                    _ => None,
                };
                let label = high.unwrap_or_else(|| self.branch.new_label());
                self.branch.steps.push(Step::Jump(Opcode::Jc, Some(label)));
                self.node(from, at, NEVER_ZERO, offset, spent + 2);
                if high.is_none() {
                    self.branch.steps.push(Step::Label(label));
                    self.node(at, to, FROM_ZERO, offset, spent + 2);
                }
            }
        }
    }

    /// A leaf that the program runs into.
    fn leaf(&mut self, from: usize, to: usize, offset: u8, spent: u16) {
        let first = self.planner.bounds[from];
        let value = self.planner.values[first];
        let at_first = (first as u8).wrapping_add(offset);
        match self.planner.leaf(from, to) {
            Some(Leaf::Rising) => self.add(value.wrapping_sub(at_first)),
            Some(Leaf::Falling) => {
                self.branch.put([Content::Fixed(Word::constant(Opcode::Nor, 0))]);
                self.add(value.wrapping_sub(!at_first));
            }
            _ => {
                let label = self.shared(value);
                let stands = self.leaves.insert(value, (label, true)).is_some_and(|(_, stands)| stands);
                if stands && spent + 1 + LEAF_CYCLES <= self.budget {
                    return self.branch.steps.push(Step::Jump(Opcode::Jmp, Some(label)));
                }
                if !stands {
                    self.branch.steps.push(Step::Label(label));
                }
                self.load(value);
            }
        }
        self.branch.steps.push(Step::Jump(Opcode::Jmp, None));
    }

    /// The label of the leaf that loads a value.
    fn shared(&mut self, value: u8) -> usize {
        self.leaves.entry(value).or_insert_with(|| (self.branch.new_label(), false)).0
    }

    fn add(&mut self, number: u8) {
        if number != 0 {
            self.branch.put([Content::Fixed(Word::constant(Opcode::Add, number))]);
        }
    }

    fn load(&mut self, value: u8) {
        self.branch.put([Content::Fixed(Word::constant(Opcode::Lda, value))]);
    }

    /// The leaves that are only jumped to; the last thing needs no jump to the end.
    fn finish(mut self) -> Branch {
        for (value, (label, stands)) in std::mem::take(&mut self.leaves) {
            if !stands {
                self.branch.steps.push(Step::Label(label));
                self.load(value);
                self.branch.steps.push(Step::Jump(Opcode::Jmp, None));
            }
        }
        if let Some(Step::Jump(Opcode::Jmp, None)) = self.branch.steps.last() {
            self.branch.steps.pop();
        }
        self.branch
    }
}
