//! Dividing long-running work among computers: each takes one of several equal parts.

use gray1_text::{THOUSANDS, quantity};

/// One of several parts.
#[derive(Clone, Copy)]
pub struct Shard {
    /// The part, counted from 0.
    number: u64,
    /// The number of parts.
    of: u64,
}

impl Shard {
    /// Whether a piece of the work belongs to this part; pieces count from 0.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.number
    }

    /// Parses `I/N`, counted from 1.
    pub fn parse(text: &str) -> Result<Shard, &'static str> {
        let parts = text.split_once('/').map(|(one, of)| [one, of].map(|text| quantity(text, &THOUSANDS)));
        match parts {
            Some([Some(number @ 1..), Some(of)]) if number <= of => Ok(Shard { number: number - 1, of }),
            _ => Err("write which part of how many, as in `1/4`"),
        }
    }
}
