//! A file of the pack, which the command writes.

/// A file of the pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, with `/` between folders.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}
