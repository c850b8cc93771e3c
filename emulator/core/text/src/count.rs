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

/// Units of plain numbers, each with its power of ten.
pub const THOUSANDS: [(&str, u32); 4] = [("k", 3), ("M", 6), ("G", 9), ("", 0)];
/// Units of frequencies.
pub const HERTZ: [(&str, u32); 8] =
    [("kHz", 3), ("MHz", 6), ("GHz", 9), ("Hz", 0), ("k", 3), ("M", 6), ("G", 9), ("", 0)];

/// Parses a number with one of these units, in upper or lower case: `5000`, `5_000`, `8k`, `1.5 MHz`, `1e6`. `None` if
/// it is not a whole number of 64 bits in the unit with the power 0.
///
/// ```
/// use gray1_text::{HERTZ, THOUSANDS, quantity};
/// let read = |written: &str| quantity(written, &THOUSANDS);
/// assert_eq!(["5_000", "8k", "1.5M", "1e6"].map(read), [5_000, 8_000, 1_500_000, 1_000_000].map(Some));
/// assert_eq!(["0.5", "k", "-1", "1e4294967295G", ""].map(read), [None; 5]);
/// assert_eq!(quantity("1.2 mhz", &HERTZ), Some(1_200_000));
/// ```
pub fn quantity(text: &str, units: &[(&str, u32)]) -> Option<u64> {
    units.iter().find_map(|(unit, exponent)| {
        let (number, end) = text.split_at_checked(text.len().checked_sub(unit.len())?)?;
        end.eq_ignore_ascii_case(unit).then(|| whole_number(number.trim_end(), *exponent))?
    })
}

/// A number in decimal or scientific notation times a power of ten, if that is whole.
fn whole_number(number: &str, power: u32) -> Option<u64> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let exponent = exponent.parse::<u32>().ok()?.checked_add(power)?;
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
