//! Parts of a search as lines of JSON: the question, and for each length the sequences that this part has found. If all
//! parts are joined, the result is that of the whole search.

use crate::support::parts::{self, Work};
use gray1_isa::Shard;
use gray1_search::{Constants, Sequence};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::PathBuf;

/// The options of a search, which are the same for all its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What the sequences have to compute.
    pub search: String,
    pub keep: Option<Vec<String>>,
    pub temporaries: u8,
    pub max: u8,
    pub exhaustive: bool,
    /// The version of this program, since another version may divide the work differently.
    pub version: String,
}

/// The first line of a file: a part of a search.
#[derive(Serialize, Deserialize)]
pub struct SearchPart {
    #[serde(flatten)]
    pub question: Question,
    /// The shard, such as `2/4`.
    pub part: String,
}

/// Each further line of a file: the result for one length.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tried {
    pub words: usize,
    #[serde(with = "ConstantsName")]
    pub constants: Constants,
    /// Whether too many sequences were almost right to check all of them, so that one may have been missed.
    pub undecided: bool,
    /// The sequences found in this part of the work; all of them, unless `undecided`.
    pub sequences: Vec<Sequence>,
}

/// The names of [`Constants`] in these lines.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Constants", rename_all = "lowercase")]
enum ConstantsName {
    All,
    Few,
    Likely,
}

impl Tried {
    /// The sequences that were found. Fails if there are none and it is undecided whether there is one.
    pub fn decided(self) -> Result<Vec<Sequence>, Box<dyn Error>> {
        if self.sequences.is_empty() && self.undecided {
            let words = self.words;
            return Err(format!(
                "cannot decide whether there is a sequence of {words} words: too many are almost right to check them all; \
                allow fewer with --temporaries, or set a lower --max"
            )
            .into());
        }
        Ok(self.sequences)
    }

    /// Rejects lines that no search writes.
    fn check(&self) -> Result<(), &'static str> {
        let is_plain = |line: &String| line.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        let is_right = |one: &Sequence| one.code().len() == self.words && one.code().iter().all(is_plain);
        if self.sequences.iter().all(is_right) {
            Ok(())
        } else {
            Err("a sequence does not have the length that the line says")
        }
    }
}

impl Work for SearchPart {
    type Result = Tried;
    const NAME: &'static str = "search";
    const WRITER: &'static str = "gray1 search --shard";

    fn check(&self) -> Result<(), String> {
        self.shard().map(|_| ()).map_err(|error| format!("`{}`: {error}", self.part))
    }

    fn differences(&self, other: &SearchPart) -> Vec<(bool, &'static str)> {
        let (own, others) = (&self.question, &other.question);
        let of = |part: &SearchPart| part.shard().map(|shard| shard.of);
        vec![
            (own.version != others.version, "the version of gray1"),
            (own.search != others.search, "what is wanted"),
            (own.keep != others.keep, "--keep"),
            (own.temporaries != others.temporaries, "--temporaries"),
            (own.max != others.max, "--max"),
            (own.exhaustive != others.exhaustive, "--exhaustive"),
            (of(self) != of(other), "the number of parts"),
        ]
    }
}

impl SearchPart {
    fn shard(&self) -> Result<Shard, String> {
        self.part.parse()
    }
}

/// The files of all parts of a search.
pub type Parts = Vec<parts::Part<SearchPart>>;

/// Reads all parts of a search.
pub fn read(paths: &[PathBuf]) -> Result<Parts, Box<dyn Error>> {
    let parts: Parts = parts::join(paths, |_, tried: &Tried| tried.check())?;
    let shards = parts.iter().map(|part| Ok((part.name.as_str(), part.work.shard()?)));
    Shard::check_whole(shards.collect::<Result<Vec<_>, String>>()?)?;
    Ok(parts)
}

/// The sequences of a length that all parts together have found.
pub fn found(parts: &Parts, words: usize, constants: Constants) -> Result<Vec<Sequence>, Box<dyn Error>> {
    let mut all = Tried { words, constants, undecided: false, sequences: Vec::new() };
    for parts::Part { name, results, .. } in parts {
        let is_it = |tried: &&Tried| (tried.words, tried.constants) == (words, constants);
        let Some(tried) = results.iter().find(is_it) else {
            return Err(
                format!("{name}: the result for {words} words is missing: the file is not complete").into()
            );
        };
        all.undecided |= tried.undecided;
        all.sequences.extend(tried.sequences.iter().cloned());
    }
    all.sequences.sort();
    all.sequences.dedup();
    all.decided()
}
