//! Where the program can be entered, and the straight ways through it from there.
//!
//! ```text
//!   entry ──> word ──> word ──> JZ ──> word ──> JMP ─ ─ > word ──> link to the next entry
//!                               └──> exit
//! ```
//!
//! A trace goes on where a conditional jump is not taken, and follows a jump that is the only way to its landing. It ends
//! in front of the next entry, so no word is in two traces.

use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};

/// No trace has more words than this: what is left of a run when the next trace is longer goes to the interpreter.
pub const MOST_STEPS: usize = 128;

/// A word of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its sequence number.
    pub at: u16,
    /// What is there.
    pub word: Word,
}

/// A straight way through the program.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The words, in the order in which they run unless a conditional jump leaves the trace.
    pub steps: Vec<Step>,
    /// Where the run goes on after the last word, unless that jumps.
    pub next: u16,
}

/// All traces of a program, in the order of their entries.
pub fn traces(image: &Image) -> Vec<Trace> {
    let mut search =
        Search { image, is_entry: entries(image), is_covered: [false; PROGRAM_WORDS], traces: Vec::new() };
    search.follow();
    // Loops of jumps that nothing else leads to.
    for at in 0..PROGRAM_WORDS as u16 {
        if let Some(landing) = landing(image, at)
            && !search.is_covered[usize::from(landing)]
        {
            search.is_entry[usize::from(landing)] = true;
            search.follow();
        }
    }
    search.traces.sort_by_key(|trace| trace.steps[0].at);
    search.traces
}

struct Search<'a> {
    image: &'a Image,
    is_entry: [bool; PROGRAM_WORDS],
    is_covered: [bool; PROGRAM_WORDS],
    traces: Vec<Trace>,
}

impl Search<'_> {
    /// Follows every entry that has no trace yet.
    fn follow(&mut self) {
        let mut at = 0;
        while at < PROGRAM_WORDS {
            let is_new = self.is_entry[at] && !self.is_covered[at];
            let cut = is_new.then(|| self.trace(at as u16)).flatten();
            // The entry that a long trace leaves may be before this one.
            at = cut.map_or(at + 1, |cut| cut.min(at + 1));
        }
    }

    /// Follows one entry. If the trace was cut, the new entry.
    fn trace(&mut self, entry: u16) -> Option<usize> {
        let (mut steps, mut at) = (Vec::new(), entry);
        let cut = loop {
            let word = self.image.word(at);
            steps.push(Step { at, word });
            self.is_covered[usize::from(at)] = true;
            at = match word.landing() {
                Some(landing) if word.opcode() == Opcode::Jmp => landing,
                _ => following(at),
            };
            // A word that is no entry has one way in, so no other trace has it. A jump to itself is the end of all.
            if self.is_entry[usize::from(at)] || at == steps[steps.len() - 1].at {
                break None;
            }
            if steps.len() == MOST_STEPS {
                self.is_entry[usize::from(at)] = true;
                break Some(usize::from(at));
            }
        };
        self.traces.push(Trace { steps, next: at });
        cut
    }
}

/// Word 0, every landing of a conditional jump, and every other that can be reached in more than one way.
fn entries(image: &Image) -> [bool; PROGRAM_WORDS] {
    let (mut is_entry, mut ways) = ([false; PROGRAM_WORDS], [0u32; PROGRAM_WORDS]);
    for at in 0..PROGRAM_WORDS as u16 {
        let word = image.word(at);
        if word.opcode() != Opcode::Jmp {
            ways[usize::from(following(at))] += 1;
        }
        if let Some(landing) = landing(image, at) {
            ways[usize::from(landing)] += 1;
            // Code for the way on of a conditional jump stands behind it, and that of the taken way somewhere else.
            is_entry[usize::from(landing)] |= word.opcode() != Opcode::Jmp;
        }
    }
    for at in 0..PROGRAM_WORDS as u16 {
        if let Some(landing) = landing(image, at) {
            is_entry[usize::from(landing)] |= ways[usize::from(landing)] > 1;
        }
    }
    is_entry[0] = true;
    is_entry
}

/// Where a jump that is not to itself lands.
fn landing(image: &Image, at: u16) -> Option<u16> {
    image.word(at).landing().filter(|&landing| landing != at)
}

/// The sequence number behind this one.
pub fn following(at: u16) -> u16 {
    (at + 1) % PROGRAM_WORDS as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequence numbers of each trace, and where it goes on.
    fn traced(words: &[Word]) -> Vec<(Vec<u16>, u16)> {
        let traces = traces(&Image::from_words(words.iter().copied()));
        traces.iter().map(|trace| (trace.steps.iter().map(|step| step.at).collect(), trace.next)).collect()
    }

    const NEXT: Word = Word::constant(Opcode::Lda, 1);

    fn jump(opcode: Opcode, to: u16) -> Word {
        Word::jump(opcode, to)
    }

    #[test]
    fn a_trace_ends_where_ways_meet() {
        let halt = jump(Opcode::Jmp, 4);
        let words = [NEXT, jump(Opcode::Jz, 3), NEXT, NEXT, halt];
        assert_eq!(traced(&words), [(vec![0, 1, 2], 3), (vec![3, 4], 4)]);
    }

    #[test]
    fn a_jump_that_is_the_only_way_is_followed() {
        let words = [NEXT, jump(Opcode::Jmp, 4), NEXT, jump(Opcode::Jmp, 3), NEXT, jump(Opcode::Jmp, 5)];
        assert_eq!(traced(&words), [(vec![0, 1, 4, 5], 5)]);
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
        assert_eq!(traced(&words), [(vec![0], 0), (vec![4, 5, 2], 4)]);
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
        let traces = traces(&image);
        let begins = |at| traces.iter().any(|trace| trace.steps[0].at == at);
        assert!([0, 1, 10, 20, 1_200].into_iter().all(begins));
        let all = traces.iter().flat_map(|trace| &trace.steps);
        assert!((20..999).all(|at| all.clone().any(|step| step.at == at)));
    }

    #[test]
    fn the_last_word_runs_on_at_word_0_and_long_ways_are_cut() {
        let traces = traced(&[NEXT; PROGRAM_WORDS]);
        assert_eq!(traces.len(), PROGRAM_WORDS / MOST_STEPS);
        assert!(traces.iter().all(|(steps, _)| steps.len() == MOST_STEPS));
        assert_eq!(traces[traces.len() - 1].1, 0);
    }
}
