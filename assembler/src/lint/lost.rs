//! Values in A and C that are overwritten before they are read: by calls and returns, by comparisons of blocks, by idioms.

use super::reach::{position, walk};
use crate::codes::Warning;
use crate::contract::{Contract, Subject, Term};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit::MachineCode;
use crate::expand::{ComparisonEnd, PlacedProgram, PlacedWord, Routine};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Register};
use hashbrown::HashSet;
use std::ops::Range;

/// Checks calls. A routine with several calls gets the call number in A, and its return uses A and C. With a single call,
/// A and C are preserved, so the error appears only with the second call.
pub(super) fn in_calls(expanded: &PlacedProgram, emitted: &MachineCode, found: &mut Diagnostics) {
    let build = &expanded.build;
    let word_at = |address| expanded.word_at(address);
    for routine in expanded.routines.iter().filter(|routine| routine.return_addresses.len() > 1) {
        let shown = build.library.names.show(routine.name);
        for &next in &routine.return_addresses {
            let lost = [
                (
                    routine.address,
                    Register::A,
                    format!("`{shown}` does not get what is in A: it is called more than once"),
                ),
                (
                    next,
                    Register::A,
                    format!("what `{shown}` leaves in A is lost: it is called more than once"),
                ),
                (
                    next,
                    Register::C,
                    format!("what `{shown}` leaves in C is lost: it is called more than twice"),
                ),
            ];
            // Between two calls, the return decides without an ADD, so C stays.
            let count = routine.return_addresses.len().min(lost.len());
            for (start, register, message) in lost.into_iter().take(count) {
                let reader = first_reader(&emitted.image, start, register).and_then(word_at);
                let call = next.checked_sub(1).and_then(word_at);
                if let (Some(reader), Some(call)) = (reader, call) {
                    let label = "pass it in RAM instead";
                    let warning = Diagnostic::warning(Warning::LostInCall, call.span, &message, label)
                        .related(position(build, reader), "it is read here");
                    found.push(warning.within(build.chain(call.context.expansion)));
                }
            }
        }
    }
}

/// Checks comparisons of blocks, which leave their result in A.
pub(super) fn in_comparisons(expanded: &PlacedProgram, emitted: &MachineCode, found: &mut Diagnostics) {
    let build = &expanded.build;
    let mut seen = HashSet::new();
    for &ComparisonEnd { span, context, here } in &expanded.compared {
        let reader = first_reader(&emitted.image, here, Register::A);
        let reader = reader.and_then(|at| expanded.word_at(at));
        if let Some(reader) = reader.filter(|_| seen.insert((span, context.expansion))) {
            let message = "what was in A is lost in this comparison";
            let label = "it changes A and C: load A again, or compare a byte of RAM and load it afterwards";
            let warning = Diagnostic::warning(Warning::LostInComparison, span, message, label)
                .related(position(build, reader), "A is read here");
            found.push(warning.within(build.chain(context.expansion)));
        }
    }
}

/// Checks calls of macros whose contract modifies A or C without specifying its value.
pub(super) fn in_idioms(expanded: &PlacedProgram, emitted: &MachineCode, found: &mut Diagnostics) {
    let build = &expanded.build;
    let calls: Vec<(&Contract, &Range<u16>)> = emitted.contracts.iter().filter_map(call).collect();
    for &(contract, words) in &calls {
        // Calls inside a macro are covered by its own contract.
        let is_inside = |&(other, around): &(&Contract, &Range<u16>)| {
            around.start <= words.start && words.end <= around.end && other.expansion < contract.expansion
        };
        if calls.iter().any(is_inside) {
            continue;
        }
        let flow = CallFlow::new(words, expanded, &emitted.image);
        for (register, name) in [(Register::A, 'A'), (Register::C, 'C')] {
            if !flow.writes(register) || !contract.leaves_open(register) {
                continue;
            }
            let readers = flow.exits.iter().filter_map(|&exit| first_reader(&emitted.image, exit, register));
            if let Some(reader) = readers.filter_map(|at| expanded.word_at(at)).next() {
                let message = format!("{name} is undefined after `{}`", contract.name);
                let label = format!("this changes {name} without specifying its value");
                let warning = Diagnostic::warning(Warning::LostInIdiom, contract.span, &message, &label)
                    .related(position(build, reader), "it is read here");
                found.push(warning.within(build.chain(contract.expansion)));
            }
        }
    }
}

fn call(contract: &Contract) -> Option<(&Contract, &Range<u16>)> {
    match &contract.subject {
        Subject::Call(words) => Some((contract, words)),
        _ => None,
    }
}

impl Contract {
    /// Whether a register may be modified, and no postcondition mentions it.
    fn leaves_open(&self, register: Register) -> bool {
        let is_meant = |term: &Term| match register {
            Register::A => matches!(term, Term::A { before: false }),
            Register::C => matches!(term, Term::C { before: false }),
        };
        let is_changed = self.modifies.as_ref().is_some_and(|modifies| match register {
            Register::A => modifies.a,
            Register::C => modifies.c,
        });
        is_changed
            && !self.ensures_more
            && !self.ensures.iter().any(|promise| promise.formula.0.iter().any(is_meant))
    }
}

/// The control flow of a macro call.
struct CallFlow {
    opcodes: Vec<Opcode>,
    calls: bool,
    exits: Vec<u32>,
}

impl CallFlow {
    fn new(words: &Range<u16>, expanded: &PlacedProgram, image: &Image) -> CallFlow {
        let mut flow = CallFlow { opcodes: Vec::new(), calls: false, exits: Vec::new() };
        for at in words.clone() {
            let word = image.word(at);
            let next = (at + 1) % PROGRAM_WORDS as u16;
            let landing = word.landing();
            let calls = landing.is_some_and(|landing| expanded.has_call(landing, at + 1));
            let follows = (calls || word.opcode() != Opcode::Jmp).then_some(next);
            let leaves = landing.filter(|_| !calls).into_iter().chain(follows);
            flow.exits.extend(leaves.filter(|to| !words.contains(to)).map(u32::from));
            flow.opcodes.push(word.opcode());
            flow.calls |= calls;
        }
        flow
    }

    fn writes(&self, register: Register) -> bool {
        self.calls || self.opcodes.iter().any(|opcode| opcode.writes(register))
    }
}

impl PlacedProgram<'_> {
    fn word_at(&self, address: u32) -> Option<&PlacedWord> {
        self.words.iter().find(|word| u32::from(word.address) == address)
    }

    /// Whether the routine at `address` returns to `back`.
    fn has_call(&self, address: u16, back: u16) -> bool {
        let is_called = |routine: &Routine| {
            routine.address == u32::from(address) && routine.return_addresses.contains(&u32::from(back))
        };
        self.routines.iter().any(is_called)
    }
}

/// Finds a word that reads A or C, on a path from `start` on which no word sets it before.
fn first_reader(image: &Image, start: u32, register: Register) -> Option<u32> {
    let mut reader = None;
    walk(image, start as u16, |at, opcode| {
        let reads = opcode.reads(register);
        if reads {
            reader = reader.or(Some(u32::from(at)));
        }
        !reads && !opcode.writes(register)
    });
    reader
}
