//! Tables as text.

/// Formats a table as lines. Each column is as wide as its widest cell, and `gap` separates the columns. `is_right`
/// selects the columns that are aligned to the right.
///
/// ```
/// let rows = [["chip", "cells"].map(str::to_owned), ["FLAGS", "2"].map(str::to_owned)];
/// assert_eq!(gray1_text::table(&rows, "  ", |column| column == 1), ["chip   cells", "FLAGS      2"]);
/// ```
pub fn table<Row: AsRef<[Cell]>, Cell: AsRef<str>>(
    rows: &[Row],
    gap: &str,
    is_right: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut widths = Vec::new();
    for row in rows {
        let row = row.as_ref();
        widths.resize(row.len(), 0);
        let lengths = row.iter().map(|cell| cell.as_ref().chars().count());
        widths.iter_mut().zip(lengths).for_each(|(width, length)| *width = length.max(*width));
    }
    let line = |row: &Row| {
        let cells = row.as_ref().iter().map(AsRef::as_ref).zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| match is_right(column) {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        cells.collect::<Vec<_>>().join(gap).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Formats a table with columns on the left, two spaces before each.
pub fn columns<Row: AsRef<[Cell]>, Cell: AsRef<str>>(rows: &[Row]) -> String {
    table(rows, "  ", |_| false).iter().map(|line| format!("  {line}\n")).collect()
}
