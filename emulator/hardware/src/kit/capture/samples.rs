//! Reads the file of a logic analyser: a header that names nets and buses, and a row for each sample.

use gray1_machine::netlist::{NetId, Netlist};
use thiserror::Error;

/// Maximum number of lines that can be compared at once.
pub const MAX_NETS: usize = 128;

/// The samples of some nets. Successive equal rows are one sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The nets, by the bits of the levels.
    pub nets: Vec<NetId>,
    /// The samples, in the order of time.
    pub samples: Vec<Sample>,
}

/// Successive rows that are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The line number of the first row in the file.
    pub line: usize,
    /// The number of rows.
    pub count: u64,
    /// A bit for each net.
    pub levels: u128,
    /// Which of the bits are known.
    pub known: u128,
}

/// Why a file is not a capture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {message}")]
#[allow(missing_docs)]
pub struct CaptureError {
    pub line: usize,
    /// The column of the table, counted from 1.
    pub column: usize,
    pub message: String,
}

impl Capture {
    /// Reads a table of comma-separated values. Lines that begin with `;` or `#` are comments; sigrok names its
    /// channels in one.
    pub fn read(text: &str, netlist: &Netlist) -> Result<Capture, CaptureError> {
        let mut channels = None;
        let mut capture = Capture { nets: Vec::new(), samples: Vec::new() };
        let mut columns: Option<Vec<Column>> = None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, row) in text.lines().enumerate() {
            let line = index + 1;
            if row.trim().is_empty() {
                continue;
            }
            if let Some(comment) = row.strip_prefix([';', '#']) {
                channels = channels.or_else(|| comment.trim().strip_prefix("Channels")?.split_once(':'));
                continue;
            }
            let cells: Vec<&str> = row.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
            match &columns {
                None => {
                    let named = channels.filter(|_| cells.iter().all(|cell| *cell == "logic"));
                    let names = named.map_or(cells, |(_, names)| names.split(',').map(str::trim).collect());
                    columns = Some(capture.columns(&names, line, netlist)?);
                }
                Some(columns) => capture.add(columns, &cells, line)?,
            }
        }
        let error = |message: &str| CaptureError {
            line: text.lines().count().max(1),
            column: 1,
            message: message.to_owned(),
        };
        if columns.is_none() {
            return Err(error("there is no header: its cells name nets, such as PC0, PC1, OSC"));
        }
        if capture.samples.is_empty() {
            return Err(error("there are no samples below the header"));
        }
        Ok(capture)
    }

    /// Interprets the names in the header.
    fn columns(
        &mut self,
        names: &[&str],
        line: usize,
        netlist: &Netlist,
    ) -> Result<Vec<Column>, CaptureError> {
        let mut columns = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let error = |message| CaptureError { line, column: index + 1, message };
            if is_time(name) {
                columns.push(Column::Ignored);
                continue;
            }
            let nets = netlist.bus(name).ok_or_else(|| {
                error(format!(
                    "the board has no net or bus `{name}`; `gray1 chips` lists the chips and their nets"
                ))
            })?;
            if let Some(&twice) = nets.iter().find(|net| self.nets.contains(net)) {
                return Err(error(format!("{} is there twice", netlist.nets[twice].name)));
            }
            columns.push(Column::Lines { first: self.nets.len(), count: nets.len() });
            self.nets.extend(nets);
            if self.nets.len() > MAX_NETS {
                return Err(error(format!("there are more than {MAX_NETS} nets: leave some out")));
            }
        }
        if self.nets.is_empty() {
            return Err(CaptureError { line, column: 1, message: "the header names no net".to_owned() });
        }
        Ok(columns)
    }

    fn add(&mut self, columns: &[Column], cells: &[&str], line: usize) -> Result<(), CaptureError> {
        if cells.len() != columns.len() {
            let message = format!("the header has {} columns, this row {}", columns.len(), cells.len());
            return Err(CaptureError { line, column: cells.len().min(columns.len()) + 1, message });
        }
        let (mut levels, mut known) = (0, 0);
        for (index, (column, cell)) in columns.iter().zip(cells).enumerate() {
            let Column::Lines { first, count } = *column else { continue };
            let Some(value) =
                number(cell, count).map_err(|message| CaptureError { line, column: index + 1, message })?
            else {
                continue;
            };
            levels |= u128::from(value) << first;
            known |= ((1 << count) - 1) << first;
        }
        match self.samples.last_mut() {
            Some(last) if (last.levels, last.known) == (levels, known) => last.count += 1,
            _ => self.samples.push(Sample { line, count: 1, levels, known }),
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Column {
    /// A time, or a number of a sample.
    Ignored,
    /// The lines of a net or a bus, as bits.
    Lines { first: usize, count: usize },
}

fn is_time(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.is_empty()
        || ["time", "sample", "index", "nanosecond", "second"].iter().any(|begin| name.starts_with(begin))
}

/// Reads a level, or the number on a bus in hexadecimal digits. `None` if it is unknown.
fn number(cell: &str, lines: usize) -> Result<Option<u16>, String> {
    if cell.chars().all(|mark| matches!(mark, 'x' | 'X' | 'z' | 'Z' | '?' | '-')) {
        return Ok(None);
    }
    let digits = cell.trim_start_matches('$');
    let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits);
    let value = u16::from_str_radix(digits, 16).ok().filter(|&value| u32::from(value) < 1 << lines);
    match (value, lines) {
        (Some(value), _) => Ok(Some(value)),
        (None, 1) => Err(format!("`{cell}` is no level: write 0 or 1, or x if it is not known")),
        (None, _) => Err(format!("`{cell}` is no number on {lines} lines, in hexadecimal digits")),
    }
}
