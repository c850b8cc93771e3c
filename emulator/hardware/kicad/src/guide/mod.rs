//! The guide for the workbench: one page with the parts, their places, the nets and the stages of bringing up. It needs
//! no network, and keeps the ticks in the browser.

use crate::circuit::Circuit;
use crate::expression::Point;
use crate::placement::{Layout, Placed};
use gray1_kit::{Assembly, BringUpStage, File};
use gray1_machine::board::Board;
use serde::Serialize;

/// The page, and its placeholders for the data and for the machine's name.
const PAGE: &str = include_str!("guide.html");
const DATA: &str = "{\"boards\":[]}";
const TITLE: &str = "TITLE";

#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    boards: Vec<Panel<'a>>,
    stages: &'a [BringUpStage],
}

/// A printed board; lengths are in millimetres from its upper left corner.
#[derive(Serialize)]
struct Panel<'a> {
    name: &'a str,
    size: [f64; 2],
    parts: Vec<Part<'a>>,
}

/// A part, with its area and its pads.
#[derive(Serialize)]
struct Part<'a> {
    #[serde(rename = "ref")]
    reference: &'a str,
    part: &'a str,
    value: &'a str,
    note: &'a str,
    /// The number of the stage in which it comes in.
    stage: usize,
    /// Left, top, width, height.
    area: [f64; 4],
    pads: Vec<Pad<'a>>,
}

#[derive(Serialize)]
struct Pad<'a> {
    pin: usize,
    name: &'a str,
    net: &'a str,
    at: [f64; 2],
}

/// The page. `stages` are those of bringing up.
pub fn guide(board: &Board, assembly: &Assembly, stages: &[BringUpStage]) -> File {
    let circuits = Circuit::all(board, assembly);
    let layouts: Vec<(&str, Layout)> =
        circuits.iter().filter_map(|circuit| Some((circuit.name, Layout::new(circuit).ok()?))).collect();
    let boards = layouts.iter().map(|(name, layout)| Panel {
        name,
        size: millimetres(layout.size),
        parts: layout.placed.iter().map(|placed| part(assembly, stages, placed)).collect(),
    });
    let data = Data { name: &board.name, boards: boards.collect(), stages };
    // Plain data always has a text. `<` could end the element that the data is in.
    let json = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    let title = board.name.replace('&', "&amp;").replace('<', "&lt;");
    let page = PAGE.replacen(TITLE, &title, 2).replacen(DATA, &json, 1);
    File { name: "guide/index.html".to_owned(), bytes: page.into_bytes() }
}

fn part<'a>(assembly: &'a Assembly, stages: &[BringUpStage], placed: &'a Placed<'_>) -> Part<'a> {
    let item = placed.part.item;
    let component = assembly.part(item);
    let is_in = |stage: &&BringUpStage| stage.insert.contains(&item.reference);
    let [low, high] = placed.courtyard();
    let pads = placed.footprint.pads.iter().filter_map(|pad| {
        let pin = placed.pin(pad)?;
        Some(Pad {
            pin: pin.number,
            name: &pin.name,
            net: pin.net.as_deref().unwrap_or_default(),
            at: millimetres(placed.on_board(pad.at)),
        })
    });
    let [left, top] = millimetres(low);
    let [width, height] = millimetres((high.0 - low.0, high.1 - low.1));
    Part {
        reference: &item.reference,
        part: &item.part,
        value: &component.value,
        note: &component.note,
        // All components but chips are soldered in the first stage.
        stage: stages.iter().find(is_in).map_or(1, |stage| stage.number),
        area: [left, top, width, height],
        pads: pads.collect(),
    }
}

fn millimetres((x, y): Point) -> [f64; 2] {
    [x, y].map(|length| f64::from(length) / 1000.0)
}
