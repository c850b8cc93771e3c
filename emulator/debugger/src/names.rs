//! Names that are nearly right.

/// The candidate that was most likely meant, if one is near enough; of equals the first in the alphabet.
pub fn closest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = wanted.chars().count().div_ceil(3).min(3);
    candidates
        .map(|candidate| (distance(wanted, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.len().max(wanted.len()))
        .min()
        .map(|(_, candidate)| candidate)
}

/// What a message says of a candidate.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// How many letters must be typed, dropped or changed; a difference in case alone counts as one.
fn distance(wanted: &str, candidate: &str) -> usize {
    if wanted.eq_ignore_ascii_case(candidate) {
        return usize::from(wanted != candidate);
    }
    let candidate: Vec<char> = candidate.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=candidate.len()).collect();
    for (i, a) in wanted.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in candidate.iter().enumerate() {
            let cost = (diagonal + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found() {
        let names = ["limit", "queens", "row", "TICK"];
        for (wanted, expected) in
            [("limt", Some("limit")), ("tick", Some("TICK")), ("qeens", Some("queens")), ("x", None)]
        {
            assert_eq!(closest(wanted, names.into_iter()), expected, "{wanted}");
        }
    }
}
