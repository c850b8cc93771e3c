//! The environment of the server: files, and settings for assembling programs.

use gray1_assembler::Options;
use std::io;

/// Access to the files that are not open in the editor. Paths are absolute, with `/`.
pub trait Host: Send {
    /// The contents of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The sources under a folder, in a fixed order; only the first ones if there are very many.
    fn sources(&self, folder: &str) -> Vec<String>;

    /// The path of a copy of a built-in library file that the editor can open. `name` is, for example, `print.g1`.
    fn library_file(&self, name: &str) -> Option<String>;
}

/// The settings for assembling programs.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Constants and warnings.
    pub options: Options,
    /// The folders that are searched for included files that are not beside the source.
    pub folders: Vec<String>,
}
