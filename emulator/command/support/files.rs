//! Reading files (`-` is standard input) and writing to standard output.

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
    /// The error for a file that cannot be written.
    pub fn write(path: &Path, error: io::Error) -> FileError {
        FileError::Write { path: path.to_owned(), error }
    }

    /// Whether this error is only a closed pipe on standard output, which is not reported.
    pub fn is_unread(&self) -> bool {
        match self {
            FileError::Write { path, error } => {
                path == Path::new("-") && error.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }

    /// The `FileError` that an error is or contains, if any.
    pub fn of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a FileError> {
        match (error.downcast_ref(), error.downcast_ref()) {
            (Some(Failure::Other(error)), _) => error.downcast_ref(),
            (_, Some(DisplayError::Machine(failure))) => FileError::of(failure),
            _ => error.downcast_ref(),
        }
    }
}

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// How a path is shown in messages.
pub fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => visible(&path.display().to_string()).into_owned(),
    }
}

/// A path with slashes, as the assembler joins them to find included files.
pub fn slashes(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// Reads a file, or standard input for `-`, up to `LARGEST` bytes: devices and pipes may never end.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        note_read(path);
        File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    let result = result.and_then(|_| match bytes.len() as u64 {
        0..=LARGEST => Ok(bytes),
        _ => Err(io::Error::other(format!("the file is larger than {} megabytes", LARGEST >> 20))),
    });
    result.map_err(|error| FileError::Read { path: path.to_owned(), error })
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?)
        .map_err(|error| FileError::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Reads command files for the debugger. They cannot come from standard input, which the dialogue itself may read.
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

/// Writes to standard output unless interrupted: a reader that has stopped reading must not block the command.
pub fn print_until(interrupt: &AtomicBool, bytes: &[u8]) -> Result<Audience, FileError> {
    for piece in bytes.chunks(PIECE) {
        while !can_print() {
            if interrupt.load(Ordering::Relaxed) {
                return Ok(Audience::Gone);
            }
        }
        if print(piece)? == Audience::Gone {
            return Ok(Audience::Gone);
        }
    }
    Ok(Audience::Listens)
}

/// A pipe that polls as ready accepts at least this many bytes without blocking.
const PIECE: usize = 4096;

/// Whether standard output is ready to take a piece, now or after a short wait.
#[cfg(unix)]
fn can_print() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let moment = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let ready = poll(&mut [PollFd::new(&stdout, PollFlags::OUT)], Some(&moment));
    !matches!(ready, Ok(0) | Err(rustix::io::Errno::INTR))
}

#[cfg(not(unix))]
fn can_print() -> bool {
    true
}

/// Identifies a file independently of the path that leads to it.
#[derive(Clone, PartialEq)]
pub struct Identity {
    #[cfg(unix)]
    device_and_number: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

/// The files that this command has read.
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
    /// The identity of the file at a path, if it is a regular file.
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
