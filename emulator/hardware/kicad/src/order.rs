//! What to order: the boards, with the checksums that tie a zip to its netlist, and the parts, with estimated prices and
//! where each number is from.

use crate::circuit::Circuit;
use gray1_kit::{Assembly, sha256, wires};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Estimated prices, and whether a number was found in parts lists: `part,cents,listed`.
const PRICES: &str = include_str!("prices.csv");

/// The checksums of a printed board and of the wire list of its machine, for `sha256sum -c` in the folder `factory`.
pub fn checksums(circuit: &Circuit, printed: &str) -> String {
    let files = [
        (format!("../kicad/{}.kicad_pcb", circuit.stem), printed),
        ("../wires.csv".into(), &wires(circuit.assembly)),
    ];
    files.iter().map(|(name, text)| format!("{}  {name}\n", sha256(text.as_bytes()))).collect()
}

/// The page. `sizes` has the stem of each printed board, and its size.
pub fn page(name: &str, assembly: &Assembly, sizes: &[(&str, (i32, i32))]) -> String {
    let mut boards = String::new();
    for (stem, (width, height)) in sizes {
        let _ = writeln!(boards, "| `{stem}` | {} x {} mm | `{stem}.zip` |", width / 1000, height / 1000);
    }
    let (parts, total) = parts(assembly);
    include_str!("order.md")
        .replace("NAME", name)
        .replace("BOARDS\n", &boards)
        .replace("STEM", sizes.first().map_or("cpu", |(stem, _)| stem))
        .replace("PARTS\n", &parts)
        .replace("TOTAL", &total.div_ceil(100).to_string())
}

/// A row for each part, and the sum of all known prices in cents.
fn parts(assembly: &Assembly) -> (String, u32) {
    let known: BTreeMap<&str, (u32, bool)> = PRICES.lines().skip(1).filter_map(known).collect();
    let mut pieces: BTreeMap<&str, u32> = BTreeMap::new();
    for item in &assembly.items {
        *pieces.entry(&item.part).or_default() += 1;
    }
    let (mut text, mut total) = (String::new(), 0);
    for (part, pieces) in pieces {
        let (cents, is_listed) =
            known.get(part).map_or((None, false), |&(cents, listed)| (Some(cents), listed));
        let number = if is_listed { "listed" } else { "from memory" };
        let euros = |cents: Option<u32>| {
            cents
                .map_or_else(|| "not known".to_owned(), |cents| format!("{}.{:02}", cents / 100, cents % 100))
        };
        let together = cents.map(|cents| cents * pieces);
        total += together.unwrap_or_default();
        let component = &assembly.hardware.parts[part];
        let _ = writeln!(
            text,
            "| {part} | {} | {} | {number} | {pieces} | {} | {} |",
            component.value,
            component.package,
            euros(cents),
            euros(together)
        );
    }
    (text, total)
}

/// A row of the prices.
fn known(row: &'static str) -> Option<(&'static str, (u32, bool))> {
    let mut cells = row.rsplitn(3, ',');
    let (listed, cents, part) = (cells.next()?, cells.next()?, cells.next()?);
    Some((part, (cents.parse().ok()?, listed == "yes")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;

    /// Every part of the board has a price, and every price is for a part of the board.
    #[test]
    fn every_part_has_a_price() {
        let hardware = Board::built().hardware.unwrap_or_else(|| panic!("it has one"));
        let rows: Vec<_> = PRICES.lines().skip(1).collect();
        let known: BTreeMap<_, _> = rows.iter().copied().filter_map(known).collect();
        assert_eq!(known.len(), rows.len());
        assert!(known.keys().copied().eq(hardware.parts.keys().map(String::as_str)));
    }
}
