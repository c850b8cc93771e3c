//! How the files are written: lists, an entry a line.

use serde::Serialize;

/// A list in JSON, an entry a line, in pieces.
pub fn list<E>(
    entries: impl Iterator<Item = Result<String, E>>,
    mut write: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut before = "[\n";
    for entry in entries {
        write(&(before.to_owned() + &entry?))?;
        before = ",\n";
    }
    write("\n]\n")
}

/// Plain data in JSON, on one line.
pub fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_else(|error| unreachable!("plain data: {error}"))
}
