//! What is proved of contracts, shown above each: `proved, 12 to 97 cycles`. An editor asks for the lines first, and for
//! the verdict of each when it is visible.

use crate::server::Failure;
use crate::view::View;
use gen_lsp_types::Range;
use gray1_assembler::{Contract, Program, Span};
use gray1_contracts::{Limits, Prover, Row, Word};
use serde_json::{Value, json};

/// What is tried: an editor does not wait for long.
const LIMITS: Limits =
    Limits { words: 100_000, words_of_program: 1_000_000, words_before_invariants: 10_000, nodes: 400_000 };

/// The lines with contracts in a file.
pub fn lenses(view: &View, uri: &str) -> Value {
    let Some(program) = program(view) else { return json!([]) };
    let mut lenses: Vec<(Span, &str)> = Vec::new();
    for contract in &program.contracts {
        let first = first_line(contract).filter(|span| span.file == view.file);
        let is_new = !lenses.iter().any(|(_, name)| *name == contract.name);
        lenses.extend(first.filter(|_| is_new).map(|span| (span, contract.name.as_str())));
    }
    lenses.sort_by_key(|(span, _)| span.start);
    let lines = view.lines();
    let lens = |(span, name): (Span, &str)| {
        let range: Range = lines.range(span.start, span.end);
        json!({ "range": range, "data": { "uri": uri, "name": name } })
    };
    json!(lenses.into_iter().map(lens).collect::<Vec<_>>())
}

/// The verdict of the contracts with a name, as the title of a lens.
pub fn verdict(view: &View, name: &str, is_stopped: &dyn Fn() -> bool) -> Result<String, Failure> {
    let Some(program) = program(view) else { return Ok(String::new()) };
    let prover = Prover::new(program, LIMITS);
    let mut all: Option<Row> = None;
    for contract in program.contracts.iter().filter(|contract| contract.name == name) {
        let proof = prover.prove(contract, is_stopped).map_err(|_| Failure::Cancelled)?;
        let row = Row::of(contract, &proof, program, &view.analysis.report.sources);
        all = Some(match all {
            Some(all) => all.and(row),
            None => row,
        });
    }
    Ok(all.map(|row| title(&row)).unwrap_or_default())
}

fn title(row: &Row) -> String {
    match (&row.counterexample, &row.reason) {
        (Some(found), _) => format!("refuted: {}", found.input.text()),
        (None, Some(reason)) if row.verdict == Word::Undecided => format!("undecided: {reason}"),
        _ => row.verdict_text(),
    }
}

/// The program, if there is no error in it.
fn program<'v>(view: &'v View) -> Option<&'v Program> {
    (!view.analysis.report.has_errors()).then(|| view.analysis.program())
}

/// The first line of a contract.
fn first_line(contract: &Contract) -> Option<Span> {
    let promises = contract.requires.iter().chain(&contract.ensures);
    let invariants = contract.invariants.iter().map(|(_, promise)| promise.span);
    let modifies = contract.modifies.iter().filter_map(|modifies| modifies.span);
    let within = contract.within.iter().map(|(_, span)| *span);
    promises
        .map(|promise| promise.span)
        .chain(invariants)
        .chain(modifies)
        .chain(within)
        .min_by_key(|it| it.start)
}
