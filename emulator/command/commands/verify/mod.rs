//! `gray1 verify`: proves claims about a board, or contracts and claims of a program.

mod board;
mod program;
mod solver;

use crate::ending::Ending;
use crate::support::choice::{Format, choice, format};
use crate::support::known;
use crate::support::machine::BoardArguments;
use crate::support::source::AssemblerArguments;
use board::CLAIMS;
use clap::builder::TypedValueParser;
use clap::{CommandFactory, Parser};
use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The claims about the board to prove, or with --program the names of contracts; the default is all of them
    ///
    /// Claims about the board:
    /// loops (every storage loop keeps its value at all addresses of T(A,B)),
    /// order (in whatever order chips and lines react, each phase ends in the same state),
    /// instructions (the board computes the instruction set),
    /// strobes (the nets that open a latch, write to RAM or send a byte change only as their phases allow),
    /// reset (pressed at any moment, the button loses nothing, and a reset leads to address 0)
    #[arg(value_name = "CLAIM|NAME")]
    names: Vec<String>,
    /// Prove what this program promises: a `.g1` source with contracts
    #[arg(long, value_name = "FILE", value_parser = known::program(), hide_possible_values = true, conflicts_with_all = ["certificate", "mutants", "board", "cell"])]
    program: Option<PathBuf>,
    /// The format of the report
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    format: Format,
    /// Write a certificate with which all claims but `instructions` can be checked independently
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also plant this many wrong cells, one at a time, and report how many of these boards are refuted
    #[arg(long, value_name = "N")]
    mutants: Option<usize>,
    /// Which wrong cells are planted
    #[arg(long, value_name = "N", default_value_t = 1, requires = "mutants")]
    seed: u64,
    /// Report the time that each claim took, on standard error and as `seconds` in JSON
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    of_program: program::Arguments,
    #[command(flatten)]
    board: BoardArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

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
