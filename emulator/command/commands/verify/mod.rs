//! `gray1 verify`: proves claims about a board, or contracts and claims of a program.

mod arguments;
mod board;
mod idle;
mod program;
mod verdicts;

use crate::ending::Ending;
use crate::support::choice::choice;
use crate::support::json;
pub use arguments::Arguments;
use board::CLAIMS;
use clap::builder::TypedValueParser;
use clap::{CommandFactory, Parser};
use std::error::Error;
use std::ffi::OsStr;

pub fn verify(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    match &arguments.program {
        Some(file) => program::verify(arguments, file),
        None => board::verify(arguments, &parse_claims(&arguments.names)),
    }
}

/// Parses the names of claims. An invalid name ends the process with a usage error.
fn parse_claims(names: &[String]) -> Vec<gray1_proof::Claim> {
    /// Imitates `gray1 verify` for the messages of the parser.
    #[derive(Parser)]
    #[command(name = "verify", bin_name = "gray1 verify")]
    struct ClaimParser {
        #[arg(value_parser = choice(CLAIMS))]
        claims: Vec<gray1_proof::Claim>,
    }
    let command = ClaimParser::command();
    let argument = command.get_arguments().find(|argument| argument.get_id() == "claims");
    let claim = |name: &String| choice(CLAIMS).parse_ref(&command, argument, OsStr::new(name));
    names.iter().map(claim).collect::<Result<_, _>>().unwrap_or_else(|error| {
        json::print_usage_failure(&error);
        error.exit()
    })
}
