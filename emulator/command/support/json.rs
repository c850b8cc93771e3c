//! Answers as JSON: one object with `version` and `command`, whether the command has succeeded or not.

use crate::support::choice::Format;
use crate::support::files::{print, print_text};
use serde::Serialize;
use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Write};

/// The version of the format.
const VERSION: u32 = 1;

/// An answer: the fields of a command after those that all commands share.
#[derive(Serialize)]
struct Answer<'a, Fields> {
    version: u32,
    command: &'a str,
    #[serde(flatten)]
    fields: Fields,
}

/// An error in place of an answer.
#[derive(Serialize)]
struct Failure<'a> {
    error: Fault<'a>,
}

#[derive(Serialize)]
struct Fault<'a> {
    message: &'a str,
    file: Option<String>,
    line: Option<usize>,
}

/// Formats the answer of a command. `fields` is a struct or a map.
pub fn answer(command: &str, fields: impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&Answer { version: VERSION, command, fields })? + "\n")
}

/// Prints the answer of a command, in the requested format.
pub fn print_answer<Fields: Serialize>(
    format: Format,
    command: &str,
    text: impl FnOnce() -> String,
    fields: impl FnOnce() -> Fields,
) -> Result<(), Box<dyn Error>> {
    match format {
        Format::Text => print_text(&text())?,
        Format::Json => print(answer(command, fields())?.as_bytes())?,
    };
    Ok(())
}

/// Formats a long answer on one line.
pub fn line(command: &str, fields: impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(&Answer { version: VERSION, command, fields })? + "\n")
}

/// Prints an error as the answer of the command, if the command line asks for JSON. It is on standard error, too. The
/// place is taken from the message if it is not known.
pub fn print_failure(message: &str, place: Option<(String, Option<usize>)>) {
    let Some(command) = requested() else { return };
    let (file, line, message) = match place {
        Some((file, line)) => {
            let rest = message.strip_prefix(&format!("{file}: ")).unwrap_or(message);
            (Some(file), line, rest)
        }
        None => located(message),
    };
    if let Ok(answer) = answer(&command, Failure { error: Fault { message, file, line } }) {
        let _ = io::stdout().write_all(answer.as_bytes()); // as for messages, an error here cannot be reported
    }
}

/// Prints the error for an invalid command line in the same way.
pub fn print_usage_failure(error: &clap::Error) {
    let text = error.render().to_string();
    print_failure(text.lines().next().unwrap_or_default().trim_start_matches("error: "), None);
}

/// Splits `FILE:LINE:COLUMN: MESSAGE`.
fn located(message: &str) -> (Option<String>, Option<usize>, &str) {
    let parts = || {
        let (place, rest) = message.split_once(": ")?;
        let mut parts = place.rsplitn(3, ':');
        let (_column, line, file) = (parts.next()?.parse::<usize>().ok()?, parts.next()?, parts.next()?);
        Some((Some(file.to_owned()), Some(line.parse().ok()?), rest))
    };
    parts().unwrap_or((None, None, message))
}

/// The command, if the command line asks for JSON. The arguments may be invalid, so clap cannot tell.
fn requested() -> Option<String> {
    let arguments: Vec<_> = std::env::args_os().skip(1).take_while(|argument| argument != "--").collect();
    let is_pair = |pair: &[_]| pair[0] == OsStr::new("--format") && pair[1] == OsStr::new("json");
    let asks =
        arguments.windows(2).any(is_pair) || arguments.iter().any(|argument| argument == "--format=json");
    let command =
        arguments.iter().filter_map(|argument| argument.to_str()).find(|argument| !argument.starts_with('-'));
    command.filter(|_| asks).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_taken_from_a_message() {
        for (message, file, line, rest) in [
            ("gates.ron:11:5: no CPU", Some("gates.ron"), Some(11), "no CPU"),
            ("a:b.g1:3:1: bad: very", Some("a:b.g1"), Some(3), "bad: very"),
            ("--cycle: too late", None, None, "--cycle: too late"),
            ("plain", None, None, "plain"),
        ] {
            assert_eq!(located(message), (file.map(str::to_owned), line, rest));
        }
    }
}
