//! Finds a program by its name: a file, or a shipped program.
//!
//! A file of exactly that name is tried first, then one with the extension `.g1`, then a shipped program. A name with
//! an extension always means a file, so that a misspelt path never runs a shipped program instead. A shipped program is
//! not on disk: like the files of the library, it has a path that begins with `BUILT_IN`.

use crate::support::files::{self, FileError};
use gray1_assembler::ShippedProgram;
use gray1_assembler::{BUILT_IN, closest};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The contents of a program's file.
#[derive(Clone)]
pub struct ProgramFile {
    /// Its path, as messages show it.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Reads a program, which is a source or an image.
pub fn read(path: &Path) -> Result<ProgramFile, FileError> {
    let found = |path: &Path| Ok(ProgramFile { path: path.to_owned(), bytes: files::read(path)? });
    let Some(name) = bare_name(path) else { return found(path).map_err(|error| advised(error, path)) };
    let source = with_ending(path);
    if source.is_file() {
        return found(&source);
    }
    match ShippedProgram::named(name) {
        Some(program) => {
            let path = PathBuf::from(format!("{BUILT_IN}{}", program.file));
            Ok(ProgramFile { path, bytes: program.text.as_bytes().to_vec() })
        }
        None => found(path).map_err(|error| advised(error, path)),
    }
}

/// The path of the source that a name without an extension may stand for.
pub fn with_ending(path: &Path) -> PathBuf {
    path.with_extension("g1")
}

/// The path as a bare name: without folder and extension, and not the name of an existing file.
fn bare_name(path: &Path) -> Option<&str> {
    let name = path.to_str().filter(|name| path.file_name().is_some_and(|file| file == *name))?;
    let is_there = name == "-" || path.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
    (!is_there && path.extension().is_none()).then_some(name)
}

/// Adds the name that was probably meant to the error for a missing file.
fn advised(error: FileError, path: &Path) -> FileError {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match error {
        FileError::Read { path, error } if error.kind() == ErrorKind::NotFound => {
            let near = closest(stem, ShippedProgram::all().map(|program| program.name()));
            let advice = near.map(|name| format!("; did you mean `{name}`, a shipped program?"));
            let is_name = path.extension().is_none() && path.components().count() == 1;
            let all = is_name.then_some("; `gray1 examples` lists the shipped programs".to_owned());
            let advice = advice.or(all).unwrap_or_default();
            FileError::Read { path, error: io::Error::new(error.kind(), format!("{error}{advice}")) }
        }
        error => error,
    }
}
