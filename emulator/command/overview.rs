//! Extends the commands that `arguments` defines with groups, examples, and advice for usage errors. `--help` and the
//! completions are generated from the result.

use crate::arguments::Arguments;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use gray1_text::{closest, columns};

/// Suggestions for new users.
const FIRST: [(&str, &str); 3] = [
    ("gray1 run queens", "watch the machine place eight queens on its LEDs"),
    ("gray1 debug queens", "step through the run, forwards and backwards"),
    ("gray1 examples my", "copy the shipped programs to the folder `my`"),
];

/// The groups of the help. A command that is in no group is listed in the last one.
const GROUPS: [(&str, &[&str]); 6] = [
    ("See it", &["run", "tree", "examples", "page"]),
    ("Write programs", &["asm", "explain", "fmt", "compare", "search", "check"]),
    ("Understand a run", &["debug", "why", "chips"]),
    ("Prove and measure", &["verify", "timing"]),
    ("Build it", &["build", "capture", "faults"]),
    ("Tools", &["dis", "lsp", "dap", "completions"]),
];

/// Examples of each command. A test runs them.
const EXAMPLES: [(&str, &[(&str, &str)]); 20] = [
    (
        "run",
        &[
            ("gray1 run queens", "watch the search in a window or the terminal"),
            ("gray1 run queens --display none --stats", "print only the solutions and the costs"),
            ("gray1 run first --trace first.csv", "write a row for each instruction"),
        ],
    ),
    ("tree", &[("gray1 tree queens --levels 2", "show the search as a tree")]),
    (
        "examples",
        &[("gray1 examples", "list the programs"), ("gray1 examples my queens", "copy one to a folder")],
    ),
    ("asm", &[("gray1 asm first --format listing -o -", "list every word with its cost")]),
    ("explain", &[("gray1 explain forgotten-hash", "explain a warning")]),
    ("compare", &[("gray1 compare queens queens-bits", "compare two programs for one problem")]),
    ("search", &[("gray1 search \"a = a + x\"", "find the shortest code for a formula")]),
    ("check", &[("gray1 check 5.1 hand-ins", "judge a class's hand-ins for an exercise")]),
    ("debug", &[("gray1 debug queens", "step through a run")]),
    (
        "why",
        &[
            ("gray1 why first \"red 0,0\"", "explain an LED at the end of the run"),
            ("gray1 why first --cycle 2 A3", "explain a net in a cycle"),
        ],
    ),
    (
        "chips",
        &[
            ("gray1 chips", "list all chips and their wires"),
            ("gray1 chips ALUL --at 0x2AA", "show a cell of a chip"),
        ],
    ),
    ("verify", &[("gray1 verify loops", "prove that no storage loop can lose its value")]),
    ("timing", &[("gray1 timing", "compute how fast the board can run")]),
    ("build", &[("gray1 build machine --program first", "write all files for building the machine")]),
    ("faults", &[("gray1 faults first --count 2", "measure which faults a program detects")]),
    ("completions", &[("gray1 completions bash", "print the script for bash")]),
    ("fmt", &[("gray1 fmt --check my/queens.g1", "check a file's layout")]),
    ("dis", &[("gray1 dis queens.bin", "disassemble an image")]),
    ("page", &[("gray1 page queens -o queens.html", "make a web page in a single file")]),
    ("capture", &[("gray1 capture seen.csv --program queens", "compare a recording with the expected run")]),
];

/// Names of options and commands in other programs, and the corresponding names here.
const SYNONYMS: [(&str, &str); 18] = [
    ("--cycles", "--max-cycles"),
    ("-v", "--version"),
    ("-V", "--version"),
    ("--hlep", "--help"),
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

/// Makes all commands.
pub fn command() -> Command {
    let mut all = Arguments::command();
    let names: Vec<String> = all.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let examples = examples(&name);
        all = all.mut_subcommand(name, |sub| {
            // Pass negative numbers to the option before them, so that its parser reports the error.
            let sub =
                sub.mut_args(|arg| if is_option(&arg) { arg.allow_negative_numbers(true) } else { arg });
            let text = format!("Examples:\n{}", pairs(examples).trim_end());
            if examples.is_empty() { sub } else { sub.after_long_help(text) }
        });
    }
    let groups = groups(&all);
    all.help_template(format!(
        "{{about-with-newline}}\n{}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n",
        pairs(&FIRST)
    ))
}

/// Returns the examples of a command.
fn examples(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// Whether an argument is an option that takes a value.
fn is_option(arg: &Arg) -> bool {
    !arg.is_positional() && arg.get_action().takes_values()
}

/// Formats pairs as two columns.
fn pairs(rows: &[(&str, &str)]) -> String {
    columns(&rows.iter().map(|&(left, right)| [left, right]).collect::<Vec<_>>())
}

/// Formats the list of commands, in groups.
fn groups(all: &Command) -> String {
    let group =
        |name: &str| GROUPS.iter().position(|(_, names)| names.contains(&name)).unwrap_or(GROUPS.len() - 1);
    let place = |name: &str| (group(name), GROUPS[group(name)].1.iter().position(|other| *other == name));
    let mut visible: Vec<&Command> = all.get_subcommands().filter(|sub| !sub.is_hide_set()).collect();
    visible.sort_by_key(|sub| place(sub.get_name()));
    let about = |sub: &Command| sub.get_about().map(ToString::to_string).unwrap_or_default();
    let rows: Vec<[String; 2]> = visible.iter().map(|sub| [sub.get_name().to_owned(), about(sub)]).collect();
    let text = columns(&rows);
    let lines: Vec<(usize, &str)> =
        visible.iter().map(|sub| group(sub.get_name())).zip(text.lines()).collect();
    let groups = lines.chunk_by(|one, other| one.0 == other.0).map(|lines| {
        let commands: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        format!("{}:\n{}\n\n", GROUPS[lines[0].0].0, commands.join("\n"))
    });
    groups.collect()
}

/// Formats a usage error with the prefix of all errors and improved advice.
pub fn error_text(mut error: clap::Error, all: &Command, has_colours: bool) -> String {
    advise(&mut error, all);
    let text = error.render();
    let text = if has_colours { text.ansi().to_string() } else { text.to_string() };
    text.replacen("error:", "gray1:", 1)
}

/// Replaces clap's suggestion in an error by the closest name or synonym.
fn advise(error: &mut clap::Error, all: &Command) {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let usage = text(ContextKind::Usage);
    let tip = |tip: String| ContextValue::StyledStrs(vec![tip.into()]);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let rejected = text(ContextKind::InvalidSubcommand);
            error.remove(ContextKind::SuggestedSubcommand);
            if rejected == "version" {
                error.insert(ContextKind::Suggested, tip("`gray1 --version` prints the version".to_owned()));
            } else if let Some(closest) = closest_name(&rejected, visible_commands(all)) {
                let strings = ContextValue::Strings(vec![closest.to_owned()]);
                error.insert(ContextKind::SuggestedSubcommand, strings);
            }
        }
        ErrorKind::UnknownArgument => {
            let rejected = text(ContextKind::InvalidArg);
            let sub = all.get_subcommands().find(|sub| usage.contains(&format!("gray1 {}", sub.get_name())));
            let visible = sub.into_iter().flat_map(Command::get_arguments).filter(|arg| !arg.is_hide_set());
            let names = visible.filter_map(|arg| Some(format!("--{}", arg.get_long()?)));
            let names: Vec<String> = names.chain(["--help", "--version"].map(str::to_owned)).collect();
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Suggested);
            // The usage in the error mentions clap's own suggestion.
            let usage = sub.unwrap_or(all).clone().render_usage();
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
            if let Some(closest) = closest_name(&rejected, names.iter().map(String::as_str)) {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(closest.to_owned()));
            } else if !rejected.starts_with("--") {
                let advice = "a file whose name begins with `-` is written as `./-NAME`";
                error.insert(ContextKind::Suggested, tip(advice.to_owned()));
            }
        }
        ErrorKind::InvalidValue => {
            let (rejected, suggested) = (text(ContextKind::InvalidValue), text(ContextKind::SuggestedValue));
            if rejected.chars().next() != suggested.chars().next() {
                error.remove(ContextKind::SuggestedValue);
            }
        }
        _ => {}
    }
}

fn visible_commands(all: &Command) -> impl Iterator<Item = &str> {
    all.get_subcommands().filter(|sub| !sub.is_hide_set()).map(Command::get_name)
}

/// Finds the name that was probably meant: the one of which `rejected` is a synonym, or else the most similar one.
fn closest_name<'a>(rejected: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.collect();
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == rejected).map(|(_, name)| *name);
    let synonym = names.iter().copied().find(|name| Some(*name) == synonym);
    let bare = |name: &'a str| name.trim_start_matches('-');
    let similar = || {
        // A single letter is similar to nothing.
        let wanted = Some(rejected.trim_start_matches('-')).filter(|wanted| wanted.len() > 1)?;
        let similar = closest(wanted, names.iter().map(|name| bare(name)))?;
        names.iter().copied().find(|name| bare(name) == similar)
    };
    synonym.or_else(similar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouped_commands_exist_and_all_but_servers_have_examples() {
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
    fn help_fits_into_eighty_columns() {
        let help = command().render_help().to_string();
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }

    #[test]
    fn misspelt_names_and_synonyms_are_recognised() {
        let commands = ["run", "verify", "asm", "debug"];
        for (rejected, expected) in
            [("rnu", Some("run")), ("assemble", Some("asm")), ("debgu", Some("debug")), ("xyzzy", None)]
        {
            assert_eq!(closest_name(rejected, commands.into_iter()), expected, "{rejected}");
        }
        let options = ["--hz", "--seed", "--max-cycles"];
        for (rejected, expected) in
            [("--speed", Some("--hz")), ("--sed", Some("--seed")), ("--max-cycle", Some("--max-cycles"))]
        {
            assert_eq!(closest_name(rejected, options.into_iter()), expected, "{rejected}");
        }
    }
}
