//! Parts of a search as lines of JSON: what was asked, and for each length that was tried what this part has found, or
//! that it has excluded its share. Joined, they say what the whole search says, if nothing is missing.

use crate::files::{self, shown};
use crate::search::SHOWN;
use gray1_isa::Shard;
use gray1_search::{Constants, Sequence};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::{Path, PathBuf};

/// What all parts of a search share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What is wanted.
    pub search: String,
    pub keep: Option<Vec<String>>,
    pub temporaries: u8,
    pub max: u8,
    pub exhaustive: bool,
    /// The version of this program: another may divide the work otherwise.
    pub version: String,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    question: Question,
    /// `2/4`.
    part: String,
}

/// Each further line: what came of a length.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tried {
    pub words: usize,
    #[serde(with = "ConstantsName")]
    pub constants: Constants,
    /// So many sequences are almost right that it cannot be said whether there is one.
    pub undecided: bool,
    /// What was found. If there is nothing, there is nothing in this share.
    pub sequences: Vec<Sequence>,
}

/// Their names in these lines.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Constants", rename_all = "lowercase")]
enum ConstantsName {
    All,
    Few,
}

/// What one part says.
pub struct Part {
    pub question: Question,
    pub shard: Shard,
    pub tried: Vec<Tried>,
}

impl Tried {
    /// What was found, if that is an answer.
    pub fn decided(self) -> Result<Vec<Sequence>, Box<dyn Error>> {
        if self.sequences.is_empty() && self.undecided {
            let words = self.words;
            return Err(format!(
                "whether there is a sequence of {words} words cannot be decided: too many are almost right"
            )
            .into());
        }
        Ok(self.sequences)
    }

    /// Refuses what no search writes.
    fn check(&self) -> Result<(), &'static str> {
        let is_plain = |line: &String| line.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        let is_right = |one: &Sequence| one.code().len() == self.words && one.code().iter().all(is_plain);
        if self.sequences.iter().all(is_right) { Ok(()) } else { Err("a sequence is not of that length") }
    }
}

impl Part {
    /// The lines.
    pub fn text(self) -> Result<String, serde_json::Error> {
        let header = Header { question: self.question, part: self.shard.to_string() };
        let mut text = serde_json::to_string(&header)? + "\n";
        for tried in &self.tried {
            text += &(serde_json::to_string(tried)? + "\n");
        }
        Ok(text)
    }

    fn read(path: &Path) -> Result<Part, Box<dyn Error>> {
        let text = files::read_text(path)?;
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let at = |number: usize, what: &str| format!("{}: line {number}: {what}", shown(path));
        let wrong = |number: usize, error: serde_json::Error| {
            at(number, &format!("not what `gray1 search --shard` writes: {error}"))
        };
        let (number, first) = lines.next().unwrap_or((1, ""));
        let Header { question, part } = serde_json::from_str(first).map_err(|error| wrong(number, error))?;
        let shard = part.parse().map_err(|error: String| at(number, &format!("`{part}`: {error}")))?;
        let mut tried = Vec::new();
        for (number, line) in lines {
            let of_length: Tried = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
            of_length.check().map_err(|what| at(number, what))?;
            tried.push(of_length);
        }
        Ok(Part { question, shard, tried })
    }

    /// What makes this a part of another search.
    fn differences(&self, other: &Part) -> Vec<&'static str> {
        let (own, others) = (&self.question, &other.question);
        let all = [
            (own.version != others.version, "the version of gray1"),
            (own.search != others.search, "what is wanted"),
            (own.keep != others.keep, "--keep"),
            (own.temporaries != others.temporaries, "--temporaries"),
            (own.max != others.max, "--max"),
            (own.exhaustive != others.exhaustive, "--exhaustive"),
            (self.shard.of != other.shard.of, "the number of parts"),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what).collect()
    }
}

/// Parts, each with the name of its file.
pub type Parts = Vec<(String, Part)>;

/// All parts of a search.
pub fn read(paths: &[PathBuf]) -> Result<(Question, Parts), Box<dyn Error>> {
    let mut parts = Parts::new();
    for path in paths {
        let (name, part) = (shown(path), Part::read(path)?);
        if let Some((first, other)) = parts.first()
            && let differences = part.differences(other)
            && !differences.is_empty()
        {
            let what = differences.join(", ");
            return Err(format!("{name}: part of another search than {first}: they differ in {what}").into());
        }
        parts.push((name, part));
    }
    Shard::check_whole(parts.iter().map(|(name, part)| (name.as_str(), part.shard)))?;
    let (_, Part { question, .. }) = parts.first().ok_or("--join: name at least one file")?;
    Ok((question.clone(), parts))
}

/// What all parts together have found of a length.
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
                    "nothing was found with likely constants; all constants were tried up to {SHOWN} words: let the \
                     parts search again with --exhaustive"
                ),
                false => format!("{name}: nothing is said of {words} words: it is not complete"),
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
