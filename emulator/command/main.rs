//! The `gray1` command: maps each subcommand to the function that carries it out, and its result to an exit code of
//! `overview`.

#![warn(clippy::print_stderr)] // see `tell`

mod arguments;
mod commands;
mod ending;
mod overview;
mod support;
mod tell;

use crate::arguments::{Arguments, Command};
use crate::commands::*;
use crate::ending::Ending;
use crate::support::files::FileError;
use crate::support::interrupt::{exit_code, is_interruption};
use crate::tell::tell;
use clap::FromArgMatches;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut all = overview::command();
    let matches = all.try_get_matches_from_mut(std::env::args_os());
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return show_help(error, &all),
    };
    let ending = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Asm(arguments) => asm::asm(&arguments),
        Command::Dis(arguments) => dis::dis(&arguments),
        Command::Debug(arguments) => debug::debug(&arguments),
        Command::Dap(arguments) => dap::dap(&arguments),
        Command::Lsp(arguments) => lsp::lsp(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments, all),
        Command::Examples(arguments) => examples::examples(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Fmt(arguments) => fmt::fmt(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Chips(arguments) => chips::chips(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Page(arguments) => page::page(&arguments),
        Command::Faults(arguments) => faults::faults(&arguments),
        Command::Capture(arguments) => capture::capture(&arguments),
        Command::Search(arguments) => search::search(&arguments),
        Command::Timing(arguments) => timing::timing(&arguments),
        Command::Tree(arguments) => tree::tree(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Why(arguments) => why::why(&arguments),
    };
    match ending {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::MaxCycles) => ExitCode::from(3),
        Ok(Ending::Interrupted) => ExitCode::from(exit_code()),
        Ok(Ending::Refuted | Ending::NotAssembled) => ExitCode::FAILURE,
        Err(error) if is_interruption(&*error) => ExitCode::from(exit_code()),
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
fn show_help(error: clap::Error, all: &clap::Command) -> ExitCode {
    if error.use_stderr() {
        support::source::say_text(&overview::error_text(error, all, support::source::has_colours()));
        return ExitCode::from(2);
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(format_args!("gray1: standard output: cannot write: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
