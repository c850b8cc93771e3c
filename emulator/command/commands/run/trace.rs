//! `--trace`: writes a CSV row for each instruction, with the state before the instruction.

use crate::support::files::FileError;
use crate::support::output::Output;
use gray1_machine::{Engine, Registers};
use std::path::Path;

/// Creates a trace and writes its header.
pub fn create(path: &Path) -> Result<Output, FileError> {
    let mut trace = Output::create(path)?;
    trace.write(b"cycle,pc,word,a,c\n")?;
    Ok(trace)
}

/// Adds a row for the next instruction.
pub fn add_row(trace: &mut Output, engine: &dyn Engine) -> Result<(), FileError> {
    let Registers { pc, a, c } = engine.registers();
    let (cycle, word) = (engine.cycle(), engine.word().0);
    trace.write(format!("{cycle},{pc:03x},{word:04x},{a:02x},{}\n", u8::from(c)).as_bytes())
}
