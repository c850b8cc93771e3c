//! Warnings about code that is valid but probably wrong. Most of them check only the root file, and not the code of macros
//! and loops, which may be useless in one of its expansions.

mod lost;
mod operands;
mod reach;
mod routines;

use crate::codes::Warning;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::emit::MachineCode;
use crate::evaluate::build::Build;
use crate::expand::{Content, PlacedProgram, PlacedWord};
use crate::kind::SymbolKind;
use crate::table::{CellState, Value};
use gray1_isa::{Operand as OperandField, PROGRAM_WORDS};
use gray1_text::closest;
use reach::{is_own, walk};

/// Finds probable errors.
pub(crate) fn lint(expanded: &mut PlacedProgram, emitted: &MachineCode) {
    if expanded.build.has_errors() {
        // A program with errors has unused names and dead ends for that reason alone.
        return;
    }
    let mut found = Diagnostics::default();
    let mut reached = vec![false; PROGRAM_WORDS];
    walk(&emitted.image, 0, |at, _| {
        reached[usize::from(at)] = true;
        true
    });
    unreachable_code(expanded, &reached, &mut found);
    routines::runs_into(expanded, emitted, &reached, &mut found);
    lost::in_calls(expanded, emitted, &mut found);
    lost::in_comparisons(expanded, emitted, &mut found);
    lost::in_idioms(expanded, emitted, &mut found);
    operands::check_operands(expanded, emitted, &mut found);
    never_written(expanded, emitted, &mut found);
    unused_names(&expanded.build, &mut found);
    unused_definitions(&expanded.build, &mut found);
    expanded.build.diagnostics.append(found);
}

fn unreachable_code(expanded: &PlacedProgram, reached: &[bool], found: &mut Diagnostics) {
    let mut before_was_reached = true;
    for word in &expanded.words {
        let is_reached = reached[usize::from(word.address)];
        let is_code = matches!(word.content, Content::Instruction(..));
        if is_own(word) && is_code && !is_reached && before_was_reached {
            let message = "this instruction is never reached";
            let label = "execution does not get here";
            found.push(Diagnostic::warning(Warning::UnreachableCode, word.span, message, label));
        }
        before_was_reached = is_reached || !is_own(word);
    }
}

fn never_written(expanded: &PlacedProgram, emitted: &MachineCode, found: &mut Diagnostics) {
    let mut read_at: Vec<Option<&PlacedWord>> = vec![None; PROGRAM_WORDS];
    let mut written = vec![false; PROGRAM_WORDS];
    for word in &expanded.words {
        let bits = emitted.image.word(word.address);
        match bits.opcode().row().operand {
            OperandField::Address => written[usize::from(bits.x())] = true,
            OperandField::Value
                if !bits.m() && matches!(word.content, Content::Instruction(..) | Content::NextByte(..)) =>
            {
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

fn unused_names(build: &Build, found: &mut Diagnostics) {
    for entry in build.table.entries.iter().filter(|entry| entry.plain) {
        let Some(span) = entry.span else { continue };
        let spelling = build.library.names.spelling(entry.name);
        let at_the_beginning = entry.kind == SymbolKind::Label
            && matches!(build.table.cells[entry.cell as usize].state, CellState::Settled(Ok(value)) if value.number == 0);
        // Constants may exist for contracts only, unlike labels and RAM.
        let is_of_assembler = matches!(
            entry.kind,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Function | SymbolKind::Table
        );
        let promised = is_of_assembler && build.library.names.promised[entry.name.index()];
        let left_alone =
            promised || spelling.starts_with('_') || spelling.starts_with("._") || at_the_beginning;
        if left_alone || build.library.names.mentioned[entry.name.index()] {
            continue;
        }
        let shown = build.library.names.show(entry.name);
        let message = format!("the {} `{shown}` is never used", entry.kind.noun());
        let label = format!("call it `_{}` if that is intended", shown.trim_start_matches('.'));
        found.push(Diagnostic::warning(Warning::UnusedName, span, &message, &label));
    }
}

/// Finds predefined constants without effect.
fn unused_definitions(build: &Build, found: &mut Diagnostics) {
    let names = &build.library.names;
    let defaults: Vec<&str> = build.defaults.iter().map(|&name| names.spelling(name)).collect();
    let predefined = build.table.entries.iter().filter(|entry| entry.span.is_none());
    for entry in predefined.filter(|entry| entry.kind == SymbolKind::Constant) {
        if build.defaults.contains(&entry.name) || build.used_predefined.contains(&entry.name) {
            continue;
        }
        let message =
            format!("`{}` is defined from outside, but the program does not use it", names.show(entry.name));
        let mut warning = Diagnostic::warning(Warning::UnusedDefinition, None, &message, "");
        let meant = closest(names.spelling(entry.name), defaults.iter().copied());
        if meant.is_some() {
            warning = warning.did_you_mean(meant);
        } else if !defaults.is_empty() {
            warning = warning.help(format!("the program has defaults for {}", defaults.join(", ")));
        }
        found.push(warning);
    }
}
