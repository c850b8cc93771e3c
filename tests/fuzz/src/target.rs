//! The table of targets: for each, a check and a generator of cases.

use crate::bodies::{boards, commands, editing, engines, images, messages, requests, sources, states};
use proptest::test_runner::TestRunner;
use std::fs;
use std::path::Path;

/// A check, and a generator of its cases.
pub struct Target {
    /// The name; the folder in the corpus and the binary for `cargo fuzz` have the same name.
    pub name: &'static str,
    /// The share of the cases of a campaign. Fast checks have larger shares.
    pub share: u64,
    /// Generates a case.
    pub generate: fn(&mut TestRunner) -> Vec<u8>,
    /// Checks a case, and panics if something is wrong.
    pub check: fn(&[u8]),
}

const fn target(
    name: &'static str,
    share: u64,
    generate: fn(&mut TestRunner) -> Vec<u8>,
    check: fn(&[u8]),
) -> Target {
    Target { name, share, generate, check }
}

/// All targets.
pub const TARGETS: [Target; 9] = [
    target("sources", 40, sources::generate, sources::check),
    target("images", 10, images::generate, images::check),
    target("states", 15, states::generate, states::check),
    target("boards", 2, boards::generate, boards::check),
    target("commands", 4, commands::generate, commands::check),
    target("requests", 4, requests::generate, requests::check),
    target("messages", 8, messages::generate, messages::check),
    target("editing", 2, editing::generate, editing::check),
    target("engines", 15, engines::generate, engines::check),
];

/// The cases of a target in the corpus, by name. Each has found a bug once, or is an example of a case.
pub fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut cases: Vec<(String, Vec<u8>)> = files
        .filter_map(|file| Some((file.file_name().into_string().ok()?, fs::read(file.path()).ok()?)))
        .collect();
    cases.sort();
    cases
}
