//! The code that reads a table: a tree of decisions on A.
//!
//! `ADD` of a constant makes A 0 at some index, with a carry from there on, so `JC` separates two halves. If A is 0 for
//! the first index, `JZ` separates that index from the others. A leaf loads its value. Consecutive equal values share a
//! leaf, and so do values that rise or fall by one: there, an `ADD` turns A, which differs from the index by a constant,
//! into the value. Leaves that load the same value are merged. If it is better to test the lowest bit of the index first,
//! `SHR` separates even from odd indexes, and halves them.
//!
//! ```text
//!   .table t, 7, 9, 9, 7          add  #-1 … -3        The best tree depends only on the remaining indexes and on A
//!                                 jc   upper           for the first of them. Each is computed once: the fewest
//!                                                      cycles in the worst case, then the fewest words.
//! ```

use super::branch::{Branch, Step, constant};
use super::words::Content;
use gray1_isa::{Opcode, Word};
use std::collections::BTreeMap;
use std::ops::Range;

/// The work of a search for the tree of these values.
pub(super) fn work(values: &[u8]) -> u64 {
    let runs = boundaries(values).len() as u64;
    runs.pow(3) / 48 + values.len() as u64
}

/// The optimal tree for the values of a table.
pub(super) enum Shape {
    /// Comparisons of the index.
    Decisions(Planner),
    /// A test for odd indexes. Half the index is the index in that half of the table.
    Halves(Box<[Shape; 2]>),
}

/// The cycles, and the words, of the test whether A is odd: `STA`, `SHR`, `JC`.
const HALVING: u16 = 3;

impl Shape {
    pub fn best(values: &[u8]) -> Shape {
        let decisions = Shape::Decisions(Planner::new(values.to_vec()));
        if decisions.cost().0 <= HALVING + 1 {
            return decisions;
        }
        let half = |first: usize| values.iter().copied().skip(first).step_by(2).collect::<Vec<u8>>();
        let halves = Shape::Halves(Box::new([0, 1].map(|first| Shape::best(&half(first)))));
        if halves.cost() < decisions.cost() { halves } else { decisions }
    }

    /// The cycles in the worst case, then the words.
    fn cost(&self) -> (u16, u16) {
        match self {
            Shape::Decisions(planner) => planner.at(0, planner.runs, FROM_ZERO).order(),
            Shape::Halves(halves) => {
                let [(even, even_words), (odd, odd_words)] = [&halves[0], &halves[1]].map(Shape::cost);
                (HALVING + even.max(odd), HALVING + even_words + odd_words)
            }
        }
    }

    /// Whether the code needs a temporary byte.
    pub fn needs_byte(&self) -> bool {
        matches!(self, Shape::Halves(_))
    }

    /// Makes the code that replaces the index in A with the value at that index. `byte` is its temporary byte. At the end,
    /// the code jumps to its target, or falls through to it.
    pub fn code(&self, byte: u16) -> Branch {
        let budget = self.cost().0;
        let mut writer = Writer { branch: Branch::default(), leaves: BTreeMap::new(), budget, byte };
        writer.shape(self, 0);
        writer.finish()
    }
}

/// The two cases of A: never 0, or 0 for the first index.
const NEVER_ZERO: usize = 0;
const FROM_ZERO: usize = 1;

/// The cycles of a leaf that loads its value, with the jump after it.
const LEAF_CYCLES: u16 = 2;

/// The form of a leaf for several consecutive indexes.
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
    /// `JZ` for the first run, which is one index.
    First,
    /// `ADD`, `JC` for the runs from here on.
    Split(usize),
}

/// The optimal tree for consecutive runs.
#[derive(Clone, Copy, Default)]
pub(super) struct Subtree {
    cycles: u16,
    words: u16,
    choice: Choice,
}

/// Finds the indexes at which a decision can be useful: the ends of runs with equal steps, and both ends of the table.
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

pub(super) struct Planner {
    values: Vec<u8>,
    /// The beginning of each run, and the end of the last.
    bounds: Vec<usize>,
    runs: usize,
    /// For each first run and end, the trees for A never 0 and for A from 0.
    plans: Vec<[Subtree; 2]>,
}

impl Planner {
    fn new(values: Vec<u8>) -> Planner {
        let bounds = boundaries(&values);
        let runs = bounds.len() - 1;
        let plans = vec![[Subtree::default(); 2]; (runs + 1).pow(2)];
        let mut planner = Planner { values, bounds, runs, plans };
        planner.plan();
        planner
    }

    fn at(&self, from: usize, to: usize, start: usize) -> Subtree {
        self.plans[from * (self.runs + 1) + to][start]
    }

    fn plan(&mut self) {
        for length in 1..=self.runs {
            for from in 0..=self.runs - length {
                let to = from + length;
                let plans = match self.leaf(from, to) {
                    Some(leaf) => [leaf_plan(leaf); 2],
                    None => self.divided(from, to),
                };
                self.plans[from * (self.runs + 1) + to] = plans;
            }
        }
    }

    fn divided(&self, from: usize, to: usize) -> [Subtree; 2] {
        let split = |at: usize| {
            let (low, high) = (self.at(from, at, NEVER_ZERO), self.at(at, to, FROM_ZERO));
            let cycles = 2 + low.cycles.max(high.cycles);
            Subtree { cycles, words: 2 + low.words + high.words, choice: Choice::Split(at) }
        };
        let best = (from + 1..to).map(split).min_by_key(Subtree::order).unwrap_or_default();
        let first = (self.bounds[from + 1] - self.bounds[from] == 1).then(|| {
            let rest = self.at(from + 1, to, NEVER_ZERO);
            let cycles = 1 + rest.cycles.max(LEAF_CYCLES);
            Subtree { cycles, words: 2 + rest.words, choice: Choice::First }
        });
        [best, first.into_iter().chain([best]).min_by_key(Subtree::order).unwrap_or(best)]
    }

    fn first_value(&self, run: usize) -> u8 {
        self.values[self.bounds[run]]
    }

    /// The form of a single leaf for these runs, if there is one.
    fn leaf(&self, from: usize, to: usize) -> Option<Leaf> {
        let values = &self.values[self.bounds[from]..self.bounds[to]];
        let all = |step: u8| values.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
        let kinds = [(0, Leaf::Equal), (1, Leaf::Rising), (0xFF, Leaf::Falling)];
        kinds.into_iter().find(|&(step, _)| all(step)).map(|(_, leaf)| leaf)
    }
}

impl Subtree {
    fn order(&self) -> (u16, u16) {
        (self.cycles, self.words)
    }
}

fn leaf_plan(leaf: Leaf) -> Subtree {
    let cycles = if leaf == Leaf::Falling { LEAF_CYCLES + 1 } else { LEAF_CYCLES };
    Subtree { cycles, words: if leaf == Leaf::Equal { 1 } else { cycles }, choice: Choice::Leaf }
}

struct Writer {
    branch: Branch,
    /// For each value that is loaded, its label, and whether it has been placed.
    leaves: BTreeMap<u8, (usize, bool)>,
    /// The maximum number of cycles of a path.
    budget: u16,
    /// The temporary byte.
    byte: u16,
}

impl Writer {
    fn shape(&mut self, shape: &Shape, spent: u16) {
        let halves = match shape {
            Shape::Decisions(planner) => {
                return self.node(planner, 0..planner.runs, FROM_ZERO, 0, spent);
            }
            Shape::Halves(halves) => halves,
        };
        self.branch
            .put([Opcode::Sta, Opcode::Shr].map(|opcode| Content::Fixed(Word::ram(opcode, self.byte))));
        let shared = match &halves[1] {
            Shape::Decisions(planner) => self.shared_leaf(planner, 0..planner.runs),
            Shape::Halves(_) => None,
        };
        let odd = shared.unwrap_or_else(|| self.branch.new_label());
        self.branch.steps.push(Step::Jump(Opcode::Jc, Some(odd)));
        self.shape(&halves[0], spent + HALVING);
        if shared.is_none() {
            self.branch.steps.push(Step::Label(odd));
            self.shape(&halves[1], spent + HALVING);
        }
    }

    /// Emits the decisions on these runs, with A = index + offset, after `spent` cycles.
    fn node(&mut self, planner: &Planner, part: Range<usize>, start: usize, offset: u8, spent: u16) {
        match planner.at(part.start, part.end, start).choice {
            Choice::Leaf => self.leaf(planner, part, offset, spent),
            Choice::First => {
                let first = self.shared(planner.first_value(part.start));
                self.branch.steps.push(Step::Jump(Opcode::Jz, Some(first)));
                self.node(planner, part.start + 1..part.end, NEVER_ZERO, offset, spent + 1);
            }
            Choice::Split(at) => {
                let middle = planner.bounds[at] as u8;
                self.add(0u8.wrapping_sub(middle.wrapping_add(offset)));
                let offset = 0u8.wrapping_sub(middle);
                let shared = self.shared_leaf(planner, at..part.end);
                let high = shared.unwrap_or_else(|| self.branch.new_label());
                self.branch.steps.push(Step::Jump(Opcode::Jc, Some(high)));
                self.node(planner, part.start..at, NEVER_ZERO, offset, spent + 2);
                if shared.is_none() {
                    self.branch.steps.push(Step::Label(high));
                    self.node(planner, at..part.end, FROM_ZERO, offset, spent + 2);
                }
            }
        }
    }

    /// Emits a leaf to which the previous code falls through.
    fn leaf(&mut self, planner: &Planner, part: Range<usize>, offset: u8, spent: u16) {
        let value = planner.first_value(part.start);
        let at_first = (planner.bounds[part.start] as u8).wrapping_add(offset);
        match planner.leaf(part.start, part.end) {
            Some(Leaf::Rising) => self.add(value.wrapping_sub(at_first)),
            Some(Leaf::Falling) => {
                self.branch.put([constant(Opcode::Nor, 0)]);
                self.add(value.wrapping_sub(!at_first));
            }
            _ => {
                let label = self.shared(value);
                let is_placed =
                    self.leaves.insert(value, (label, true)).is_some_and(|(_, is_placed)| is_placed);
                if is_placed && spent + 1 + LEAF_CYCLES <= self.budget {
                    return self.branch.steps.push(Step::Jump(Opcode::Jmp, Some(label)));
                }
                if !is_placed {
                    self.branch.steps.push(Step::Label(label));
                }
                self.load(value);
            }
        }
        self.branch.steps.push(Step::Jump(Opcode::Jmp, None));
    }

    /// The label of the leaf for all these runs, if it is one leaf to which code can jump.
    fn shared_leaf(&mut self, planner: &Planner, part: Range<usize>) -> Option<usize> {
        let is_shared = planner.leaf(part.start, part.end) == Some(Leaf::Equal);
        is_shared.then(|| self.shared(planner.first_value(part.start)))
    }

    /// The label of the leaf that loads a value.
    fn shared(&mut self, value: u8) -> usize {
        self.leaves.entry(value).or_insert_with(|| (self.branch.new_label(), false)).0
    }

    fn add(&mut self, number: u8) {
        self.branch.put((number != 0).then(|| constant(Opcode::Add, number)));
    }

    fn load(&mut self, value: u8) {
        self.branch.put([constant(Opcode::Lda, value)]);
    }

    /// Emits the leaves without fall-through. The last one needs no jump to the end.
    fn finish(mut self) -> Branch {
        for (value, (label, is_placed)) in std::mem::take(&mut self.leaves) {
            if !is_placed {
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
