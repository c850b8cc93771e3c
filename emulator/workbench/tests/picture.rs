//! The picture of the screen in the documents: the screen after these keys.

use crate::support;
use std::path::Path;
use support::Bench;
use support::svg::svg;
use test_support::golden;

/// To the first solution and beyond, to a place where a queen would leave a row without a square; then a question about
/// a byte, and a step back.
const KEYS: &str = "ooooooooo:break try5_4<Enter>r:who wrote queens[3]<Enter>I";

#[test]
fn the_picture_in_the_documents_is_this_screen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = std::fs::read_to_string(root.join("programs/queens.g1")).expect("the queens program");
    let mut bench = Bench::new("queens.g1", &source, 120, 40);
    bench.keys(KEYS);
    let picture = svg(&bench.buffer(), "gray1 debug programs/queens.g1");
    println!("{}", bench.text());
    assert!(golden::agrees(root.join("docs/debugger.svg"), picture), "another screen; UPDATE=1 rewrites it");
}
