//! The types of the page have the names of the types here, and their fields too.

use crate::support::text;
use std::collections::BTreeSet;

/// Every field of a type or a variant, in either language: the name before a colon.
fn fields(source: &str, ends: char) -> BTreeSet<String> {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or(""));
    let code: String =
        code.filter(|line| !line.trim_start().starts_with(['#', '*', '/'])).collect::<Vec<_>>().join("\n");
    // Texts in quotes name nothing.
    let code: String = code.split('"').step_by(2).collect();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(':') {
        let before = code[..at].trim_end_matches(ends);
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        if !code[at + 1..].starts_with(':') && !code[..at].ends_with(':') && !before[start..].is_empty() {
            names.insert(before[start..].to_owned());
        }
    }
    names
}

#[test]
fn both_sides_have_the_same_fields() {
    let files = ["request", "answer", "source", "moment", "board", "past", "lesson"];
    let rust = files.map(|name| text(&format!("emulator/views/page/src/protocol/{name}.rs")));
    let ours = fields(&rust.concat(), ' ');
    let mut theirs = fields(&text("emulator/views/page/web/protocol.ts"), '?');
    // The names that tell the kinds apart are attributes here.
    let tags: BTreeSet<String> = ["ask", "answer", "kind", "part"].map(str::to_owned).into();
    theirs.retain(|name| !tags.contains(name) || ours.contains(name));
    assert_eq!(ours, theirs);
}
