//! The `gray1` command: maps each subcommand to its function, and the result to an exit code.

#![warn(clippy::print_stderr)] // see `message`

mod arguments;
mod commands;
mod ending;
mod overview;
mod support;

use crate::arguments::{Arguments, Command};
use crate::commands::*;
use crate::ending::Ending;
use crate::support::files::{Fault, FileError, shown};
use crate::support::interrupt::{exit_code, is_interruption};
use crate::support::json;
use crate::support::message::{be_quiet, print_message};
use crate::support::source::SourceError;
use clap::FromArgMatches;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut all = overview::command();
    let matches = all.try_get_matches_from_mut(std::env::args_os());
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => return show_help(error, &all),
    };
    if arguments.quiet {
        be_quiet();
    }
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
        Err(error) if is_interruption(&*error) => {
            json::print_failure(&error.to_string(), place(&*error));
            ExitCode::from(exit_code())
        }
        Err(error) => match FileError::find(&*error) {
            Some(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
            file_error => {
                print_message(format_args!("gray1: {error}"));
                json::print_failure(&error.to_string(), place(&*error));
                match file_error {
                    Some(FileError { fault: Fault::OverInput | Fault::OverOutput, .. }) => ExitCode::from(2),
                    _ => ExitCode::FAILURE,
                }
            }
        },
    }
}

/// The file, and perhaps the line, that an error is about.
fn place(error: &(dyn Error + 'static)) -> Option<(String, Option<usize>)> {
    let source = error.downcast_ref::<SourceError>().map(|source| (source.file.clone(), source.line));
    source.or_else(|| Some((shown(&FileError::find(error)?.path), None)))
}

/// Prints the requested help, or the usage error. Fails if the help cannot be written, except to a closed pipe on
/// standard output.
fn show_help(error: clap::Error, all: &clap::Command) -> ExitCode {
    if error.use_stderr() {
        json::print_usage_failure(&error);
        support::source::write_stderr(&overview::error_text(error, all, support::source::has_colours()));
        return ExitCode::from(2);
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print_message(format_args!("gray1: standard output: cannot write: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
