//! Files in and out: standard input as `-`, and output files that appear whole or not at all.

use crate::tell::usage;
use gray1_isa::{Image, ImageError};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use thiserror::Error;

/// What can go wrong with a file.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{}: cannot read: {error}", shown(.path))]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: cannot write: {error}", shown(.path))]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: not a text file: byte {at} is not UTF-8", shown(.path))]
    NotText { path: PathBuf, at: usize },
    #[error("{}: a source, not an image; assemble it with `gray1 asm`", shown(.path))]
    Source { path: PathBuf },
    #[error("{}: {error}", shown(.path))]
    Image { path: PathBuf, error: ImageError },
}

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// How a path is shown in messages.
pub fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a file, or standard input for `-`; no more than a file of ours can need, since some never end.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    let result = result.and_then(|_| match bytes.len() as u64 {
        0..=LARGEST => Ok(bytes),
        _ => Err(io::Error::other(format!("it has more than {} megabytes", LARGEST >> 20))),
    });
    result.map_err(|error| FileError::Read { path: path.to_owned(), error })
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?)
        .map_err(|error| FileError::NotText { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Reads an image.
pub fn read_image(path: &Path) -> Result<Image, FileError> {
    if path.extension().is_some_and(|extension| extension == "g1") {
        return Err(FileError::Source { path: path.to_owned() });
    }
    Image::from_bytes(&read(path)?).map_err(|error| FileError::Image { path: path.to_owned(), error })
}

/// Leaves with an error of usage where an output would take the place of a file that is read, or of another output.
pub fn keep_apart(inputs: &[&Path], outputs: &[(&str, Option<&Path>)]) {
    let mut taken: Vec<(PathBuf, &str)> =
        inputs.iter().filter_map(|path| Some((place(path)?, "an input"))).collect();
    for (option, path) in outputs {
        let Some(place) = path.and_then(place) else { continue };
        if let Some((_, other)) = taken.iter().find(|(path, _)| *path == place) {
            let path = place.display();
            usage(format_args!("{option} would overwrite {other}: {path}; choose another file"));
        }
        taken.push((place, option));
    }
}

/// Where a path leads, if that is a file or may become one.
fn place(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return None;
    }
    if let Ok(path) = fs::canonicalize(path) {
        return Some(path);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

/// Writes a file, or standard output for `-`. It is no error when nobody reads standard output to its end.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if path != Path::new("-") {
        let mut output = Output::create(path)?;
        output.write(bytes)?;
        return output.finish();
    }
    print(bytes).map(|_| ())
}

/// Whether anybody reads standard output.
#[derive(Clone, Copy, PartialEq)]
pub enum Reader {
    Listens,
    Gone,
}

/// Writes to standard output.
pub fn print(bytes: &[u8]) -> Result<Reader, FileError> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Reader::Listens),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(FileError::Write { path: PathBuf::from("standard output"), error }),
    }
}

/// A file being written. It takes its name only when it is finished; until then, and after an error, whatever had
/// that name is still there.
pub struct Output {
    path: PathBuf,
    /// Where it is written in the meantime; standard output (`-`), a device, a pipe and a link are written to
    /// directly.
    draft: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl Output {
    /// Begins a file: an error here means that nothing can be written there.
    pub fn create(path: &Path) -> Result<Output, FileError> {
        let is_stream = path == Path::new("-");
        let is_special = fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let draft = (!is_stream && !is_special).then(|| draft_of(path));
        let file = if is_stream {
            io::stdout().as_fd().try_clone_to_owned().map(File::from)
        } else {
            File::create(draft.as_deref().unwrap_or(path))
        };
        let file = file.map_err(|error| FileError::Write { path: path.to_owned(), error })?;
        Ok(Output { path: path.to_owned(), draft, writer: BufWriter::new(file) })
    }

    /// Adds to the file.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.writer.write_all(bytes).map_err(|error| FileError::Write { path: self.path.clone(), error })
    }

    /// Gives the finished file its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let result = self.writer.flush().and_then(|()| match &self.draft {
            Some(draft) => fs::rename(draft, &self.path),
            None => Ok(()),
        });
        if result.is_ok() {
            self.draft = None;
        }
        result.map_err(|error| FileError::Write { path: self.path.clone(), error })
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

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            let _ = fs::remove_file(draft); // there is nobody left to tell
        }
    }
}

/// A name beside the file's own, on the same disk, so that it can be renamed.
fn draft_of(path: &Path) -> PathBuf {
    static DRAFTS: AtomicU32 = AtomicU32::new(0);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{}.tmp", std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed)));
    path.with_file_name(name)
}
