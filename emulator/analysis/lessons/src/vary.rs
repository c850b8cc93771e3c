//! Numbers in an exercise that differ from student to student, from class to class, or from year to year.
//!
//! ```text
//!   vary k from 2 to 9 by name     first in the block of an exercise; also `by class`, `by seed 2027`
//!   when x = 9: sends {9 * k}      in the lines below, in `given` and in `start`: a formula in braces is its value
//! ```

use crate::Refusal;
use crate::formula::value;
use crate::lesson::Student;
use crate::statement::Fault;

/// The numbers of an exercise for one student.
#[derive(Debug, Default)]
pub struct Variation {
    file: String,
    values: Vec<(String, i64)>,
    /// On what they depend: `name` and `class`, each once.
    pub by: Vec<&'static str>,
    /// How many lines of the block say so.
    pub lines: usize,
}

const USAGE: &str = "write `vary k from 2 to 9 by name`, `by class`, or `by seed 2027`";

impl Variation {
    /// Reads the lines that an exercise begins with; `fence` is the line before them.
    pub fn read(
        file: &str,
        fence: usize,
        id: &str,
        text: &str,
        student: &Student,
    ) -> Result<Variation, Fault> {
        let mut variation = Variation { file: file.to_owned(), ..Variation::default() };
        for line in text.lines() {
            let Some(rest) = line.trim().strip_prefix("vary ") else { break };
            variation.lines += 1;
            let fault =
                |message: String| Fault { file: file.to_owned(), line: fence + variation.lines, message };
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [name, "from", from, "to", to, "by", by @ ..] = &words[..] else {
                return Err(fault(format!("`{}`: {USAGE}", line.trim())));
            };
            let number = |word: &str| {
                word.parse::<u16>().map_err(|_| fault(format!("`{word}` is not a number from 0 to 65535")))
            };
            let (from, to) = (number(from)?, number(to)?);
            if from > to {
                return Err(fault(format!("from {from} to {to} there is no number")));
            }
            let (key, depends) = match by {
                ["name"] => (plain(&student.name), Some("name")),
                ["class"] => (plain(&student.class), Some("class")),
                ["seed", seed] => ((*seed).to_owned(), None),
                _ => return Err(fault(format!("`by {}`: {USAGE}", by.join(" ")))),
            };
            let chosen = u64::from(from) + spread(&format!("{id}\n{name}\n{key}")) % u64::from(to - from + 1);
            variation.values.push(((*name).to_owned(), chosen as i64));
            value(name, variation.values.clone()).map_err(|Refusal(report)| fault(report))?;
            variation.by.extend(depends.filter(|depends| !variation.by.contains(depends)));
        }
        Ok(variation)
    }

    /// A text with its formulas replaced by their values; `line` is the number of its first line.
    pub fn fill(&self, line: usize, text: &str) -> Result<String, Fault> {
        if self.values.is_empty() {
            return Ok(text.to_owned());
        }
        let mut filled = String::new();
        for (number, text) in (line..).zip(text.split_inclusive('\n')) {
            let fault = |message: String| Fault { file: self.file.clone(), line: number, message };
            let mut rest = text;
            while let Some((before, opened)) = rest.split_once('{') {
                let (formula, after) =
                    opened.split_once('}').ok_or_else(|| fault("`{` is not closed by `}`".to_owned()))?;
                let value = value(formula, self.values.clone()).map_err(|Refusal(report)| fault(report))?;
                filled += before;
                filled += &value.to_string();
                rest = after;
            }
            filled += rest;
        }
        Ok(filled)
    }
}

/// A name as it is compared: without capitals, and with one space between its words.
fn plain(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// A number that looks random (FNV-1a, and the last steps of SplitMix64). It must never change: answers depend on it.
fn spread(text: &str) -> u64 {
    let byte = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325, byte);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ hash >> 31
}
