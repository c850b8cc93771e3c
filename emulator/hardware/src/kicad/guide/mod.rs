//! The guide for the workbench: one page with the parts, their places, the nets and the stages of bringing up. It needs
//! no network, and keeps the ticks in the browser.

use crate::kicad::circuit::Circuit;
use crate::kicad::expression::Point;
use crate::kicad::placement::{Layout, Placed};
use crate::kit::{Assembly, BringUpStage, File};
use gray1_machine::board::Board;
use serde_json::{Value, json};

/// The page, and its placeholders for the data and for the machine's name.
const PAGE: &str = include_str!("guide.html");
const DATA: &str = "{\"boards\":[]}";
const TITLE: &str = "TITLE";

/// The page. `stages` are those of bringing up.
pub fn guide(board: &Board, assembly: &Assembly, stages: &[BringUpStage]) -> File {
    let circuits = Circuit::all(board, assembly);
    let layouts: Vec<(&str, Layout)> =
        circuits.iter().filter_map(|circuit| Some((circuit.name, Layout::new(circuit).ok()?))).collect();
    let boards = layouts.iter().map(|(name, layout)| {
        let parts = layout.placed.iter().map(|placed| part(assembly, stages, placed));
        json!({ "name": name, "size": millimetres(layout.size), "parts": parts.collect::<Vec<_>>() })
    });
    let data = json!({ "name": board.name, "boards": boards.collect::<Vec<_>>(), "stages": stages });
    // `<` could end the element that the data is in.
    let data = data.to_string().replace('<', "\\u003c");
    let title = board.name.replace('&', "&amp;").replace('<', "&lt;");
    let page = PAGE.replacen(TITLE, &title, 2).replacen(DATA, &data, 1);
    File { name: "guide/index.html".to_owned(), bytes: page.into_bytes() }
}

/// A part, with its area (left, top, width, height) and its pads.
fn part(assembly: &Assembly, stages: &[BringUpStage], placed: &Placed<'_>) -> Value {
    let item = placed.part.item;
    let component = assembly.part(item);
    let is_in = |stage: &&BringUpStage| stage.insert.contains(&item.reference);
    let pads = placed.footprint.pads.iter().filter_map(|pad| {
        let pin = placed.pin(pad)?;
        let at = millimetres(placed.on_board(pad.at));
        let net = pin.net.as_deref().unwrap_or_default();
        Some(json!({ "pin": pin.number, "name": pin.name, "net": net, "at": at }))
    });
    let [low, high] = placed.courtyard();
    let ([left, top], [width, height]) = (millimetres(low), millimetres((high.0 - low.0, high.1 - low.1)));
    json!({
        "ref": item.reference,
        "part": item.part,
        "value": component.value,
        "note": component.note,
        // All components but chips are soldered in the first stage.
        "stage": stages.iter().find(is_in).map_or(1, |stage| stage.number),
        "area": [left, top, width, height],
        "pads": pads.collect::<Vec<_>>(),
    })
}

/// A point in millimetres from the upper left corner of the board.
fn millimetres((x, y): Point) -> [f64; 2] {
    [x, y].map(|length| f64::from(length) / 1000.0)
}
