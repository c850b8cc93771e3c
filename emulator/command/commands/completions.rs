//! `gray1 completions`: writes a shell's completion script, generated from the definition of the commands.

use crate::ending::Ending;
use crate::support::output::put;
use clap::Command;
use clap_complete::{Shell, generate};
use std::error::Error;
use std::path::Path;

#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script for `all` commands.
pub fn completions(arguments: &Arguments, mut all: Command) -> Result<Ending, Box<dyn Error>> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut all, "gray1", &mut script);
    put(Path::new("-"), &script)?;
    Ok(Ending::Done)
}
