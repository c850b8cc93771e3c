//! The example says what is proved. `cargo test` builds it, beside the folder of the tests.

use std::env;
use std::process::Command;

#[test]
fn the_example_prints_verdicts() {
    let test = env::current_exe().unwrap();
    let example = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/claim");
    let run = |arguments: &[&str]| Command::new(&example).args(arguments).output().unwrap();
    let proved = String::from_utf8(run(&["order"]).stdout).unwrap();
    assert_eq!(proved, "Gray-1: Order does not matter: Proved\n");
    let unknown = run(&["everything"]);
    assert!(!unknown.status.success() && unknown.stdout.is_empty());
}
