//! The calls of a run as a tree: each node is a routine or a macro call, reached by the calls above it.
//!
//! ```text
//!   the program ──┬── macro `put`, line 12 ──── routine `send`, called at word 30
//!                 └── routine `send`, called at word 8 ──── macro `wait`, line 40
//! ```
//!
//! A node is open while the run is in it or in one below. A call of a routine begins with its first word and ends when
//! the run is back in the routine that called it; one of a macro begins with any of its words and ends when the run has
//! left them, other than by a `call`. Since routines cannot call themselves, each is open at most once.

use crate::profile::layout::{Layout, NO_MACRO, PROGRAM};
use std::collections::HashMap;

/// The node of the program itself.
pub(crate) const ROOT: u32 = 0;
/// The call of a routine that was entered without one.
pub(crate) const NO_SITE: u16 = u16::MAX;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Frame {
    /// A macro call.
    Macro(u32),
    /// A routine, and the jump of its call.
    Routine { routine: u32, site: u16 },
}

/// A node of the tree.
#[derive(Clone)]
pub(crate) struct Node {
    pub calls: Calls,
    /// The cycle in which it was opened last.
    pub since: u64,
    pub parent: u32,
    pub frame: Frame,
    /// The cycles in it, but not in a node below.
    pub own: u64,
    /// Whether its last call was still going on at the end of the run.
    pub is_unfinished: bool,
}

impl Node {
    /// A call ends.
    pub fn close(&mut self, cycle: u64) {
        let since = self.since;
        let cycles = cycle - since;
        let one =
            Calls { count: 1, total: cycles, least: cycles, most: cycles, first: since, longest: since };
        self.calls.join(&one);
    }
}

/// A number of calls, and the cycles that they took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Calls {
    pub count: u64,
    pub total: u64,
    pub least: u64,
    pub most: u64,
    /// The cycle in which the first one began, and the longest one.
    pub first: u64,
    pub longest: u64,
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { count: 0, total: 0, least: u64::MAX, most: 0, first: u64::MAX, longest: u64::MAX }
    }
}

impl Calls {
    /// Adds other calls.
    pub fn join(&mut self, other: &Calls) {
        self.count += other.count;
        self.total += other.total;
        self.least = self.least.min(other.least);
        self.first = self.first.min(other.first);
        if (other.most, self.longest) > (self.most, other.longest) {
            self.longest = other.longest;
        }
        self.most = self.most.max(other.most);
    }
}

/// A node is opened or closed between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Open(u32),
    Close(u32),
}

/// All calls so far.
#[derive(Clone)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    children: HashMap<(u32, Frame), u32>,
}

impl Tree {
    pub fn new() -> Tree {
        let mut tree = Tree { nodes: Vec::new(), children: HashMap::new() };
        tree.child(ROOT, Frame::Routine { routine: PROGRAM, site: NO_SITE });
        tree
    }

    /// The node that is open after the run has gone from a word to another, when `node` was open at the first. What is
    /// closed and opened on the way is added to `moves`.
    pub fn follow(
        &mut self,
        layout: &Layout,
        node: u32,
        (from, to): (u16, u16),
        moves: &mut Vec<Move>,
    ) -> u32 {
        let (before, after) = (layout.place(from), layout.place(to));
        if before.enters != PROGRAM && layout.routines[before.enters as usize].start == to {
            let routine = before.enters;
            // A program that has left the routine by a jump may call it again.
            let caller = self.open_routine(node, routine).map(|open| self.nodes[open as usize].parent);
            let caller = caller.map_or(node, |caller| self.close(node, caller, moves));
            let callee = self.open(caller, Frame::Routine { routine, site: from }, moves);
            return self.open_calls(layout, callee, after.call, NO_MACRO, moves);
        }
        if (before.routine, before.call) == (after.routine, after.call) {
            return node;
        }
        if let Some(routine) = self.open_routine(node, after.routine) {
            let (end, shared) = self.shared(layout, node, routine, after.call);
            let end = self.close(node, end, moves);
            return self.open_calls(layout, end, after.call, shared, moves);
        }
        // Into another routine without a call: it replaces this one, unless this is the program itself.
        let now = self.routine_of(node);
        let under = if now == ROOT { ROOT } else { self.nodes[now as usize].parent };
        let under = self.close(node, under, moves);
        let entered = self.open(under, Frame::Routine { routine: after.routine, site: NO_SITE }, moves);
        self.open_calls(layout, entered, after.call, NO_MACRO, moves)
    }

    /// The node at which a run begins.
    pub fn begin(&mut self, layout: &Layout, at: u16, moves: &mut Vec<Move>) -> u32 {
        let place = layout.place(at);
        let node = match place.routine {
            PROGRAM => ROOT,
            routine => self.open(ROOT, Frame::Routine { routine, site: NO_SITE }, moves),
        };
        self.open_calls(layout, node, place.call, NO_MACRO, moves)
    }

    /// A node and those around it, the innermost first, the program last.
    pub fn around(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |&node| (node != ROOT).then(|| self.nodes[node as usize].parent))
    }

    fn routine_of(&self, node: u32) -> u32 {
        let is_routine = |node: &u32| matches!(self.nodes[*node as usize].frame, Frame::Routine { .. });
        self.around(node).find(is_routine).unwrap_or(ROOT)
    }

    /// The open node of a routine.
    fn open_routine(&self, node: u32, wanted: u32) -> Option<u32> {
        self.around(node).find(|&node| {
            matches!(self.nodes[node as usize].frame, Frame::Routine { routine, .. } if routine == wanted)
        })
    }

    /// The innermost of the open macro calls of a routine that are also around another one: its node (or that of the
    /// routine) and the call.
    fn shared(&self, layout: &Layout, node: u32, routine: u32, call: u32) -> (u32, u32) {
        let outwards = |&call: &u32| (call != NO_MACRO).then(|| layout.calls[call as usize].parent);
        let around: Vec<u32> = std::iter::successors(Some(call), outwards).collect();
        // The nodes of this routine follow those of the routines that it has called.
        let of_routine = self.around(node).take_while(|&open| open != routine);
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for open in of_routine {
            match self.nodes[open as usize].frame {
                Frame::Macro(call) => calls.push((open, call)),
                Frame::Routine { .. } => calls.clear(),
            }
        }
        calls.into_iter().find(|(_, call)| around.contains(call)).unwrap_or((routine, NO_MACRO))
    }

    /// Opens the macro calls from one in `shared` inwards to `call`.
    fn open_calls(
        &mut self,
        layout: &Layout,
        mut node: u32,
        call: u32,
        shared: u32,
        moves: &mut Vec<Move>,
    ) -> u32 {
        let outwards = |&call: &u32| Some(layout.calls[call as usize].parent);
        let inwards = std::iter::successors(Some(call), outwards);
        let inwards: Vec<u32> = inwards.take_while(|&call| call != shared && call != NO_MACRO).collect();
        for call in inwards.into_iter().rev() {
            node = self.open(node, Frame::Macro(call), moves);
        }
        node
    }

    fn open(&mut self, parent: u32, frame: Frame, moves: &mut Vec<Move>) -> u32 {
        let node = self.child(parent, frame);
        moves.push(Move::Open(node));
        node
    }

    /// Closes all nodes inside `end`.
    fn close(&self, node: u32, end: u32, moves: &mut Vec<Move>) -> u32 {
        moves.extend(self.around(node).take_while(|&node| node != end).map(Move::Close));
        end
    }

    fn child(&mut self, parent: u32, frame: Frame) -> u32 {
        *self.children.entry((parent, frame)).or_insert_with(|| {
            let calls = Calls::default();
            self.nodes.push(Node { parent, frame, own: 0, calls, since: 0, is_unfinished: false });
            self.nodes.len() as u32 - 1
        })
    }
}
