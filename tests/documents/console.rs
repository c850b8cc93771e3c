//! Runs the commands that the documents show.
//!
//! In a block marked `console`, a line that starts with `$ ` is a command, and its output follows, including errors. A
//! line `…` stands for any number of lines, and `…` within a line for any text. A block with a file name after its
//! language, as in "```g1 sum.g1", is a file for the commands below it. The commands of a document share a temporary
//! folder.
//!
//! `cargo run --release --` means the binary under test. Commands that build the workspace, such as `cargo test`, are
//! counted but not run, and neither are blocks marked `console,ignore`. Blocks marked `console,slow` are run by an ignored
//! test.

use crate::document::{Document, all, root};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use test_support::process::Process;

/// A lower bound on the number of blocks, so that the test fails if it finds no documents.
const MIN_BLOCKS: usize = 20;
/// The programs that a document may run.
const ALLOWED: [&str; 11] = ["gray1", "cat", "cut", "echo", "grep", "head", "ls", "od", "sed", "tail", "wc"];
/// Commands that are counted but not run.
const NOT_RUN: [&str; 5] = ["cargo test", "cargo bench", "cargo build", "cargo install", "git clone"];

/// The numbers of blocks, of commands that were run, and of those that were not.
#[derive(Clone, Copy, Default)]
struct Counts {
    blocks: usize,
    run: usize,
    shown: usize,
}

#[test]
fn commands_in_documents_give_the_documented_output() {
    let counts = run_documents(false);
    assert!(counts.blocks >= MIN_BLOCKS, "only {} blocks found", counts.blocks);
}

#[test]
#[ignore = "takes a minute"]
fn slow_commands_in_documents_give_the_documented_output() {
    assert!(run_documents(true).run > 0);
}

/// Runs the commands of all documents, with the slow ones if `are_slow_wanted`. Prints and returns their numbers.
fn run_documents(are_slow_wanted: bool) -> Counts {
    let documents = all();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut counts, mut faults) = (Counts::default(), Vec::new());
        while let Some(document) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
            faults.extend(check_document(document, are_slow_wanted, &mut counts));
        }
        (counts, faults)
    };
    let (mut counts, mut faults) = (Counts::default(), Vec::new());
    std::thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        for thread in threads {
            let (Counts { blocks, run, shown }, found) = thread.join().expect("no panic");
            counts.blocks += blocks;
            counts.run += run;
            counts.shown += shown;
            faults.extend(found);
        }
    });
    let Counts { blocks, run, shown } = counts;
    println!("{blocks} blocks: {run} commands run, {shown} shown only");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    counts
}

/// Runs the commands of a document. Returns the differences from the documented output.
fn check_document(document: &Document, are_slow_wanted: bool, counts: &mut Counts) -> Vec<String> {
    let blocks = document.blocks();
    let wanted = if are_slow_wanted { "console,slow" } else { "console" };
    if !blocks.iter().any(|block| block.info.starts_with(wanted)) {
        return Vec::new();
    }
    let (folder, mut faults) = (folder(&document.path), Vec::new());
    for block in blocks {
        let mut info = block.info.split_whitespace();
        let (language, file) = (info.next().unwrap_or(""), info.next());
        if let Some(file) = file {
            fs::write(folder.join(file), block.text).expect("a file of the document");
        }
        counts.blocks += usize::from(language.starts_with("console"));
        for (line, command, expected) in commands(block.line, block.text) {
            let place = format!("{}:{line}", document.path);
            match language {
                "console,ignore" => counts.shown += 1,
                "console,slow" if !are_slow_wanted => counts.shown += 1,
                "console" | "console,slow" => {
                    faults.extend(check(&place, command, &expected, &folder, counts));
                }
                _ => {}
            }
        }
    }
    faults
}

/// The commands of a block with their lines and outputs.
fn commands(fence: usize, block: &str) -> Vec<(usize, &str, Vec<&str>)> {
    let mut commands: Vec<(usize, &str, Vec<&str>)> = Vec::new();
    for (number, line) in (fence + 1..).zip(block.lines()) {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((number, command, Vec::new())),
            (None, Some((_, _, expected))) => expected.push(line),
            (None, None) => {} // not a console block
        }
    }
    commands
}

/// Runs a command. Returns the difference from the documented output, if any.
fn check(
    place: &str,
    command: &str,
    expected: &[&str],
    folder: &Path,
    counts: &mut Counts,
) -> Option<String> {
    if NOT_RUN.iter().any(|shown| command.starts_with(shown)) {
        counts.shown += 1;
        return None;
    }
    let command = command.replace("cargo run --release --", "gray1");
    if !parts(&command).iter().all(|part| ALLOWED.contains(&part.split_whitespace().next().unwrap_or(""))) {
        return Some(format!("{place}: this test does not know how to run `{command}`"));
    }
    counts.run += 1;
    let output = run(&command, folder).unwrap_or_else(|error| panic!("{place}: {command}: {error}"));
    let actual: Vec<&str> = output.lines().map(str::trim_end).collect();
    if matches(expected, &actual) {
        return None;
    }
    Some(format!("{place}: `{command}` gives:\n{}\n", actual.join("\n")))
}

/// The parts of a pipeline or a list of commands. Quoted text is not split.
fn parts(command: &str) -> Vec<&str> {
    let mut quote = None;
    command
        .split(|c: char| {
            match quote {
                None if "'\"".contains(c) => quote = Some(c),
                Some(open) if open == c => quote = None,
                _ => {}
            }
            quote.is_none() && "|;".contains(c)
        })
        .collect()
}

/// The output of a command on both streams.
fn run(command: &str, folder: &Path) -> io::Result<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_gray1"));
    let mut path = binary.parent().expect("it is in a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let printed = folder.join(".printed");
    let file = fs::File::create(&printed)?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path);
    shell.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    Process::start_group(shell.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file)).wait();
    Ok(String::from_utf8_lossy(&fs::read(printed)?).into_owned())
}

/// An empty folder for the commands of a document, with copies of the files that documents use.
fn folder(document: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(document.replace('/', "-"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    fs::create_dir_all(&folder).expect("a folder for the commands");
    for part in ["programs", "emulator/machine/src/board"] {
        copy(&root().join(part), &folder.join(part)).unwrap_or_else(|error| panic!("{part}: {error}"));
    }
    folder
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Whether lines are as expected, with `…` as a wildcard.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        ["…", rest @ ..] => (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..])),
        [first, rest @ ..] => {
            actual.first().is_some_and(|line| line_matches(first, line)) && matches(rest, &actual[1..])
        }
    }
}

fn line_matches(expected: &str, actual: &str) -> bool {
    match expected.split_once('…') {
        None => expected == actual,
        Some((start, rest)) => actual.strip_prefix(start).is_some_and(|behind| {
            let places = behind.char_indices().map(|(place, _)| place).chain([behind.len()]);
            places.into_iter().any(|place| line_matches(rest, &behind[place..]))
        }),
    }
}

#[test]
fn an_ellipsis_matches_anything() {
    let cases: [(&[&str], &[&str], bool); 7] = [
        (&["a", "…", "z"], &["a", "z"], true),
        (&["a", "…", "z"], &["a", "b", "c", "z"], true),
        (&["a", "…", "z"], &["a", "b", "c"], false),
        (&["…"], &[], true),
        (&["cycles … a second"], &["cycles 5 a second"], true),
        (&["cycles … a second"], &["cycles 5 a minute"], false),
        (&[], &["a"], false),
    ];
    for (expected, actual, is_match) in cases {
        assert_eq!(matches(expected, actual), is_match, "{expected:?} {actual:?}");
    }
}

#[test]
fn quoted_text_is_not_split() {
    assert_eq!(parts("sed 's/a;b|c/d/' x | wc; ls"), ["sed 's/a;b|c/d/' x ", " wc", " ls"]);
}
