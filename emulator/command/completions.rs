//! `gray1 completions`: writes a shell's completion script, generated from the definition of the commands.

use crate::Ending;
use crate::output::put;
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::error::Error;
use std::path::Path;

#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn completions(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut crate::Arguments::command(), "gray1", &mut script);
    put(Path::new("-"), &script)?;
    Ok(Ending::Done)
}
