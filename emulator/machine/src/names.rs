//! Short forms of lists of names of chips and nets.

use std::ops::Range;

/// The names, with consecutive ones joined to ranges: `GREEN0-7`.
pub fn runs(names: &[String]) -> Vec<String> {
    neighbours(names).into_iter().map(|range| run(&names[range])).collect()
}

/// The ranges of these names that are numbered consecutively.
pub fn neighbours(names: &[impl AsRef<str>]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let (stem, number) = numbered(name.as_ref());
        let before = index.checked_sub(1).map(|before| numbered(names[before].as_ref()));
        let follows = before.is_some_and(|(other, before)| {
            other == stem && number.is_some() && before.and_then(|number| number.checked_add(1)) == number
        });
        match ranges.last_mut() {
            Some(last) if follows => last.end = index + 1,
            _ => ranges.push(index..index + 1),
        }
    }
    ranges
}

/// Consecutive names as one range.
pub fn run(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => String::new(),
        [name] => name.as_ref().to_owned(),
        [first, .., last] => {
            format!("{}-{}", first.as_ref(), &last.as_ref()[numbered(last.as_ref()).0.len()..])
        }
    }
}

/// A name without the number at its end, and that number; `None` if the name has no number that can be counted up.
fn numbered(name: &str) -> (&str, Option<u32>) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[stem.len()..];
    match digits.parse::<u32>().ok().filter(|number| number.to_string() == digits) {
        None => (name, None),
        number => (stem, number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_one_range() {
        for (names, expected) in [
            ("GREEN0 GREEN1 GREEN2", "GREEN0-2"),
            ("GREEN2 GREEN5 GREEN7", "GREEN2 GREEN5 GREEN7"),
            ("A A1 A2 PH1 PH2 X", "A A1-2 PH1-2 X"),
            ("X4294967295 X4294967296 Y01 Y2", "X4294967295 X4294967296 Y01 Y2"),
        ] {
            let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
            assert_eq!(runs(&names).join(" "), expected);
        }
    }
}
