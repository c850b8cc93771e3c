//! Parses the output of a program: a line for each solution, and a last line that begins with the number of solutions.

use std::collections::BTreeSet;

/// The solutions of a program, and the statistics of its search.
pub struct Solutions {
    pub solutions: BTreeSet<String>,
    /// The number of examined positions: the second number of the last line, or else counted while the program runs.
    pub positions: Option<u64>,
    /// The contradiction within the output, if any.
    pub fault: Option<String>,
}

impl Solutions {
    /// Parses the output of a program.
    pub fn read(sent: &[u8]) -> Solutions {
        let text = String::from_utf8_lossy(sent);
        let mut lines: Vec<&str> = text.lines().collect();
        let summary = lines.pop().unwrap_or("");
        let mut numbers = numbers(summary);
        let is_count = summary.starts_with(|c: char| c.is_ascii_digit());
        let (number, positions) = (numbers.next().filter(|_| is_count), numbers.next());
        let mut solutions = BTreeSet::new();
        let twice = lines.iter().find(|line| !solutions.insert((**line).to_owned()));
        let fault = match (number, twice) {
            (None, _) => Some(format!(
                "its last line must begin with the number of solutions, but is `{}`",
                summary.escape_debug()
            )),
            (Some(number), _) if number != lines.len() as u64 => {
                Some(format!("its last line says {number}, but {} came before it", lines.len()))
            }
            (_, Some(line)) => Some(format!("it sends the solution {} twice", line.escape_debug())),
            _ => None,
        };
        Solutions { solutions, positions, fault }
    }

    /// Returns the common length of all solutions. Each letter of a solution is one queen, so this is the size of the
    /// board.
    pub fn length(&self) -> Option<u64> {
        let mut lengths = self.solutions.iter().map(|solution| solution.chars().count() as u64);
        let first = lengths.next()?;
        lengths.all(|length| length == first).then_some(first)
    }
}

/// Parses the numbers in a line. Numbers that do not fit into the type are skipped, since they cannot be counts.
fn numbers(line: &str) -> impl Iterator<Item = u64> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_parsed_and_contradictions_are_found() {
        let cases: [(&str, usize, Option<u64>, &str); 9] = [
            ("2413\n3142\n2\n", 2, None, ""),
            ("2413\n3142\n2 solutions (tried 17 positions)\n", 2, Some(17), ""),
            ("0 solutions, 5 positions", 0, Some(5), ""),
            ("2413\n3 solutions\n", 1, None, "says 3, but 1 came before it"),
            ("2413\n2413\n2\n", 1, None, "sends the solution 2413 twice"),
            ("2413\n", 0, None, "says 2413, but 0 came before it"),
            ("2413\nfound 1\n", 1, None, "is `found 1`"),
            ("", 0, None, "is ``"),
            ("1\n99999999999999999999999\n", 1, None, "must begin with the number"),
        ];
        for (sent, solutions, positions, fault) in cases {
            let found = Solutions::read(sent.as_bytes());
            assert_eq!((found.solutions.len(), found.positions), (solutions, positions), "{sent}");
            assert!(found.fault.as_deref().unwrap_or("").contains(fault), "{sent}: {:?}", found.fault);
            assert_eq!(found.fault.is_none(), fault.is_empty(), "{sent}: {:?}", found.fault);
        }
        assert_eq!(Solutions::read(b"2413\n3142\n2\n").length(), Some(4));
        assert_eq!(Solutions::read(b"2413\n314\n2\n").length(), None);
        assert_eq!(Solutions::read(b"0\n").length(), None);
        assert!(Solutions::read(&[0xFF, 0, b'\n']).fault.is_some());
    }
}
