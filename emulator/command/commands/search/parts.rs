//! Parts of a search as lines of JSON: the question, and for each length the sequences that this part has found. If all
//! parts are joined, the result is that of the whole search.

use super::SHOWN;
use crate::support::files::{self, shown};
use crate::support::parts::{Lines, check_same};
use gray1_isa::Shard;
use gray1_search::{Constants, Sequence};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::{Path, PathBuf};

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

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    question: Question,
    /// The shard, such as `2/4`.
    part: String,
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
}

/// The contents of one file.
pub struct Part {
    pub question: Question,
    pub shard: Shard,
    pub tried: Vec<Tried>,
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

impl Part {
    /// The lines of the file.
    pub fn text(self) -> Result<String, serde_json::Error> {
        let header = Header { question: self.question, part: self.shard.to_string() };
        let mut text = serde_json::to_string(&header)? + "\n";
        for tried in &self.tried {
            text += &(serde_json::to_string(tried)? + "\n");
        }
        Ok(text)
    }

    fn read(path: &Path) -> Result<Part, Box<dyn Error>> {
        let (name, text) = (shown(path), files::read_text(path)?);
        let mut lines = Lines::of(&name, "gray1 search --shard", &text);
        let Header { question, part } = lines.header()?;
        let shard = part.parse().map_err(|error: String| lines.wrong(&format!("`{part}`: {error}")))?;
        let mut tried = Vec::new();
        while let Some(of_length) = lines.next::<Tried>()? {
            of_length.check().map_err(|what| lines.wrong(what))?;
            tried.push(of_length);
        }
        Ok(Part { question, shard, tried })
    }

    /// What differs between the searches of two parts.
    fn differences(&self, other: &Part) -> [(bool, &'static str); 7] {
        let (own, others) = (&self.question, &other.question);
        [
            (own.version != others.version, "the version of gray1"),
            (own.search != others.search, "what is wanted"),
            (own.keep != others.keep, "--keep"),
            (own.temporaries != others.temporaries, "--temporaries"),
            (own.max != others.max, "--max"),
            (own.exhaustive != others.exhaustive, "--exhaustive"),
            (self.shard.of != other.shard.of, "the number of parts"),
        ]
    }
}

/// Parts, each with the name of its file.
pub type Parts = Vec<(String, Part)>;

/// All parts of a search.
pub fn read(paths: &[PathBuf]) -> Result<(Question, Parts), Box<dyn Error>> {
    let mut parts = Parts::new();
    for path in paths {
        let (name, part) = (shown(path), Part::read(path)?);
        if let Some((first, other)) = parts.first() {
            check_same(&name, first, "search", part.differences(other))?;
        }
        parts.push((name, part));
    }
    Shard::check_whole(parts.iter().map(|(name, part)| (name.as_str(), part.shard)))?;
    let (_, Part { question, .. }) = parts.first().ok_or("--join: name at least one file")?;
    Ok((question.clone(), parts))
}

/// The sequences of a length that all parts together have found.
pub fn found(
    parts: &[(String, Part)],
    words: usize,
    constants: Constants,
) -> Result<Vec<Sequence>, Box<dyn Error>> {
    let mut all = Tried { words, constants, undecided: false, sequences: Vec::new() };
    for (name, part) in parts {
        let is_it = |tried: &&Tried| (tried.words, tried.constants) == (words, constants);
        let Some(tried) = part.tried.iter().find(is_it) else {
            let is_open = constants == Constants::All && words > SHOWN && !part.question.exhaustive;
            return Err(match is_open {
                true => format!(
                    "no sequence was found with likely constants, and all constants were tried only up to {SHOWN} words: \
                     search all parts again with --exhaustive"
                ),
                false => format!("{name}: the result for {words} words is missing: the file is not complete"),
            }
            .into());
        };
        all.undecided |= tried.undecided;
        all.sequences.extend(tried.sequences.iter().cloned());
    }
    all.sequences.sort();
    all.sequences.dedup();
    all.decided()
}
