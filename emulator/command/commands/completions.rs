//! `gray1 completions`: writes a shell's completion script, generated from the definition of the commands.

use crate::ending::Ending;
use crate::support::files::print;
use clap::Command;
use clap_complete::{Shell, generate};
use std::error::Error;

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
    print(&script)?;
    Ok(Ending::Done)
}
