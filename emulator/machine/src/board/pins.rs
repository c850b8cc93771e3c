//! The pins of a part that is bought: their numbers and names.

use serde::Deserialize;
use std::collections::HashSet;

/// The pins of a part, in the order of their numbers: names, and `8=OUT` if numbers before it are skipped. `-` is a pin
/// that is not connected inside.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Pins(Vec<(usize, String)>);

/// The name of a pin that is not connected inside.
const UNUSED: &str = "-";

impl Pins {
    /// Numbers and names; `None` for a pin that is not connected inside.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Option<&str>)> {
        self.0.iter().map(|(number, name)| (*number, Some(name.as_str()).filter(|name| *name != UNUSED)))
    }

    /// Whether there is a pin of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(_, other)| other == name)
    }
}

impl TryFrom<String> for Pins {
    type Error = String;

    fn try_from(text: String) -> Result<Pins, String> {
        let (mut pins, mut next, mut seen) = (Vec::new(), 1, HashSet::new());
        for word in text.split_whitespace() {
            let (number, name) = match word.split_once('=') {
                Some((number, name)) => {
                    let number = number.parse().ok().filter(|number| (next..1_000).contains(number));
                    (
                        number.ok_or_else(|| {
                            format!("`{word}`: a pin number comes after that of the pin before")
                        })?,
                        name,
                    )
                }
                None => (next, word),
            };
            if name.is_empty() || (name != UNUSED && !seen.insert(name.to_owned())) {
                return Err(format!("`{word}`: pins need names of their own, or `{UNUSED}`"));
            }
            pins.push((number, name.to_owned()));
            next = number + 1;
        }
        Ok(Pins(pins))
    }
}
