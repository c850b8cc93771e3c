//! `gray1 manual`: writes a manual page for each command, generated from the definition of the commands, their examples
//! and the tables of keys.

use crate::ending::Ending;
use crate::overview::{EXIT_CODES, examples, is_option};
use crate::support::output::put_all;
use clap::{Arg, ArgAction, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use gray1_workbench::keys::KEYS;
use std::error::Error;
use std::io;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Write the pages to this folder, such as ~/.local/share/man/man1
    dir: PathBuf,
}

/// Writes the pages of `all` commands.
pub fn manual(arguments: &Arguments, all: Command) -> Result<Ending, Box<dyn Error>> {
    let pages = pages(all)?;
    put_all(&arguments.dir, pages.iter().map(|(name, page)| (name.as_str(), page.as_slice())))?;
    Ok(Ending::Done)
}

/// The file and the text of each page.
fn pages(all: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = all;
    all.build();
    let visible =
        all.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    let visible = visible.cloned();
    let commands = visible.chain([all.clone()]);
    commands.map(|command| Ok((format!("{}.1", title(&command)), page(command)?))).collect()
}

fn title(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let (is_all, has_version) = (command.has_subcommands(), command.get_version().is_some());
    let (name, synopsis, keys) =
        (command.get_name().to_owned(), synopsis(&command), keys(command.get_name()));
    let man = Man::new(command).manual("Gray-1");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis.to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if is_all {
        man.render_subcommands_section(&mut page)?;
    }
    section("KEYS", keys.iter().map(|(key, meaning)| (key.as_str(), *meaning))).to_writer(&mut page)?;
    section("EXAMPLES", examples(&name).iter().copied()).to_writer(&mut page)?;
    section("EXIT STATUS", EXIT_CODES.into_iter()).to_writer(&mut page)?;
    if has_version {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The usage with every option and its value.
fn synopsis(command: &Command) -> Roff {
    let mut words = vec![bold(title(command).replacen('-', " ", 1))];
    let shown =
        |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_action(), ArgAction::Help | ArgAction::Version);
    let (places, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|arg| arg.is_positional());
    for arg in options {
        words.push(roman(" ["));
        let short = arg.get_short().map(|short| format!("-{short}"));
        words.push(bold(arg.get_long().map_or(short.unwrap_or_default(), |long| format!("--{long}"))));
        if is_option(arg) {
            words.push(roman(" "));
            words.push(italic(values(arg)));
        }
        words.push(roman("]"));
    }
    for arg in places {
        let (open, close) = if arg.is_required_set() { ("", "") } else { ("[", "]") };
        let many = if arg.get_num_args().is_some_and(|count| count.max_values() > 1) { "..." } else { "" };
        words.extend([roman(format!(" {open}")), italic(values(arg)), roman(format!("{many}{close}"))]);
    }
    if command.has_subcommands() {
        words.extend([roman(" "), italic("COMMAND"), roman(" ...")]);
    }
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text(words);
    roff
}

/// The names of the values of an argument; for a choice between words, these.
fn values(arg: &Arg) -> String {
    let choices = arg.get_possible_values();
    if !arg.is_hide_possible_values_set() && (1..=6).contains(&choices.len()) {
        return choices.iter().map(|choice| choice.get_name()).collect::<Vec<_>>().join("|");
    }
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The keys of a command that has a screen.
fn keys(command: &str) -> Vec<(String, &'static str)> {
    match command {
        "run" => gray1_display::controls::help(false),
        "debug" => {
            let keys = KEYS.iter().flat_map(|group| group.bindings);
            keys.map(|binding| (binding.key.to_owned(), binding.about)).collect()
        }
        _ => Vec::new(),
    }
}

/// A section of terms with explanations; nothing if there are none.
fn section<'a>(heading: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) -> Roff {
    let mut roff = Roff::new();
    for (index, (term, meaning)) in rows.enumerate() {
        if index == 0 {
            roff.control("SH", [heading]);
        }
        roff.control("TP", []);
        roff.text([bold(term)] as [Inline; 1]);
        roff.text([roman(meaning)] as [Inline; 1]);
    }
    roff
}
