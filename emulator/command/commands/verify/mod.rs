//! `gray1 verify`: proves claims about a board, or contracts and claims of a program.

mod arguments;
mod board;
mod idle;
mod program;
mod solver;
mod verdicts;

use crate::ending::Ending;
use crate::support::choice::choice;
pub use arguments::Arguments;
use board::CLAIMS;
use clap::builder::TypedValueParser;
use clap::{CommandFactory, Parser};
use std::error::Error;
use std::ffi::OsStr;

pub fn verify(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    match &arguments.program {
        Some(file) => program::verify(arguments, file),
        None => board::verify(arguments, &claims(&arguments.names)),
    }
}

/// The claims of these names; others end the process with the usual message.
fn claims(names: &[String]) -> Vec<gray1_proof::Claim> {
    /// Stands for `gray1 verify`, for messages.
    #[derive(Parser)]
    #[command(name = "verify", bin_name = "gray1 verify")]
    struct Stand {
        #[arg(value_parser = choice(CLAIMS))]
        claims: Vec<gray1_proof::Claim>,
    }
    let command = Stand::command();
    let argument = command.get_arguments().find(|argument| argument.get_id() == "claims");
    let claim = |name: &String| choice(CLAIMS).parse_ref(&command, argument, OsStr::new(name));
    names.iter().map(claim).collect::<Result<_, _>>().unwrap_or_else(|error| error.exit())
}
