//! Support code for the tests of several crates: processes, terminals, windows, engines, random cases.

pub mod boards;
pub mod button;
pub mod engines;
pub mod folder;
pub mod golden;
pub mod library;
pub mod lockstep;
pub mod player;
pub mod process;
pub mod programs;
pub mod random;
pub mod terminal;
pub mod tools;
pub mod x11;

use std::io::Write;
use std::path::{Path, PathBuf};

/// Returns the binary of an example of the crate under test. Cargo builds examples together with the tests, in a folder
/// beside theirs.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("target/debug/deps");
    folder.join("examples").join(name)
}

/// Prints statistics, such as the number of cases. Writes to standard error directly, because libtest hides what
/// a passing test prints with `println`.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "    {text}");
}
