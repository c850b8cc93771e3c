//! The file that the example writes shows the byte that its program sends.

use crate::waves::support::{TICKS, wave};
use std::process::Command;
use test_support::example;
use test_support::process::output;

#[test]
fn the_example_shows_the_byte_that_is_sent() {
    let output = output(&mut Command::new(example("three_cycles")));
    assert!(output.status.success());
    let wave = wave(output.stdout);
    assert_eq!(wave.times, (0..=12).map(|phase| phase * TICKS).collect::<Vec<_>>());
    let port = wave.variables.iter().find(|variable| variable.path == "gray1.OUT").unwrap();
    assert_eq!(port.at(11), "00101010");
}
