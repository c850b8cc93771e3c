//! `gray1 verify`: proves claims about a board, or contracts and claims of a program.

mod arguments;
mod board;
mod idle;
mod program;
mod verdicts;

use crate::ending::Ending;
use crate::support::message::usage_error;
pub use arguments::Arguments;
use gray1_proof::Claim;
use gray1_text::visible;
use std::error::Error;

pub fn verify(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    match &arguments.program {
        Some(file) => program::verify(arguments, file),
        None => board::verify(arguments, &parse_claims(&arguments.names)),
    }
}

/// Finds the claims with these names. An unknown name ends the process with a usage error.
fn parse_claims(names: &[String]) -> Vec<Claim> {
    let claim = |name: &String| {
        Claim::ALL.into_iter().find(|claim| claim.wording().name == name).unwrap_or_else(|| {
            let known = Claim::ALL.map(|claim| claim.wording().name).join(", ");
            usage_error(format!("there is no claim `{}`; the claims are {known}", visible(name)))
        })
    };
    names.iter().map(claim).collect()
}
