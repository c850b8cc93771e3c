//! The same source has the same messages in every run, however many names it has.

use crate::sources::assembly;
use std::collections::BTreeSet;
use std::fmt::Write;

#[test]
fn what_is_suggested_does_not_depend_on_chance() {
    let mut source = String::new();
    for number in 0..12_000 {
        let _ = writeln!(source, ".macro {}{number}\n.endmacro", if number % 2 == 0 { "mac" } else { "cam" });
    }
    source.push_str("mca500\ncall nosuch\nlda nothing\n");
    let reports: BTreeSet<String> = (0..8).map(|_| assembly(&source).report.render(false)).collect();
    assert_eq!(reports.len(), 1, "{reports:#?}");
    assert!(reports.iter().all(|report| report.contains("did you mean `mac500`?")), "{reports:#?}");
}
