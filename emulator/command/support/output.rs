//! Writes output files atomically. An output never replaces a file that the command has read.
//!
//! The data goes to a temporary file (the draft) in the same folder, which is renamed when it is complete. Symbolic
//! links are followed first, so that the draft is on the same disk as the link's target. Hard links keep the old
//! contents.

use crate::support::files::{Fault, FileError, Identity, Ledger, ledger, print};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempPath;

/// The prefix and the suffix of the name of a draft.
const PREFIX: &str = ".gray1-";
const SUFFIX: &str = ".tmp";
/// An unlocked draft is stale if it has not changed for this long.
const STALE_AFTER: Duration = Duration::from_secs(600);

/// A file being written.
pub struct Output {
    path: PathBuf,
    /// The temporary path until the file is complete, and its final path. `None` for standard output, devices and
    /// pipes, which are written directly.
    draft: Option<(TempPath, PathBuf)>,
    writer: BufWriter<File>,
}

/// Writes a file, or standard output for `-`. A closed pipe on standard output is not an error.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if path != Path::new("-") {
        return Output::create(path)?.complete(bytes);
    }
    print(bytes).map(|_| ())
}

/// Writes files into a folder, given by their relative paths. Renames the drafts once all are complete.
pub fn write_files<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<(), FileError> {
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| FileError::write(parent, error))?;
        let mut output = Output::create(&path)?;
        output.write(bytes)?;
        // The file is closed here: a pack can have more files than a process may have open.
        output.writer.flush().map_err(|error| FileError::write(&path, error))?;
        written.push((path, output.draft));
    }
    for (path, draft) in written {
        rename(draft).map_err(|error| FileError::write(&path, error))?;
    }
    Ok(())
}

impl Output {
    /// Opens an output. Fails if the path cannot be written, or if the command has read the file.
    pub fn create(path: &Path) -> Result<Output, FileError> {
        Output::open(path, false)
    }

    /// Opens an output that may replace a file that the command has read.
    pub fn replace(path: &Path) -> Result<Output, FileError> {
        Output::open(path, true)
    }

    fn open(path: &Path, may_replace_input: bool) -> Result<Output, FileError> {
        let target = follow_links(path).map_err(|error| FileError::write(path, error))?;
        let mut ledger = ledger();
        if !may_replace_input && ledger.has_read(&target) {
            return Err(Fault::OverInput.at(path));
        }
        let opened = if path == Path::new("-") {
            standard_output().map(|file| (file, None))
        } else if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            File::create(&target).map(|file| (file, None))
        } else if ledger.written.contains(&target) {
            return Err(Fault::OverOutput.at(path));
        } else {
            create_draft(&target, &mut ledger).map(|(file, draft)| (file, Some((draft, target))))
        };
        let (file, draft) = opened.map_err(|error| FileError::write(path, error))?;
        Ok(Output { path: path.to_owned(), draft, writer: BufWriter::new(file) })
    }

    /// Appends to the file.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.writer.write_all(bytes).map_err(|error| FileError::write(&self.path, error))
    }

    /// Makes the error for a failed write to this file.
    pub fn failed(&self, error: io::Error) -> FileError {
        FileError::write(&self.path, error)
    }

    /// Appends the rest of the file and finishes it.
    pub fn complete(mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.write(bytes)?;
        self.finish()
    }

    /// Flushes the file, and renames the draft into place.
    pub fn finish(mut self) -> Result<(), FileError> {
        let result = self.writer.flush().and_then(|()| rename(self.draft));
        result.map_err(|error| FileError::write(&self.path, error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Renames a draft into place.
fn rename(draft: Option<(TempPath, PathBuf)>) -> io::Result<()> {
    let Some((draft, target)) = draft else { return Ok(()) };
    draft.persist(&target)?;
    ledger().written.retain(|written| *written != target);
    Ok(())
}

/// Resolves the symbolic links of a path. The file need not exist. Devices and pipes keep their path: the link
/// `/dev/stdout` may refer to a pipe, which has no other.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => return fs::canonicalize(path),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(_) => return Ok(path.to_owned()),
        Err(_) => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::read_link(path), path.file_name()) {
        (Ok(link), _) => follow_links(&folder.join(link)),
        (Err(_), Some(name)) => Ok(fs::canonicalize(folder)?.join(name)),
        (Err(error), None) => Err(error),
    }
}

/// Creates a draft with the permissions and the owner of the file that it will replace.
fn create_draft(target: &Path, ledger: &mut Ledger) -> io::Result<(File, TempPath)> {
    let old = fs::metadata(target).ok();
    if old.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut name = tempfile::Builder::new();
    // Unpredictable, so that an attacker cannot create a link with that name in advance.
    name.prefix(PREFIX).suffix(SUFFIX).rand_bytes(16);
    let folder = target.parent().unwrap_or(target);
    if !ledger.folders.iter().any(|known| known == folder) {
        // Only once for each folder, because some commands write a thousand files.
        ledger.folders.push(folder.to_owned());
        remove_stale_drafts(folder);
    }
    let open = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let (file, draft) = name.make_in(folder, open)?.into_parts();
    let _ = lock(&file); // without file locks, no command removes drafts
    if let Some(old) = old {
        let _ = file.set_permissions(old.permissions());
        Identity::keep_owner(&file, &old);
    }
    ledger.written.push(target.to_owned());
    Ok((file, draft))
}

/// Removes the drafts of killed commands. The open draft of a running command is locked. A closed draft, which waits
/// for other files, is recent.
fn remove_stale_drafts(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_draft = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    for path in
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_draft)).map(|entry| entry.path())
    {
        let is_old = fs::symlink_metadata(&path).is_ok_and(|metadata| {
            let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
            metadata.is_file() && age.is_some_and(|age| age > STALE_AFTER)
        });
        let is_unlocked = || OpenOptions::new().write(true).open(&path).is_ok_and(|file| lock(&file));
        if is_old && is_unlocked() {
            let _ = fs::remove_file(&path); // another command may remove it too
        }
    }
}

/// Locks a draft. Returns false if another command holds the lock, or if the platform has no locks.
#[cfg(unix)]
fn lock(file: &File) -> bool {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(not(unix))]
fn lock(_: &File) -> bool {
    false
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}
