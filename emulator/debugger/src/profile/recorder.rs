//! The recorder: it follows a run word by word, and counts.

use crate::profile::layout::Layout;
use crate::profile::tree::{Calls, Move, ROOT, Tree};
use gray1_isa::PROGRAM_WORDS;
use std::sync::Arc;

/// Follows a run and counts its cycles.
#[derive(Clone)]
pub struct Recorder {
    layout: Arc<Layout>,
    tree: Tree,
    /// The open node and the next word.
    node: u32,
    at: u16,
    start: u64,
    cycle: u64,
    words: Vec<Count>,
    moves: Vec<Move>,
}

/// The runs of a word, and the cycle of the first.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    pub times: u64,
    pub first: u64,
}

/// The counts of a run that has ended.
pub(crate) struct Counts {
    pub cycles: u64,
    pub words: Vec<Count>,
    pub tree: Tree,
}

impl Recorder {
    /// A run that begins in a cycle with a word.
    pub fn new(layout: Arc<Layout>, cycle: u64, at: u16) -> Recorder {
        let mut recorder = Recorder {
            layout,
            tree: Tree::new(),
            node: ROOT,
            at,
            start: cycle,
            cycle,
            words: vec![Count { times: 0, first: u64::MAX }; PROGRAM_WORDS],
            moves: vec![Move::Open(ROOT)],
        };
        recorder.enter(at);
        recorder
    }

    /// The program that it follows.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn enter(&mut self, at: u16) {
        self.node = self.tree.begin(&self.layout, at, &mut self.moves);
        self.at = at;
        self.moved();
    }

    /// Continues with another word, which the program did not lead to.
    pub fn jump(&mut self, at: u16) {
        let inside = self.tree.around(self.node).filter(|&node| node != ROOT);
        self.moves.extend(inside.map(Move::Close));
        self.moved();
        self.enter(at);
    }

    /// The next word has run, and was followed by this one.
    pub fn step(&mut self, to: u16) {
        let count = &mut self.words[usize::from(self.at) % PROGRAM_WORDS];
        count.times += 1;
        count.first = count.first.min(self.cycle);
        self.tree.nodes[self.node as usize].own += 1;
        self.cycle += 1;
        self.node = self.tree.follow(&self.layout, self.node, (self.at, to), &mut self.moves);
        self.at = to;
        self.moved();
    }

    fn moved(&mut self) {
        for moved in self.moves.drain(..) {
            match moved {
                Move::Open(node) => self.tree.nodes[node as usize].since = self.cycle,
                Move::Close(node) => self.tree.nodes[node as usize].close(self.cycle),
            }
        }
    }

    /// The counts up to here. Calls that are still going on end here.
    pub(crate) fn counts(&self) -> Counts {
        let Recorder { mut tree, words, .. } = self.clone();
        let around: Vec<u32> = tree.around(self.node).collect();
        for node in around {
            let node = &mut tree.nodes[node as usize];
            // A call that has not run a word yet has not begun.
            if self.cycle > node.since {
                node.close(self.cycle);
                node.is_unfinished = true;
            }
        }
        Counts { cycles: self.cycle - self.start, words, tree }
    }
}

impl Calls {
    /// Whether nothing was called.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
