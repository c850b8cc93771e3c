//! `gray1 completions`: writes a shell's completion script, generated from the definitions of the commands. For
//! programs, the script offers files and the shipped programs.

use crate::ending::Ending;
use crate::support::completion::programs;
use crate::support::files::print;
use clap::{Arg, Command, ValueHint};
use clap_complete::{Shell, generate};
use std::error::Error;

#[derive(clap::Args)]
pub struct Arguments {
    /// The shell to write a script for
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script for `all` commands.
pub fn completions(arguments: &Arguments, all: Command) -> Result<Ending, Box<dyn Error>> {
    let program_commands = all.get_subcommands().filter(|sub| sub.get_arguments().any(is_program));
    let program_commands: Vec<String> = program_commands.map(name).collect();
    let mut all = if arguments.shell == Shell::Zsh { with_hints(all) } else { all };
    let mut script = Vec::new();
    generate(arguments.shell, &mut all, "gray1", &mut script);
    let script = String::from_utf8_lossy(&script);
    let programs = programs().join(" ");
    let script = match arguments.shell {
        // The generator offers files or words, but not both.
        Shell::Zsh => {
            let both = format!(
                "_gray1_programs() {{\n    _alternative 'programs:shipped program:({programs})' 'files:file:_files'\n}}\n"
            );
            script.replace(PLACEHOLDER, "_gray1_programs").replacen("\n", &format!("\n\n{both}"), 1)
        }
        // The generator knows only options.
        Shell::Fish => {
            let commands = program_commands.join(" ");
            format!(
                "{script}complete -c gray1 -n \"__fish_seen_subcommand_from {commands}\" -a \"{programs}\"\n"
            )
        }
        _ => script.into_owned(),
    };
    print(script.as_bytes())?;
    Ok(Ending::Done)
}

/// The zsh generator's output for the hint of [`with_hints`], which no other argument has.
const PLACEHOLDER: &str = "_users";

/// Replaces the names of programs by a hint.
fn with_hints(all: Command) -> Command {
    let names: Vec<String> = all.get_subcommands().map(name).collect();
    names.into_iter().fold(all, |all, name| {
        all.mut_subcommand(name, |sub| {
            sub.mut_args(|arg| {
                if is_program(&arg) {
                    arg.value_parser(clap::value_parser!(String)).value_hint(ValueHint::Username)
                } else {
                    arg
                }
            })
        })
    })
}

fn name(command: &Command) -> String {
    command.get_name().to_owned()
}

/// Whether an argument is a program: a file, or the name of a shipped program.
fn is_program(arg: &Arg) -> bool {
    let is_file = arg.get_value_hint() == ValueHint::AnyPath;
    is_file && !arg.get_possible_values().is_empty()
}
