//! The output of a program, and the LEDs at the time of each result.
//!
//! A search ends with an empty board. The solution was on the LEDs earlier, when the program sent the line that reports
//! it; so the LEDs of that moment are kept.

use crate::exposure::{LINES, Light};

/// A longer line of output is not kept.
const MAX_LINE_LENGTH: usize = 200;

/// The output of a program, as far as a display shows it.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The last line, without its line feed: the line being written, as soon as it has a character. The display shows a
    /// dot for anything but printable ASCII.
    pub line: String,
    /// The bytes sent.
    pub bytes: u64,
    /// The line feeds among them.
    pub lines: u64,
    is_complete: bool,
    /// When the last line was complete, and when the one before it was.
    ends: [Option<Moment>; 2],
}

/// The LEDs at some cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The cycles since reset.
    pub cycle: u64,
    /// The rows: eight green ones, then eight red ones.
    pub leds: [u8; LINES],
}

impl Moment {
    /// The light of these LEDs.
    pub fn light(&self) -> Light {
        Light::steady(&self.leds)
    }
}

impl Output {
    /// Takes a byte that the program has sent at a moment.
    pub fn push(&mut self, byte: u8, moment: impl FnOnce() -> Moment) {
        self.bytes += 1;
        if byte == b'\n' {
            self.lines += 1;
            if std::mem::replace(&mut self.is_complete, true) {
                self.line.clear(); // an empty line
            }
            self.ends = [Some(moment()), self.ends[0]];
            return;
        }
        if std::mem::take(&mut self.is_complete) {
            self.line.clear();
        }
        if self.line.len() < MAX_LINE_LENGTH {
            self.line.push(char::from(byte));
        }
    }

    /// The moment of the last result: that of the last line, unless that line only gives the number of lines before it.
    pub fn last_result(&self) -> Option<Moment> {
        let digits = self.line.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.line.len());
        let is_count = self.lines > 1 && self.line[..digits].parse() == Ok(self.lines - 1);
        self.ends[usize::from(self.is_complete && is_count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cycle of the last result; each byte takes one.
    fn last_result(text: &str) -> Option<u64> {
        let mut output = Output::default();
        for (byte, cycle) in text.bytes().zip(0..) {
            output.push(byte, || Moment { cycle, ..Moment::default() });
        }
        output.last_result().map(|moment| moment.cycle)
    }

    #[test]
    fn a_last_line_that_counts_the_results_is_none() {
        let cases = [
            ("", None),
            ("no line", None),
            ("15\n", Some(2)),
            ("15\n16\n17\n", Some(8)),
            ("15\n16\n2\n", Some(5)),
            ("15\n16\n2 solutions (tried 7)\n", Some(5)),
            ("15\n16\n2\nmore", Some(7)),
            ("15\n16\n3\n", Some(7)),
            ("0\n", Some(1)),
            ("1\n1\n", Some(1)),
            ("1\n\n", Some(2)),
        ];
        for (text, cycle) in cases {
            assert_eq!(last_result(text), cycle, "{text:?}");
        }
    }
}
