//! The same source has the same messages in every run, however many names it has.

use gray1_assembler::{MemoryLoader, Options, assemble};
use std::collections::BTreeSet;
use std::fmt::Write;

#[test]
fn what_is_suggested_does_not_depend_on_chance() {
    let mut source = String::new();
    for number in 0..12_000 {
        let _ = writeln!(source, ".macro {}{number}\n.endmacro", if number % 2 == 0 { "mac" } else { "cam" });
    }
    source.push_str("mca500\ncall nosuch\nlda nothing\n");
    let reports = (0..8).map(|_| {
        let files = MemoryLoader::new([("main.g1", source.clone())]);
        assemble(&files, "main.g1", &Options::default()).report.render(false)
    });
    let reports: BTreeSet<String> = reports.collect();
    assert_eq!(reports.len(), 1, "{reports:#?}");
    assert!(reports.iter().all(|report| report.contains("did you mean `mac500`?")), "{reports:#?}");
}
