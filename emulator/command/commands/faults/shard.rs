//! Dividing long-running work among computers: each takes one of several equal parts.

use std::str::FromStr;

/// One of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, counted from 0.
    pub number: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// Whether a piece of the work belongs to this part; pieces count from 0.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.number
    }
}

/// Reads `I/N`, counted from 1.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number @ 1.., of)) if number <= of => Ok(Shard { number: number - 1, of }),
            _ => Err("write which part of how many, as in `1/4`".to_owned()),
        }
    }
}
