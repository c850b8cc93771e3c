//! Messages for the user, on standard error: standard output is for results.

use gray1_text::visible_lines;
use std::fmt::Display;
use std::io::{Write, stderr};

/// Prints a line on standard error. Errors, such as a closed pipe, are ignored, since there is nowhere to report them.
/// What is quoted from a file or from the command line must not reach the terminal as anything but text.
pub fn tell(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{}", visible_lines(&line.to_string()));
}

/// Ends the process with a usage error, exit code 2.
pub fn usage(message: impl Display) -> ! {
    tell(format_args!("gray1: {message}"));
    std::process::exit(2)
}
