//! The text of a truth table that a student fills in.
//!
//! ```text
//!   enable input out | out        the names of the address lines and, after the bar, of the data lines
//!   0      0     0   | 0          a row for each address; a dot is an empty cell
//! ```

use crate::Refusal;
use crate::verdict::join_and;

/// The columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The names of the address lines.
    pub inputs: Vec<String>,
    /// The names of the data lines.
    pub outputs: Vec<String>,
}

/// The rows of a table, indexed by address. The leftmost column is the highest bit.
pub struct Rows {
    rows: Vec<Option<u8>>,
    outputs: usize,
}

impl Rows {
    /// Parses a table with these columns. Rows may come in any order.
    pub fn read(text: &str, columns: &Columns) -> Result<Rows, Refusal> {
        let (inputs, outputs) = (columns.inputs.len(), columns.outputs.len());
        let mut table = Rows { rows: vec![None; 1 << inputs], outputs };
        let example = format!("{} | {}", vec!["0"; inputs].join(" "), vec!["1"; outputs].join(" "));
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (left, right) = line.split_once('|').unwrap_or((line, ""));
            if left.split_whitespace().eq(columns.inputs.iter().map(String::as_str)) {
                continue; // the header
            }
            let bits = |text: &str, count: usize| {
                let bits: Option<Vec<u8>> = text
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .map(|c| match c {
                        '0' => Some(0),
                        '1' => Some(1),
                        '.' => Some(2),
                        _ => None,
                    })
                    .collect();
                bits.filter(|bits| bits.len() == count)
            };
            let (Some(address), Some(data)) = (bits(left, inputs), bits(right, outputs)) else {
                return Err(
                    format!("`{line}` is not a row of this table: a row looks like `{example}`.").into()
                );
            };
            if address.contains(&2) {
                return Err(
                    format!("`{line}`: the left side of a row is an address, so it has no dots.").into()
                );
            }
            let row = from_bits(&address);
            if table.rows[row].is_some() {
                return Err(format!("There are two rows for {}.", columns.describe_row(row)).into());
            }
            table.rows[row] = (!data.contains(&2)).then(|| from_bits(&data) as u8);
        }
        match table.rows.iter().position(Option::is_none) {
            Some(row) => {
                Err(format!("The row for {} is not filled in yet.", columns.describe_row(row)).into())
            }
            None => Ok(table),
        }
    }

    /// Returns the number of data columns.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the data at an address. The leftmost column is in the lowest bit, because the first lamp has the first
    /// name.
    pub fn lamps(&self, row: usize) -> u8 {
        let cell = self.rows[row].unwrap_or_default();
        (0..self.outputs).fold(0, |lamps, bit| lamps << 1 | cell >> bit & 1)
    }
}

impl Columns {
    /// Checks the initial text of an attempt, from which the page makes the table to fill in: it must have a header and
    /// a row for each address. An error has the number of the line, from 0.
    pub fn check_start(&self, text: &str) -> Result<(), (usize, String)> {
        let halves = |line: &str| {
            let (left, right) = line.split_once('|').unwrap_or((line, ""));
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            (words(left), words(right))
        };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (at, header) = lines.next().unwrap_or_default();
        if halves(header) != (self.inputs.clone(), self.outputs.clone()) {
            let names = format!("{} | {}", self.inputs.join(" "), self.outputs.join(" "));
            return Err((at, format!("a table begins with the names of its columns: `{names}`")));
        }
        let mut is_present = vec![false; 1 << self.inputs.len()];
        for (at, line) in lines {
            let (address, data) = halves(line);
            let are_bits = address.iter().all(|bit| bit == "0" || bit == "1");
            let are_cells = data.iter().all(|bit| bit == "0" || bit == "1" || bit == ".");
            let has_all = address.len() == self.inputs.len() && data.len() == self.outputs.len();
            if !(are_bits && are_cells && has_all) {
                let row = [vec!["0"; self.inputs.len()], vec!["|"], vec!["."; self.outputs.len()]].concat();
                return Err((at, format!("a row of this table looks like `{}`", row.join(" "))));
            }
            let number = address.iter().fold(0, |number, bit| number << 1 | usize::from(bit == "1"));
            if std::mem::replace(&mut is_present[number], true) {
                return Err((at, format!("there are two rows for {}", self.describe_row(number))));
            }
        }
        match is_present.iter().position(|is_present| !is_present) {
            Some(row) => Err((at, format!("the table has no row for {}", self.describe_row(row)))),
            None => Ok(()),
        }
    }

    /// Describes an address: `a = 0, b = 1 and c = 1`.
    pub fn describe_row(&self, row: usize) -> String {
        let inputs = self.inputs.len();
        let levels = self.inputs.iter().enumerate();
        let levels = levels.map(|(place, name)| format!("{name} = {}", row >> (inputs - 1 - place) & 1));
        join_and(&levels.collect::<Vec<_>>())
    }
}

/// Converts bits to a number, highest bit first.
fn from_bits(bits: &[u8]) -> usize {
    bits.iter().fold(0, |number, bit| number << 1 | usize::from(*bit))
}
