//! Columns of text, and of CSV.

use serde::Serialize;
use serde_json::Value;

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

/// Rows as CSV: these columns, which are names of their fields in JSON.
pub fn csv<Row: Serialize>(columns: &str, rows: &[Row]) -> Result<String, serde_json::Error> {
    let mut text = format!("{columns}\n");
    for row in rows {
        let row = serde_json::to_value(row)?;
        let cells: Vec<String> = columns.split(',').map(|column| cell(&row[column])).collect();
        text += &(cells.join(",") + "\n");
    }
    Ok(text)
}

/// A value as a CSV cell: numbers without trailing zeros, a list as words, and an empty cell for an unknown value.
fn cell(value: &Value) -> String {
    match (value, value.as_u64(), value.as_f64()) {
        (Value::String(text), ..) => quoted(text),
        (Value::Bool(is_true), ..) => is_true.to_string(),
        (Value::Array(values), ..) => {
            quoted(&values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        (_, Some(whole), _) => whole.to_string(),
        (_, None, Some(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// A string as a CSV cell, quoted if necessary.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_comma_stays_one_field() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,b \"c\""), "\"a,b \"\"c\"\"\"");
    }
}
