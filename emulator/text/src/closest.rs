//! The closest known name to a misspelt one.

/// The maximum number of candidates that are compared with a misspelt name.
pub const MAX_CANDIDATES: usize = 10_000;

/// The candidate that is most similar to `wanted`, if one is similar enough.
pub fn closest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    closest_affordable(wanted, candidates, &mut { u64::MAX })
}

/// Finds the closest name as long as there is effort left. Each comparison of two letters costs about one unit.
pub fn closest_affordable<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str>,
    effort: &mut u64,
) -> Option<&'a str> {
    const MAX_LENGTH: usize = 64;
    if *effort == 0 {
        return None;
    }
    let candidates: Vec<&str> =
        candidates.take(MAX_CANDIDATES).filter(|candidate| candidate.len() <= 4 * MAX_LENGTH).collect();
    *effort = effort.saturating_sub(candidates.len() as u64);
    if let Some(only) = only_beginning(wanted, &candidates) {
        return Some(only);
    }
    let length = wanted.chars().take(MAX_LENGTH + 1).count();
    if length > MAX_LENGTH {
        return None;
    }
    let allowed = length.div_ceil(3).min(3);
    let nearest = candidates
        .into_iter()
        .filter_map(|candidate| {
            // If two are equally near, the one with the same first letter is better, because that is seldom mistyped.
            let begins_otherwise = candidate.chars().next() != wanted.chars().next();
            Some((distance(wanted, candidate, allowed, effort)?, begins_otherwise, candidate))
        })
        .min();
    // If the effort is used up, a candidate that was not compared might have been nearer.
    nearest.filter(|_| *effort > 0).map(|(_, _, candidate)| candidate)
}

/// The only candidate that begins with `wanted`, if that is long enough to tell.
fn only_beginning<'a>(wanted: &str, candidates: &[&'a str]) -> Option<&'a str> {
    const MIN_LENGTH: usize = 4;
    let mut found = candidates.iter().filter(|candidate| candidate.starts_with(wanted));
    match (found.next(), found.next()) {
        (Some(only), None) if wanted.len() >= MIN_LENGTH => Some(only),
        _ => None,
    }
}

/// The number of letters to type, drop, change or swap with their neighbour, unless it is more than
/// `allowed`. Case does not matter, except that a difference in case alone counts as one.
pub fn distance(wanted: &str, candidate: &str, allowed: usize, effort: &mut u64) -> Option<usize> {
    let (wanted, candidate) = (wanted.to_ascii_lowercase(), candidate.to_ascii_lowercase());
    let (wanted_length, length) = (wanted.chars().count(), candidate.chars().count());
    if length.abs_diff(wanted_length) > allowed || *effort == 0 {
        return None;
    }
    *effort = effort.saturating_sub((length * wanted_length) as u64);
    if candidate == wanted {
        return Some(1);
    }
    let cost = strsim::osa_distance(&wanted, &candidate);
    (cost <= allowed && cost < wanted_length.max(length)).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found() {
        let names = ["limit", "queens", "row", ".endrepeat", "LDA"];
        for (wanted, expected) in [
            ("limt", Some("limit")),
            ("Limit", Some("limit")),
            ("quenes", Some("queens")),
            (".endrepeta", Some(".endrepeat")),
            ("lda", Some("LDA")),
            ("ldaa", Some("LDA")),
            (".endr", Some(".endrepeat")),
            ("x", None),
            ("column", None),
        ] {
            assert_eq!(closest(wanted, names.into_iter()), expected, "{wanted}");
        }
    }

    /// Without a limit, 4,000 misspelt names in a program with as many labels would take minutes.
    #[test]
    fn suggestions_end_when_the_effort_is_spent() {
        let labels: Vec<String> = (0..4_000).map(|number| format!("{}{number}", "a".repeat(55))).collect();
        let wanted = "a".repeat(55) + "bbb";
        let (mut effort, mut seen) = (20_000_000, 0);
        for _ in 0..4_000 {
            let candidates = labels.iter().map(|label| &label[..]).inspect(|_| seen += 1);
            closest_affordable(&wanted, candidates, &mut effort);
        }
        assert_eq!((effort, seen), (0, 2 * labels.len()));
    }
}
