//! Lists of nets as a schematic writes them: `W13-15 A0-3 RST`.

use serde::Deserialize;

/// Net names, lowest line first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Lines {
    names: Vec<String>,
    text: String,
}

impl Lines {
    /// The names, lowest line first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The ranges among them as they are written: `A0-3` is called `A`. Each with its places, lowest line first.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (String, Vec<usize>)> {
        let mut first = 0;
        self.text.split_whitespace().filter_map(move |word| {
            let mut names = Vec::new();
            expand(word, &mut names).ok()?;
            let places = first..first + names.len();
            first = places.end;
            let stem = names.first()?.trim_end_matches(|c: char| c.is_ascii_digit());
            (names.len() > 1).then(|| (stem.to_owned(), places.collect()))
        })
    }

    /// The lines in the notation of the board file.
    pub fn as_written(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Lines) -> bool {
        self.names == other.names
    }
}

impl TryFrom<String> for Lines {
    type Error = String;

    fn try_from(text: String) -> Result<Lines, String> {
        let mut names = Vec::new();
        for word in text.split_whitespace() {
            expand(word, &mut names)?;
        }
        Ok(Lines { names, text })
    }
}

/// Appends the nets of one word: a name, or a name and a range of numbers.
fn expand(word: &str, names: &mut Vec<String>) -> Result<(), String> {
    let (start, last) = match word.split_once('-') {
        Some((start, last)) => (start, Some(last)),
        None => (word, None),
    };
    let is_name = start.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && start.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("`{word}` is not a net: write a name (`RST`) or a range (`W0-7`)"));
    }
    let Some(last) = last else {
        names.push(start.to_owned());
        return Ok(());
    };
    let stem = start.trim_end_matches(|c: char| c.is_ascii_digit());
    match (start[stem.len()..].parse::<u16>(), last.parse::<u16>()) {
        (Ok(first), Ok(last)) if first < last && last < 256 => {
            names.extend((first..=last).map(|number| format!("{stem}{number}")));
            Ok(())
        }
        _ => Err(format!("`{word}` is not a range of nets: write the lower number first, as in `W0-7`")),
    }
}
