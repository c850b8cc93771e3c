//! docs/command-line.md documents every command and option that `--help` lists.

use crate::document::open;
use std::process::Command;
use test_support::process::output;

#[test]
fn every_option_is_documented() {
    let document = open("docs/command-line.md");
    let mut count = 0;
    let commands = commands(&help(&[]));
    assert!(commands.len() >= 5, "only {commands:?} found");
    for command in &commands {
        assert!(
            document.text.contains(&format!("\n## gray1 {command}\n")),
            "`gray1 {command}` has no heading"
        );
        for option in options(&help(&[command])) {
            let is_there = document.text.contains(&format!("`{option}"));
            assert!(is_there, "docs/command-line.md does not explain `{option}` of `gray1 {command}`");
            count += 1;
        }
    }
    println!("{count} options of {} commands", commands.len());
    assert!(count >= 20, "only {count} options found");
}

fn help(arguments: &[&str]) -> String {
    let output = output(Command::new(env!("CARGO_BIN_EXE_gray1")).args(arguments).arg("--help"));
    String::from_utf8(output.stdout).expect("help is text")
}

/// The subcommands: the indented lines between the usage and the options.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let lines = lines.take_while(|line| *line != "Options:").filter(|line| line.starts_with("  "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The long options, and the short ones that have none.
fn options(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let options = lines.filter_map(|line| {
        let words = line.split_whitespace().map(|word| word.trim_end_matches(','));
        let names: Vec<&str> = words.take_while(|word| word.starts_with('-')).collect();
        names.last().map(|name| (*name).to_owned())
    });
    options.filter(|option| option != "-" && option.len() > 1).collect()
}
