//! The picture of a chain of causes is the one that the command of its document draws.

use crate::compare::assert_chart;
use crate::document::open;
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::process::output;

#[test]
fn the_picture_of_the_causes_is_the_commands() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("causes");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("fall.g1"), open("docs/causes.md").file("fall.g1")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.args(["why", "fall.g1", "--cycle", "26", "red", "1,4", "--plot", "causes.svg"]);
    let output = output(command.current_dir(&folder));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_chart("causes.svg", &fs::read(folder.join("causes.svg")).expect("a chart"));
}
