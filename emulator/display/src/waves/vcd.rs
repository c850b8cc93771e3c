//! VCD, Value Change Dump: text that every viewer of waveforms reads.

use crate::waves::tree::{Item, Tree};
use std::io::{self, Write};

/// The first and the number of the characters that identify signals.
const CODES: (u8, usize) = (b'!', 94);

/// A VCD file being written.
pub(crate) struct Vcd<W> {
    out: W,
    /// The identifier of each signal.
    codes: Vec<String>,
}

impl<W: Write> Vcd<W> {
    /// Writes the header. `unit` is that of all times, such as `1 ns`.
    pub fn begin(mut out: W, tree: &Tree, version: &str, unit: &str) -> io::Result<Vcd<W>> {
        let codes: Vec<String> = (0..tree.signals.len()).map(code).collect();
        writeln!(out, "$version {version} $end\n$timescale {unit} $end")?;
        for item in &tree.items {
            match item {
                Item::Scope { name } => writeln!(out, "$scope module {name} $end")?,
                Item::Up => writeln!(out, "$upscope $end")?,
                Item::Variable { name, is_integer, signal } => {
                    let kind = if *is_integer { "integer" } else { "wire" };
                    let (code, width) = (&codes[*signal], tree.signals[*signal].width());
                    writeln!(out, "$var {kind} {width} {code} {name} $end")?;
                }
            }
        }
        writeln!(out, "$enddefinitions $end")?;
        Ok(Vcd { out, codes })
    }

    /// Sets the time of the changes that follow.
    pub fn time(&mut self, time: u64) -> io::Result<()> {
        writeln!(self.out, "#{time}")
    }

    /// Writes a new value of a signal, as binary digits, the highest first.
    pub fn change(&mut self, signal: usize, digits: &[u8]) -> io::Result<()> {
        if digits.len() > 1 {
            // Readers restore the omitted leading zeros.
            let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
            self.out.write_all(b"b")?;
            self.out.write_all(&digits[zeros.min(digits.len() - 1)..])?;
            self.out.write_all(b" ")?;
        } else {
            self.out.write_all(digits)?;
        }
        self.out.write_all(self.codes[signal].as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// The writer.
    pub fn finish(self) -> W {
        self.out
    }
}

/// The identifier of a signal: its number in printable characters.
fn code(mut number: usize) -> String {
    let (first, count) = CODES;
    let mut code = String::new();
    loop {
        code.push(char::from(first + (number % count) as u8));
        number /= count;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::code;
    use std::collections::HashSet;

    #[test]
    fn every_signal_has_an_identifier_of_its_own() {
        let codes: HashSet<String> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
        assert!(codes.iter().all(|code| code.len() <= 3 && code.bytes().all(|c| c.is_ascii_graphic())));
        assert_eq!((code(0).as_str(), code(93).as_str(), code(94).as_str()), ("!", "~", "!!"));
    }
}
