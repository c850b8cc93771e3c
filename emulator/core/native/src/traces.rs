//! Finds the entries of a program, and divides it into trees of straight-line code that begin there.
//!
//! ```text
//!   entry ──> word ──> word ──> JZ ──> word ──> JMP ─ ─ > word ──> next entry
//!                               └──> word ──> JC ──> word ──> next entry
//!                                             └──> next entry
//! ```
//!
//! A trace continues past a conditional jump that is not taken, and follows a jump that is the only way to its landing.
//! If a conditional jump is the only way to its landing, another trace of the same tree begins there. All traces end
//! before the next entry, so no word is in two traces.

use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};

/// Maximum number of words on a way through a tree. If fewer cycles are left than the longest way has words, the rest
/// of a run is left to the interpreter.
pub const MOST_STEPS: usize = 127;

/// A word of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its sequence number.
    pub at: u16,
    /// The word itself.
    pub word: Word,
}

/// Straight-line code of the program.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The words, in the order in which they run unless a conditional jump leaves the trace.
    pub steps: Vec<Step>,
    /// Where the run continues after the last word, unless that word jumps.
    pub next: u16,
    /// Number of words between the entry of the tree and this trace: 0 for the trace that begins at the entry.
    pub before: usize,
}

/// All trees of a program.
pub struct Forest {
    /// Sorted by the words that they begin with.
    pub traces: Vec<Trace>,
    /// For each word, the index of the trace that begins with it.
    places: Box<[Option<u16>; PROGRAM_WORDS]>,
}

impl Forest {
    /// The trace that begins with a word.
    pub fn trace(&self, at: u16) -> Option<&Trace> {
        self.places[usize::from(at)].map(|place| &self.traces[usize::from(place)])
    }

    /// The trace that begins with a word inside a tree.
    pub fn branch(&self, at: u16) -> Option<&Trace> {
        self.trace(at).filter(|trace| trace.before != 0)
    }

    /// The traces that begin a tree.
    pub fn roots(&self) -> impl Iterator<Item = &Trace> {
        self.traces.iter().filter(|trace| trace.before == 0)
    }
}

/// Cuts a program into trees. One begins at each of these places, too.
pub fn forest(image: &Image, is_stop: &[bool; PROGRAM_WORDS]) -> Forest {
    let (mut is_entry, is_covered) = (entries(image), [false; PROGRAM_WORDS]);
    is_entry.iter_mut().zip(is_stop).for_each(|(is_entry, is_stop)| *is_entry |= is_stop);
    let mut search = Search { image, is_entry, is_covered, traces: Vec::new() };
    search.follow();
    // Loops of jumps that cannot be reached from any entry.
    for at in 0..PROGRAM_WORDS as u16 {
        if let Some(landing) = landing(image, at)
            && !search.is_covered[usize::from(landing)]
        {
            search.is_entry[usize::from(landing)] = true;
            search.follow();
        }
    }
    let mut traces = search.traces;
    traces.sort_by_key(|trace| trace.steps[0].at);
    let mut places = Box::new([None; PROGRAM_WORDS]);
    for (place, trace) in (0..).zip(&traces) {
        places[usize::from(trace.steps[0].at)] = Some(place);
    }
    Forest { traces, places }
}

struct Search<'a> {
    image: &'a Image,
    is_entry: [bool; PROGRAM_WORDS],
    is_covered: [bool; PROGRAM_WORDS],
    traces: Vec<Trace>,
}

impl Search<'_> {
    /// Makes the trees of all entries that have none yet.
    fn follow(&mut self) {
        let mut at = 0;
        while at < PROGRAM_WORDS {
            let mut next = at + 1;
            if self.is_entry[at] && !self.is_covered[at] {
                let mut open = vec![(at as u16, 0)];
                while let Some((first, before)) = open.pop() {
                    // If a long way was cut, the new entry may be before this one.
                    next =
                        self.trace(first, before, &mut open).map_or(next, |cut| next.min(usize::from(cut)));
                }
            }
            at = next;
        }
    }

    /// Follows one trace, and adds the traces that begin at its conditional jumps to `open`. Returns the first new
    /// entry if a way was cut because it was too long.
    fn trace(&mut self, first: u16, before: usize, open: &mut Vec<(u16, usize)>) -> Option<u16> {
        let (mut steps, mut at, mut cut) = (Vec::new(), first, None);
        let mut end = |is_entry: &mut [bool; PROGRAM_WORDS], at: u16| {
            is_entry[usize::from(at)] = true;
            cut = Some(cut.map_or(at, |cut: u16| cut.min(at)));
        };
        loop {
            let word = self.image.word(at);
            steps.push(Step { at, word });
            self.is_covered[usize::from(at)] = true;
            let is_last = before + steps.len() == MOST_STEPS;
            let landing = landing(self.image, at);
            let following = match word.landing() {
                Some(landing) if word.opcode() == Opcode::Jmp => landing,
                _ => following(at),
            };
            // A word that is not an entry can be reached in one way only, so no other trace contains it.
            if let Some(landing) = landing
                && word.opcode() != Opcode::Jmp
                && !self.is_entry[usize::from(landing)]
            {
                match is_last {
                    true => end(&mut self.is_entry, landing),
                    false => open.push((landing, before + steps.len())),
                }
            }
            // A jump to itself ends the run.
            let is_end = self.is_entry[usize::from(following)] || following == at;
            at = following;
            if is_end {
                break;
            }
            if is_last {
                end(&mut self.is_entry, at);
                break;
            }
        }
        self.traces.push(Trace { steps, next: at, before });
        cut
    }
}

/// Word 0, and every word that can be reached in more than one way.
fn entries(image: &Image) -> [bool; PROGRAM_WORDS] {
    let mut ways = [0u32; PROGRAM_WORDS];
    for at in 0..PROGRAM_WORDS as u16 {
        if image.word(at).opcode() != Opcode::Jmp {
            ways[usize::from(following(at))] += 1;
        }
        if let Some(landing) = landing(image, at) {
            ways[usize::from(landing)] += 1;
        }
    }
    let mut is_entry = ways.map(|ways| ways > 1);
    is_entry[0] = true;
    is_entry
}

/// The landing of a jump, unless it jumps to itself.
fn landing(image: &Image, at: u16) -> Option<u16> {
    image.word(at).landing().filter(|&landing| landing != at)
}

/// The next sequence number.
pub fn following(at: u16) -> u16 {
    (at + 1) % PROGRAM_WORDS as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each trace: the number of words of its tree before it, its own sequence numbers, and where it continues.
    fn traced(words: &[Word]) -> Vec<(usize, Vec<u16>, u16)> {
        let forest = forest(&Image::from_words(words.iter().copied()), &NONE);
        let numbers = |trace: &Trace| trace.steps.iter().map(|step| step.at).collect();
        forest.traces.iter().map(|trace| (trace.before, numbers(trace), trace.next)).collect()
    }

    const NEXT: Word = Word::constant(Opcode::Lda, 1);
    const NONE: [bool; PROGRAM_WORDS] = [false; PROGRAM_WORDS];

    fn jump(opcode: Opcode, to: u16) -> Word {
        Word::jump(opcode, to)
    }

    #[test]
    fn a_trace_ends_where_ways_meet() {
        let halt = jump(Opcode::Jmp, 4);
        let words = [NEXT, jump(Opcode::Jz, 3), NEXT, NEXT, halt];
        assert_eq!(traced(&words), [(0, vec![0, 1, 2], 3), (0, vec![3, 4], 4)]);
    }

    #[test]
    fn a_jump_that_is_the_only_way_is_followed() {
        let words = [NEXT, jump(Opcode::Jmp, 4), NEXT, jump(Opcode::Jmp, 3), NEXT, jump(Opcode::Jmp, 5)];
        assert_eq!(traced(&words), [(0, vec![0, 1, 4, 5], 5)]);
    }

    #[test]
    fn a_conditional_jump_that_is_the_only_way_is_a_branch_of_the_tree() {
        let again = jump(Opcode::Jmp, 0);
        let words = [jump(Opcode::Jz, 3), NEXT, again, NEXT, jump(Opcode::Jc, 6), again, NEXT, again];
        let expected = [(0, vec![0, 1, 2], 0), (1, vec![3, 4, 5], 0), (3, vec![6, 7], 0)];
        assert_eq!(traced(&words)[..3], expected);
    }

    #[test]
    fn a_tree_is_cut_where_it_becomes_deep() {
        // Each jump leads a hundred words further, and is the only way there.
        let mut image = Image::from_words([jump(Opcode::Jmp, 0); PROGRAM_WORDS]);
        for first in [0, 200, 400, 600] {
            (first..first + 99).for_each(|at| image.set_word(at, NEXT));
            image.set_word(first + 99, jump(Opcode::Jz, first + 200));
        }
        let forest = forest(&image, &NONE);
        assert!(forest.traces.iter().all(|trace| trace.before + trace.steps.len() <= MOST_STEPS));
        let all = forest.traces.iter().flat_map(|trace| &trace.steps);
        assert!([0, 299, 300, 499, 699].into_iter().all(|at| all.clone().any(|step| step.at == at)));
    }

    #[test]
    fn a_loop_that_nothing_leads_to_has_a_trace() {
        let words = [
            jump(Opcode::Jmp, 0),
            jump(Opcode::Jmp, 1),
            jump(Opcode::Jmp, 4),
            jump(Opcode::Jmp, 3),
            NEXT,
            jump(Opcode::Jmp, 2),
        ];
        assert_eq!(traced(&words), [(0, vec![0], 0), (0, vec![4, 5, 2], 4)]);
    }

    #[test]
    fn no_entry_is_forgotten_where_a_long_trace_is_cut() {
        let mut image = Image::blank();
        for at in (0..1_300).chain(3_000..3_200) {
            image.set_word(at, NEXT);
        }
        let jumps =
            [(0, Opcode::Jmp, 1_000), (1, Opcode::Jc, 20), (2, Opcode::Jc, 10), (10, Opcode::Jmp, 3_000)];
        for (at, opcode, to) in jumps.into_iter().chain([(999, Opcode::Jmp, 1_200), (1_299, Opcode::Jc, 1)]) {
            image.set_word(at, jump(opcode, to));
        }
        let forest = forest(&image, &NONE);
        assert!([0, 1, 10, 20, 1_200].into_iter().all(|at| forest.trace(at).is_some()));
        let all = forest.traces.iter().flat_map(|trace| &trace.steps);
        assert!((20..999).all(|at| all.clone().any(|step| step.at == at)));
    }

    #[test]
    fn the_last_word_runs_on_at_word_0_and_long_ways_are_cut() {
        let traces = traced(&[NEXT; PROGRAM_WORDS]);
        assert_eq!(traces.len(), PROGRAM_WORDS.div_ceil(MOST_STEPS));
        assert!(traces.iter().rev().skip(1).all(|(_, steps, _)| steps.len() == MOST_STEPS));
        assert_eq!(traces[traces.len() - 1].2, 0);
    }
}
