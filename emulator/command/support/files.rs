//! Reads files (`-` is standard input) and writes to standard output.

use gray1_display::{DisplayError, terminal};
use gray1_isa::ImageError;
use gray1_machine::Failure;
use gray1_text::{fold, visible};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// An error in reading or writing a file.
#[derive(Debug, Error)]
#[error("{}: {fault}", shown(.path))]
pub struct FileError {
    pub path: PathBuf,
    pub fault: Fault,
}

/// The reason for a [`FileError`].
#[derive(Debug, Error)]
pub enum Fault {
    #[error("cannot read: {0}")]
    Read(io::Error),
    #[error("cannot write: {0}")]
    Write(io::Error),
    #[error("not a text file: byte {0} is not UTF-8")]
    NotText(usize),
    #[error("this is a source, not an image; assemble it with `gray1 asm`")]
    Source,
    #[error("this would overwrite an input file; choose another file")]
    OverInput,
    #[error("this would overwrite another output; choose another file")]
    OverOutput,
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl Fault {
    /// Makes the error for a file.
    pub fn at(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), fault: self }
    }
}

impl FileError {
    /// Makes the error for a file that cannot be written.
    pub fn write(path: &Path, error: io::Error) -> FileError {
        Fault::Write(error).at(path)
    }

    /// Whether the error is only a closed pipe on standard output, which is not reported.
    pub fn is_closed_pipe(&self) -> bool {
        let is_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        self.path == Path::new("-") && matches!(&self.fault, Fault::Write(error) if is_pipe(error))
    }

    /// Finds the `FileError` that an error is or wraps.
    pub fn find<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a FileError> {
        match (error.downcast_ref(), error.downcast_ref()) {
            (Some(Failure::Other(error)), _) => error.downcast_ref(),
            (_, Some(DisplayError::Machine(failure))) => FileError::find(failure),
            _ => error.downcast_ref(),
        }
    }
}

/// The maximum size of an input file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Formats a path for messages.
pub fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => visible(&path.display().to_string()).into_owned(),
    }
}

/// Converts a path to one with slashes, which the assembler expects.
pub fn slashes(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// Reads a file, or standard input for `-`, up to `MAX_BYTES`, because devices and pipes may never end.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        ledger().read.extend(Identity::of(path));
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    let result = result.and_then(|_| match bytes.len() as u64 {
        0..=MAX_BYTES => Ok(bytes),
        _ => Err(io::Error::other(format!("the file is larger than {} megabytes", MAX_BYTES >> 20))),
    });
    result.map_err(|error| Fault::Read(error).at(path))
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?).map_err(|error| Fault::NotText(error.utf8_error().valid_up_to()).at(path))
}

/// Makes a reader of command files for the debugger. Standard input is excluded, because the dialogue itself may read
/// it.
pub fn reader() -> gray1_debugger::ScriptReader {
    Box::new(|path| match path {
        "-" => Err("`-` cannot be used here: standard input is in use".to_owned()),
        path => read_text(Path::new(path)).map_err(|error| error.to_string()),
    })
}

/// Writes to standard output. Returns false if it has no reader any more.
pub fn print(bytes: &[u8]) -> Result<bool, FileError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => {
            result.map(|()| true).map_err(|error| FileError::write(Path::new("standard output"), error))
        }
    }
}

/// Writes text to standard output. On a terminal, long lines are broken at its width.
pub fn print_text(text: &str) -> Result<bool, FileError> {
    match io::stdout().is_terminal() {
        true => print(fold(text, terminal::size().0.into()).as_bytes()),
        false => print(text.as_bytes()),
    }
}

/// Writes to standard output until interrupted: a reader that has stopped reading must not block the command. Returns
/// false if standard output has no reader any more.
pub fn print_until(interrupt: &AtomicBool, bytes: &[u8]) -> Result<bool, FileError> {
    for chunk in bytes.chunks(CHUNK) {
        while !can_print() {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        if !print(chunk)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A pipe that is ready accepts at least this many bytes without blocking.
const CHUNK: usize = 4096;

/// Whether standard output is ready for a chunk, now or after a short wait.
#[cfg(unix)]
fn can_print() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let timeout = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let ready = poll(&mut [PollFd::new(&stdout, PollFlags::OUT)], Some(&timeout));
    !matches!(ready, Ok(0) | Err(rustix::io::Errno::INTR))
}

#[cfg(not(unix))]
fn can_print() -> bool {
    true
}

/// Lists the files in a folder and its subfolders, sorted by path, up to a depth. Hidden files and folders are left out,
/// and links to folders are not followed.
pub fn files_in(folder: &Path, max_depth: usize) -> Result<Vec<PathBuf>, FileError> {
    let failed = |error| Fault::Read(error).at(folder);
    let entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        match (path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()), max_depth) {
            (false, _) => files.push(path),
            (true, 0) => return Err(failed(io::Error::other("the folders are nested too deeply"))),
            (true, _) => files.extend(files_in(&path, max_depth - 1)?),
        }
    }
    Ok(files)
}

/// Identifies a file independently of its path.
#[derive(Clone, PartialEq)]
pub struct Identity {
    #[cfg(unix)]
    device_and_number: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

/// The files of this process. Reading and writing are spread over all commands, so this is global.
#[derive(Default)]
pub struct Ledger {
    /// The files that were read. An output must not overwrite them.
    read: Vec<Identity>,
    /// The final paths of the files that were written.
    pub written: Vec<PathBuf>,
    /// The folders in which drafts were created.
    pub folders: Vec<PathBuf>,
}

/// Returns the files of this process.
pub fn ledger() -> MutexGuard<'static, Ledger> {
    static LEDGER: LazyLock<Mutex<Ledger>> = LazyLock::new(Mutex::default);
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledger {
    /// Whether the file at this path has been read.
    pub fn has_read(&self, path: &Path) -> bool {
        Identity::of(path).is_some_and(|identity| self.read.contains(&identity))
    }
}

/// Whether two paths lead to the same file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    one == other || Identity::of(one).is_some_and(|identity| Identity::of(other) == Some(identity))
}

#[cfg(unix)]
impl Identity {
    /// Returns the identity of the file at a path, if it is a regular file.
    fn of(path: &Path) -> Option<Identity> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Identity { device_and_number: (metadata.dev(), metadata.ino()) })
    }

    /// Gives a new file the owner of an old one, if that is permitted.
    pub fn keep_owner(file: &File, old: &fs::Metadata) {
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
impl Identity {
    fn of(path: &Path) -> Option<Identity> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Identity { path: fs::canonicalize(path).ok()? })
    }

    pub fn keep_owner(_: &File, _: &fs::Metadata) {}
}
