//! Links in the documents to other documents, to headings and to files of the repository are not broken.

use crate::document::{Document, all, open, root};
use std::path::{Component, Path, PathBuf};

/// A lower bound on the number of links, so that the test fails if it finds no documents.
const MIN_LINKS: usize = 20;

#[test]
fn links_have_targets() {
    let mut count = 0;
    let mut faults = Vec::new();
    for document in all() {
        for (line, text) in document.prose() {
            for link in links(text).into_iter().filter(|link| !link.contains("://")) {
                count += 1;
                if let Err(fault) = follow(&document, link) {
                    faults.push(format!("{}:{line}: {fault}", document.path));
                }
            }
        }
    }
    println!("{count} links");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= MIN_LINKS, "only {count} links found");
}

/// The targets of the links and pictures in a line.
fn links(line: &str) -> Vec<&str> {
    let between = |open: &'static str, close: char| {
        line.split(open).skip(1).filter_map(move |rest| Some(rest.split_once(close)?.0))
    };
    between("](", ')').chain(between("<img src=\"", '"')).collect()
}

fn follow(document: &Document, link: &str) -> Result<(), String> {
    let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
    let folder = Path::new(&document.path).parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() { PathBuf::from(&document.path) } else { normalized(&folder.join(file)) };
    if !root().join(&path).exists() {
        return Err(format!("there is no {}", path.display()));
    }
    let Some(heading) = heading else { return Ok(()) };
    let target = open(&path.display().to_string());
    let headings = target.prose().into_iter().filter(|(_, line)| line.starts_with('#'));
    if headings.map(|(_, line)| anchor(line)).any(|anchor| anchor == heading) {
        Ok(())
    } else {
        Err(format!("{} has no heading `{heading}`", path.display()))
    }
}

/// A path from the root, with `..` resolved.
fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normalized.pop();
            }
            Component::CurDir => {}
            part => normalized.push(part),
        }
    }
    normalized
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn headings_have_the_anchors_of_github() {
    assert_eq!(anchor("## The clock, 4 phases: T(A,B)"), "the-clock-4-phases-tab");
}
