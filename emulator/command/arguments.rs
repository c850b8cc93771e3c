//! The subcommands of `gray1`, with their summaries for the help.

use crate::commands::*;
use clap::{Parser, Subcommand};

/// The Gray-1, a computer made of memory chips only: emulator, assembler, debugger.
#[derive(Parser)]
#[command(name = "gray1", version, propagate_version = true, arg_required_else_help = true)]
pub struct Arguments {
    /// Print nothing on standard error but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a program and show its LEDs
    Run(run::Arguments),
    /// Assemble a program
    Asm(asm::Arguments),
    /// Disassemble an image to source that assembles to the same image
    Dis(dis::Arguments),
    /// Step through a run, forwards and backwards
    Debug(debug::Arguments),
    /// Start a Debug Adapter Protocol server for an editor
    Dap(dap::Arguments),
    /// Start a Language Server Protocol server for an editor
    Lsp(lsp::Arguments),
    /// Judge a class's hand-ins for the exercises of the lessons
    Check(check::Arguments),
    /// Compare the results and costs of programs for the same problem
    Compare(compare::Arguments),
    /// Write a completion script for a shell
    Completions(completions::Arguments),
    /// List the shipped programs, or write them to a folder
    Examples(examples::Arguments),
    /// Explain an error or a warning of the assembler
    Explain(explain::Arguments),
    /// Format source files in the standard layout
    Fmt(fmt::Arguments),
    /// Show the board: chips, wires and ROM contents
    Chips(chips::Arguments),
    /// Write all files for building the machine, or check a burned chip
    Build(build::Arguments),
    /// Make a web page that runs a program in a browser
    Page(page::Arguments),
    /// Measure which faults a test detects, or diagnose a machine
    Faults(faults::Arguments),
    /// Compare a logic analyser's recording with a run
    Capture(capture::Arguments),
    /// Find the shortest loop-free code for a formula
    Search(search::Arguments),
    /// Compute the board's maximum speed, and the chips that limit it
    Timing(timing::Arguments),
    /// Show a program's search as a tree
    Tree(tree::Arguments),
    /// Prove claims about the board or the contracts of a program
    Verify(verify::Arguments),
    /// Explain the level of a net, a byte or an LED
    Why(why::Arguments),
}
