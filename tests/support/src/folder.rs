//! Folders of a test's own, removed when it is over.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

/// An empty folder, which is removed when this is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes one below `target/tmp`.
    pub fn create() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let test = env::current_exe().expect("the path of this test");
        let target = test.ancestors().nth(3).expect("target/debug/deps/test");
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = target.join("tmp").join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
