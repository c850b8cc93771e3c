//! Code that the tests of several crates share.

pub mod boards;
pub mod engines;
pub mod folder;
pub mod golden;
pub mod player;
pub mod process;
pub mod programs;
pub mod random;
pub mod terminal;
pub mod tools;
pub mod x11;

use std::io::Write;
use std::path::{Path, PathBuf};

/// An example of the crate under test: cargo builds examples with the tests, beside them.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("target/debug/deps");
    folder.join("examples").join(name)
}

/// Reports how many cases were tried. It writes to standard error directly, since libtest hides what a passing test
/// prints with `println`.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "    {text}");
}
