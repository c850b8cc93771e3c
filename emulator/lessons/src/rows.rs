//! The text of a truth table that a student fills in.
//!
//! ```text
//!   enable input out | out        the names of the address lines and, after the bar, of the data lines
//!   0      0     0   | 0          a row for each address; a dot is an empty cell
//! ```

use crate::Refusal;
use crate::refusal::refuse;
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
    rows: Vec<u8>,
    outputs: usize,
}

impl Rows {
    /// Parses a table with these columns. Rows may come in any order.
    pub fn read(text: &str, columns: &Columns) -> Result<Rows, Refusal> {
        let mut rows = Vec::new();
        for (row, data) in columns.parse(text).map_err(|(_, message)| message)?.into_iter().enumerate() {
            match data.filter(|data| !data.contains(&'.')) {
                Some(data) => rows.push(from_bits(&data) as u8),
                None => refuse!("The row for {} is not filled in yet.", columns.describe_row(row)),
            }
        }
        Ok(Rows { rows, outputs: columns.outputs.len() })
    }

    /// Returns the number of data columns.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the data at an address. The leftmost column is in the lowest bit, because the first lamp has the first
    /// name.
    pub fn lamps(&self, row: usize) -> u8 {
        (0..self.outputs).fold(0, |lamps, bit| lamps << 1 | self.rows[row] >> bit & 1)
    }
}

impl Columns {
    /// Parses rows. Returns the data of each address that has a row. An error has the number of its line, from 0.
    fn parse(&self, text: &str) -> Result<Vec<Option<Vec<char>>>, (usize, String)> {
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let mut rows = vec![None; 1 << inputs];
        for (at, line) in text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty()) {
            let (left, right) = line.split_once('|').unwrap_or((line, ""));
            if left.split_whitespace().eq(self.inputs.iter().map(String::as_str)) {
                continue; // the header
            }
            let cells = |text: &str, allowed: &str, count: usize| {
                let cells: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
                (cells.len() == count && cells.iter().all(|c| allowed.contains(*c))).then_some(cells)
            };
            let (Some(address), Some(data)) = (cells(left, "01", inputs), cells(right, "01.", outputs))
            else {
                let example = format!("{} | {}", vec!["0"; inputs].join(" "), vec!["1"; outputs].join(" "));
                return Err((
                    at,
                    format!("`{line}` is not a row of this table: a row looks like `{example}`."),
                ));
            };
            let row = from_bits(&address);
            if rows[row].replace(data).is_some() {
                return Err((at, format!("There are two rows for {}.", self.describe_row(row))));
            }
        }
        Ok(rows)
    }

    /// Checks the initial text of an attempt, from which the page makes the table to fill in: it must have a header and
    /// a row for each address. An error has the number of the line, from 0.
    pub fn check_start(&self, text: &str) -> Result<(), (usize, String)> {
        let header = format!("{} | {}", self.inputs.join(" "), self.outputs.join(" "));
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (at, first) = lines.next().unwrap_or_default();
        if !first.split_whitespace().eq(header.split(' ')) {
            return Err((at, format!("a table begins with the names of its columns: `{header}`")));
        }
        let columns = header.split(' ').count();
        if let Some((at, _)) = lines.find(|(_, line)| line.split_whitespace().count() != columns) {
            return Err((at, "the cells of a row are separated by spaces".to_owned()));
        }
        match self.parse(text)?.iter().position(Option::is_none) {
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
fn from_bits(bits: &[char]) -> usize {
    bits.iter().fold(0, |number, bit| number << 1 | usize::from(*bit == '1'))
}
