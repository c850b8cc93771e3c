//! Waits for files to change, by checking them several times a second.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// How often files are checked.
const INTERVAL: Duration = Duration::from_millis(100);

/// The properties that show whether a file has changed: its modification time and its size. `None` if there is no file.
type Appearance = Option<(Option<SystemTime>, u64)>;

/// The appearance of files before they were read. Missing files are watched too, since they may appear.
#[derive(Default)]
pub struct Watched(BTreeMap<PathBuf, Appearance>);

impl Watched {
    /// Watches a file, unless it is watched already.
    pub fn add(&mut self, path: &Path) {
        self.0.entry(path.to_owned()).or_insert_with(|| appearance(path));
    }

    /// The watched files that exist.
    pub fn present(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter(|(_, appearance)| appearance.is_some()).map(|(path, _)| path.as_path())
    }

    /// Waits until one of the files changes; `false` if interrupted.
    pub fn wait(&self, interrupt: &AtomicBool) -> bool {
        while !interrupt.load(Ordering::Relaxed) {
            if self.0.iter().any(|(path, before)| appearance(path) != *before) {
                return true;
            }
            std::thread::sleep(INTERVAL);
        }
        false
    }
}

fn appearance(path: &Path) -> Appearance {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}
