//! The example, as far as it needs no display.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gray1_display::controls;
use test_support::example;
use test_support::process::output;

#[test]
fn it_prints_the_keys() {
    let output = demo(&["keys"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), controls::markdown());
}

#[test]
fn it_records_an_animation_to_the_end_of_the_search() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo.gif");
    let output = demo(&["record", file.to_str().unwrap(), "100000"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "Halted\n");
    assert!(fs::read(file).unwrap().starts_with(b"GIF89a"));
}

#[test]
fn it_explains_what_it_does_not_know() {
    let output = demo(&["nonsense"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("`nonsense` is none of"));
}

fn demo(arguments: &[&str]) -> Output {
    output(Command::new(example("demo")).args(arguments))
}
