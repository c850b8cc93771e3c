//! Routines: a program that runs into one, and values that calls and returns overwrite.

use super::walk;
use crate::codes::Warning;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit::Emitted;
use crate::expand::{Compared, Expanded};
use gray1_isa::{Image, Opcode, Register};
use hashbrown::HashSet;

/// Checks included files too, because it matters where they are included.
pub(super) fn runs_into(expanded: &Expanded, emitted: &Emitted, reached: &[bool], found: &mut Diagnostics) {
    let build = &expanded.build;
    for routine in expanded.routines.iter().filter(|routine| !routine.return_addresses.is_empty()) {
        let before = usize::try_from(routine.address).ok().and_then(|address| address.checked_sub(1));
        let runs_in = before.is_none_or(|before| {
            reached.get(before) == Some(&true) && emitted.image.word(before as u16).opcode() != Opcode::Jmp
        });
        // A routine called right before it returns into this one.
        let returns_in =
            expanded.routines.iter().any(|other| other.return_addresses.contains(&routine.address));
        let runs_in = runs_in || returns_in;
        let entry = build.table.global(routine.name);
        let Some((entry, span)) = entry.and_then(|entry| Some((entry, entry.span?))) else { continue };
        if runs_in {
            let message = format!("the program runs into `{}`", build.library.names.show(routine.name));
            let label = "it is not called here, so it does not know where to return to";
            let diagnostic = Diagnostic::warning(Warning::RunsIntoRoutine, span, &message, label)
                .help("put routines, and files with routines in them, after the jump that ends the program");
            found.push(diagnostic.within(build.chain(entry.context.expansion)));
        }
    }
}

/// A routine with several calls gets the number of the call in A, and its return uses A and C. With a single call
/// everything works, so the problem appears only when a program gets its second call.
pub(super) fn lost_in_calls(expanded: &Expanded, emitted: &Emitted, found: &mut Diagnostics) {
    let build = &expanded.build;
    let word_at = |address: u32| expanded.words.iter().find(|word| u32::from(word.address) == address);
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
                        .related(reader.span, "it is read here");
                    found.push(warning.within(build.chain(call.context.expansion)));
                }
            }
        }
    }
}

/// A comparison of a block leaves its result in A, usually the difference.
pub(super) fn lost_in_comparisons(expanded: &Expanded, emitted: &Emitted, found: &mut Diagnostics) {
    let build = &expanded.build;
    let mut seen = HashSet::new();
    for &Compared { span, context, here } in &expanded.compared {
        let reader = first_reader(&emitted.image, here, Register::A);
        let reader = reader.and_then(|at| expanded.words.iter().find(|word| u32::from(word.address) == at));
        if let Some(reader) = reader.filter(|_| seen.insert((span, context.expansion))) {
            let message = "what was in A is lost in this comparison";
            let label = "it changes A and C: load A again, or compare a byte of RAM and load it afterwards";
            let warning = Diagnostic::warning(Warning::LostInComparison, span, message, label)
                .related(reader.span, "A is read here");
            found.push(warning.within(build.chain(context.expansion)));
        }
    }
}

/// The first word on some way from `start` that reads A or C before any word on that way has set it.
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
