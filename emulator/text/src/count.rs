//! Counts of cycles, bytes and addresses, written in the same way by every front end.

/// The number with its thousands grouped: 1234567 as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let mut text = number.to_string();
    let mut place = text.len();
    while place > 3 {
        place -= 3;
        text.insert(place, ',');
    }
    text
}

/// A count with its noun, as in `1 byte` and `2,340 cycles`.
pub fn counted(count: usize, noun: &str) -> String {
    let is_sibilant = ["s", "x", "ch", "sh"].iter().any(|ending| noun.ends_with(ending));
    let plural = if is_sibilant { "es" } else { "s" };
    format!("{} {noun}{}", grouped(count as u64), if count == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(136_482), "136,482");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }
}
