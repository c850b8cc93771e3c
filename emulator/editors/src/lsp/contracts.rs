//! The verdicts on contracts, shown above each: `proved, 12 to 97 cycles`. An editor asks for the lines first, and for
//! the verdict of each when it is visible.

use crate::lsp::failure::Failure;
use crate::lsp::view::View;
use gen_lsp_types::Range;
use gray1_assembler::Program;
use gray1_proof::contracts::{Limits, title};
use serde_json::{Value, json};

/// Resource limits: an editor does not wait for long.
const LIMITS: Limits =
    Limits { words: 100_000, words_of_program: 1_000_000, words_before_invariants: 10_000, nodes: 400_000 };

/// The lines with contracts in a file.
pub fn lenses(view: &View, uri: &str) -> Value {
    let Some(program) = program(view) else { return json!([]) };
    let lines = view.lines();
    let found = gray1_proof::contracts::lenses(program, view.file).into_iter().map(|(span, name)| {
        let range: Range = lines.range(span.start, span.end);
        json!({ "range": range, "data": { "uri": uri, "name": name } })
    });
    json!(found.collect::<Vec<_>>())
}

/// The verdict of the contracts with a name, as the title of a lens.
pub fn verdict(view: &View, name: &str, is_stopped: &dyn Fn() -> bool) -> Result<String, Failure> {
    let Some(program) = program(view) else { return Ok(String::new()) };
    let sources = &view.analysis.report.sources;
    title(program, sources, name, LIMITS, is_stopped).map_err(|_| Failure::Cancelled)
}

/// The program, if there is no error in it.
fn program<'v>(view: &'v View) -> Option<&'v Program> {
    (!view.analysis.report.has_errors()).then(|| view.analysis.program())
}
