//! The `gray1` command: maps each subcommand to the function that carries it out, and its result to an exit code.
//!
//! ```text
//!   0    the program halted, or the command succeeded
//!   1    an error, explained on standard error; or a negative result: a claim that `verify` does not prove, a
//!        constraint of `timing` that does not hold, a difference found by `build --compare` or `capture`, or a
//!        `search` that finds nothing
//!   2    a wrong command line
//!   3    a run stopped at `--max-cycles`
//!   130  interrupted
//! ```

#![warn(clippy::print_stderr)] // see `tell`

mod commands;
mod ending;
mod support;
mod tell;

use crate::commands::*;
use crate::ending::Ending;
use crate::support::files::FileError;
use crate::support::interrupt::is_interruption;
use crate::tell::tell;
use clap::{CommandFactory, Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;

/// Emulator, assembler and debugger for the Gray-1, a computer made of memory chips only.
#[derive(Parser)]
#[command(name = "gray1", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a program
    Run(run::Arguments),
    /// Assemble a program
    Asm(asm::Arguments),
    /// Disassemble an image to source that assembles to the same image
    Dis(dis::Arguments),
    /// Step through a run, forwards and backwards
    Debug(debug::Arguments),
    /// Debug from an editor: a server for the Debug Adapter Protocol
    Dap(dap::Arguments),
    /// Write programs in an editor: a server for the Language Server Protocol
    Lsp(lsp::Arguments),
    /// Judge attempts at the exercises of the lessons, as the page does: files, folders, answers that were handed in
    Check(check::Arguments),
    /// Run programs that solve the same problem, check that they agree, and show what each one costs
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
    /// Write all files to build the machine: chips, parts, boards, bring-up, self-test, FPGA; or compare a chip
    Build(build::Arguments),
    /// Write the pages of the manual
    #[command(hide = true)]
    Manual(manual::Arguments),
    /// Put a program into the page that runs the machine in a browser: a single file to share
    Page(page::Arguments),
    /// Try which faults of a machine the self-test finds, or find the fault that explains what a machine has sent
    Faults(faults::Arguments),
    /// Compare what a logic analyser has recorded from a machine with a run
    Capture(capture::Arguments),
    /// Find the shortest sequences of instructions that compute something, and prove that there are none shorter
    Search(search::Arguments),
    /// Measure how long a program runs on chips with transients, without and with capacitors
    Survive(survive::Arguments),
    /// Compute how fast the board can run, and which chips to replace to make it faster
    Timing(timing::Arguments),
    /// Show the search of a program as a tree, in which each node is a moment of its run
    Tree(tree::Arguments),
    /// Write test vectors for other emulators: single instructions, and programs with their traces
    Vectors(vectors::Arguments),
    /// Prove claims about the board that hold whatever the delays of its chips
    Verify(verify::Arguments),
    /// Find the causes of the level of a net, a byte or an LED: the chain of chips, addresses and cells
    Why(why::Arguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return show_help(&error),
    };
    let ending = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Asm(arguments) => asm::asm(&arguments),
        Command::Dis(arguments) => dis::dis(&arguments),
        Command::Debug(arguments) => debug::debug(&arguments),
        Command::Dap(arguments) => dap::dap(&arguments),
        Command::Lsp(arguments) => lsp::lsp(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments, Arguments::command()),
        Command::Examples(arguments) => examples::examples(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Fmt(arguments) => fmt::fmt(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Chips(arguments) => chips::chips(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Manual(arguments) => manual::manual(&arguments, Arguments::command()),
        Command::Page(arguments) => page::page(&arguments),
        Command::Faults(arguments) => faults::faults(&arguments),
        Command::Capture(arguments) => capture::capture(&arguments),
        Command::Search(arguments) => search::search(&arguments),
        Command::Survive(arguments) => survive::survive(&arguments),
        Command::Timing(arguments) => timing::timing(&arguments),
        Command::Tree(arguments) => tree::tree(&arguments),
        Command::Vectors(arguments) => vectors::vectors(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Why(arguments) => why::why(&arguments),
    };
    match ending {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::MaxCycles) => ExitCode::from(3),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        Ok(Ending::Refuted | Ending::NotAssembled) => ExitCode::FAILURE,
        Err(error) if is_interruption(&*error) => ExitCode::from(130),
        Err(error) => match FileError::of(&*error) {
            Some(error) if error.is_unread() => ExitCode::SUCCESS,
            file_error => {
                tell(format_args!("gray1: {error}"));
                match file_error {
                    Some(FileError::OverInput { .. } | FileError::OverOutput { .. }) => ExitCode::from(2),
                    _ => ExitCode::FAILURE,
                }
            }
        },
    }
}

/// Prints the requested help, or the usage error. Help that cannot be written is an error, unless the pipe on standard
/// output is closed.
fn show_help(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(format_args!("gray1: standard output: cannot write: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
    }
}
