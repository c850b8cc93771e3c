//! Finds a program by its name: a file, or a shipped program.
//!
//! The order is: a file with exactly this name, a file with the extension `.g1`, a shipped program. A name with an
//! extension always refers to a file, so that a misspelt path never runs a shipped program. The path of a shipped
//! program begins with `BUILT_IN`, like the paths of library files.

use crate::support::files::{self, Fault, FileError};
use gray1_assembler::ShippedProgram;
use gray1_assembler::{BUILT_IN, closest};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The contents of a program's file.
#[derive(Clone)]
pub struct ProgramFile {
    /// The path for messages.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Reads a program: a source or an image.
pub fn read(path: &Path) -> Result<ProgramFile, FileError> {
    let found = |path: &Path| Ok(ProgramFile { path: path.to_owned(), bytes: files::read(path)? });
    let Some(name) = bare_name(path) else { return found(path).map_err(|error| add_advice(error, path)) };
    let source = source_path(path);
    if source.is_file() {
        return found(&source);
    }
    match ShippedProgram::named(name) {
        Some(program) => {
            let path = PathBuf::from(format!("{BUILT_IN}{}", program.file));
            Ok(ProgramFile { path, bytes: program.text.as_bytes().to_vec() })
        }
        None => found(path).map_err(|error| add_advice(error, path)),
    }
}

/// Returns the path of the source that a name without an extension can refer to.
pub fn source_path(path: &Path) -> PathBuf {
    path.with_extension("g1")
}

/// Returns the path as a bare name, if it has no folder and no extension and is not an existing file.
fn bare_name(path: &Path) -> Option<&str> {
    let name = path.to_str().filter(|name| path.file_name().is_some_and(|file| file == *name))?;
    let exists = name == "-" || path.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
    (!exists && path.extension().is_none()).then_some(name)
}

/// Adds the most similar program name to the error for a missing file.
fn add_advice(error: FileError, path: &Path) -> FileError {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match error {
        FileError { path, fault: Fault::Read(error) } if error.kind() == ErrorKind::NotFound => {
            // The name of a file in a folder is a coincidence, unless it is exactly that of a program.
            let names = ShippedProgram::all().map(|program| program.name());
            let is_in_folder = path.components().count() > 1;
            let similar = closest(stem, names).filter(|name| !is_in_folder || *name == stem);
            let advice = similar.map(|name| format!("; did you mean `{name}`, a shipped program?"));
            let is_name = path.extension().is_none() && path.components().count() == 1;
            let all = is_name.then_some("; `gray1 examples` lists the shipped programs".to_owned());
            let advice = advice.or(all).unwrap_or_default();
            Fault::Read(io::Error::new(error.kind(), format!("{error}{advice}"))).at(&path)
        }
        error => error,
    }
}
