//! Numbers as programs write them: decimal, `0x` or `$` hexadecimal, `0b` or `%` binary.

/// Parses a number, with `_` between its digits if wanted. `None` if it is not a number of 32 bits.
///
/// ```
/// let written = ["10", "$FF", "0x1_0", "%101", "0b11", "", "$", "0x_", "-1", "x"].map(gray1_text::number);
/// let read = [Some(10), Some(255), Some(16), Some(5), Some(3), None, None, None, None, None];
/// assert_eq!(written, read);
/// ```
pub fn number(text: &str) -> Option<u32> {
    let (radix, prefix) = radix(text);
    let digits = &text[prefix..];
    let is_number = digits.starts_with(|digit: char| digit.is_digit(radix)) && !digits.ends_with('_');
    is_number.then(|| u32::from_str_radix(&digits.replace('_', ""), radix).ok())?
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
