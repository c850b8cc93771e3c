//! The drawing of a search.

use crate::compare::assert_chart;
use crate::document::root;
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::process::output;

#[test]
fn the_tree_of_the_queens_is_what_they_search() {
    let chart = Path::new(env!("CARGO_TARGET_TMPDIR")).join("queens-tree.svg");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.args(["tree", "programs/queens.g1", "--plot"]).arg(&chart).current_dir(root());
    let output = output(&mut command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_chart("queens-tree.svg", &fs::read(chart).expect("a drawing"));
}
