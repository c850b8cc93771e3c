//! Golden files. A test that compares with a golden file rewrites it if `UPDATE` is set: run `UPDATE=1 cargo test`, and
//! then review the changes with git.

use std::path::Path;
use std::{env, fs};

/// Whether golden files must be rewritten, because `UPDATE` is set.
pub fn updates() -> bool {
    env::var_os("UPDATE").is_some_and(|value| !value.is_empty())
}

/// Whether a file has these contents. If `UPDATE` is set, rewrites the file first.
pub fn agrees(path: impl AsRef<Path>, found: impl AsRef<[u8]>) -> bool {
    let (path, found) = (path.as_ref(), found.as_ref());
    if updates() {
        fs::write(path, found).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    fs::read(path).is_ok_and(|expected| expected == found)
}
