//! Compiles programs in C, if there is a compiler, and times them.

#![allow(clippy::disallowed_methods)] // `test_support::process` has nothing for a compiler that may be missing

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;
use test_support::process::output;

/// Compiles a program in C, if there is a compiler.
pub fn compiled(folder: &Path, name: &str, source: &str) -> Option<PathBuf> {
    let (file, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, source).expect("a C source");
    let status = Command::new("gcc").arg("-O2").arg("-o").arg(&program).arg(file).status();
    assert!(status.as_ref().map_or(true, ExitStatus::success), "gcc refuses the C source");
    status.is_ok().then_some(program)
}

/// The cycles of a run from power-up to its end, and the time of `repeats` runs.
pub fn run(program: &Path, repeats: u32) -> (u64, Duration) {
    let output = output(Command::new(program).arg(repeats.to_string()));
    let text = String::from_utf8(output.stdout).expect("two numbers");
    let (cycles, nanoseconds) = text.trim().split_once(' ').expect("two numbers");
    let nanoseconds = nanoseconds.parse().expect("a number of nanoseconds");
    (cycles.parse().expect("a number of cycles"), Duration::from_nanos(nanoseconds))
}
