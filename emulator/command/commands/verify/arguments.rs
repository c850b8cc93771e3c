//! The arguments of `gray1 verify`.

use crate::support::choice::{Format, choice, format};
use crate::support::known;
use crate::support::machine::BoardArguments;
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
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
    pub names: Vec<String>,
    /// Prove what this program promises: a `.g1` source with contracts
    #[arg(long, value_name = "FILE", value_parser = known::program(), hide_possible_values = true, conflicts_with_all = ["certificate", "board", "cell"])]
    pub program: Option<PathBuf>,
    /// The format of the report
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    pub format: Format,
    /// Write a certificate with which all claims but `instructions` can be checked independently
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Report the time that each claim took, on standard error and as `seconds` in JSON
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub of_program: OfProgram,
    #[command(flatten)]
    pub board: BoardArguments,
    #[command(flatten)]
    pub assembler: AssemblerArguments,
}

/// The options for programs.
#[derive(clap::Args)]
pub struct OfProgram {
    /// Write the state and the input script of each refutation to this folder; the default is a folder for temporary
    /// files
    #[arg(long, value_name = "DIR", requires = "program")]
    pub moments: Option<PathBuf>,
    /// Write the questions whether contracts are broken to this file, as SMT-LIB for a solver, which can confirm the
    /// decision diagrams
    #[arg(long, value_name = "FILE", requires = "program", conflicts_with = "claim")]
    pub smt: Option<PathBuf>,
    /// Prove a claim about the whole program instead of its contracts
    #[arg(long, requires = "program", value_parser = choice(CLAIMS))]
    pub claim: Option<Asked>,
    /// With `--claim halts`: within this many cycles
    #[arg(long, value_name = "N", requires = "claim", value_parser = cycles)]
    pub within: Option<u64>,
    /// With `--claim same`: the other program
    #[arg(long = "as", value_name = "FILE", requires = "claim", value_parser = known::program(), hide_possible_values = true)]
    pub other: Option<PathBuf>,
    /// With `--claim same`: the same stores in the same cycles
    #[arg(long, requires = "other")]
    pub cycles: bool,
}

/// A claim about a program.
#[derive(Clone, Copy, PartialEq)]
pub enum Asked {
    Noise,
    Halts,
    Same,
}

const CLAIMS: [(&str, &str, Asked); 3] = [
    ("noise", "Nothing sent, shown or kept depends on what RAM held at power-up", Asked::Noise),
    ("halts", "The machine halts, whatever is pressed", Asked::Halts),
    ("same", "It sends the same bytes as another program, and shows the same", Asked::Same),
];
