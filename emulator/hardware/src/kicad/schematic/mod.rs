//! The schematic of a board: a first page that shows its sheets, and the sheets, each with the chips of one function.

mod cells;
mod fittings;
mod page;

use crate::kicad::circuit::{Circuit, Kind, Part};
use crate::kicad::expression::{Place, font, lines, on_page, plain, quoted, uuid, xy};
use crate::kicad::symbols::{self, PITCH, Symbol};
use cells::{CELL, LIGHTS, heading};
pub use page::symbol_id;
use page::{PLAIN, Page, SMALL, Side};
use std::collections::BTreeMap;

/// The upper margin of a page.
const TOP: i32 = 30;
const LEFT: i32 = 10;
/// The distance from chips to the notes below them.
const NOTES: i32 = 24;
/// The width of a sheet on the first page, of the space between two, and of a page.
const SHEET: i32 = 38;
const BETWEEN: i32 = 34;
/// The width of a small page and the lower end of its usable area; the width of a large page.
const PAGE: (i32, i32) = (225, 126);
const LARGE_PAGE: i32 = 322;
/// The height of a row of connectors.
const ROW: i32 = 52;
/// The width of a column of what has two ends, and of the supply.
const TWO_ENDS: i32 = 62;
const SUPPLY: i32 = 60;

/// The files of a schematic, the first page first.
pub fn files(circuit: &Circuit<'_>) -> Vec<(String, String)> {
    let symbols = symbols::all(circuit);
    let mut files = vec![(format!("{}.kicad_sch", circuit.stem), root(circuit, &symbols))];
    for sheet in 0..circuit.sheets.len() {
        files.push((file(circuit, sheet), page(circuit, &symbols, sheet)));
    }
    files
}

/// The identifier of a board's schematic.
pub fn root_id(circuit: &Circuit<'_>) -> String {
    uuid(&format!("{} schematic", circuit.stem))
}

/// The identifier of a sheet on the first page.
pub fn sheet_id(circuit: &Circuit<'_>, sheet: usize) -> String {
    uuid(&format!("{} sheet {}", circuit.stem, circuit.sheets[sheet]))
}

/// The name of the file of a sheet.
pub fn file(circuit: &Circuit<'_>, sheet: usize) -> String {
    let name = plain(&circuit.sheets[sheet]).replace('_', "-").to_ascii_lowercase();
    format!("{}-{name}.kicad_sch", circuit.stem)
}

/// The title of a board.
pub fn title(circuit: &Circuit<'_>) -> String {
    format!("{} board", circuit.name)
}

/// The first page: the sheets as boxes, each with its inputs on the left and its outputs on the right.
fn root(circuit: &Circuit<'_>, symbols: &BTreeMap<String, Symbol>) -> String {
    let (text, lowest) = overview(circuit, symbols, "A4", PAGE.0);
    if lowest <= PAGE.1 { text } else { overview(circuit, symbols, "A3", LARGE_PAGE).0 }
}

/// The first page on paper of this width, and where it ends.
fn overview(
    circuit: &Circuit<'_>,
    symbols: &BTreeMap<String, Symbol>,
    paper: &str,
    width: i32,
) -> (String, i32) {
    let mut page = Page::new(circuit, symbols, "", format!("/{}", root_id(circuit)));
    heading(&mut page, &title(circuit));
    let left = LEFT + BETWEEN / 2 - 2;
    let (mut x, mut y, mut lowest) = (left, TOP - 8, TOP);
    for number in 0..circuit.sheets.len() {
        let outlets = circuit.outlets(number);
        let side = |is_output: bool| {
            outlets.iter().filter(move |(_, out)| **out == is_output).map(|(name, _)| *name)
        };
        let height = PITCH * (side(true).count().max(side(false).count()) as i32 + 2);
        if x + SHEET + BETWEEN / 2 > width {
            (x, y) = (left, lowest + 10);
        }
        lowest = lowest.max(y + height);
        let mut pins = Vec::new();
        for (is_output, out, x, angle) in [(false, Side::Left, x, 180), (true, Side::Right, x + SHEET, 0)] {
            let justify = if is_output { "right" } else { "left" };
            let effects = format!("(effects {} (justify {justify}))", font(SMALL));
            let kind = if is_output { "output" } else { "input" };
            for (index, name) in (1..).zip(side(is_output)) {
                let y = y + PITCH * index;
                let (place, id) = (xy(on_page((x, y))), page.id());
                pins.push(format!("(pin {} {kind} (at {place} {angle}) {id} {effects})", quoted(name)));
                let end = (x + (PLAIN.length + 5) * out as i32, y);
                if name.ends_with(']') {
                    page.bus((x, y), end);
                } else {
                    page.wire((x, y), end);
                }
                page.end(name, end, if is_output { Side::Left } else { Side::Right }, None);
            }
        }
        page.add(sheet_box(circuit, number, (x, y), height, &pins));
        x += SHEET + BETWEEN;
    }
    let end = "(sheet_instances (path \"/\" (page \"1\")))";
    (page.finish(&root_id(circuit), paper, &title(circuit), Some(end)), lowest)
}

/// A sheet as a box of this height on the first page.
fn sheet_box(circuit: &Circuit<'_>, number: usize, (x, y): Place, height: i32, pins: &[String]) -> String {
    let field = |field: &str, value: &str, y: i32, justify: &str| {
        let (value, place, font) = (quoted(value), xy(on_page((x, y))), font("1.6"));
        format!("(property \"{field}\" {value} (at {place} 0) (effects {font} (justify left {justify})))")
    };
    format!(
        "(sheet (at {}) (size {}) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) \
         (stroke (width 0.1524) (type solid)) (fill (color 0 0 0 0)) (uuid \"{}\")\n{}\n{}{}\n\
         (instances (project {} (path \"/{}\" (page \"{}\")))))",
        xy(on_page((x, y))),
        xy(on_page((SHEET, height))),
        sheet_id(circuit, number),
        field("Sheetname", &circuit.sheets[number], y - 1, "bottom"),
        field("Sheetfile", &file(circuit, number), y + height + 1, "top"),
        lines(pins),
        quoted(&circuit.stem),
        root_id(circuit),
        number + 2
    )
}

/// A sheet.
fn page(circuit: &Circuit<'_>, symbols: &BTreeMap<String, Symbol>, sheet: usize) -> String {
    let name = &circuit.sheets[sheet];
    let path = format!("/{}/{}", root_id(circuit), sheet_id(circuit, sheet));
    let mut page = Page::new(circuit, symbols, name, path);
    heading(&mut page, name);
    let here = |kinds: &[Kind]| -> Vec<&Part<'_>> {
        let kinds = kinds.to_vec();
        circuit.parts.iter().filter(|part| part.sheet == sheet && kinds.contains(&part.kind)).collect()
    };
    let chips = here(&[Kind::Chip]);
    let mut lowest = TOP;
    for (index, chip) in (0..).zip(&chips) {
        lowest = lowest.max(cells::chip(&mut page, chip, sheet, (LEFT + CELL * index, TOP)));
    }
    let mut below = if chips.is_empty() { TOP } else { lowest + NOTES };
    let mut x = LEFT;
    let mut is_wide = chips.len() > 2;
    if !here(&[Kind::Diode]).is_empty() {
        fittings::pads(&mut page, sheet, (LEFT + 12, TOP - 14));
        is_wide = true;
    } else {
        let boxes = here(&[Kind::Oscillator, Kind::ThreePins, Kind::PullDowns, Kind::Header, Kind::Pins]);
        for part in boxes {
            let width = fittings::width(part);
            if x + width > LARGE_PAGE {
                (x, below) = (LEFT, below + ROW);
            }
            fittings::boxed(&mut page, part, sheet, (x, below));
            x += width;
            is_wide |= x > PAGE.0;
        }
        if x + TWO_ENDS + SUPPLY > LARGE_PAGE {
            (x, below) = (LEFT, below + ROW);
        }
        let two_ends = here(&[Kind::Button, Kind::Resistor, Kind::Fuse, Kind::Clamp, Kind::Lamp]);
        if !two_ends.is_empty() {
            fittings::two_ends(&mut page, &two_ends, sheet, (x, below + 4));
            x += TWO_ENDS;
        }
        for network in here(&[Kind::Resistors]).into_iter().filter(|network| circuit.lights(network)) {
            cells::lights(&mut page, network, (x, below - 12));
            x += LIGHTS;
        }
        let supply = here(&[Kind::Supply, Kind::Bulk]);
        if !supply.is_empty() {
            fittings::supply(&mut page, &supply, sheet, (x, below));
            x += SUPPLY;
        }
    }
    let paper = if is_wide || x > PAGE.0 { "A3" } else { "A4" };
    let id = uuid(&format!("{} file {name}", circuit.stem));
    page.finish(&id, paper, &format!("{}: {name}", title(circuit)), None)
}

/// The library of all symbols.
pub fn library(circuits: &[Circuit<'_>]) -> String {
    let symbols: BTreeMap<String, Symbol> = circuits.iter().flat_map(symbols::all).collect();
    let symbols = lines(symbols.values().map(|symbol| symbol.text("")));
    format!(
        "(kicad_symbol_lib (version 20241209) (generator \"gray1\") (generator_version \"9.0\"){symbols}\n)\n"
    )
}
