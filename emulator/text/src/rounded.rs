//! Measured numbers for readers.

use crate::grouped;

/// A number with grouped thousands; fractions are rounded to three significant digits: `1,234,567`, `12.5`, `0.000047`.
pub fn rounded(value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value != 0.0 && !(1e-6..1e15).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = if value.fract() == 0.0 { 0 } else { (2 - magnitude).max(0) as usize };
    let text = format!("{value:.decimals$}");
    let text = match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.'),
        None => &text,
    };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("−", digits));
    let digits = digits.parse().map_or(digits.to_owned(), grouped);
    format!("{sign}{digits}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_short() {
        let cases = [
            (0.0, "0"),
            (7.0, "7"),
            (134_963.0, "134,963"),
            (2_415_919_104.0, "2,415,919,104"),
            (-1000.0, "−1,000"),
            (12.5, "12.5"),
            (12.345, "12.3"),
            (1234.56, "1,235"),
            (0.1, "0.1"),
            (0.000_047, "0.000047"),
            (1.0 / 3.0, "0.333"),
            (1.234e-9, "1.23e-9"),
            (f64::NAN, "?"),
        ];
        for (value, text) in cases {
            assert_eq!(rounded(value), text);
        }
    }
}
