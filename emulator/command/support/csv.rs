//! Formats rows as CSV.

use serde::Serialize;
use serde_json::Value;

/// Formats rows as CSV. The columns are the names of JSON fields, separated by commas.
pub fn csv<Row: Serialize>(columns: &str, rows: &[Row]) -> Result<String, serde_json::Error> {
    let mut text = format!("{columns}\n");
    for row in rows {
        let row = serde_json::to_value(row)?;
        let cells: Vec<String> = columns.split(',').map(|column| cell(&row[column])).collect();
        text += &(cells.join(",") + "\n");
    }
    Ok(text)
}

/// Formats a value as a CSV cell: numbers without trailing zeros, lists separated by spaces, an empty cell for null.
fn cell(value: &Value) -> String {
    match (value, value.as_u64(), value.as_f64()) {
        (Value::String(text), ..) => quote(text),
        (Value::Bool(is_true), ..) => is_true.to_string(),
        (Value::Array(values), ..) => {
            quote(&values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        (_, Some(whole), _) => whole.to_string(),
        (_, None, Some(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Quotes a string for a CSV cell, if necessary. A `'` in front keeps spreadsheets from executing a text as a formula.
fn quote(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return quote(&format!("'{text}"));
    }
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
    fn cells_with_commas_are_quoted() {
        assert_eq!(quote("plain"), "plain");
        assert_eq!(quote("=HYPERLINK(1)"), "'=HYPERLINK(1)");
        assert_eq!(quote("a,b \"c\""), "\"a,b \"\"c\"\"\"");
    }
}
