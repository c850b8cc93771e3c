//! Routines: a program that runs into one, and what calls and returns overwrite.

use crate::diagnostic::{Diagnostic, Warning};
use crate::emit::Emitted;
use crate::expand::{Expanded, PlacedWord};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS};

/// Looks at included files too: what matters is where they are included.
pub(super) fn runs_into(
    expanded: &Expanded,
    emitted: &Emitted,
    reached: &[bool],
    found: &mut Vec<Diagnostic>,
) {
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

/// A routine with several calls gets the number of the call in A, and its way back uses A and C. With one call it all
/// works: so this begins when a program gets its second.
pub(super) fn lost_in_calls(expanded: &Expanded, emitted: &Emitted, found: &mut Vec<Diagnostic>) {
    let build = &expanded.build;
    let word_at = |address: u32| expanded.words.iter().find(|word| u32::from(word.address) == address);
    let mut warn = |word: &PlacedWord, message: String, reader: u32| {
        let label = "pass it in RAM instead";
        let warning = Diagnostic::warning(Warning::LostInCall, word.span, &message, label);
        let warning = match word_at(reader) {
            Some(reader) => warning.related(reader.span, "it is read here"),
            None => warning,
        };
        found.push(warning.within(build.chain(word.context.expansion)));
    };
    for routine in expanded.routines.iter().filter(|routine| routine.return_addresses.len() > 1) {
        let shown = build.library.names.show(routine.name);
        let calls = || {
            routine.return_addresses.iter().filter_map(|&next| Some((word_at(next.checked_sub(1)?)?, next)))
        };
        if let Some(reader) = first_reader(&emitted.image, routine.address, uses_a) {
            let message = format!("`{shown}` does not get what is in A: it is called more than once");
            calls().for_each(|(call, _)| warn(call, message.clone(), reader));
        }
        for (call, next) in calls() {
            if let Some(reader) = first_reader(&emitted.image, next, uses_a) {
                warn(
                    call,
                    format!("what `{shown}` leaves in A is lost: it is called more than once"),
                    reader,
                );
            }
            // Two ways back are told apart without an ADD.
            let reader =
                first_reader(&emitted.image, next, uses_c).filter(|_| routine.return_addresses.len() > 2);
            if let Some(reader) = reader {
                warn(
                    call,
                    format!("what `{shown}` leaves in C is lost: it is called more than twice"),
                    reader,
                );
            }
        }
    }
}

/// Whether an instruction reads something, or overwrites it unread.
enum Use {
    Reads,
    Overwrites,
    Keeps,
}

fn uses_a(opcode: Opcode) -> Use {
    match opcode {
        Opcode::Sta | Opcode::Add | Opcode::Nor | Opcode::Jz => Use::Reads,
        Opcode::Lda | Opcode::Shr => Use::Overwrites,
        Opcode::Jmp | Opcode::Jc => Use::Keeps,
    }
}

fn uses_c(opcode: Opcode) -> Use {
    match opcode {
        Opcode::Jc => Use::Reads,
        Opcode::Add | Opcode::Shr => Use::Overwrites,
        _ => Use::Keeps,
    }
}

/// The first word on some way from `start` that reads what no word on the way has overwritten.
fn first_reader(image: &Image, start: u32, uses: fn(Opcode) -> Use) -> Option<u32> {
    let mut seen = vec![false; PROGRAM_WORDS];
    let mut waiting = vec![start as u16 % PROGRAM_WORDS as u16];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[usize::from(at)], true) {
            continue;
        }
        let word = image.word(at);
        match uses(word.opcode()) {
            Use::Reads => return Some(u32::from(at)),
            Use::Overwrites => {}
            Use::Keeps => {
                waiting.extend(word.landing());
                if word.opcode() != Opcode::Jmp {
                    waiting.push((at + 1) % PROGRAM_WORDS as u16);
                }
            }
        }
    }
    None
}
