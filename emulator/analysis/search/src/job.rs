//! The search for all sequences of a length, divided into independent jobs, which can run anywhere and in any order.
//!
//! Sequences are first run on a few test states. If several beginnings lead to the same states, only one of them is
//! continued. A complete sequence that passes is then run from every possible state. If it fails in one, that state is
//! added to the test states and the job is repeated, because the new state may distinguish beginnings that were equal
//! before. So a job ends without a sequence only if there is none with one of its beginnings.

use crate::code::{Instruction, written};
use crate::expression::Inputs;
use crate::search::{Search, Sequence};
use crate::state::{Move, Trials};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of beginnings that one job remembers; equal ones after that are tried again.
const MAX_SEEN: usize = 1 << 20;
/// The maximum number of sequences that one job returns.
const MAX_FOUND: usize = 1000;
/// The number of different beginnings of two instructions that make a job.
const JOB: usize = 64;
/// The number of test states that a job adds each time it is repeated.
const LEARNED: usize = 2;

/// A part of the search: all sequences of a length with one of these beginnings.
#[derive(Clone, Debug)]
pub struct Job {
    words: usize,
    /// Groups of beginnings that lead to the same states; empty for short sequences, which are not divided.
    beginnings: Vec<Vec<[Move; 2]>>,
}

/// The result of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobResult {
    /// The sequences that reach the goal, but only one of several that are equivalent at every step.
    pub sequences: Vec<Sequence>,
    /// Whether there was no room for another test state, so that a sequence may have been missed.
    pub is_undecided: bool,
}

impl Search<'_> {
    /// Divides the search for sequences of a length into jobs. The result is always the same.
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

    /// Carries out one job, unless it is stopped.
    pub fn work(&self, job: &Job, stop: &AtomicBool) -> JobResult {
        let firsts: Vec<&[Move]> = job.beginnings.iter().map(|same| &same[0][..]).collect();
        let (mut sequences, mut failures) = self.walk(job.words, &firsts, stop);
        let mut learned: Option<Search> = None;
        while sequences.is_empty() && !failures.is_empty() && !stop.load(Ordering::Relaxed) {
            let Some(next) = learned.as_ref().unwrap_or(self).learn(&failures) else {
                return JobResult { sequences, is_undecided: true };
            };
            let different = next.different(job);
            let different: Vec<&[Move]> = different.iter().map(|two| &two[..]).collect();
            (sequences, failures) = next.walk(job.words, &different, stop);
            learned = Some(next);
        }
        sequences.sort();
        JobResult { sequences, is_undecided: false }
    }

    /// The sequences with these beginnings that reach the goal, and states in which others have failed that had passed
    /// all test states.
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

    /// The beginnings of a job that are valid on these test states, only one of each group that leads to the same
    /// states.
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

    /// Calls `go` with all beginnings of two instructions whose first one is accepted by `is_first`.
    fn each_two(
        &self,
        words: usize,
        is_first: impl Fn(Move) -> bool,
        mut go: impl FnMut([Move; 2], &Trials),
    ) {
        self.each(&self.start, 0, words, |first, state| {
            if is_first(first) {
                self.each(state, 1, words, |second, state| go([first, second], state));
            }
        });
    }
}

/// A depth-first walk through a part of the search.
struct Walk<'a> {
    search: &'a Search<'a>,
    words: usize,
    steps: Vec<Instruction>,
    seen: HashSet<u128>,
    sequences: Vec<Sequence>,
    failures: Vec<Inputs>,
    stop: &'a AtomicBool,
}

impl Walk<'_> {
    fn go(&mut self, state: &Trials, at: usize) {
        let (search, words) = (self.search, self.words);
        if self.stop.load(Ordering::Relaxed) || self.sequences.len() >= MAX_FOUND {
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
                    || self.seen.len() >= MAX_SEEN
                    || self.seen.insert(after.fingerprint(at + 1, words));
                if is_new {
                    self.on(next, after, at);
                }
            }),
        }
    }

    fn on(&mut self, next: Move, after: &Trials, at: usize) {
        self.steps.push(next.step);
        self.go(after, at + 1);
        self.steps.pop();
    }

    /// Runs a sequence that has passed all test states from every possible state.
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
