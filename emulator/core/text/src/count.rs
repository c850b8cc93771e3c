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
    format!("{} {noun}{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}

/// Parses a whole number in the notations that users write: `5000`, `5_000`, `8k`, `1.5M`, `1e6`.
///
/// ```
/// let written = ["5_000", "8k", "1.5M", "1e6", "0.5", "k", "-1"].map(gray1_text::whole_number);
/// assert_eq!(written, [Some(5_000), Some(8_000), Some(1_500_000), Some(1_000_000), None, None, None]);
/// ```
pub fn whole_number(text: &str) -> Option<u64> {
    let (number, thousands) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 3),
        (end, 'M') => (&text[..end], 6),
        (end, 'G') => (&text[..end], 9),
        _ => (text, 0),
    };
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.parse::<u32>().ok()? + thousands;
    let zeros = exponent.checked_sub(fraction.len() as u32)?;
    let digits: String = whole.chars().chain(fraction.chars()).filter(|c| *c != '_').collect();
    let is_number =
        whole.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then(|| digits.parse::<u64>().ok()?.checked_mul(10u64.checked_pow(zeros)?))?
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
