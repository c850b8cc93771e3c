//! The order in which the words of a program are executed: inner loops first, so that all paths to a word are joined
//! before the word is executed.
//!
//! This is a weak topological order (F. Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993): a loop
//! is a contiguous range that begins with its head, and the words to which it leads come after it.

use gray1_isa::{Image, Opcode, PROGRAM_WORDS};
use gray1_machine::logic::components;
use std::collections::BTreeMap;

/// A weak topological order of the reachable words.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The position of each word in the order.
    positions: Vec<Option<u32>>,
    /// The word at each position.
    words: Vec<u16>,
    /// For the head of each loop, by its position, the position after the loop.
    ends: Vec<Option<u32>>,
}

/// Returns the sequence numbers to which a word can lead, the target of a jump first.
pub fn next_words(image: &Image, at: u16) -> impl Iterator<Item = u16> {
    let word = image.word(at);
    let target = word.landing();
    let falls_through = word.opcode() != Opcode::Jmp;
    target.into_iter().chain(falls_through.then_some((at + 1) % PROGRAM_WORDS as u16))
}

impl Flow {
    /// Orders the words that are reachable from `entry` through words inside.
    pub fn new(image: &Image, entry: u16, is_inside: &dyn Fn(u16) -> bool) -> Flow {
        let mut is_reached = vec![false; PROGRAM_WORDS];
        let mut words = vec![];
        let mut left = vec![entry];
        while let Some(at) = left.pop() {
            if is_inside(at) && !std::mem::replace(&mut is_reached[at as usize], true) {
                words.push(at);
                left.extend(next_words(image, at));
            }
        }
        words.sort_unstable();
        let mut flow = Flow { positions: vec![None; PROGRAM_WORDS], words: Vec::new(), ends: Vec::new() };
        flow.arrange(image, &words, entry);
        flow
    }

    /// Appends words, which are sorted by number, to the order; calls itself for the body of each loop.
    fn arrange(&mut self, image: &Image, words: &[u16], entry: u16) {
        let index_of = |word: u16| words.binary_search(&word).ok();
        let leads: Vec<Vec<usize>> =
            words.iter().map(|&word| next_words(image, word).filter_map(index_of).collect()).collect();
        let loops = components(&leads);
        let mut home = vec![0; words.len()];
        for (number, component) in loops.iter().enumerate() {
            component.iter().for_each(|&index| home[index] = number);
        }
        // The word at which control enters each component: from the entry, which may be the head of an enclosing loop, or
        // from another component.
        let mut entered: Vec<Option<usize>> = vec![None; loops.len()];
        let mut enter = |index: usize| {
            let first = &mut entered[home[index]];
            *first = Some(first.map_or(index, |first| first.min(index)));
        };
        match index_of(entry) {
            Some(index) => enter(index),
            None => next_words(image, entry).filter_map(index_of).for_each(&mut enter),
        }
        for (from, leads) in leads.iter().enumerate() {
            leads.iter().filter(|&&to| home[to] != home[from]).for_each(|&to| enter(to));
        }
        for (component, entered) in loops.iter().zip(entered).rev() {
            let is_loop = component.len() > 1 || leads[component[0]].contains(&component[0]);
            let head = entered.or(component.iter().copied().min()).unwrap_or(component[0]);
            let position = self.words.len();
            self.positions[words[head] as usize] = Some(position as u32);
            self.words.push(words[head]);
            self.ends.push(None);
            if is_loop {
                let mut body: Vec<u16> =
                    component.iter().filter(|&&index| index != head).map(|&index| words[index]).collect();
                body.sort_unstable();
                self.arrange(image, &body, words[head]);
                self.ends[position] = Some(self.words.len() as u32);
            }
        }
    }

    /// Returns the words, in their order.
    pub fn words(&self) -> &[u16] {
        &self.words
    }

    /// Whether a word is in the body of a head's loop.
    pub fn is_within(&self, word: u16, head: u16) -> bool {
        let positions = self.position(word).zip(self.position(head));
        positions.is_some_and(|(at, head)| at > head && self.ends[head as usize].is_some_and(|end| at < end))
    }

    /// Returns the position of a word, if it is inside.
    pub fn position(&self, word: u16) -> Option<u32> {
        self.positions[word as usize]
    }

    /// Returns the word at a position.
    pub fn word(&self, position: u32) -> u16 {
        self.words[position as usize]
    }

    /// Whether a word is the head of a loop.
    pub fn is_head(&self, word: u16) -> bool {
        self.position(word).is_some_and(|position| self.ends[position as usize].is_some())
    }

    /// Selects the next of the waiting positions: the lowest, but the head of a loop only when its body has none.
    pub fn next<T>(&self, waiting: &BTreeMap<u32, T>) -> Option<u32> {
        let mut next = *waiting.keys().next()?;
        while let Some(end) = self.ends[next as usize] {
            match waiting.range(next + 1..end).next() {
                Some((&inside, _)) => next = inside,
                None => break,
            }
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::Word;

    #[test]
    fn loops_are_contiguous_and_come_before_their_successors() {
        // Two nested loops, 1..6 and 2..4, with an exit from the inner one.
        let jumps = [(3, Opcode::Jz, 7), (4, Opcode::Jc, 2), (6, Opcode::Jmp, 1), (7, Opcode::Jmp, 7)];
        let words = (0..8).map(|at| {
            let jump = jumps.iter().find(|(from, ..)| *from == at);
            jump.map_or(Word::constant(Opcode::Lda, 0), |&(_, opcode, target)| Word::jump(opcode, target))
        });
        let flow = Flow::new(&Image::from_words(words), 0, &|_| true);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|at| flow.word(at)), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!([1, 2, 3, 7].map(|word| flow.is_head(word)), [true, true, false, true]);
        let at =
            |positions: &[u32]| flow.next(&positions.iter().map(|&at| (at, ())).collect::<BTreeMap<_, _>>());
        // The inner loop is completed before the outer one continues, and both before their successors.
        assert_eq!(
            [at(&[2, 3]), at(&[1, 2, 3]), at(&[1, 5]), at(&[2, 7])],
            [Some(3), Some(3), Some(5), Some(2)]
        );
    }
}
