//! Warnings: what assembles but is probably a mistake. Most look only at the root file, and not at what macros
//! and loops make: code made for many places may well be idle in one of them.

use crate::build::Build;
use crate::diagnostic::{Diagnostic, Warning};
use crate::emit::{Emitted, stored_names};
use crate::expand::{Content, Expanded, PlacedWord};
use crate::syntax::{Operand, OperandValue, OperationKind};
use crate::table::{CellState, SymbolKind, Value, ValueKind};
use gray1_isa::{Opcode, Operand as OperandField, PROGRAM_WORDS};

/// Looks for what may be a mistake.
pub(crate) fn lint(expanded: &mut Expanded, emitted: &Emitted) {
    if expanded.build.has_errors() {
        // A program with errors has unused names and dead ends for that reason alone.
        return;
    }
    let mut found = Vec::new();
    let reached = reached(emitted);
    unreachable_code(expanded, &reached, &mut found);
    runs_into_routines(expanded, emitted, &reached, &mut found);
    hashes_and_jumps(expanded, emitted, &mut found);
    never_written(expanded, emitted, &mut found);
    unused_names(&expanded.build, &mut found);
    found.into_iter().for_each(|warning| expanded.build.diagnostics.push(warning));
}

fn is_own(word: &PlacedWord) -> bool {
    word.context.expansion == 0
}

/// Which words a run can reach.
fn reached(emitted: &Emitted) -> Vec<bool> {
    let mut reached = vec![false; PROGRAM_WORDS];
    let mut waiting = vec![0u16];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut reached[usize::from(at)], true) {
            continue;
        }
        let word = emitted.image.word(at);
        waiting.extend(word.landing());
        if word.opcode() != Opcode::Jmp {
            waiting.push((at + 1) % PROGRAM_WORDS as u16);
        }
    }
    reached
}

fn unreachable_code(expanded: &Expanded, reached: &[bool], found: &mut Vec<Diagnostic>) {
    let mut before_was_reached = true;
    for word in &expanded.words {
        let is_reached = reached[usize::from(word.address)];
        let is_code = matches!(word.content, Content::Instruction(..));
        if is_own(word) && is_code && !is_reached && before_was_reached {
            let message = "this instruction is never reached";
            let label = "nothing falls or jumps in here";
            found.push(Diagnostic::warning(Warning::UnreachableCode, word.span, message, label));
        }
        before_was_reached = is_reached || !is_own(word);
    }
}

/// Looks at included files too: what matters is where they are included.
fn runs_into_routines(expanded: &Expanded, emitted: &Emitted, reached: &[bool], found: &mut Vec<Diagnostic>) {
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

fn hashes_and_jumps(expanded: &Expanded, emitted: &Emitted, found: &mut Vec<Diagnostic>) {
    let stored = stored_names(expanded);
    let syntax = &expanded.build.library.syntax;
    for (word, resolved) in expanded.words.iter().zip(&emitted.operands).filter(|(word, _)| is_own(word)) {
        let (Content::Instruction(opcode, operand), Some(resolved)) = (word.content, resolved) else {
            continue;
        };
        let Operand { value: OperandValue::Expression(value), span, .. } = operand else { continue };
        let Value { number, kind } = resolved.value;
        let is_address = || {
            syntax.operations(value).iter().any(|operation| match operation.kind {
                OperationKind::Number { hexadecimal, .. } => hexadecimal,
                OperationKind::Name(name) => stored.contains(&name),
                _ => false,
            })
        };
        let warning = match (opcode.row().operand, resolved.immediate, kind) {
            (OperandField::Target, ..) if number == i64::from(word.address) + 1 => {
                let label = "the program would go there anyway";
                Diagnostic::warning(
                    Warning::JumpToNext,
                    word.span,
                    "this jumps to the next instruction",
                    label,
                )
            }
            (OperandField::Value, true, ValueKind::Ram) => {
                let message = "this is the address, not the byte there";
                let label = "expected the name without `#` for the byte in RAM";
                Diagnostic::warning(Warning::SuperfluousHash, span, message, label)
            }
            (OperandField::Value, false, ValueKind::Plain) if number < 256 && !is_address() => {
                let message = format!("this is the byte at RAM address {number}, not the number {number}");
                let label = "expected `#` before a constant, or a name made by `.ram`";
                Diagnostic::warning(Warning::ForgottenHash, span, &message, label)
            }
            _ => continue,
        };
        found.push(warning);
    }
}

fn never_written(expanded: &Expanded, emitted: &Emitted, found: &mut Vec<Diagnostic>) {
    let mut read_at: Vec<Option<&PlacedWord>> = vec![None; PROGRAM_WORDS];
    let mut written = vec![false; PROGRAM_WORDS];
    for word in &expanded.words {
        let bits = emitted.image.word(word.address);
        match bits.opcode().row().operand {
            OperandField::Address => written[usize::from(bits.x())] = true,
            OperandField::Value if !bits.m() && matches!(word.content, Content::Instruction(..)) => {
                read_at[usize::from(bits.x())].get_or_insert(word);
            }
            _ => {}
        }
    }
    let build = &expanded.build;
    for entry in build.table.entries.iter().filter(|entry| entry.kind == SymbolKind::Ram && entry.plain) {
        let (Some(span), CellState::Settled(Ok(Value { number, .. }))) =
            (entry.span, build.table.cells[entry.cell as usize].state)
        else {
            continue;
        };
        let bytes = number as usize..number as usize + usize::from(entry.size);
        let shown = build.library.names.show(entry.name);
        if written[bytes.clone()].contains(&true) || shown.starts_with('_') {
            continue;
        }
        if let Some(word) = read_at[bytes].iter().flatten().next() {
            let message = format!("`{shown}` is read but never written");
            let label = "it holds noise when the machine is switched on";
            let warning = Diagnostic::warning(Warning::NeverWritten, span, &message, label);
            found.push(warning.related(word.span, "it is read here"));
        }
    }
}

fn unused_names(build: &Build, found: &mut Vec<Diagnostic>) {
    for entry in build.table.entries.iter().filter(|entry| entry.plain) {
        let Some(span) = entry.span else { continue };
        let spelling = build.library.names.spelling(entry.name);
        let at_the_beginning = entry.kind == SymbolKind::Label
            && matches!(build.table.cells[entry.cell as usize].state, CellState::Settled(Ok(value)) if value.number == 0);
        let left_alone = spelling.starts_with('_') || spelling.starts_with("._") || at_the_beginning;
        if left_alone || build.library.names.mentioned[entry.name.index()] {
            continue;
        }
        let shown = build.library.names.show(entry.name);
        let message = format!("the {} `{shown}` is never used", entry.kind.noun());
        let label = format!("call it `_{}` if that is intended", shown.trim_start_matches('.'));
        found.push(Diagnostic::warning(Warning::UnusedName, span, &message, &label));
    }
}
