//! Evaluates formulas in the assembler's language.

use crate::Refusal;
use gray1_assembler::{MemoryLoader, Options, assemble};

/// Evaluates a formula with these values of its names.
pub fn evaluate(formula: &str, names: Vec<(String, i64)>) -> Result<u16, Refusal> {
    let source = format!(".word {formula}\n");
    let options = Options { constants: names, ..Options::default() };
    let assembly = assemble(&MemoryLoader::new([("formula", &*source)]), "formula", &options);
    let program = assembly.program.ok_or_else(|| assembly.report.render(false))?;
    Ok(program.image.word(0).0)
}
