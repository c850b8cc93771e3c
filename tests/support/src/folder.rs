//! Temporary folders for tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

/// A folder for one test, which is removed on drop.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder below `target/tmp`.
    pub fn create() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let test = env::current_exe().expect("the path of this test");
        let target = test.ancestors().nth(3).expect("target/debug/deps/test");
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = target.join("tmp").join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
