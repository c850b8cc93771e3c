//! Waiting for files to change, by looking at them a few times a second.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// What a file looks like from outside; None if it is not there.
type Appearance = Option<(Option<SystemTime>, u64)>;

/// Files as they were before they were read, those that were not there too: that one appears is a change.
#[derive(Default)]
pub struct Watched(BTreeMap<PathBuf, Appearance>);

impl Watched {
    /// Notes a file, if it is not known already.
    pub fn add(&mut self, path: &Path) {
        self.0.entry(path.to_owned()).or_insert_with(|| appearance(path));
    }

    /// The files that are there.
    pub fn present(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().filter(|(_, appearance)| appearance.is_some()).map(|(path, _)| path.as_path())
    }

    /// Waits until one of them changes; false if that was interrupted.
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
