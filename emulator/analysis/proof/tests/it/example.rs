//! The example prints the result of the proof.

use std::process::Command;
use test_support::{example, process};

#[test]
fn the_example_prints_verdicts() {
    let run = |claim: &str| process::output(Command::new(example("claim")).arg(claim));
    let proved = String::from_utf8(run("order").stdout).unwrap();
    assert_eq!(proved, "Gray-1: Order does not matter: Proved\n");
    let unknown = run("everything");
    assert!(!unknown.status.success() && unknown.stdout.is_empty());
}
