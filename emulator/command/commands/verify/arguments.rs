//! The arguments of `gray1 verify`.

use crate::support::choice::{Format, choice, format};
use crate::support::completion;
use crate::support::machine::BoardArguments;
use crate::support::numbers::cycles;
use crate::support::source::AssemblerArguments;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The claims about the board to prove or, with --program, the contracts; the default is all
    ///
    /// Claims about the board:
    /// loops (every storage loop keeps its value at all addresses of T(A,B)),
    /// order (each phase ends in the same state, whatever the order in which chips and lines react),
    /// instructions (the board computes the instruction set),
    /// strobes (the nets that open a latch, write to RAM or send a byte change only in their phases),
    /// reset (pressing the button at any moment corrupts nothing, and the machine restarts at address 0)
    #[arg(value_name = "CLAIM|NAME", value_parser = completion::claim(), hide_possible_values = true)]
    pub names: Vec<String>,
    /// Prove the contracts of this program, a `.g1` source
    #[arg(long, value_name = "FILE", value_parser = completion::program(), hide_possible_values = true, conflicts_with_all = ["certificate", "board", "cell"])]
    pub program: Option<PathBuf>,
    /// The format of the report
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    pub format: Format,
    /// Write a certificate, which allows all claims but `instructions` to be checked independently
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    #[command(flatten)]
    pub program_options: ProgramOptions,
    #[command(flatten)]
    pub board: BoardArguments,
    #[command(flatten)]
    pub assembler: AssemblerArguments,
}

/// The options for programs.
#[derive(clap::Args)]
pub struct ProgramOptions {
    /// Write the state and the input script of each counterexample to this folder; the default is a temporary folder
    #[arg(long, alias = "moments", value_name = "DIR", requires = "program")]
    pub witness_dir: Option<PathBuf>,
    /// Prove a claim about the whole program instead of its contracts
    #[arg(long, requires = "program", value_parser = choice(CLAIMS))]
    pub claim: Option<ProgramClaim>,
    /// With `--claim halts`, require a halt within this many cycles
    #[arg(long, value_name = "N", requires = "claim", value_parser = cycles)]
    pub within: Option<u64>,
    /// With `--claim same`, compare with this program
    #[arg(long = "as", value_name = "FILE", requires = "claim", value_parser = completion::program(), hide_possible_values = true)]
    pub other: Option<PathBuf>,
    /// With `--claim same`, require the same stores in the same cycles
    #[arg(long, requires = "other")]
    pub cycles: bool,
}

/// A claim about a program.
#[derive(Clone, Copy, PartialEq)]
pub enum ProgramClaim {
    Noise,
    Halts,
    Same,
}

const CLAIMS: [(&str, &str, ProgramClaim); 3] = [
    ("noise", "Output, display and final state do not depend on RAM at power-up", ProgramClaim::Noise),
    ("halts", "The machine halts for all inputs", ProgramClaim::Halts),
    ("same", "The program sends and displays the same as another program", ProgramClaim::Same),
];
