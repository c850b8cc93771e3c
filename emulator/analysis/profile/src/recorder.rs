//! The recorder: it follows a run, word by word or by the ways of its conditional jumps, and counts.

use crate::layout::Layout;
use crate::paths::{Origin, Paths, WAYS};
use crate::tree::{Calls, Move, Tree};
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::Ways;
use std::sync::Arc;

/// Ways that have not been used yet are followed word by word if they are this many cycles behind.
const MOST_BEHIND: u64 = 1 << 12;

/// Follows a run and counts its cycles.
#[derive(Clone)]
pub struct Recorder {
    layout: Arc<Layout>,
    tree: Tree,
    paths: Paths,
    /// The open node and the next word.
    place: Origin,
    start: u64,
    /// The cycle that it has come to, and the one that the machine has come to.
    cycle: u64,
    end: u64,
    /// Ways that have not been used yet: their number, and a bit for each, the next one highest.
    ways: (u32, u128),
    words: Vec<Count>,
    moves: Vec<Move>,
}

/// How often a word has run, and when first.
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
            paths: Paths::default(),
            place: Origin { node: crate::tree::ROOT, at },
            start: cycle,
            cycle,
            end: cycle,
            ways: (0, 0),
            words: vec![Count { times: 0, first: u64::MAX }; PROGRAM_WORDS],
            moves: vec![Move::Open(crate::tree::ROOT)],
        };
        recorder.enter(at);
        recorder
    }

    /// The program that it follows.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    fn enter(&mut self, at: u16) {
        let node = self.tree.begin(&self.layout, at, &mut self.moves);
        self.place = Origin { node, at };
        self.moved();
    }

    /// Continues with another word, which the program did not lead to.
    pub fn jump(&mut self, at: u16) {
        self.advance(self.end, true);
        let around: Vec<u32> = self.tree.around(self.place.node).collect();
        let inside = around.into_iter().filter(|&node| node != crate::tree::ROOT);
        self.moves.extend(inside.map(Move::Close));
        self.moved();
        self.enter(at);
    }

    /// The next word has run, and was followed by this one.
    pub fn step(&mut self, to: u16) {
        self.end += 1;
        self.advance(self.end - 1, true);
        self.step_to(to);
    }

    /// The program has run for a number of cycles, in which its conditional jumps went these ways.
    pub fn follow(&mut self, cycles: u64, ways: &Ways) {
        self.end += cycles;
        for (count, bits) in ways.groups() {
            self.ways = (self.ways.0 + count, self.ways.1 << count | u128::from(bits));
            self.advance(self.end, false);
        }
        if self.end - self.cycle > MOST_BEHIND {
            self.advance(self.end, true);
        }
    }

    /// Uses all ways that complete a path; those of the last one only if `is_last`, up to cycle `end`.
    fn advance(&mut self, end: u64, is_last: bool) {
        if self.ways.0 < WAYS && !is_last || self.cycle >= end {
            return;
        }
        if self.paths.are_too_many() {
            self.add_up();
            self.paths = Paths::default();
        }
        let mut from = self.paths.number(self.place);
        let (mut count, bits) = self.ways;
        loop {
            let next = match count.checked_sub(WAYS) {
                Some(rest) => bits >> rest,
                None if is_last => bits << (WAYS - count),
                None => break,
            };
            let number = self.paths.find(&self.layout, &mut self.tree, from, next as u8);
            let path = &mut self.paths.all[number];
            let (cycles, used) = (u64::from(path.cycles), u32::from(path.used));
            if count < WAYS && (used > count || cycles > end - self.cycle) {
                break;
            }
            if path.count == 0 {
                path.first = self.cycle;
            }
            path.count += 1;
            let path = &self.paths.all[number];
            for &(node, after) in self.paths.closed(path) {
                self.tree.nodes[node as usize].close(self.cycle + u64::from(after));
            }
            for &(node, after) in self.paths.opened(path) {
                self.tree.nodes[node as usize].since = self.cycle + u64::from(after);
            }
            self.cycle += cycles;
            count -= used;
            from = path.end;
        }
        self.place = self.paths.place(from);
        self.ways = (count, bits & ((1 << count) - 1));
        while is_last && self.cycle < end {
            let is_conditional = self.layout.is_conditional(self.place.at);
            let mut is_taken = false;
            if is_conditional && let Some(rest) = self.ways.0.checked_sub(1) {
                is_taken = self.ways.1 >> rest & 1 == 1;
                self.ways = (rest, self.ways.1 & ((1 << rest) - 1));
            }
            self.step_to(self.layout.following(self.place.at, is_taken));
        }
    }

    fn step_to(&mut self, to: u16) {
        let Origin { node, at } = self.place;
        let count = &mut self.words[usize::from(at) % PROGRAM_WORDS];
        count.times += 1;
        count.first = count.first.min(self.cycle);
        self.tree.nodes[node as usize].own += 1;
        self.cycle += 1;
        let node = self.tree.follow(&self.layout, node, (at, to), &mut self.moves);
        self.place = Origin { node, at: to };
        if !self.moves.is_empty() {
            self.moved();
        }
    }

    fn moved(&mut self) {
        for moved in self.moves.drain(..) {
            match moved {
                Move::Open(node) => self.tree.nodes[node as usize].since = self.cycle,
                Move::Close(node) => self.tree.nodes[node as usize].close(self.cycle),
            }
        }
    }

    /// Adds what happened on the paths to the words and the nodes.
    fn add_up(&mut self) {
        let Paths { all, whole, .. } = &mut self.paths;
        for (path, whole) in all.iter_mut().zip(whole).filter(|(path, _)| path.count > 0) {
            for (cycle, step) in (path.first..).zip(&whole.steps) {
                let word = &mut self.words[usize::from(step.at) % PROGRAM_WORDS];
                word.times += path.count;
                word.first = word.first.min(cycle);
                self.tree.nodes[step.node as usize].own += path.count;
            }
            for &(node, begin, end) in &whole.calls {
                let calls = &mut self.tree.nodes[node as usize].calls;
                calls.add(path.count, u64::from(end - begin), path.first + u64::from(begin));
            }
            path.count = 0;
        }
    }

    /// The counts up to here. Calls that are still going on end here.
    pub(crate) fn counts(&self) -> Counts {
        let mut ended = self.clone();
        ended.advance(ended.end, true);
        ended.add_up();
        let around: Vec<u32> = ended.tree.around(ended.place.node).collect();
        for node in around {
            let node = &mut ended.tree.nodes[node as usize];
            // A call that has not run a word yet has not begun.
            if ended.cycle > node.since {
                node.close(ended.cycle);
                node.is_unfinished = true;
            }
        }
        Counts { cycles: ended.cycle - ended.start, words: ended.words, tree: ended.tree }
    }
}

impl crate::tree::Node {
    /// A call ends: what [`Calls::add`] does, for calls that end one after the other.
    #[inline(always)]
    fn close(&mut self, cycle: u64) {
        let (calls, since) = (&mut self.calls, self.since);
        let cycles = cycle - since;
        calls.first = calls.first.min(since);
        calls.count += 1;
        calls.total += cycles;
        calls.least = calls.least.min(cycles);
        if cycles > calls.most {
            (calls.most, calls.longest) = (cycles, since);
        }
    }
}

impl Calls {
    /// Whether nothing was called.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
