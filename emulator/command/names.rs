//! Names of chips and nets in few words.

/// Names, neighbours as one range: `GREEN0-7`.
pub fn runs(names: &[String]) -> Vec<String> {
    let mut runs: Vec<(&str, Option<(u32, u32)>)> = Vec::new();
    for name in names {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        // What is no number that can be counted on from is a name of its own.
        let number =
            name[stem.len()..].parse::<u32>().ok().filter(|number| number.to_string() == name[stem.len()..]);
        match (runs.last_mut(), number) {
            (Some((last, Some((_, end)))), Some(number))
                if *last == stem && end.checked_add(1) == Some(number) =>
            {
                *end = number;
            }
            (_, Some(number)) => runs.push((stem, Some((number, number)))),
            (_, None) => runs.push((name, None)),
        }
    }
    let text = |(stem, range): (&str, Option<(u32, u32)>)| match range {
        None => stem.to_owned(),
        Some((first, last)) if first == last => format!("{stem}{first}"),
        Some((first, last)) => format!("{stem}{first}-{last}"),
    };
    runs.into_iter().map(text).collect()
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
