//! Runs the example as its documentation says.

#![allow(clippy::unwrap_used)] // a test may panic

use std::process::Command;
use test_support::process::output;

#[test]
fn the_example_says_how_fast_the_board_is_and_how_it_fails() {
    // Cargo builds examples with the tests, beside them.
    let folder = std::env::current_exe().unwrap();
    let example = folder.parent().unwrap().parent().unwrap().join("examples/crash");
    let output = output(Command::new(example).arg("1"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("the board is safe up to 529.1 kHz\nthe machine fails at "), "{text}");
    assert!(text.contains("a transient"), "{text}");
}
