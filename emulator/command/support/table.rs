//! Columns of text.

/// The lines of a table: each column is as wide as its widest cell, with a gap between them. `is_right` says
/// which columns are aligned to the right.
pub fn table<Row: AsRef<[String]>>(rows: &[Row], gap: &str, is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let mut widths = Vec::new();
    for row in rows {
        let row = row.as_ref();
        widths.resize(row.len(), 0);
        widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
    }
    let line = |row: &Row| {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if is_right(column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        cells.collect::<Vec<_>>().join(gap).trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
