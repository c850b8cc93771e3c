//! The code lenses that editors show above contracts.

use crate::contracts::levels::{Outcome, Stop};
use crate::contracts::prover::{Limits, Prover};
use crate::contracts::report::{Row, VerdictKind};
use gray1_assembler::{Contract, Program, Sources, Span};

/// Returns the names of the contracts in a file, each with the span of its first line, in the order of the lines.
pub fn lenses(program: &Program, file: u32) -> Vec<(Span, &str)> {
    let mut lenses: Vec<(Span, &str)> = Vec::new();
    for contract in &program.contracts {
        let first = first_line(contract).filter(|span| span.file == file);
        let is_new = !lenses.iter().any(|(_, name)| *name == contract.name);
        lenses.extend(first.filter(|_| is_new).map(|span| (span, contract.name.as_str())));
    }
    lenses.sort_by_key(|(span, _)| span.start);
    lenses
}

/// Proves the contracts of a name, and summarises the result: `proved, 12 to 97 cycles`, `refuted: x = 3, a = 0, c = 0`.
pub fn title(
    program: &Program,
    sources: &Sources,
    name: &str,
    limits: Limits,
    stop: Stop,
) -> Outcome<String> {
    let prover = Prover::new(program, limits);
    let mut all: Option<Row> = None;
    for contract in program.contracts.iter().filter(|contract| contract.name == name) {
        let row = Row::for_contract(contract, &prover.prove(contract, stop)?, program, sources);
        all = Some(match all {
            Some(all) => all.merge(row),
            None => row,
        });
    }
    Ok(all.map(|row| short(&row)).unwrap_or_default())
}

fn short(row: &Row) -> String {
    match (&row.counterexample, &row.reason) {
        (Some(found), _) => format!("refuted: {}", found.input.text()),
        (None, Some(reason)) if row.verdict == VerdictKind::Undecided => format!("undecided: {reason}"),
        _ => row.verdict_text(),
    }
}

/// Returns the span of the first line of a contract.
fn first_line(contract: &Contract) -> Option<Span> {
    let promises = contract.requires.iter().chain(&contract.ensures);
    let Contract { invariants, checks, variants, .. } = contract;
    let invariants = invariants.iter().chain(checks).chain(variants).map(|(_, promise)| promise.span);
    let modifies = contract.modifies.iter().filter_map(|modifies| modifies.span);
    let within = contract.within.iter().map(|(_, span)| *span);
    let all = promises.map(|promise| promise.span).chain(invariants).chain(modifies).chain(within);
    all.min_by_key(|span| span.start)
}
