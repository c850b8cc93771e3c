//! `--trace`: one row an instruction, the state before it runs.

use crate::files::FileError;
use crate::output::Output;
use gray1_machine::{Engine, Registers};
use std::path::Path;

/// A trace file being written.
pub struct Trace(Output);

impl Trace {
    /// Begins the file with its header.
    pub fn create(path: &Path) -> Result<Trace, FileError> {
        let mut output = Output::create(path)?;
        output.write(b"cycle,pc,word,a,c\n")?;
        Ok(Trace(output))
    }

    /// Adds the row of the instruction that the engine is about to run.
    pub fn row(&mut self, engine: &dyn Engine) -> Result<(), FileError> {
        let Registers { pc, a, c } = engine.registers();
        let (cycle, word) = (engine.cycle(), engine.word().0);
        self.0.write(format!("{cycle},{pc:03x},{word:04x},{a:02x},{}\n", u8::from(c)).as_bytes())
    }

    /// Finishes the file.
    pub fn finish(self) -> Result<(), FileError> {
        self.0.finish()
    }
}
