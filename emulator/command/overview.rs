//! The commands as people meet them: in groups, with examples, and with one prefix and right advice for errors.
//! `--help` and the completions are made from this.

use crate::arguments::Arguments;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use gray1_assembler::closest;
use std::fmt::Write;

/// What to try first.
const FIRST: [(&str, &str); 3] = [
    ("gray1 run queens", "watch the machine place eight queens, on its LEDs"),
    ("gray1 debug queens", "step through it, forwards and backwards"),
    ("gray1 examples my", "write the programs to a folder `my`, to change them"),
];

/// The groups of the help. A command that none of them names is listed with the last one.
const GROUPS: [(&str, &[&str]); 6] = [
    ("See it", &["run", "tree", "examples", "page"]),
    ("Write programs", &["asm", "explain", "fmt", "compare", "search", "check"]),
    ("Understand a run", &["debug", "why", "chips"]),
    ("Prove and measure", &["verify", "timing"]),
    ("Build it", &["build", "capture", "faults"]),
    ("Tools", &["dis", "lsp", "dap", "completions"]),
];

/// Examples of each command; a test runs them.
const EXAMPLES: [(&str, &[(&str, &str)]); 20] = [
    (
        "run",
        &[
            ("gray1 run queens", "watch the search, in a window or in the terminal"),
            ("gray1 run queens --display none --stats", "only its solutions, and what they cost"),
            ("gray1 run first --trace first.csv", "a row for each instruction"),
        ],
    ),
    ("tree", &[("gray1 tree queens --levels 2", "the search as a tree")]),
    ("examples", &[("gray1 examples", "list them"), ("gray1 examples my queens", "write one to a folder")]),
    ("asm", &[("gray1 asm first --format listing -o -", "every word, and what it costs")]),
    ("explain", &[("gray1 explain forgotten-hash", "what a warning means")]),
    ("compare", &[("gray1 compare queens queens-bits", "two programs for one problem")]),
    ("search", &[("gray1 search \"a = a + x\"", "the shortest instructions for a formula")]),
    ("check", &[("gray1 check 5.1 hand-ins", "judge what a class handed in for an exercise")]),
    ("debug", &[("gray1 debug queens", "step through a run")]),
    (
        "why",
        &[
            ("gray1 why first \"red 0,0\"", "why an LED is as it is at the end of the run"),
            ("gray1 why first --cycle 2 A3", "why a net has its level in a cycle"),
        ],
    ),
    (
        "chips",
        &[("gray1 chips", "all chips and their wires"), ("gray1 chips ALUL --at 0x2AA", "a cell of a chip")],
    ),
    ("verify", &[("gray1 verify loops", "no storage loop can lose its value")]),
    ("timing", &[("gray1 timing", "how fast the board can run")]),
    ("build", &[("gray1 build machine --program first", "all files to build the machine")]),
    ("faults", &[("gray1 faults first --count 2", "whether a program shows the faults of a machine")]),
    ("completions", &[("gray1 completions bash", "the script for bash")]),
    ("fmt", &[("gray1 fmt --check my/queens.g1", "whether a source is in the standard layout")]),
    ("dis", &[("gray1 dis queens.bin", "source from an image")]),
    ("page", &[("gray1 page queens -o queens.html", "the machine and a program in one file for browsers")]),
    (
        "capture",
        &[("gray1 capture seen.csv --program queens", "what a logic analyser saw, and should have seen")],
    ),
];

/// What other programs call an option or a command, and its name here.
const SYNONYMS: [(&str, &str); 14] = [
    ("--speed", "--hz"),
    ("--frequency", "--hz"),
    ("--limit", "--max-cycles"),
    ("--steps", "--max-cycles"),
    ("--noise", "--ram"),
    ("--out", "--output"),
    ("assemble", "asm"),
    ("compile", "asm"),
    ("disassemble", "dis"),
    ("format", "fmt"),
    ("start", "run"),
    ("step", "debug"),
    ("prove", "verify"),
    ("list", "examples"),
];

/// All commands.
pub fn command() -> Command {
    let mut all = Arguments::command();
    let names: Vec<String> = all.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let examples = examples(&name);
        all = all.mut_subcommand(name, |sub| {
            // A negative number is the value of the option before it, and is judged there.
            let sub =
                sub.mut_args(|arg| if is_option(&arg) { arg.allow_negative_numbers(true) } else { arg });
            let text = format!("Examples:\n{}", columns(examples).trim_end());
            if examples.is_empty() { sub } else { sub.after_long_help(text) }
        });
    }
    let groups = groups(&all);
    all.help_template(format!(
        "{{about-with-newline}}\n{}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n",
        columns(&FIRST)
    ))
}

/// The examples of a command.
fn examples(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// Whether an argument is an option that takes a value.
fn is_option(arg: &Arg) -> bool {
    !arg.is_positional() && arg.get_action().takes_values()
}

/// Two columns.
fn columns(rows: &[(&str, &str)]) -> String {
    let width = rows.iter().map(|(left, _)| left.len()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (left, right)| {
        let _ = writeln!(text, "  {left:width$}  {right}");
        text
    })
}

/// The commands in their groups.
fn groups(all: &Command) -> String {
    let is_named = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let visible: Vec<(&str, String)> = all
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set())
        .map(|sub| (sub.get_name(), sub.get_about().map(ToString::to_string).unwrap_or_default()))
        .collect();
    let width = visible.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let last = GROUPS.len() - 1;
    let mut text = String::new();
    for (index, (heading, names)) in GROUPS.iter().enumerate() {
        let _ = writeln!(text, "{heading}:");
        let named = names.iter().filter_map(|name| visible.iter().find(|(visible, _)| visible == name));
        let others = visible.iter().filter(|(name, _)| index == last && !is_named(name));
        for (name, about) in named.chain(others) {
            let _ = writeln!(text, "  {name:width$}  {about}");
        }
        text += "\n";
    }
    text
}

/// The text of a usage error, with the prefix of all errors and advice that helps.
pub fn error_text(mut error: clap::Error, all: &Command, has_colours: bool) -> String {
    advise(&mut error, all);
    let text = error.render();
    let text = if has_colours { text.ansi().to_string() } else { text.to_string() };
    text.replacen("error:", "gray1:", 1)
}

/// Replaces the advice in an error by one that is right.
fn advise(error: &mut clap::Error, all: &Command) {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let strings = |meant: String| ContextValue::Strings(vec![meant]);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let given = given(ContextKind::InvalidSubcommand);
            error.remove(ContextKind::SuggestedSubcommand);
            if given == "version" {
                let tip = "`gray1 --version` prints the version";
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            } else if let Some(meant) = meant(&given, visible_commands(all)) {
                error.insert(ContextKind::SuggestedSubcommand, strings(meant.to_owned()));
            }
        }
        ErrorKind::UnknownArgument => {
            let given = given(ContextKind::InvalidArg);
            let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
            let sub = all.get_subcommands().find(|sub| usage.contains(&format!("gray1 {}", sub.get_name())));
            let names: Vec<String> = sub
                .into_iter()
                .flat_map(Command::get_arguments)
                .filter(|arg| !arg.is_hide_set())
                .filter_map(|arg| Some(format!("--{}", arg.get_long()?)))
                .collect();
            error.remove(ContextKind::SuggestedArg);
            if let Some(meant) = meant(&given, names.iter().map(String::as_str)) {
                error.remove(ContextKind::Suggested);
                // The usage had the option that was suggested before.
                if let Some(usage) = sub.map(|sub| sub.clone().render_usage()) {
                    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
                }
                error.insert(ContextKind::SuggestedArg, ContextValue::String(meant.to_owned()));
            }
        }
        _ => {}
    }
}

fn visible_commands(all: &Command) -> impl Iterator<Item = &str> {
    all.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name)
}

/// The name that was probably meant: one for which this is another word, or the one with the most similar letters.
fn meant<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.collect();
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == given).map(|(_, name)| *name);
    let synonym = names.iter().copied().find(|name| Some(*name) == synonym);
    let bare = |name: &'a str| name.trim_start_matches('-');
    let near = || {
        let near = closest(given.trim_start_matches('-'), names.iter().map(|name| bare(name)))?;
        names.iter().copied().find(|name| bare(name) == near)
    };
    synonym.or_else(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_named_exists_and_every_one_but_servers_has_an_example() {
        let all = command();
        let exists = |name: &str| name == "check" || visible_commands(&all).any(|visible| visible == name);
        assert!(GROUPS.iter().flat_map(|(_, names)| *names).all(|name| exists(name)));
        assert!(EXAMPLES.iter().all(|(name, _)| exists(name)));
        let without: Vec<&str> = visible_commands(&all)
            .filter(|name| !["dap", "lsp"].contains(name) && examples(name).is_empty())
            .collect();
        assert_eq!(without, [""; 0]);
    }

    #[test]
    fn the_help_fits_into_eighty_columns() {
        let help = command().render_help().to_string();
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }

    #[test]
    fn what_is_meant_is_found() {
        let commands = ["run", "verify", "asm", "debug"];
        for (given, expected) in
            [("rnu", Some("run")), ("assemble", Some("asm")), ("debgu", Some("debug")), ("xyzzy", None)]
        {
            assert_eq!(meant(given, commands.into_iter()), expected, "{given}");
        }
        let options = ["--hz", "--seed", "--max-cycles"];
        for (given, expected) in
            [("--speed", Some("--hz")), ("--sed", Some("--seed")), ("--max-cycle", Some("--max-cycles"))]
        {
            assert_eq!(meant(given, options.into_iter()), expected, "{given}");
        }
    }
}
