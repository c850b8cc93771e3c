//! Formulas in the assembler's language, over names that have values.

use crate::Refusal;
use gray1_assembler::{MemoryLoader, Options, assemble};

/// The value of a formula, for these values of its names.
pub fn value(formula: &str, names: Vec<(String, i64)>) -> Result<u16, Refusal> {
    let source = format!(".word {formula}\n");
    let options = Options { constants: names, ..Options::default() };
    let assembly = assemble(&MemoryLoader::new([("formula", &*source)]), "formula", &options);
    let program = assembly.program.ok_or_else(|| assembly.report.render(false))?;
    Ok(program.image.word(0).0)
}
