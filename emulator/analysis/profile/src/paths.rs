//! Stretches of a run that occur again and again: from one place, with the same ways of the next conditional jumps.
//!
//! All that happens on such a path is known when it has been followed once: its words, which calls begin and end within
//! it, which are left open. So a run is counted by looking up the path for its next few ways, and adding 1 to it.

use crate::layout::Layout;
use crate::tree::{Move, Tree};
use std::collections::HashMap;

/// The number of ways that select a path.
pub(crate) const WAYS: u32 = 8;
/// The number of words after which a path ends although it has not used all ways.
const MOST_STEPS: usize = 256;
/// The number of places, each with a table of its paths, after which all is forgotten and learnt again.
const MOST_PLACES: usize = 1 << 14;

/// Where paths begin: a node of the tree, and the next word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub node: u32,
    pub at: u16,
}

/// A path.
#[derive(Clone)]
pub(crate) struct Path {
    /// The number of the place at its end.
    pub end: u32,
    /// The number of ways that it uses.
    pub used: u32,
    /// Its words, each with the node that is open then.
    pub steps: Box<[Place]>,
    /// The nodes that were open before it and are closed in it, each with the number of cycles before that.
    pub closed: Box<[(u32, u32)]>,
    /// The nodes that it opens and leaves open.
    pub opened: Box<[(u32, u32)]>,
    /// The calls that begin and end in it: the node, and the numbers of cycles before and after it.
    pub calls: Box<[(u32, u32, u32)]>,
    /// How often it occurred since this was last added up, and the cycle in which it did first.
    pub count: u64,
    pub first: u64,
}

/// All paths found so far.
#[derive(Clone, Default)]
pub(crate) struct Paths {
    pub all: Vec<Path>,
    places: Vec<Place>,
    numbers: HashMap<Place, u32>,
    /// For each place and the next ways, the number of the path plus 1; 0 if it has not been followed yet.
    table: Vec<u32>,
}

impl Paths {
    /// The number of a place.
    pub fn number(&mut self, place: Place) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.table.resize(self.places.len() << WAYS, 0);
            self.places.len() as u32 - 1
        })
    }

    /// The place with a number.
    pub fn place(&self, number: u32) -> Place {
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

    /// Follows a path that was not known.
    #[cold]
    fn follow(&mut self, layout: &Layout, tree: &mut Tree, index: usize) -> usize {
        let (mut place, ways) = (self.places[index >> WAYS], index as u8);
        let (mut steps, mut used, mut moves) = (Vec::new(), 0, Vec::new());
        let (mut closed, mut opened, mut calls) = (Vec::new(), Vec::<(u32, u32)>::new(), Vec::new());
        while used < WAYS && steps.len() < MOST_STEPS {
            steps.push(place);
            let is_conditional = layout.is_conditional(place.at);
            let is_taken = is_conditional && ways >> (WAYS - 1 - used) & 1 == 1;
            used += u32::from(is_conditional);
            let to = layout.following(place.at, is_taken);
            let node = tree.follow(layout, place.node, (place.at, to), &mut moves);
            let now = steps.len() as u32;
            for moved in moves.drain(..) {
                match moved {
                    Move::Open(node) => opened.push((node, now)),
                    Move::Close(node) => match opened.iter().position(|(open, _)| *open == node) {
                        Some(index) => calls.push((node, opened.swap_remove(index).1, now)),
                        None => closed.push((node, now)),
                    },
                }
            }
            place = Place { node, at: to };
        }
        let end = self.number(place);
        self.all.push(Path {
            end,
            used,
            steps: steps.into(),
            closed: closed.into(),
            opened: opened.into(),
            calls: calls.into(),
            count: 0,
            first: 0,
        });
        self.table[index] = self.all.len() as u32;
        self.all.len() - 1
    }
}
