//! What the tests of several crates share.

pub mod folder;
pub mod player;
pub mod process;
pub mod terminal;
pub mod tools;
pub mod x11;

use std::path::{Path, PathBuf};

/// An example of the crate under test: cargo builds examples with the tests, beside them.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("target/debug/deps");
    folder.join("examples").join(name)
}
