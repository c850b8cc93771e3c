//! A board that is being built: what its file says, whether or not it fits together yet.
//!
//! Only [`Board`](super::Board) can be run. A sketch is what an editor shows of a board with a loose end.

use super::{BoardError, Chip, Nets, Part, bench};
use crate::ron_text::read;
use ron::extensions::Extensions;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The contents of a board file, unchecked.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Board")]
pub struct Sketch {
    /// The kinds of memory chips, by name.
    pub parts: BTreeMap<String, Part>,
    /// The lines that are driven from outside.
    pub inputs: Vec<Nets>,
    /// The chips. Formulas are not worked out.
    pub chips: Vec<Chip>,
    /// The switches and lamps.
    #[serde(default, deserialize_with = "bench::read")]
    pub bench: Option<super::Bench>,
}

impl Sketch {
    /// Reads the file of a board; only its syntax can be wrong.
    pub fn read(source: &str, file: &str) -> Result<Sketch, BoardError> {
        read(source, 32, Extensions::empty()).map_err(|error| BoardError::syntax(file, error))
    }
}
