//! The results, with a row for each run, as a table, CSV or JSON.

use super::agree::size;
use super::entry::Entry;
use super::measure::RunResult;
use crate::support::csv::csv;
use crate::support::json;
use clap::ValueEnum;
use gray1_text::{grouped, rounded, table};
use serde::Serialize;
use std::error::Error;

/// An output format.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum TableFormat {
    /// Aligned columns, for a terminal
    Table,
    /// Comma-separated values, with plain numbers and times in seconds
    Csv,
    /// JSON, with the same values as `csv`
    Json,
}

/// All results.
#[derive(Serialize)]
pub struct Results {
    /// The clock for `seconds_emulated`, in machine cycles per second.
    pub hz: u64,
    /// The rows, sorted by N and then by descending cycles.
    pub rows: Vec<Row>,
}

/// The result of one run. Unknown values are `None`.
#[derive(Serialize)]
pub struct Row {
    pub program: String,
    pub n: Option<u64>,
    pub words: Option<usize>,
    pub ram: Option<u64>,
    pub cycles: u64,
    pub solutions: usize,
    pub positions: Option<u64>,
    pub cycles_per_position: Option<f64>,
    pub seconds_emulated: f64,
}

impl Row {
    pub fn new(entry: &Entry, result: &RunResult) -> Row {
        let (cycles, found) = (result.cycles, &result.found);
        let each = |positions: u64| (positions > 0).then(|| cycles as f64 / positions as f64);
        Row {
            program: entry.name.clone(),
            n: size(entry, result),
            words: entry.size.as_ref().map(|size| size.words),
            ram: entry.size.as_ref().map(|size| size.ram),
            cycles,
            solutions: found.solutions.len(),
            positions: found.positions,
            cycles_per_position: found.positions.and_then(each).map(|each| (each * 1000.0).round() / 1000.0),
            seconds_emulated: cycles as f64 / HZ as f64,
        }
    }

    /// Formats the cells of the table.
    fn cells(&self) -> Vec<String> {
        let count = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), grouped);
        vec![
            self.program.clone(),
            count(self.n),
            count(self.words.map(|words| words as u64)),
            count(self.ram),
            grouped(self.cycles),
            grouped(self.solutions as u64),
            count(self.positions),
            self.cycles_per_position.map_or_else(|| "-".to_owned(), rounded),
            duration(self.seconds_emulated),
        ]
    }
}

/// The headers of the table.
const HEADS: [&str; 9] =
    ["program", "N", "words", "RAM bytes", "cycles", "solutions", "positions", "cycles each", "at 1 MHz"];

/// The clock for the times of the results, in machine cycles per second.
const HZ: u64 = 1_000_000;

/// The columns of the CSV format: fields of [`Row`].
const COLUMNS: &str = "program,n,words,ram,cycles,solutions,positions,cycles_per_position,seconds_emulated";

impl Results {
    pub fn new(mut rows: Vec<Row>) -> Results {
        rows.sort_by_key(|row| (row.n, std::cmp::Reverse(row.cycles)));
        Results { hz: HZ, rows }
    }

    /// Formats the results. The lines of `agreement` follow a table.
    pub fn text(&self, format: TableFormat, agreement: &[String]) -> Result<String, Box<dyn Error>> {
        Ok(match format {
            TableFormat::Table => {
                let lines: String = agreement.iter().map(|line| format!("{line}\n")).collect();
                self.table() + if lines.is_empty() { "" } else { "\n" } + &lines
            }
            TableFormat::Csv => csv(COLUMNS, &self.rows)?,
            TableFormat::Json => json::answer("compare", self)?,
        })
    }

    fn table(&self) -> String {
        let mut lines = vec![HEADS.map(str::to_owned).to_vec()];
        lines.extend(self.rows.iter().map(Row::cells));
        table(&lines, "  ", |column| column > 0).join("\n") + "\n"
    }
}

/// Formats a time: `850 µs`, `12.3 s`, `40 min 16 s`, `6 h 42 min`, `12 d 3 h`.
fn duration(seconds: f64) -> String {
    let parts = |large: u64, name: &str, small: &str, whole: f64| {
        let whole = whole.round() as u64;
        format!("{} {name} {} {small}", grouped(whole / large), whole % large)
    };
    match seconds {
        ..0.9995e-3 => format!("{} µs", rounded((seconds * 1e6).round())),
        ..0.9995 => format!("{} ms", rounded(seconds * 1e3)),
        ..119.95 => format!("{} s", rounded(seconds)),
        ..7199.5 => parts(60, "min", "s", seconds),
        ..172_770.0 => parts(60, "h", "min", seconds / 60.0),
        _ => parts(24, "d", "h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_suitable_units() {
        let cases = [
            (0.0, "0 µs"),
            (17e-6, "17 µs"),
            (0.134_963, "135 ms"),
            (0.9999, "1 s"),
            (12.345, "12.3 s"),
            (119.0, "119 s"),
            (119.99, "2 min 0 s"),
            (2416.2, "40 min 16 s"),
            (7199.9, "2 h 0 min"),
            (24_120.0, "6 h 42 min"),
            (4_000_000.0, "46 d 7 h"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(duration(seconds), expected);
        }
    }
}
