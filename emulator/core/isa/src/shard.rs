//! Dividing long-running work among computers: each takes one of several equal parts.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One of several parts.
///
/// ```
/// let shard: gray1_isa::Shard = "2/3".parse().unwrap();
/// assert_eq!((0..8).filter(|&number| shard.has(number)).collect::<Vec<_>>(), [1, 4, 7]);
/// assert!("0/3".parse::<gray1_isa::Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, counted from 0.
    pub number: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// Whether a piece of the work belongs to this part; pieces count from 0.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.number
    }

    /// Refuses parts, each with the name of its file, that are not the whole. All of them are of as many.
    ///
    /// ```
    /// let part = |text: &str| text.parse::<gray1_isa::Shard>().unwrap();
    /// let (one, two) = (("one", part("1/2")), ("two", part("2/2")));
    /// assert_eq!(gray1_isa::Shard::check_whole([two, one]), Ok(()));
    /// assert_eq!(gray1_isa::Shard::check_whole([one, one]), Err("one: part 1/2, which one is too".to_owned()));
    /// assert!(gray1_isa::Shard::check_whole([two]).unwrap_err().contains("the first is 1/2"));
    /// ```
    pub fn check_whole<'a>(parts: impl IntoIterator<Item = (&'a str, Shard)>) -> Result<(), String> {
        let (mut names, mut all) = (BTreeMap::new(), 0);
        for (name, shard) in parts {
            all = shard.of;
            if let Some(first) = names.insert(shard.number, name) {
                return Err(format!("{name}: part {shard}, which {first} is too"));
            }
        }
        let Some(number) = (0..all).find(|number| !names.contains_key(number)) else { return Ok(()) };
        let (count, first) = (all - names.len() as u64, Shard { number, of: all });
        Err(format!("{count} of {all} parts missing, the first is {first}: join all parts"))
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

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.of)
    }
}
