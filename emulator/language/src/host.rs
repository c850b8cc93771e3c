//! What the server needs of the world: files.

use std::io;

/// The files beside the open buffers. Paths are absolute, with `/`.
pub trait Host: Send {
    /// What a file holds.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The sources under a folder, in a fixed order, or the first of very many.
    fn sources(&self, folder: &str) -> Vec<String>;

    /// Where a file of the built-in library can be read, `name` being one such as `print.g1`.
    fn library_file(&self, name: &str) -> Option<String>;
}
