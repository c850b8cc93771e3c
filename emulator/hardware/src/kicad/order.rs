//! The page for orders: the boards, with the checksums that tie a zip to its netlist, and the parts, with estimated
//! prices and the source of each number.

use crate::kicad::circuit::Circuit;
use crate::kit::{Assembly, filled, markdown, sha256, wires};
use std::collections::BTreeMap;

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
    let boards = sizes.iter().map(|(stem, (width, height))| {
        let size = format!("{} x {} mm", width / 1000, height / 1000);
        [format!("`{stem}`"), size, format!("`{stem}.zip`")]
    });
    let (parts, total) = parts(assembly);
    let fields = [
        ("name", name),
        ("boards", &markdown(["board", "size", "upload"], boards)),
        ("stem", sizes.first().map_or("cpu", |(stem, _)| stem)),
        ("parts", &parts),
        ("total", &total.div_ceil(100).to_string()),
    ];
    filled(include_str!("order.md"), &fields)
}

/// The table of the parts, and the sum of all known prices in cents.
fn parts(assembly: &Assembly) -> (String, u32) {
    let known: BTreeMap<&str, (u32, bool)> = PRICES.lines().skip(1).filter_map(known).collect();
    let mut pieces: BTreeMap<&str, u32> = BTreeMap::new();
    for item in &assembly.items {
        *pieces.entry(&item.part).or_default() += 1;
    }
    let mut total = 0;
    let rows = pieces.into_iter().map(|(part, pieces)| {
        let price = known.get(part);
        let euros = |pieces: u32| match price {
            Some((cents, _)) => format!("{}.{:02}", cents * pieces / 100, cents * pieces % 100),
            None => "not known".to_owned(),
        };
        total += price.map_or(0, |(cents, _)| cents * pieces);
        let number = if price.is_some_and(|(_, is_listed)| *is_listed) { "listed" } else { "from memory" };
        let component = &assembly.hardware.parts[part];
        let [value, package] = [&component.value, &component.package].map(String::clone);
        [part.to_owned(), value, package, number.to_owned(), pieces.to_string(), euros(1), euros(pieces)]
    });
    let head = ["part", "what it is", "package", "number", "pieces", "each", "together"];
    (markdown(head, rows.collect::<Vec<_>>()), total)
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
