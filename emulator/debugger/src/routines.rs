//! The routines of a program, and the call stack at a position of its run.
//!
//! There is no stack. A call stores its number in a byte of its routine, unless it is the only one, and jumps; the
//! routine returns by decisions on that byte. So the callers follow from the state alone, at any position of a run:
//!
//! ```text
//!   pc ──► its routine ──► the byte with the number of the call ──► that call ──► its routine ──► …
//! ```

use crate::view::View;
use gray1_isa::{Opcode, Word};
use std::collections::BTreeMap;

/// All routines.
#[derive(Default)]
pub(crate) struct Routines {
    all: Vec<Routine>,
    /// For each instruction of a routine its index.
    inside: BTreeMap<u16, usize>,
}

struct Routine {
    name: String,
    calls: Vec<Call>,
}

/// A call of a routine.
struct Call {
    /// The sequence number of the jump to the routine.
    jump: u16,
    /// The byte that holds the number of the call, and that number, if there are other calls.
    number: Option<(u16, u8)>,
}

/// The call stack: the sequence numbers of the jumps that have not returned yet, the outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallStack(pub(crate) Vec<u16>);

/// A word with its sequence number, and the text of its line.
pub(crate) type SourceWord<'a> = (u16, Word, &'a str);

impl Routines {
    /// Finds the routines with these names and addresses. `lines` are all words with a source, in ascending order.
    pub fn find<'a>(names: impl Iterator<Item = (&'a str, u16)>, lines: &[SourceWord]) -> Routines {
        let mut routines = Routines::default();
        for (name, address) in names {
            // The code that returns stands on the last line of a routine.
            let begin = lines.partition_point(|(sequence, ..)| *sequence < address);
            let body = lines[begin..].iter().skip_while(|(_, _, line)| !has_word(line, ".endroutine"));
            let last = body.take_while(|(_, _, line)| has_word(line, ".endroutine")).last();
            let Some((last, ..)) = last else { continue };
            let index = routines.all.len();
            routines.inside.extend((address..=*last).map(|sequence| (sequence, index)));
            let is_call =
                |word: &Word, line: &str| *word == Word::jump(Opcode::Jmp, address) && has_word(line, "call");
            let calls = lines.iter().filter(|(_, word, line)| is_call(word, line)).map(|(jump, ..)| {
                let before = |distance: u16| {
                    let at = lines.binary_search_by_key(&jump.checked_sub(distance)?, |(at, ..)| *at).ok()?;
                    Some(lines[at].1)
                };
                Call { jump: *jump, number: before(2).zip(before(1)).and_then(number_of_call) }
            });
            let mut calls: Vec<Call> = calls.collect();
            if calls.len() < 2 {
                calls.iter_mut().for_each(|call| call.number = None);
            }
            routines.all.push(Routine { name: name.to_owned(), calls });
        }
        routines
    }

    /// The name of the routine that an instruction belongs to.
    pub fn of(&self, sequence: u16) -> Option<&str> {
        self.inside.get(&sequence).map(|&index| self.all[index].name.as_str())
    }

    /// Determines the call stack of a machine.
    pub fn call_stack(&self, machine: &dyn View) -> CallStack {
        let mut jumps = Vec::new();
        let mut sequence = machine.running();
        while let Some(&index) = self.inside.get(&sequence) {
            let is_made = |call: &&Call| call.number.is_none_or(|(byte, number)| machine.ram(byte) == number);
            let Some(call) = self.all[index].calls.iter().find(is_made) else { break };
            // A routine that calls itself is an error, but `set pc` may lead anywhere.
            if jumps.len() > self.all.len() {
                break;
            }
            jumps.push(call.jump);
            sequence = call.jump;
        }
        jumps.reverse();
        CallStack(jumps)
    }
}

impl CallStack {
    /// Whether the other call stack begins with this one.
    pub fn is_within(&self, other: &CallStack) -> bool {
        other.0.starts_with(&self.0)
    }

    /// Whether it is a caller of the other call stack.
    pub fn is_outside(&self, other: &CallStack) -> bool {
        self.0.len() < other.0.len() && self.is_within(other)
    }
}

/// The byte that a call stores its number in, and the number: `lda #number`, `sta byte`.
fn number_of_call((load, store): (Word, Word)) -> Option<(u16, u8)> {
    let is_number = load.opcode() == Opcode::Lda && load.m() && store.opcode() == Opcode::Sta;
    is_number.then(|| (store.x(), load.x() as u8))
}

/// Whether a word stands on a line.
fn has_word(line: &str, word: &str) -> bool {
    line.split_whitespace().any(|other| other.eq_ignore_ascii_case(word))
}
