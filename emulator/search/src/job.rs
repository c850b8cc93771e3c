//! All sequences of a length, in jobs that know nothing of each other: they can be done anywhere, in any order.
//!
//! Of beginnings that led to the same states, one is continued. A sequence that passes on these states is run from every
//! possible state. If it then fails, it gives a state to try the others of its job on, which may tell beginnings apart
//! that were the same before: as long as there are such states and nothing is found, the job is repeated. So if no
//! sequence passes, there is none that begins in one of its ways.

use crate::code::{Step, written};
use crate::expression::Inputs;
use crate::search::{Search, Sequence};
use crate::state::{Move, State};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of beginnings that one job remembers; later ones may be tried again.
const MOST_SEEN: usize = 1 << 20;
/// The most sequences that one job returns.
const MOST_FOUND: usize = 1000;
/// The number of different beginnings of two instructions that make a job.
const JOB: usize = 64;
/// A job learns so many states at a time.
const LEARNED: usize = 2;

/// A part of the search: sequences of a length that begin in one of these ways.
#[derive(Clone, Debug)]
pub struct Job {
    words: usize,
    /// Beginnings that led to the same states, and others; none of short sequences.
    beginnings: Vec<Vec<[Move; 2]>>,
}

/// The result of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The sequences that reach the goal, except those that are equivalent to another at every step.
    pub sequences: Vec<Sequence>,
    /// So many sequences were almost right that it is not known whether there is one.
    pub is_undecided: bool,
}

impl Search<'_> {
    /// The parts of the search for sequences of a length: always the same ones.
    pub fn jobs(&self, words: usize) -> Vec<Job> {
        if words < 4 {
            return vec![Job { words, beginnings: vec![] }];
        }
        let (mut numbers, mut beginnings) = (HashMap::new(), Vec::<Vec<[Move; 2]>>::new());
        self.each_two(
            words,
            |_| true,
            |two, state| {
                let number = *numbers.entry(state.fingerprint(2, words)).or_insert(beginnings.len());
                if number == beginnings.len() {
                    beginnings.push(vec![]);
                }
                beginnings[number].push(two);
            },
        );
        beginnings.chunks(JOB).map(|chunk| Job { words, beginnings: chunk.to_vec() }).collect()
    }

    /// Searches one part, until it is stopped.
    pub fn work(&self, job: &Job, stop: &AtomicBool) -> Found {
        let firsts: Vec<&[Move]> = job.beginnings.iter().map(|same| &same[0][..]).collect();
        let (mut sequences, mut failures) = self.walk(job.words, &firsts, stop);
        let mut learned: Option<Search> = None;
        while sequences.is_empty() && !failures.is_empty() && !stop.load(Ordering::Relaxed) {
            let Some(next) = learned.as_ref().unwrap_or(self).learn(&failures) else {
                return Found { sequences, is_undecided: true };
            };
            let different = next.different(job);
            let different: Vec<&[Move]> = different.iter().map(|two| &two[..]).collect();
            (sequences, failures) = next.walk(job.words, &different, stop);
            learned = Some(next);
        }
        sequences.sort();
        Found { sequences, is_undecided: false }
    }

    /// The sequences that begin so and reach the goal, and states in which others failed that had passed.
    fn walk(&self, words: usize, beginnings: &[&[Move]], stop: &AtomicBool) -> (Vec<Sequence>, Vec<Inputs>) {
        let (seen, steps, sequences, failures) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        let mut walk = Walk { search: self, words, steps, seen, sequences, failures, stop };
        if words < 4 {
            walk.go(&self.start, 0);
        }
        for beginning in beginnings {
            let mut state = self.start.clone();
            for (at, next) in beginning.iter().enumerate() {
                state = state.joined(at).after(*next);
            }
            walk.steps = beginning.iter().map(|next| next.step).collect();
            walk.go(&state, beginning.len());
        }
        (walk.sequences, walk.failures)
    }

    /// The beginnings of a job that these states tell apart and do not refute.
    fn different(&self, job: &Job) -> Vec<[Move; 2]> {
        let own: HashSet<&[Move; 2]> = job.beginnings.iter().flatten().collect();
        let firsts: HashSet<Move> = own.iter().map(|[first, _]| *first).collect();
        let (mut seen, mut different) = (HashSet::new(), Vec::new());
        self.each_two(
            job.words,
            |first| firsts.contains(&first),
            |two, state| {
                if own.contains(&two) && seen.insert(state.fingerprint(2, job.words)) {
                    different.push(two);
                }
            },
        );
        different
    }

    /// Calls back with all beginnings of two instructions whose first is one of these.
    fn each_two(&self, words: usize, is_first: impl Fn(Move) -> bool, mut go: impl FnMut([Move; 2], &State)) {
        self.each(&self.start, 0, words, |first, state| {
            if is_first(first) {
                self.each(state, 1, words, |second, state| go([first, second], state));
            }
        });
    }
}

/// A way through a part of the search.
struct Walk<'a> {
    search: &'a Search<'a>,
    words: usize,
    steps: Vec<Step>,
    seen: HashSet<u128>,
    sequences: Vec<Sequence>,
    failures: Vec<Inputs>,
    stop: &'a AtomicBool,
}

impl Walk<'_> {
    fn go(&mut self, state: &State, at: usize) {
        let (search, words) = (self.search, self.words);
        if self.stop.load(Ordering::Relaxed) || self.sequences.len() >= MOST_FOUND {
            return;
        }
        match words - at {
            0 => {
                if search.may_leave(state, &state.active, false) {
                    self.finish();
                }
            }
            1 => {
                let state = &*state.joined(at);
                search.last_moves(state, |next| {
                    let mut after = state.clone();
                    if search.go_on(state, next, &mut after) {
                        self.on(next, &after, at);
                    }
                });
            }
            left => search.each(state, at, words, |next, after| {
                let is_new = left < 4
                    || self.seen.len() >= MOST_SEEN
                    || self.seen.insert(after.fingerprint(at + 1, words));
                if is_new {
                    self.on(next, after, at);
                }
            }),
        }
    }

    fn on(&mut self, next: Move, after: &State, at: usize) {
        self.steps.push(next.step);
        self.go(after, at + 1);
        self.steps.pop();
    }

    /// Runs a sequence that has passed from every state.
    fn finish(&mut self) {
        match self.search.goal.prove(&self.steps) {
            Ok(cycles) => self.sequences.push(Sequence::new(cycles, written(&self.steps))),
            Err(failure) if self.failures.len() < LEARNED && !self.failures.contains(&failure) => {
                self.failures.push(failure);
            }
            Err(_) => {}
        }
    }
}
