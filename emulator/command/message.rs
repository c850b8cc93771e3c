//! Messages for the user on standard error. Standard output is for results.

use gray1_text::visible_lines;
use std::fmt::Display;
use std::io::{Write, stderr};

/// Prints a line on standard error. Errors, such as a closed pipe, are ignored, because they cannot be reported.
/// Control characters are escaped, because the line may quote a file or the command line.
pub fn print_message(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{}", visible_lines(&line.to_string()));
}

/// Ends the process with a usage error and exit code 2.
pub fn usage_error(message: impl Display) -> ! {
    print_message(format_args!("gray1: {message}"));
    std::process::exit(2)
}
