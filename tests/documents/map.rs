//! The table of crates in docs/architecture.md is the workspace, its crates use only what stands above them, and no file
//! is so long that a reader gets tired.

use crate::document::{open, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The greatest number of lines of a source file.
const MOST_LINES: usize = 400;
/// Files that are longer, and want to be split; none may grow.
const LONG: [(&str, usize); 2] = [("logic/diagrams.rs", 406), ("proof/tests/contracts/verdicts.rs", 487)];

/// A row of the table.
struct Row {
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
        let [crate_and_folder, uses, ..] = cells[..] else { return None };
        let mut names = quoted(crate_and_folder);
        let (name, folder) = (names.next()?, names.next()?);
        let uses = quoted(uses).filter(|name| name.starts_with("gray1-")).collect();
        name.starts_with("gray1").then_some(Row { folder, name, uses })
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
    for row in &table {
        if row.name == "gray1" || row.folder.starts_with("tests") {
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
    let mut above: Vec<String> = Vec::new();
    for row in table() {
        for used in &row.uses {
            assert!(above.contains(used), "{} uses {used}, which stands below", row.name);
        }
        // These show, edit and build the same machine, and do not know each other.
        let apart = ["gray1-workbench", "gray1-editors", "gray1-hardware"];
        let known = apart.iter().find(|name| apart.contains(&row.name.as_str()) && row.uses.contains(**name));
        assert_eq!(known, None, "{}", row.name);
        above.push(row.name);
    }
}

/// The files that the three ways name are there; the tracks themselves are for people to keep.
#[test]
fn the_ways_name_files_of_the_project() {
    let architecture = open("docs/architecture.md");
    let ways = architecture.text.split("## Three ways").nth(1).and_then(|rest| rest.split("\n## ").next());
    let files = ["assembler", "emulator"].map(|folder| sources(&root().join(folder))).concat();
    let mut count = 0;
    for name in quoted(ways.expect("a section")).filter(|name| name.ends_with(".rs")) {
        assert!(files.iter().any(|file| file.ends_with(&name)), "{name}");
        count += 1;
    }
    assert!(count > 20, "only {count} files");
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
