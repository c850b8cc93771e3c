//! Counts of cycles, bytes and addresses, as every front end writes them.

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
