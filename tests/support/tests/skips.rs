//! Cargo tests packages in the order of their names, and this one is the last, so it reports what was not tested.

use std::io::Write;
use test_support::tools::take_skips;

#[test]
fn skips_are_told() {
    let skips = take_skips();
    if !skips.is_empty() {
        let text = format!("\n{} tests were skipped:\n{}\n", skips.len(), skips.join("\n"));
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
