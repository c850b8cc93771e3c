//! The tree itself, built while a program runs.

use super::markers::Markers;

/// The number of a node, in search order.
pub type NodeId = usize;

/// A node of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its parent, if any.
    pub parent: Option<NodeId>,
    /// Its level, as the program counts levels.
    pub level: u16,
    /// The choice that leads to it.
    pub choice: u16,
    /// The cycle in which it begins.
    pub cycle: u64,
    /// The cycle in which the search leaves it, once that is known.
    pub end: u64,
    /// The place in the program: a sequence number.
    pub place: u16,
    /// Its outcome.
    pub outcome: Fate,
    /// The number of nodes below it, on all levels.
    pub below: u64,
    /// The number of solutions among them and itself.
    pub solutions: u64,
}

/// The outcome of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is a solution.
    Solution,
    /// There are solutions below it.
    Leads,
    /// There is no solution below it.
    DeadEnd,
    /// It was given up at once, without a search below it.
    Cut,
    /// The run ended before the search left it.
    Open,
}

/// The tree of a search.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    markers: &'a Markers,
    nodes: Vec<Node>,
    /// The current node of the search and its ancestors.
    path: Vec<NodeId>,
    limit: usize,
    is_cut_short: bool,
}

impl Fate {
    /// The name of the outcome.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Solution => "solution",
            Fate::Leads => "leads on",
            Fate::DeadEnd => "dead end",
            Fate::Cut => "cut",
            Fate::Open => "not finished",
        }
    }
}

impl<'a> Tree<'a> {
    /// An empty tree with room for this many nodes.
    pub fn new(markers: &'a Markers, limit: usize) -> Tree<'a> {
        Tree { markers, nodes: Vec::new(), path: Vec::new(), limit, is_cut_short: false }
    }

    /// Records that the run has reached a place in the program. `byte` reads RAM. Returns whether there is room for more
    /// nodes.
    pub fn reach(&mut self, place: u16, cycle: u64, byte: impl Fn(u16) -> u8) -> bool {
        let marks = self.markers.at(place);
        if let Some(position) = marks.position {
            if self.nodes.len() == self.limit {
                self.is_cut_short = true;
                return false;
            }
            let (level, choice) = self.markers.node(position, byte);
            while let Some(last) = self.path.pop_if(|last| self.nodes[*last].level >= level) {
                self.nodes[last].end = cycle;
            }
            let parent = self.path.last().copied();
            let outcome = if self.markers.has_branches() { Fate::Cut } else { Fate::DeadEnd };
            self.path.push(self.nodes.len());
            let (below, solutions) = (0, 0);
            self.nodes.push(Node {
                parent,
                level,
                choice,
                cycle,
                end: cycle,
                place,
                outcome,
                below,
                solutions,
            });
        }
        let Some(node) = self.path.last().map(|last| &mut self.nodes[*last]) else { return true };
        if marks.is_branch && node.outcome == Fate::Cut {
            node.outcome = Fate::DeadEnd;
        }
        if marks.is_solution {
            (node.outcome, node.solutions) = (Fate::Solution, node.solutions + 1);
        }
        true
    }

    /// Ends the run, which may be before the end of the search, and adds up the counts of each node.
    pub fn end(&mut self, cycle: u64, is_finished: bool) {
        for node in self.path.drain(..) {
            let node = &mut self.nodes[node];
            node.end = cycle;
            if !is_finished && node.outcome != Fate::Solution {
                node.outcome = Fate::Open;
            }
        }
        for index in (0..self.nodes.len()).rev() {
            let Node { parent, below, solutions, outcome, .. } = self.nodes[index];
            if solutions > 0 && matches!(outcome, Fate::DeadEnd | Fate::Cut) {
                self.nodes[index].outcome = Fate::Leads;
            }
            if let Some(parent) = parent {
                self.nodes[parent].below += below + 1;
                self.nodes[parent].solutions += solutions;
            }
        }
    }

    /// All nodes, in search order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether there was no room for all nodes.
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The node of the search at a cycle, after its ancestors from the root down.
    pub fn path_at(&self, cycle: u64) -> Vec<NodeId> {
        let mut path = Vec::new();
        let begun = self.nodes.partition_point(|node| node.cycle <= cycle);
        let mut next = begun.checked_sub(1);
        while let Some(id) = next {
            if self.nodes[id].end > cycle {
                path.push(id);
            }
            next = self.nodes[id].parent;
        }
        path.reverse();
        path
    }

    /// Counts the nodes with this outcome.
    pub fn count(&self, outcome: Fate) -> usize {
        self.nodes.iter().filter(|node| node.outcome == outcome).count()
    }
}
