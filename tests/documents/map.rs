//! The table of crates in docs/architecture.md is the workspace, its crates use only what stands above them, and no file
//! is so long that a reader gets tired.

use crate::document::{open, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The greatest number of lines of a source file.
const MOST_LINES: usize = 400;
/// Files that are longer, and want to be split; none may grow.
const LONG: [(&str, usize); 3] = [
    ("assembler/tests/contracts.rs", 403),
    ("logic/src/diagrams.rs", 402),
    ("contracts/tests/contracts.rs", 473),
];

/// A row of the table.
struct Row {
    group: String,
    folder: String,
    name: String,
    uses: BTreeSet<String>,
}

/// The texts between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn table() -> Vec<Row> {
    let architecture = open("docs/architecture.md");
    let rows = architecture.text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split(" |").map(str::trim).collect();
        let [group, crate_and_folder, uses, ..] = cells[..] else { return None };
        let mut names = quoted(crate_and_folder);
        let (name, folder) = (names.next()?, names.next()?);
        let uses = quoted(uses).filter(|name| name.starts_with("gray1-")).collect();
        name.starts_with("gray1").then(|| Row { group: group.to_owned(), folder, name, uses })
    });
    rows.collect()
}

/// The crates of the workspace that a manifest lists in a section.
fn listed(manifest: &str, section: &str) -> BTreeSet<String> {
    let section = format!("[{section}]");
    let lines = manifest.lines().skip_while(|line| **line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| Some(line.split_once(['.', ' '])?.0));
    names.filter(|name| name.starts_with("gray1-")).map(str::to_owned).collect()
}

#[test]
fn the_table_of_crates_is_the_workspace() {
    let table = table();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let mut known = BTreeSet::new();
    let mut groups: Vec<&str> = Vec::new();
    for row in &table {
        if groups.last() != Some(&row.group.as_str()) {
            assert!(!groups.contains(&row.group.as_str()), "the rows of {} are not together", row.group);
            groups.push(&row.group);
        }
        if row.name == "gray1" || row.group == "tests" {
            continue;
        }
        assert!(known.insert(row.name.clone()), "{} has two rows", row.name);
        assert!(
            workspace.contains(&format!("{} = {{ path = \"{}\" }}", row.name, row.folder)),
            "{}",
            row.name
        );
        let manifest = fs::read_to_string(root().join(&row.folder).join("Cargo.toml")).expect("a manifest");
        assert_eq!(listed(&manifest, "dependencies"), row.uses, "{}", row.name);
    }
    assert_eq!(listed(&workspace, "workspace.dependencies"), known);
}

#[test]
fn imports_point_upwards_in_the_table_of_crates() {
    let table = table();
    let group_of = |name: &str| table.iter().find(|row| row.name == name).map(|row| &row.group);
    let mut above: Vec<&str> = Vec::new();
    for row in &table {
        for used in &row.uses {
            let is_beside = group_of(used) == Some(&row.group);
            assert!(
                is_beside || above.contains(&used.as_str()),
                "{} uses {used}, which stands below",
                row.name
            );
        }
        above.push(&row.name);
    }
    // These three show, edit and build the same machine, and do not know each other.
    let apart = ["views", "editors", "hardware"];
    for row in table.iter().filter(|row| apart.contains(&row.group.as_str())) {
        for used in &row.uses {
            let group = group_of(used).expect("a crate of the table");
            assert!(*group == row.group || !apart.contains(&group.as_str()), "{} uses {used}", row.name);
        }
    }
}

#[test]
fn no_source_file_is_too_long() {
    let mut count = 0;
    for folder in ["assembler", "emulator", "tests"] {
        for path in sources(&root().join(folder)) {
            let text = fs::read_to_string(&path).expect("a source file");
            let lines = text.lines().count();
            let long = LONG.iter().find(|(name, _)| path.ends_with(name));
            let most = long.map_or(MOST_LINES, |(_, most)| *most);
            assert!(lines <= most, "{} has {lines} lines", path.display());
            assert!(text.starts_with("//!"), "{} does not say what lives there", path.display());
            count += 1;
        }
    }
    assert!(count > 500, "only {count} files");
}

/// The Rust files of a folder and the folders in it.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &Path, name: &str| path.file_name().is_some_and(|known| known == name);
    let paths = entries.filter(|path| !named(path, "node_modules") && !named(path, "target"));
    let paths = paths.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}
