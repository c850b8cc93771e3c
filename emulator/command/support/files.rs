//! Reads files (`-` is standard input) and writes to standard output.

use gray1_display::DisplayError;
use gray1_isa::ImageError;
use gray1_machine::Failure;
use gray1_text::visible;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// An error in reading or writing a file.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{}: cannot read: {error}", shown(.path))]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: cannot write: {error}", shown(.path))]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: not a text file: byte {at} is not UTF-8", shown(.path))]
    NotText { path: PathBuf, at: usize },
    #[error("{}: this is a source, not an image; assemble it with `gray1 asm`", shown(.path))]
    Source { path: PathBuf },
    #[error("{}: this would overwrite an input file; choose another file", shown(.path))]
    OverInput { path: PathBuf },
    #[error("{}: this would overwrite another output; choose another file", shown(.path))]
    OverOutput { path: PathBuf },
    #[error("{}: {error}", shown(.path))]
    Image { path: PathBuf, error: ImageError },
}

impl FileError {
    /// The path of the file, as messages show it.
    pub fn path(&self) -> String {
        let (FileError::Read { path, .. }
        | FileError::Write { path, .. }
        | FileError::NotText { path, .. }
        | FileError::Source { path }
        | FileError::OverInput { path }
        | FileError::OverOutput { path }
        | FileError::Image { path, .. }) = self;
        shown(path)
    }

    /// Makes the error for a file that cannot be written.
    pub fn write(path: &Path, error: io::Error) -> FileError {
        FileError::Write { path: path.to_owned(), error }
    }

    /// Whether the error is only a closed pipe on standard output, which is not reported.
    pub fn is_closed_pipe(&self) -> bool {
        match self {
            FileError::Write { path, error } => {
                path == Path::new("-") && error.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
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
        note_read(path);
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    let result = result.and_then(|_| match bytes.len() as u64 {
        0..=MAX_BYTES => Ok(bytes),
        _ => Err(io::Error::other(format!("the file is larger than {} megabytes", MAX_BYTES >> 20))),
    });
    result.map_err(|error| FileError::Read { path: path.to_owned(), error })
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?)
        .map_err(|error| FileError::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Makes a reader of command files for the debugger. Standard input is excluded, because the dialogue itself may read
/// it.
pub fn reader() -> gray1_debugger::ScriptReader {
    Box::new(|path| match path {
        "-" => Err("`-` cannot be used here: standard input is in use".to_owned()),
        path => read_text(Path::new(path)).map_err(|error| error.to_string()),
    })
}

/// Whether standard output still has a reader.
#[derive(Clone, Copy, PartialEq)]
pub enum Audience {
    Listens,
    Gone,
}

/// Writes to standard output.
pub fn print(bytes: &[u8]) -> Result<Audience, FileError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Audience::Listens),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Audience::Gone),
        Err(error) => Err(FileError::write(Path::new("standard output"), error)),
    }
}

/// Writes to standard output until interrupted: a reader that has stopped reading must not block the command.
pub fn print_until(interrupt: &AtomicBool, bytes: &[u8]) -> Result<Audience, FileError> {
    for chunk in bytes.chunks(CHUNK) {
        while !can_print() {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(Audience::Gone);
            }
        }
        if print(chunk)? == Audience::Gone {
            return Ok(Audience::Gone);
        }
    }
    Ok(Audience::Listens)
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

/// Identifies a file independently of its path.
#[derive(Clone, PartialEq)]
pub struct Identity {
    #[cfg(unix)]
    device_and_number: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

/// The files that this process has read. An output must not overwrite them.
static READ: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

/// Whether two paths lead to the same file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    Identity::of(one).is_some_and(|identity| Identity::of(other) == Some(identity))
}

/// Whether the file at this path has been read.
pub fn has_been_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    Identity::of(path).is_some_and(|identity| read.contains(&identity))
}

fn note_read(path: &Path) {
    READ.lock().unwrap_or_else(PoisonError::into_inner).extend(Identity::of(path));
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
