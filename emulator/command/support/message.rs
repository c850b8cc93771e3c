//! Messages for the user on standard error. Standard output is for results.

use crate::support::json;
use gray1_text::visible_lines;
use std::fmt::Display;
use std::io::{Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether `--quiet` was given.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Silences everything on standard error but errors.
pub fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

pub fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Prints a line on standard error, unless `--quiet` was given.
pub fn print_note(line: impl Display) {
    if !is_quiet() {
        print_message(line);
    }
}

/// Prints a line on standard error. Errors, such as a closed pipe, are ignored, because they cannot be reported.
/// Control characters are escaped, because the line may quote a file or the command line.
pub fn print_message(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{}", visible_lines(&line.to_string()));
}

/// Ends the process with a usage error and exit code 2.
pub fn usage_error(message: impl Display) -> ! {
    let message = message.to_string();
    print_message(format_args!("gray1: {message}"));
    json::print_failure(&message, None);
    std::process::exit(2)
}
