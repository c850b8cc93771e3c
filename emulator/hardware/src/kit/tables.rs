//! Tables, and the assembly as two of them for spreadsheets: the parts list and the wire list.

use crate::kit::assembly::{Assembly, Item, RAILS};
use std::collections::HashMap;

/// The parts list: a row for each part, with the names of its components.
pub fn bill(assembly: &Assembly) -> String {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for item in &assembly.items {
        match rows.iter_mut().find(|(part, _)| *part == item.part) {
            Some((_, references)) => references.push(&item.reference),
            None => rows.push((&item.part, vec![&item.reference])),
        }
    }
    let mut text = row(&["reference", "value", "part", "package", "quantity", "note"]);
    for (name, references) in rows {
        let part = &assembly.hardware.parts[name];
        let quantity = references.len().to_string();
        text += &row(&[&references.join(" "), &part.value, name, &part.package, &quantity, &part.note]);
    }
    text
}

/// The wire list: a row for each pin, net by net. Pins without a net come last.
pub fn wires(assembly: &Assembly) -> String {
    let mut pins: HashMap<Option<&str>, Vec<[String; 3]>> = HashMap::new();
    for Item { reference, pins: own, .. } in &assembly.items {
        for pin in own {
            let row = [reference.clone(), pin.number.to_string(), pin.name.clone()];
            pins.entry(pin.net.as_deref()).or_default().push(row);
        }
    }
    let mut text = row(&["net", "chip", "pin number", "pin name"]);
    let nets = assembly.nets.iter().map(String::as_str).chain(RAILS).map(Some).chain([None]);
    for net in nets {
        for [reference, number, name] in pins.get(&net).into_iter().flatten() {
            text += &row(&[net.unwrap_or_default(), reference, number, name]);
        }
    }
    text
}

/// A table in Markdown.
pub fn markdown<const COLUMNS: usize>(
    head: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> String {
    let cell = |cell: &str| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") };
    let row = |row: [String; COLUMNS]| format!("|{}\n", row.map(|text| cell(&text)).concat());
    let mut text = row(head.map(str::to_owned)) + "|" + &"---|".repeat(COLUMNS) + "\n";
    text.extend(rows.into_iter().map(row));
    text
}

/// A row of a table for spreadsheets, with quotes around fields that need them.
pub fn row(fields: &[&str]) -> String {
    let quoted = fields.iter().map(|field| match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => (*field).to_owned(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}
