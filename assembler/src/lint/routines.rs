//! Routines that control enters without a call.

use crate::codes::Warning;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit::MachineCode;
use crate::expand::PlacedProgram;
use gray1_isa::Opcode;

/// Checks included files, too: the position of the include matters.
pub(super) fn runs_into(
    expanded: &PlacedProgram,
    emitted: &MachineCode,
    reached: &[bool],
    found: &mut Diagnostics,
) {
    let build = &expanded.build;
    for routine in expanded.routines.iter().filter(|routine| !routine.return_addresses.is_empty()) {
        let before = usize::try_from(routine.address).ok().and_then(|address| address.checked_sub(1));
        let runs_in = before.is_none_or(|before| {
            reached.get(before) == Some(&true) && emitted.image.word(before as u16).opcode() != Opcode::Jmp
        });
        // A routine that is called right before this one returns into it.
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
