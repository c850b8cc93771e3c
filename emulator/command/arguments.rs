//! The subcommands of `gray1`, and what the help says of each.

use crate::commands::*;
use clap::{Parser, Subcommand};

/// The Gray-1, a computer made of memory chips only: emulator, assembler, debugger.
#[derive(Parser)]
#[command(name = "gray1", version, propagate_version = true, arg_required_else_help = true)]
pub struct Arguments {
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
    /// Debug from an editor: a server for the Debug Adapter Protocol
    Dap(dap::Arguments),
    /// Write in an editor: a server for the Language Server Protocol
    Lsp(lsp::Arguments),
    /// Judge what a class handed in for the exercises of the lessons
    Check(check::Arguments),
    /// Compare programs for the same problem: results and costs
    Compare(compare::Arguments),
    /// Write a completion script for a shell
    Completions(completions::Arguments),
    /// List the programs that are shipped, or write them to a folder
    Examples(examples::Arguments),
    /// Explain an error or a warning of the assembler
    Explain(explain::Arguments),
    /// Format sources in the standard layout
    Fmt(fmt::Arguments),
    /// Show the board: every chip, its wires, and what is burned into it
    Chips(chips::Arguments),
    /// Write all files to build the machine; or compare a burned chip
    Build(build::Arguments),
    /// Put a program into a page that runs the machine in a browser
    Page(page::Arguments),
    /// Try which faults a test finds, or find the fault of a machine
    Faults(faults::Arguments),
    /// Compare what a logic analyser recorded with a run
    Capture(capture::Arguments),
    /// Find the shortest instructions for a formula, without loops
    Search(search::Arguments),
    /// Compute how fast the board can run, and which chips limit it
    Timing(timing::Arguments),
    /// Show the search of a program as a tree
    Tree(tree::Arguments),
    /// Prove claims about the board, for all delays of chips and lines
    Verify(verify::Arguments),
    /// Find why a net, a byte or an LED is as it is: chips and cells
    Why(why::Arguments),
}
