//! `gray1 completions`: writes a shell's completion script, generated from the definition of the commands. Besides the
//! files that every shell knows, a program may be a shipped one.

use crate::ending::Ending;
use crate::support::files::print;
use crate::support::known::programs;
use clap::{Arg, Command, ValueHint};
use clap_complete::{Shell, generate};
use std::error::Error;

#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script for `all` commands.
pub fn completions(arguments: &Arguments, all: Command) -> Result<Ending, Box<dyn Error>> {
    let takers = all.get_subcommands().filter(|sub| sub.get_arguments().any(is_program));
    let takers: Vec<String> = takers.map(name).collect();
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
            let seen = takers.join(" ");
            format!("{script}complete -c gray1 -n \"__fish_seen_subcommand_from {seen}\" -a \"{programs}\"\n")
        }
        _ => script.into_owned(),
    };
    print(script.as_bytes())?;
    Ok(Ending::Done)
}

/// What the zsh generator writes for the hint that [`with_hints`] uses, which no argument has otherwise.
const PLACEHOLDER: &str = "_users";

/// The commands, with a hint for programs instead of their names.
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

/// Whether an argument is a file, and the names of shipped programs are offered for it.
fn is_program(arg: &Arg) -> bool {
    let is_file = arg.get_value_hint() == ValueHint::AnyPath;
    is_file && !arg.get_possible_values().is_empty()
}
