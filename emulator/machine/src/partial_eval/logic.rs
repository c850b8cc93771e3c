//! Levels that are not known yet, as expressions: what a chip gives if some of its lines are known.
//!
//! ```text
//!   address lines:  known, known, A3, known, X3, A3 inverted …
//!                        │  the cells that are still possible
//!                        ▼
//!   each data line: known, one of these lines (or its inverse), or a smaller table of the lines that matter
//! ```
//!
//! Equal expressions have equal numbers, so that it is easy to see whether a board has settled.

use crate::board::netlist::NetId;
use crate::truth::Truth;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A table with more free lines than this is not reduced: its output counts as unknown.
const MAX_LINES: usize = 16;
/// With no more free lines than this, equal lines are merged before a table is reduced.
const FEW_LINES: usize = 6;
/// The cache of reduced tables is emptied when it has more entries than this.
const MAX_KEPT: usize = 50_000;
/// The maximum size of all reduced tables together, in words of 64 cells.
const MAX_TRUTHS: usize = 1 << 21;

/// The level of a net: the number of an expression, and whether it is inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Level(u32);

/// An expression that is not inverted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Level 0.
    Low,
    /// A bit of a byte at the beginning of the cycle: its place, and the number of the bit.
    Leaf(u16, u8),
    /// An unknown level: the number of a net.
    Unknown(usize),
    /// A table, and the expressions on its lines.
    Gate { truth: u32, lines: Box<[u32]> },
}

/// A data line of a reduced table, in terms of the free lines.
enum Output {
    Known(bool),
    Line { line: u8, is_inverted: bool },
    Gate { truth: u32, is_inverted: bool, lines: Box<[u8]> },
}

/// All expressions, and the tables that have been reduced.
#[derive(Default)]
pub(super) struct Logic {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    truths: Vec<Box<[u64]>>,
    truth_numbers: FxHashMap<Box<[u64]>, u32>,
    truth_words: usize,
    /// Tables by their number and by the lines that are known, and their levels.
    reduced: FxHashMap<(usize, u32, u32), Arc<[Output]>>,
}

impl Level {
    pub const LOW: Level = Level(0);

    pub fn of(level: bool) -> Level {
        Level(u32::from(level))
    }

    pub fn known(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn inverted_if(self, is_inverted: bool) -> Level {
        Level(self.0 ^ u32::from(is_inverted))
    }
}

impl Logic {
    /// Forgets all expressions, but not the tables that have been reduced.
    pub fn begin(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.number(Node::Low);
        if self.reduced.len() > MAX_KEPT {
            self.reduced.clear();
        }
    }

    pub fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// A table with one bit for each combination of its lines.
    pub fn truth(&self, number: u32) -> &[u64] {
        &self.truths[number as usize]
    }

    /// A level that is not inverted.
    pub fn level(&mut self, node: Node) -> Level {
        Level(self.number(node) << 1)
    }

    fn number(&mut self, node: Node) -> u32 {
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(node.clone(), number);
        self.nodes.push(node);
        number
    }

    /// The data lines of a chip with these cells, of which `table` is the number, for these levels on its lines. `data`
    /// are the nets that it drives: nothing can be said about their levels if there are too many free lines, or too many
    /// reduced tables.
    pub fn look_up(&mut self, table: usize, cells: &[u8], lines: &[Level], data: &[NetId]) -> Vec<Level> {
        let (mut mask, mut value) = (0, 0);
        for (line, level) in lines.iter().enumerate() {
            mask |= u32::from(level.0 < 2) << line;
            value |= (level.0 & u32::from(level.0 < 2)) << line;
        }
        let free = lines.len() - mask.count_ones() as usize;
        if free == 0 {
            let cell = cells[value as usize];
            return (0..data.len()).map(|bit| Level::of(cell >> bit & 1 == 1)).collect();
        }
        let key = (table, mask, value);
        let outputs = match self.reduced.get(&key) {
            Some(outputs) => Arc::clone(outputs),
            None => {
                if free > FEW_LINES
                    && let (codes, distinct) = coded(lines)
                    && distinct.len() <= FEW_LINES
                {
                    let outputs = self.reduce(cells, &codes, distinct.len(), data.len());
                    return outputs
                        .iter()
                        .zip(data)
                        .map(|(output, &net)| self.output(output, &distinct, net))
                        .collect();
                }
                if free > MAX_LINES || self.truth_words > MAX_TRUTHS {
                    return data.iter().map(|&net| self.level(Node::Unknown(net))).collect();
                }
                let mut number = 0;
                let codes = lines.iter().map(|level| match level.known() {
                    Some(level) => u8::from(level),
                    None => {
                        number += 2;
                        number
                    }
                });
                let outputs = self.reduce(cells, &codes.collect::<Vec<_>>(), free, data.len());
                self.reduced.insert(key, Arc::clone(&outputs));
                outputs
            }
        };
        let mut free = [Level::LOW; 32];
        let levels = lines.iter().filter(|level| level.0 >= 2);
        free.iter_mut().zip(levels).for_each(|(free, level)| *free = *level);
        outputs.iter().zip(data).map(|(output, &net)| self.output(output, &free, net)).collect()
    }

    fn output(&mut self, output: &Output, free: &[Level], net: NetId) -> Level {
        match output {
            Output::Known(level) => Level::of(*level),
            Output::Line { line, is_inverted } => free[usize::from(*line)].inverted_if(*is_inverted),
            Output::Gate { truth, is_inverted, lines } => {
                let lines: Vec<Level> = lines.iter().map(|line| free[usize::from(*line)]).collect();
                self.gate(*truth, &lines, net).inverted_if(*is_inverted)
            }
        }
    }

    /// The gate that drives this net, with these levels on its lines, which may be equal or inverted.
    fn gate(&mut self, truth: u32, levels: &[Level], net: NetId) -> Level {
        if levels.iter().any(|level| matches!(self.node(level.node()), Node::Unknown(_))) {
            return self.level(Node::Unknown(net));
        }
        let is_new = |at: usize| levels[..at].iter().all(|level| level.node() != levels[at].node());
        if (0..levels.len()).all(|at| !levels[at].is_inverted() && is_new(at)) {
            let lines = levels.iter().map(|level| level.node()).collect();
            return self.level(Node::Gate { truth, lines });
        }
        let (codes, distinct) = coded(levels);
        let truth = self.truth(truth);
        let cells: Vec<u8> =
            (0..1 << levels.len()).map(|at| (truth[at / 64] >> (at % 64) & 1) as u8).collect();
        let outputs = self.reduce(&cells, &codes, distinct.len(), 1);
        self.output(&outputs[0], &distinct, net)
    }

    /// Reduces a table to its free lines. `codes` has for each line its level, or 2 plus twice the number of
    /// the free line, plus 1 if that is inverted.
    fn reduce(&mut self, cells: &[u8], codes: &[u8], free: usize, bits: usize) -> Arc<[Output]> {
        let (mut base, mut flips) = (0u32, vec![0u32; free]);
        for (line, &code) in codes.iter().enumerate() {
            base |= u32::from(code & 1) << line;
            if let Some(number) = code.checked_sub(2) {
                flips[usize::from(number / 2)] |= 1 << line;
            }
        }
        let mut addresses = vec![base; 1 << free];
        for index in 1..addresses.len() {
            addresses[index] = addresses[index & (index - 1)] ^ flips[index.trailing_zeros() as usize];
        }
        let possible: Vec<u8> = addresses.iter().map(|&address| cells[address as usize]).collect();
        let output = |truth: Truth| {
            let is_inverted = truth.bits[0];
            match *truth.lines {
                [] => Output::Known(is_inverted),
                [line] => Output::Line { line: line as u8, is_inverted },
                _ => {
                    let mut packed = vec![0u64; truth.bits.len().div_ceil(64)];
                    for (index, &level) in truth.bits.iter().enumerate() {
                        packed[index / 64] |= u64::from(level != is_inverted) << (index % 64);
                    }
                    let next = self.truths.len() as u32;
                    let number = *self.truth_numbers.entry(packed.clone().into()).or_insert(next);
                    if number == next {
                        self.truth_words += packed.len();
                        self.truths.push(packed.into());
                    }
                    let lines = truth.lines.iter().map(|&line| line as u8).collect();
                    Output::Gate { truth: number, is_inverted, lines }
                }
            }
        };
        Truth::all(&possible, bits).into_iter().map(output).collect()
    }

    /// The leaves on which these levels depend, each once, in the order of their places; `None` if one depends on a
    /// level about which nothing can be said.
    pub fn leaves(&self, levels: impl IntoIterator<Item = Level>) -> Option<Vec<(u16, u8)>> {
        let (mut seen, mut open, mut leaves) = (vec![false; self.nodes.len()], Vec::new(), Vec::new());
        for level in levels {
            open.push(level.node());
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                match self.node(node) {
                    Node::Low => {}
                    Node::Unknown(_) => return None,
                    Node::Leaf(place, bit) => leaves.push((*place, *bit)),
                    Node::Gate { lines, .. } => open.extend(lines),
                }
            }
        }
        leaves.sort_unstable();
        Some(leaves)
    }
}

/// The codes of lines, and the levels that differ, not inverted.
fn coded(lines: &[Level]) -> (Vec<u8>, Vec<Level>) {
    let mut distinct: Vec<Level> = Vec::new();
    let codes = lines.iter().map(|level| match level.known() {
        Some(level) => u8::from(level),
        None => {
            let at = distinct.iter().position(|known| known.node() == level.node()).unwrap_or_else(|| {
                distinct.push(level.inverted_if(level.is_inverted()));
                distinct.len() - 1
            });
            2 + 2 * at as u8 + u8::from(level.is_inverted())
        }
    });
    (codes.collect(), distinct)
}
