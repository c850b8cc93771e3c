//! What there is to say to the person: on standard error, since standard output is for what was asked for.

use clap::error::ErrorKind;
use std::fmt::Display;
use std::io::{Write, stderr};

/// Says a line. That nobody hears it (a closed pipe, a terminal that has gone away) is no reason to fail.
pub fn tell(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Ends the process with an error of usage, exit code 2.
pub fn usage(message: impl Display) -> ! {
    clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n")).exit()
}
