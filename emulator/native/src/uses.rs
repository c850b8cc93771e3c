//! Liveness: the bytes that later cycles of a trace read and overwrite.

use crate::forest::{Forest, Trace, follow};
use gray1_machine::evaluated::{Function, Graph, Next, Node};
use std::collections::HashMap;

/// The later uses of the bytes of a trace. Collected in one pass from its end, since searching ahead from each cycle
/// would be slow.
#[derive(Default)]
pub struct Uses {
    steps: Vec<Step>,
    /// For bytes at the beginning of the trace, by place: the last cycle that reads them before they are overwritten.
    pub from_the_start: HashMap<u16, usize>,
}

#[derive(Default)]
struct Step {
    /// The places that the cycle reads, and the last cycle that reads the byte before it is overwritten.
    reads: Vec<(u16, usize)>,
    writes: Vec<Write>,
    is_fork: bool,
}

/// A byte that a cycle writes.
#[derive(Clone, Copy)]
pub struct Write {
    place: u16,
    /// The last cycle that reads it before it is overwritten, or the cycle itself.
    pub until: usize,
    /// Whether it is overwritten before the next way out of the trace.
    pub is_dead: bool,
}

/// The places that a cycle reads; some may be named twice.
pub fn reads(node: &Node) -> impl Iterator<Item = u16> {
    let decides = match &node.next {
        Next::Fork(function, _) => Some(function),
        Next::Always(_) => None,
    };
    let all = node.changes.iter().chain(&node.outlets).map(|(_, function)| function).chain(decides);
    all.flat_map(Function::places)
}

impl Uses {
    pub fn of(graph: &Graph, nodes: &[u32]) -> Uses {
        let mut steps: Vec<Step> = Vec::new();
        let (mut last_reads, mut next_writes) = (HashMap::new(), HashMap::new());
        let mut way_out = usize::MAX;
        for (at, &number) in nodes.iter().enumerate().rev() {
            let mut step = Step::default();
            let Some(node) = &graph.nodes[number as usize] else { break };
            if follow(&node.next).1.is_some() {
                (way_out, step.is_fork) = (at, true);
            }
            for &(place, _) in &node.changes {
                let until = last_reads.remove(&place).unwrap_or(at);
                let next = next_writes.insert(place, at);
                step.writes.push(Write { place, until, is_dead: next.is_some_and(|next| next < way_out) });
            }
            let until = |place: u16| (place, last_reads.get(&place).copied().unwrap_or(at));
            step.reads = reads(node).map(until).collect();
            for place in reads(node) {
                last_reads.entry(place).or_insert(at);
            }
            steps.push(step);
        }
        steps.reverse();
        Uses { steps, from_the_start: last_reads }
    }

    /// Until which cycle a byte is read, if it is not overwritten, from a cycle that reads it.
    pub fn read_until(&self, at: usize, place: u16) -> usize {
        self.steps[at].reads.iter().find(|read| read.0 == place).map_or(at, |read| read.1)
    }

    /// The fate of a byte that a cycle writes.
    pub fn written(&self, at: usize, place: u16) -> Write {
        let written = self.steps[at].writes.iter().find(|write| write.place == place);
        written.copied().unwrap_or(Write { place, until: at, is_dead: false })
    }

    /// Whether a cycle reads the byte at a place, and whether it writes it.
    pub fn touches(&self, at: usize, place: u16) -> (bool, bool) {
        let Step { reads, writes, .. } = &self.steps[at];
        (reads.iter().any(|read| read.0 == place), writes.iter().any(|write| write.place == place))
    }

    /// Whether the byte at a place is read from a cycle on, in the trace or after a way out, before it is written.
    pub fn needs(&self, from: usize, place: u16) -> bool {
        let first = (from..self.steps.len()).find_map(|at| match self.touches(at, place) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => self.steps[at].is_fork.then_some(true),
        });
        first.unwrap_or(true)
    }
}

/// Which of the places that are kept in registers must be correct at an entry, because they may be read before they are
/// written.
#[derive(Clone, Copy)]
pub struct Needs(pub [bool; 2]);

impl Needs {
    /// The needs of a place where the code may be left.
    pub const ALL: Needs = Needs([true; 2]);

    /// The needs at the beginning of a trace.
    pub fn of(graph: &Graph, forest: &Forest, trace: &Trace) -> Needs {
        let at = |to| forest.branch(to).map_or(Needs::ALL, |branch| Needs::of(graph, forest, branch));
        trace.steps.iter().rfold(Needs::ALL, |Needs(mut needs), &number| {
            let Some(node) = &graph.nodes[number as usize] else { return Needs::ALL };
            let Needs(side) = match follow(&node.next).1 {
                Some((_, to)) if to.has_halted => return Needs::ALL,
                Some((_, to)) => at(to.node),
                None => Needs([false; 2]),
            };
            for (needs, (side, home)) in needs.iter_mut().zip(side.into_iter().zip(graph.homes)) {
                *needs |= side;
                *needs &= node.changes.iter().all(|change| change.0 != home);
                *needs |= reads(node).any(|place| place == home);
            }
            Needs(needs)
        })
    }
}
