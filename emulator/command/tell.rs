//! Messages for the user, on standard error: standard output is for results.

use clap::error::ErrorKind;
use std::fmt::Display;
use std::io::{Write, stderr};

/// Prints a line on standard error. Errors (a closed pipe, a terminal that has gone away) are ignored.
pub fn tell(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Ends the process with a usage error, exit code 2.
pub fn usage(message: impl Display) -> ! {
    clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n")).exit()
}
