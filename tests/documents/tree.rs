//! The drawings of a search tree and of the board are those that the commands draw.

use crate::compare::assert_chart;
use crate::document::root;
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::process::output;

/// Asserts that a command draws the picture that the documents show.
fn assert_drawn(name: &str, arguments: &[&str]) {
    let chart = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.args(arguments).arg("--plot").arg(&chart).current_dir(root());
    let output = output(&mut command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_chart(name, &fs::read(chart).expect("a drawing"));
}

#[test]
fn the_board_is_as_it_is_wired() {
    assert_drawn("board.svg", &["chips"]);
    let moment = ["--program", "programs/queens.g1", "--cycle", "5000", "--phase", "1"];
    assert_drawn("board-moving.svg", &[&["chips"], &moment[..]].concat());
}

#[test]
fn the_tree_of_the_queens_is_what_they_search() {
    assert_drawn("queens-tree.svg", &["tree", "programs/queens.g1"]);
}
