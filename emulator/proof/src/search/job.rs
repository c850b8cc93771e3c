//! The search for all sequences of a length, divided into independent jobs, which can run anywhere and in any order.
//!
//! Sequences first run on a few test states. If several beginnings lead to the same states, only one of them is continued.
//! A complete sequence that passes is then run from every possible state. If it fails, the failing state is added to the
//! test states, and the job is repeated, because the new state may distinguish beginnings that were equal before
//! (counterexample-guided refinement). So a job ends without a sequence only if none has one of its beginnings.

use crate::search::code::{Instruction, written};
use crate::search::expression::Inputs;
use crate::search::sequences::{Search, Sequence};
use crate::search::state::{Move, Trials};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of beginnings that one job remembers; equal ones after that are tried again.
const MAX_SEEN: usize = 1 << 20;
/// The maximum number of sequences that one job returns.
const MAX_FOUND: usize = 1000;
/// The number of different beginnings, of two instructions each, in a job.
const BEGINNINGS_PER_JOB: usize = 64;
/// The number of test states that are added when a job is repeated.
const FAILURES_PER_ROUND: usize = 2;

/// A part of the search: all sequences of a length with one of these beginnings.
#[derive(Clone, Debug)]
pub struct Job {
    words: usize,
    /// Groups of beginnings that lead to the same states; empty for short sequences, which are not divided.
    beginnings: Vec<Vec<[Move; 2]>>,
}

/// The result of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobResult {
    /// The sequences that reach the goal; of several that are equivalent at every step, only one.
    pub sequences: Vec<Sequence>,
    /// Set if there was no room for another test state, so a sequence may have been missed.
    pub is_undecided: bool,
}

impl Search<'_> {
    /// Divides the search for sequences of a length into jobs, deterministically.
    pub fn jobs(&self, words: usize) -> Vec<Job> {
        if words < 4 {
            return vec![Job { words, beginnings: vec![] }];
        }
        let (mut numbers, mut beginnings) = (HashMap::new(), Vec::<Vec<[Move; 2]>>::new());
        self.for_each_pair(
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
        beginnings.chunks(BEGINNINGS_PER_JOB).map(|chunk| Job { words, beginnings: chunk.to_vec() }).collect()
    }

    /// Does a job, unless it is cancelled.
    pub fn work(&self, job: &Job, stop: &AtomicBool) -> JobResult {
        let firsts: Vec<&[Move]> = job.beginnings.iter().map(|same| &same[0][..]).collect();
        let (mut sequences, mut failures) = self.explore(job.words, &firsts, stop);
        let mut learned: Option<Search> = None;
        while sequences.is_empty() && !failures.is_empty() && !stop.load(Ordering::Relaxed) {
            let Some(next) = learned.as_ref().unwrap_or(self).learn(&failures) else {
                return JobResult { sequences, is_undecided: true };
            };
            let different = next.different(job);
            let different: Vec<&[Move]> = different.iter().map(|two| &two[..]).collect();
            (sequences, failures) = next.explore(job.words, &different, stop);
            learned = Some(next);
        }
        sequences.sort();
        JobResult { sequences, is_undecided: false }
    }

    /// Explores all sequences with these beginnings. Returns those that reach the goal, and states in which others failed
    /// that had passed on all test states.
    fn explore(
        &self,
        words: usize,
        beginnings: &[&[Move]],
        stop: &AtomicBool,
    ) -> (Vec<Sequence>, Vec<Inputs>) {
        let (seen, steps, sequences, failures) = (HashSet::new(), Vec::new(), Vec::new(), Vec::new());
        let mut exploration =
            DepthFirstSearch { search: self, words, steps, seen, sequences, failures, stop };
        if words < 4 {
            exploration.visit(&self.start, 0);
        }
        for beginning in beginnings {
            let mut state = self.start.clone();
            for (at, next) in beginning.iter().enumerate() {
                state = state.joined(at).after(*next);
            }
            exploration.steps = beginning.iter().map(|next| next.step).collect();
            exploration.visit(&state, beginning.len());
        }
        (exploration.sequences, exploration.failures)
    }

    /// Returns the beginnings of a job that are valid on these test states; of each group that leads to the same states,
    /// only one.
    fn different(&self, job: &Job) -> Vec<[Move; 2]> {
        let own: HashSet<&[Move; 2]> = job.beginnings.iter().flatten().collect();
        let firsts: HashSet<Move> = own.iter().map(|[first, _]| *first).collect();
        let (mut seen, mut different) = (HashSet::new(), Vec::new());
        self.for_each_pair(
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

    /// Calls `take` with all beginnings of two instructions whose first one is accepted by `is_first`.
    fn for_each_pair(
        &self,
        words: usize,
        is_first: impl Fn(Move) -> bool,
        mut take: impl FnMut([Move; 2], &Trials),
    ) {
        self.for_each_move(&self.start, 0, words, |first, state| {
            if is_first(first) {
                self.for_each_move(state, 1, words, |second, state| take([first, second], state));
            }
        });
    }
}

/// A depth-first search through the sequences of a job.
struct DepthFirstSearch<'a> {
    search: &'a Search<'a>,
    words: usize,
    steps: Vec<Instruction>,
    seen: HashSet<u128>,
    sequences: Vec<Sequence>,
    failures: Vec<Inputs>,
    stop: &'a AtomicBool,
}

impl DepthFirstSearch<'_> {
    fn visit(&mut self, state: &Trials, at: usize) {
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
                    if search.execute(state, next, &mut after) {
                        self.extend(next, &after, at);
                    }
                });
            }
            left => search.for_each_move(state, at, words, |next, after| {
                let is_new = left < 4
                    || self.seen.len() >= MAX_SEEN
                    || self.seen.insert(after.fingerprint(at + 1, words));
                if is_new {
                    self.extend(next, after, at);
                }
            }),
        }
    }

    fn extend(&mut self, next: Move, after: &Trials, at: usize) {
        self.steps.push(next.step);
        self.visit(after, at + 1);
        self.steps.pop();
    }

    /// Proves a sequence that has passed on all test states.
    fn finish(&mut self) {
        match self.search.goal.prove(&self.steps) {
            Ok(cycles) => self.sequences.push(Sequence::new(cycles, written(&self.steps))),
            Err(failure) if self.failures.len() < FAILURES_PER_ROUND && !self.failures.contains(&failure) => {
                self.failures.push(failure);
            }
            Err(_) => {}
        }
    }
}
