//! The `gray1` command: maps each subcommand to the function that carries it out, and its result to an exit code.
//!
//! ```text
//!   0    the program halted, or the command did its work
//!   1    an error, explained on standard error; or `verify` has refuted a claim, `timing` a constraint, or
//!        `build --compare` that two chips are equal, or `capture` that a machine did what it should, which is their
//!        result
//!   2    a wrong command line
//!   3    a run stopped at `--max-cycles`
//!   130  interrupted
//! ```

#![warn(clippy::print_stderr)] // see `tell`

mod asm;
mod between;
mod build;
mod capture;
mod chips;
mod compare;
mod completions;
mod conditions;
mod constraints;
mod cores;
mod dap;
mod debug;
mod dis;
mod examples;
mod explain;
mod faults;
mod files;
mod fmt;
mod interrupt;
mod lifetimes;
mod lsp;
mod machine;
mod manual;
mod message;
mod outlook;
mod output;
mod page;
mod program;
mod progress;
mod run;
mod safe_map;
mod schematic;
mod search;
mod selftest;
mod session;
mod source;
mod stats;
mod survive;
mod tell;
mod timing;
mod trace;
mod tree;
mod units;
mod vectors;
mod verify;
mod watch;
mod wave;
mod why;

use crate::files::FileError;
use crate::interrupt::Interrupted;
use crate::tell::tell;
use clap::{Parser, Subcommand};
use gray1_machine::Stop;
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
    /// Help with writing programs in an editor (Language Server Protocol)
    Lsp(lsp::Arguments),
    /// Run programs that solve the same problem, check that they agree, and show what each one costs
    Compare(compare::Arguments),
    /// Write what a shell needs to complete the command line
    Completions(completions::Arguments),
    /// List the programs that are shipped, or write them to a folder
    Examples(examples::Arguments),
    /// Explain an error or a warning of the assembler
    Explain(explain::Arguments),
    /// Format sources in the standard layout
    Fmt(fmt::Arguments),
    /// Show the board: every chip, its wires, and what is burned into it
    Chips(chips::Arguments),
    /// Write what it takes to build the machine: chips, parts, boards, bring-up, self-test, FPGA; or compare a chip
    Build(build::Arguments),
    /// Write the pages of the manual
    #[command(hide = true)]
    Manual(manual::Arguments),
    /// Put a program into the page that runs the machine in a browser: one file to hand on
    Page(page::Arguments),
    /// Try which faults of a machine the self-test finds, or find the fault that fits what a machine has sent
    Faults(faults::Arguments),
    /// Compare what a logic analyser saw with what it should have seen
    Capture(capture::Arguments),
    /// Find the shortest sequences of instructions that compute something, and show that there are none shorter
    Search(search::Arguments),
    /// Measure how long a program runs on chips with transients, without and with capacitors
    Survive(survive::Arguments),
    /// Compute how fast the board may run, and what to replace to make it faster
    Timing(timing::Arguments),
    /// Show what a program searches as a tree, each node a moment of its run
    Tree(tree::Arguments),
    /// Write single instructions and programs with their traces, to test other emulators with
    Vectors(vectors::Arguments),
    /// Prove what holds for the board whatever the delays of its chips
    Verify(verify::Arguments),
    /// Find why a net, a byte or an LED is as it is: the chain of chips, addresses and cells
    Why(why::Arguments),
}

/// How a command ended if it did not end with an error.
enum Ending {
    Done,
    MaxCycles,
    Interrupted,
    Refuted,
    /// A source has errors that have already been reported completely, so no summary is printed.
    NotAssembled,
}

impl From<Stop> for Ending {
    fn from(stop: Stop) -> Ending {
        match stop {
            Stop::Halted | Stop::Quit => Ending::Done,
            Stop::Limit => Ending::MaxCycles,
            Stop::Interrupted => Ending::Interrupted,
        }
    }
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
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Examples(arguments) => examples::examples(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Fmt(arguments) => fmt::fmt(&arguments),
        Command::Chips(arguments) => chips::chips(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Manual(arguments) => manual::manual(&arguments),
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
        Err(error) if error.is::<Interrupted>() => ExitCode::from(130),
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

/// Prints the help that was asked for, or what is wrong with the command line. Help that cannot be written is an error,
/// unless the reader of standard output has gone away.
fn show_help(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(format_args!("gray1: standard output: cannot write: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
    }
}
