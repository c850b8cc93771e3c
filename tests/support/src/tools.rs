//! Skips tests that need a program which is not installed.
//!
//! A skip is reported on standard error directly, because libtest hides the output of a passing test. It is also
//! recorded in a file, so that the last test can print a summary. If `CI` is set, a skip is a failure, except for the
//! programs that `WITHOUT` lists.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::parent_id;
use std::path::PathBuf;
use std::{env, thread};

/// Whether all of these programs are installed. If not, records the calling test as skipped; the test must return.
pub fn installed(programs: &[&str]) -> bool {
    let missing: Vec<&str> = programs.iter().copied().filter(|program| !is_installed(program)).collect();
    if missing.is_empty() {
        return true;
    }
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let skip = format!("skipped: {test} needs {}\n", missing.join(", "));
    let without = env::var("WITHOUT").unwrap_or_default();
    let is_known = missing.iter().all(|program| without.split_whitespace().any(|other| other == *program));
    assert!(is_known || env::var_os("CI").is_none(), "{skip}");
    let _ = std::io::stderr().write_all(skip.as_bytes());
    let note = File::options().create(true).append(true).open(skip_file());
    note.and_then(|mut file| file.write_all(skip.as_bytes())).expect("the skip can be recorded");
    false
}

/// Returns the skips of this test run so far, and clears them.
pub fn take_skips() -> Vec<String> {
    let text = fs::read_to_string(skip_file()).unwrap_or_default();
    let _ = fs::remove_file(skip_file());
    text.lines().map(str::to_owned).collect()
}

fn is_installed(program: &str) -> bool {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(program).is_file())
}

/// Returns the file of this test run. Its name contains the ID of cargo, the parent process of all test binaries of a
/// run.
fn skip_file() -> PathBuf {
    let binary = env::current_exe().expect("the path of this test");
    binary.with_file_name(format!("skipped-{}", parent_id()))
}
