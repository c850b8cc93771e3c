//! Stretches of a run that occur again and again: from one place, with the same ways of the next conditional jumps.
//!
//! All that happens on such a path is known when it has been followed once: its words, which calls begin and end within
//! it, which are left open. So a run is counted by looking up the path for its next few ways, and adding 1 to it.

use crate::layout::Layout;
use crate::tree::{Move, Tree};
use std::collections::HashMap;

/// The number of ways that select a path.
pub(crate) const WAYS: u32 = 8;
/// A path may end after this many, where few calls are open: each that is costs time again and again.
const LEAST_WAYS: u32 = 4;
/// What a path costs each time, in nodes that are opened or closed.
const COST: usize = 4;
/// The number of words after which a path ends although it has not used all ways.
const MOST_STEPS: usize = 256;
/// The number of places, each with a table of its paths, after which all is forgotten and learnt again.
const MOST_PLACES: usize = 1 << 14;

/// Where paths begin: a node of the tree, and the next word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub node: u32,
    pub at: u16,
}

/// A path, as far as it is needed each time that it occurs: this is what makes a profile fast.
#[derive(Clone)]
pub(crate) struct Path {
    /// How often it occurred since this was last added up, and the cycle in which it did first.
    pub count: u64,
    pub first: u64,
    /// The number of the place at its end.
    pub end: u32,
    /// Where its moves begin, in those of all paths: first the nodes that were open before it and are closed in it, then
    /// those that it opens and leaves open.
    moves: u32,
    closed: u16,
    opened: u16,
    pub cycles: u16,
    /// The number of ways that it uses.
    pub used: u16,
}

/// The rest of a path.
#[derive(Clone)]
pub(crate) struct Whole {
    /// Its words, each with the node that is open then.
    pub steps: Box<[Origin]>,
    /// The calls that begin and end in it: the node, and the numbers of cycles before and after it.
    pub calls: Box<[(u32, u32, u32)]>,
}

/// All paths found so far.
#[derive(Clone, Default)]
pub(crate) struct Paths {
    pub all: Vec<Path>,
    pub whole: Vec<Whole>,
    moves: Vec<(u32, u32)>,
    places: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    /// For each place and the next ways, the number of the path plus 1; 0 if it has not been followed yet.
    table: Vec<u32>,
}

impl Paths {
    /// The number of a place.
    pub fn number(&mut self, place: Origin) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.table.resize(self.places.len() << WAYS, 0);
            self.places.len() as u32 - 1
        })
    }

    /// The place with a number.
    pub fn place(&self, number: u32) -> Origin {
        self.places[number as usize]
    }

    /// Whether there are so many that they should be forgotten.
    pub fn are_too_many(&self) -> bool {
        self.places.len() > MOST_PLACES
    }

    /// The number of the path from a place with these ways, the first of which is in the highest bit.
    #[inline(always)]
    pub fn find(&mut self, layout: &Layout, tree: &mut Tree, from: u32, ways: u8) -> usize {
        let index = (from as usize) << WAYS | usize::from(ways);
        match self.table[index] {
            0 => self.follow(layout, tree, index),
            number => number as usize - 1,
        }
    }

    /// The nodes that are closed in a path and were open before it, each with the number of cycles before that.
    #[inline(always)]
    pub fn closed(&self, path: &Path) -> &[(u32, u32)] {
        &self.moves[path.moves as usize..][..usize::from(path.closed)]
    }

    /// The nodes that a path opens and leaves open.
    #[inline(always)]
    pub fn opened(&self, path: &Path) -> &[(u32, u32)] {
        &self.moves[path.moves as usize + usize::from(path.closed)..][..usize::from(path.opened)]
    }

    /// Follows a path that was not known.
    #[cold]
    fn follow(&mut self, layout: &Layout, tree: &mut Tree, index: usize) -> usize {
        let ways = index as u8;
        let mut trail = Trail::new(self.places[index >> WAYS]);
        let mut best = Trail::default();
        while trail.used < WAYS && trail.steps.len() < MOST_STEPS {
            trail.step(layout, tree, |used| ways >> (WAYS - 1 - used) & 1 == 1);
            if (trail.used >= LEAST_WAYS || trail.steps.len() == MOST_STEPS) && trail.is_better_than(&best) {
                best.clone_from(&trail);
            }
        }
        let Trail { place, steps, used, closed, opened, calls } = best;
        let end = self.number(place);
        self.all.push(Path {
            count: 0,
            first: 0,
            end,
            moves: self.moves.len() as u32,
            closed: closed.len() as u16,
            opened: opened.len() as u16,
            cycles: steps.len() as u16,
            used: used as u16,
        });
        self.moves.extend(closed.into_iter().chain(opened));
        self.whole.push(Whole { steps: steps.into(), calls: calls.into() });
        self.table[index] = self.all.len() as u32;
        self.all.len() - 1
    }
}

/// A path while it is followed.
#[derive(Clone, Default)]
struct Trail {
    place: Origin,
    steps: Vec<Origin>,
    used: u32,
    closed: Vec<(u32, u32)>,
    opened: Vec<(u32, u32)>,
    calls: Vec<(u32, u32, u32)>,
}

impl Trail {
    fn new(place: Origin) -> Trail {
        Trail { place, ..Trail::default() }
    }

    /// Follows one word. `way` is that of a conditional jump, by its number.
    fn step(&mut self, layout: &Layout, tree: &mut Tree, way: impl Fn(u32) -> bool) {
        let Origin { node, at } = self.place;
        self.steps.push(self.place);
        let is_conditional = layout.is_conditional(at);
        let to = layout.following(at, is_conditional && way(self.used));
        self.used += u32::from(is_conditional);
        let mut moves = Vec::new();
        let node = tree.follow(layout, node, (at, to), &mut moves);
        let now = self.steps.len() as u32;
        for moved in moves {
            match moved {
                Move::Open(node) => self.opened.push((node, now)),
                Move::Close(node) => match self.opened.iter().position(|(open, _)| *open == node) {
                    Some(index) => self.calls.push((node, self.opened.swap_remove(index).1, now)),
                    None => self.closed.push((node, now)),
                },
            }
        }
        self.place = Origin { node, at: to };
    }

    /// Whether it costs less for each of its cycles. What it opens has to be closed by another.
    fn is_better_than(&self, other: &Trail) -> bool {
        let cost = |trail: &Trail| COST + trail.closed.len() + 2 * trail.opened.len();
        cost(self) * other.steps.len() <= cost(other) * self.steps.len()
    }
}
