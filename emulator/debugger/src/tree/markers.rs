//! Markers: names with which a program marks where the nodes of its search begin.
//!
//! ```text
//!   _position2_5    a place: a node begins, on level 2, for the choice 5
//!   _position2      … on level 2; the choice is in a byte
//!   _position       … the level is in a byte, too
//!   _branch…        a place: the node is not cut; the search continues below it
//!   _solution…      a place: the node is a solution
//!   _level          the byte of the level
//!   _choice         the byte of the choice; _choice2: of the choice on level 2
//!   _bit, _bit2     the same, for a byte that has the choice as a bit: 16 is the choice 4
//! ```
//!
//! Anything after a number and `_`, or after a letter, is ignored: `_solution_found`.

use crate::source::{Name, sequence_number};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::RAM_BYTES;
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a program has no tree.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MarkerError {
    /// No name marks where a node begins.
    #[error(
        "the program does not say where the nodes of its search begin: give a place there a name such as `_position`, \
         `_position2` (on level 2) or `_position2_5` (for the choice 5)"
    )]
    NoPositions,
    /// A name lacks the level or the choice, and no byte contains it.
    #[error("`{name}` does not say the {what} of its nodes: write it into the name, or name a byte `{byte}`")]
    Incomplete {
        /// The name.
        name: String,
        /// `level` or `choice`.
        what: &'static str,
        /// The name that the byte would need.
        byte: &'static str,
    },
    /// A number in a name is too large.
    #[error("`{0}`: levels and choices are at most {max}", max = u16::MAX)]
    TooLarge(String),
    /// Two names mark the same place.
    #[error("`{0}` and another name of a node stand for the same place")]
    SamePlace(String),
    /// A name has a meaning of the wrong kind.
    #[error("`{name}` has to be {expected}")]
    Kind {
        /// The name.
        name: String,
        /// A place in the program, or a byte of RAM.
        expected: &'static str,
    },
}

/// The places where nodes begin, and the bytes that are read there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markers {
    places: BTreeMap<u16, Marks>,
    level: Option<u16>,
    choice: Option<Choice>,
    choices: BTreeMap<u16, Choice>,
    has_branches: bool,
}

/// The events at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub position: Option<Numbers>,
    pub is_branch: bool,
    pub is_solution: bool,
}

/// The level and the choice, if the name contains them.
pub(crate) type Numbers = (Option<u16>, Option<u16>);

/// The byte that contains a choice, and whether it is encoded as a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    address: u16,
    is_bit: bool,
}

impl Markers {
    /// Reads the names of a program.
    pub fn read<'a>(names: impl IntoIterator<Item = (&'a str, Name)>) -> Result<Markers, MarkerError> {
        let mut markers = Markers::default();
        let mut positions = Vec::new();
        for (name, meaning) in names {
            if matches!(meaning, Name::Constant(place) if sequence_number(place).is_none()) {
                continue; // no place in the program
            }
            let kind = |expected| MarkerError::Kind { name: name.to_owned(), expected };
            let place = || match meaning {
                Name::Label(place) => Ok(place % PROGRAM_WORDS as u16),
                Name::Constant(place) => Ok(place as u16),
                _ => Err(kind("a place in the program, such as `_position = here`")),
            };
            let byte = || match meaning {
                Name::Ram(address, _) | Name::Address(address) if usize::from(address) < RAM_BYTES => {
                    Ok(address)
                }
                _ => Err(kind("a byte of RAM, such as `_level = depth`")),
            };
            if let Some(rest) = after(name, "_position") {
                let numbers = numbers(rest).ok_or_else(|| MarkerError::TooLarge(name.to_owned()))?;
                let mark = markers.places.entry(place()?).or_default();
                if mark.position.replace(numbers).is_some_and(|other| other != numbers) {
                    return Err(MarkerError::SamePlace(name.to_owned()));
                }
                positions.push((name, numbers));
            } else if after(name, "_branch").is_some() {
                markers.places.entry(place()?).or_default().is_branch = true;
                markers.has_branches = true;
            } else if after(name, "_solution").is_some() {
                markers.places.entry(place()?).or_default().is_solution = true;
            } else if name == "_level" {
                markers.level = Some(byte()?);
            } else if let Some((rest, is_bit)) = after(name, "_choice")
                .map(|rest| (rest, false))
                .or(after(name, "_bit").map(|rest| (rest, true)))
            {
                let choice = Choice { address: byte()?, is_bit };
                match numbers(rest).ok_or_else(|| MarkerError::TooLarge(name.to_owned()))?.0 {
                    None => markers.choice = Some(choice),
                    Some(level) => drop(markers.choices.insert(level, choice)),
                }
            }
        }
        for (name, (level, choice)) in &positions {
            let incomplete = |what, byte| MarkerError::Incomplete { name: (*name).to_owned(), what, byte };
            if level.is_none() && markers.level.is_none() {
                return Err(incomplete("level", "_level"));
            }
            let has_byte = match level {
                Some(level) => markers.choices.contains_key(level) || markers.choice.is_some(),
                None => markers.choice.is_some(),
            };
            if choice.is_none() && !has_byte {
                return Err(incomplete("choice", "_choice"));
            }
        }
        if positions.is_empty() { Err(MarkerError::NoPositions) } else { Ok(markers) }
    }

    /// The places to watch during a run, as sequence numbers.
    pub fn places(&self) -> impl Iterator<Item = u16> {
        self.places.keys().copied()
    }

    /// Whether the program marks the nodes below which it searches.
    pub fn has_branches(&self) -> bool {
        self.has_branches
    }

    pub(crate) fn at(&self, place: u16) -> Marks {
        self.places.get(&place).copied().unwrap_or_default()
    }

    /// The level and the choice of a node that begins.
    pub(crate) fn node(&self, (level, choice): Numbers, byte: impl Fn(u16) -> u8) -> (u16, u16) {
        let level = level.or_else(|| self.level.map(|address| byte(address).into())).unwrap_or(0);
        let from_byte = || {
            let Choice { address, is_bit } = *self.choices.get(&level).or(self.choice.as_ref())?;
            let value = byte(address);
            Some(if is_bit { value.trailing_zeros() as u16 } else { value.into() })
        };
        (level, choice.or_else(from_byte).unwrap_or(0))
    }
}

/// The part of a name after the marker, if it is one: digits, `_`, or nothing. Local labels are not markers.
fn after<'a>(name: &'a str, marker: &str) -> Option<&'a str> {
    let rest = name.strip_prefix(marker)?;
    let is_marker = !rest.contains('.') && !rest.starts_with(|letter: char| letter.is_alphabetic());
    is_marker.then_some(rest)
}

/// The numbers at the beginning of a text: `2_5`, `2`, or none. `None` if one is too large.
fn numbers(text: &str) -> Option<Numbers> {
    let (first, rest) = number(text)?;
    let second = match rest.strip_prefix('_').filter(|_| first.is_some()) {
        Some(rest) => number(rest)?.0,
        None => None,
    };
    Some((first, second))
}

/// The number at the beginning of a text, if there is one, and what follows. `None` if it is too large.
fn number(text: &str) -> Option<(Option<u16>, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Name::{Address as Byte, Label as Place};

    #[test]
    fn names_say_level_and_choice() {
        let cases = [
            ("", Some((None, None))),
            ("2", Some((Some(2), None))),
            ("2_5", Some((Some(2), Some(5)))),
            ("2_tried", Some((Some(2), None))),
            ("_5", Some((None, None))),
            ("99999", None),
            ("2_99999", None),
        ];
        for (text, expected) in cases {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn bytes_say_what_names_do_not() {
        let names = [
            ("_position", Place(1)),
            ("_level", Byte(10)),
            ("_bit", Byte(11)),
            ("_choice3", Byte(12)),
            ("_positions", Byte(13)), // another name of the program
        ];
        let markers = Markers::read(names).unwrap();
        let position = markers.at(1).position.unwrap();
        assert_eq!(markers.node(position, |address| [2, 0b1000, 7][usize::from(address) - 10]), (2, 3));
        assert_eq!(markers.node(position, |address| [3, 0b1000, 7][usize::from(address) - 10]), (3, 7));
    }

    #[test]
    fn what_is_missing_is_said() {
        let error = |names: &[(&str, Name)]| Markers::read(names.iter().copied()).unwrap_err().to_string();
        assert!(error(&[("_position.loop", Place(3))]).starts_with("the program does not say where"));
        assert!(
            error(&[("_position", Place(3))]).contains("`_position` does not say the level of its nodes")
        );
        assert!(error(&[("_position1", Place(3)), ("_choice2", Byte(1))]).contains("name a byte `_choice`"));
        assert!(error(&[("_position1_1", Byte(3))]).contains("has to be a place in the program"));
        assert!(error(&[("_position70000", Place(1))]).contains("levels and choices are at most 65535"));
        assert!(error(&[("_position1_1", Place(1)), ("_position1_2", Place(1))]).contains("the same place"));
        assert!(error(&[("_position1", Place(1)), ("_level", Place(3))]).contains("has to be a byte of RAM"));
    }
}
