//! Prints all skips of the test run. Cargo tests packages in the order of their names, so this one is the last. It
//! never fails: where skips are not allowed, the skipped test itself fails.

use std::io::Write;
use test_support::tools::take_skips;

#[test]
fn skips_are_reported() {
    let skips = take_skips();
    if !skips.is_empty() {
        let text = format!("\n{} tests were skipped:\n{}\n", skips.len(), skips.join("\n"));
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
