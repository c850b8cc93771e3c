//! Numbers in text: as programs write them (decimal, `0x` or `$` hexadecimal, `0b` or `%` binary), and as options take
//! them (also with a unit or a power of ten).

/// Parses a number, with `_` between its digits if wanted. `None` if it is not a number of 32 bits.
///
/// ```
/// let written = ["10", "$FF", "0x1_0", "%101", "0b11", "", "$", "0x_", "-1", "x"].map(gray1_text::number);
/// let read = [Some(10), Some(255), Some(16), Some(5), Some(3), None, None, None, None, None];
/// assert_eq!(written, read);
/// ```
pub fn number(text: &str) -> Option<u32> {
    wide_number(text)?.try_into().ok()
}

/// Parses a number of 64 bits in the same way.
fn wide_number(text: &str) -> Option<u64> {
    let (radix, prefix) = radix(text);
    let digits = &text[prefix..];
    let is_number = digits.starts_with(|digit: char| digit.is_digit(radix)) && !digits.ends_with('_');
    is_number.then(|| u64::from_str_radix(&digits.replace('_', ""), radix).ok())?
}

/// Units of plain numbers, each with its power of ten.
pub const THOUSANDS: [(&str, u32); 4] = [("k", 3), ("M", 6), ("G", 9), ("", 0)];
/// Units of frequencies.
pub const HERTZ: [(&str, u32); 8] =
    [("kHz", 3), ("MHz", 6), ("GHz", 9), ("Hz", 0), ("k", 3), ("M", 6), ("G", 9), ("", 0)];

/// Parses a number with one of these units, in upper or lower case: `5000`, `5_000`, `8k`, `1.5 MHz`, `1e6`. If a number
/// needs no unit, it may also be hexadecimal or binary. `None` if it is not a whole number of 64 bits in the unit with
/// the power 0.
///
/// ```
/// use gray1_text::{HERTZ, THOUSANDS, quantity};
/// let read = |written: &str| quantity(written, &THOUSANDS);
/// assert_eq!(["5_000", "8k", "1.5M", "1e6"].map(read), [5_000, 8_000, 1_500_000, 1_000_000].map(Some));
/// assert_eq!(["0x1E", "$ff", "%101"].map(read), [30, 255, 5].map(Some));
/// assert_eq!(["0.5", "k", "-1", "1e4294967295G", ""].map(read), [None; 5]);
/// assert_eq!(quantity("1.2 mhz", &HERTZ), Some(1_200_000));
/// ```
pub fn quantity(text: &str, units: &[(&str, u32)]) -> Option<u64> {
    if radix(text).0 != 10 {
        return units.contains(&("", 0)).then(|| wide_number(text))?;
    }
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

/// The base of the number at the beginning of a text, and the length of its prefix.
pub fn radix(text: &str) -> (u32, usize) {
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'$', ..] => (16, 1),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'%', ..] => (2, 1),
        _ => (10, 0),
    }
}

/// The name or number at the beginning of a text, possibly empty.
pub fn word(text: &str) -> &str {
    let prefix = usize::from(text.starts_with(['$', '%']));
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    &text[..text[prefix..].find(|c| !is_letter(c)).map_or(text.len(), |length| prefix + length)]
}

/// Bytes as two hexadecimal digits each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
