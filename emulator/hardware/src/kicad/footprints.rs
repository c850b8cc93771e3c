//! The footprints of the parts on a printed board: holes, pads, outlines. The pads are where KiCad's own footprints of
//! the same names have them, seen from above; lengths are in thousandths of a millimetre.

use crate::kicad::circuit::{Circuit, Kind, Part};
use crate::kicad::expression::{Length, Point, ends, id, layer, lines, quoted, xy};
use crate::kicad::marks::{self, Drawing, Mark};
use crate::kicad::packages::Package;

/// The beginning of a file of the library of footprints.
const VERSION: &str = "(version 20241229) (generator \"gray1\") (generator_version \"9.0\") (layer \"F.Cu\")";

/// A footprint: its origin is pin 1.
#[derive(Clone, Debug)]
pub struct Footprint {
    pub name: String,
    pub pads: Vec<Pad>,
    /// The area that it takes up, as two corners.
    pub courtyard: [Point; 2],
    /// The body of the part, as two corners.
    body: [Point; 2],
    /// The printed marks.
    pub marks: Vec<Mark>,
}

/// A hole with copper around it, on all layers.
#[derive(Clone, Copy, Debug)]
pub struct Pad {
    /// The number of its pin.
    pub number: usize,
    pub at: Point,
    pub size: i32,
    drill: i32,
    pub is_square: bool,
}

/// The size of a hole for a screw.
pub const SCREW: i32 = 3_200;
/// The layers of holes.
const LAYERS: &str = "(layers \"*.Cu\" \"*.Mask\")";
/// The size of text that is not printed.
const TEXT: &str = "(effects (font (size 1 1) (thickness 0.15)))";
/// The distance between pins.
const PITCH: i32 = 2540;

/// KiCad's library of models for each prefix of footprint names.
#[rustfmt::skip]
const MODELS: [(&str, &str); 13] = [
    ("CP_", "Capacitor_THT"), ("C_", "Capacitor_THT"), ("DIP-", "Package_DIP"), ("D_", "Diode_THT"), ("Fuse_", "Fuse"),
    ("IDC-", "Connector_IDC"), ("LED_", "LED_THT"), (OSCILLATOR, "Oscillator"), ("PinHeader_", "Connector_PinHeader_2.54mm"),
    ("R_", "Resistor_THT"), ("SW_", "Button_Switch_THT"), ("TO-92", "Package_TO_SOT_THT"),
    ("TerminalBlock_Phoenix_", "TerminalBlock_Phoenix"),
];
/// The prefix of an oscillator's footprint: it stands upright here, and lies in KiCad's library.
const OSCILLATOR: &str = "Oscillator_";

/// The footprint of a component, if its package is known.
pub fn of(circuit: &Circuit<'_>, part: &Part<'_>) -> Option<Footprint> {
    let package = circuit.assembly.part(part.item).package.as_str();
    let numbers: Vec<usize> = part.item.pins.iter().map(|pin| pin.number).collect();
    let count = |prefix: &str| package.strip_prefix(prefix).and_then(|count| count.parse::<usize>().ok());
    let fits = |count: usize| numbers.iter().all(|&number| number <= count) && (4..=64).contains(&count);
    if let Some(count) = count("DIP-").filter(|&count| fits(count) && count % 2 == 0) {
        return Some(dual_in_line(part.kind, count as i32, &numbers));
    }
    if let Some(count) = count("SIP-").filter(|&count| fits(count)) {
        return Some(in_line(count as i32, &numbers));
    }
    match package {
        "2.54 mm" if numbers.len().is_multiple_of(2) => Some(header(&numbers)),
        "2.54 mm pins" => Some(pins(&numbers)),
        _ => circuit.packages.get(package).filter(|known| known.has(&numbers)).map(Package::footprint),
    }
}

impl Package {
    /// Whether it has pads for exactly these pins.
    fn has(&self, numbers: &[usize]) -> bool {
        let mut own: Vec<usize> = self.pads.iter().map(|(number, _)| *number).collect();
        own.dedup();
        own == numbers
    }

    fn footprint(&self) -> Footprint {
        let pads = self.pads.iter().map(|&(number, at)| {
            let pad = pad(number, at, self.pad, self.drill);
            Pad { is_square: pad.is_square && self.has_square, ..pad }
        });
        let marks = self.marks.iter().flat_map(Drawing::marks).collect();
        footprint(self.name.clone(), pads.collect(), [self.courtyard, self.body], marks)
    }
}

/// A connector: two columns of pins, odd ones on the left.
fn header(numbers: &[usize]) -> Footprint {
    let rows = numbers.len() as i32 / 2;
    let pads = pads(numbers, 1700, 1000, in_columns(2));
    let (name, end) = (format!("IDC-Header_2x{rows:02}_P2.54mm_Vertical"), (rows - 1) * PITCH);
    let areas = [[-3680, -5600, 6220, end + 5600], [-3180, -5100, 5720, end + 5100]];
    footprint(name, pads, areas, marks::header(end))
}

/// Pins without a box: two in a row, or two columns with odd ones on the left.
fn pins(numbers: &[usize]) -> Footprint {
    let columns = if numbers.len() > 3 { 2 } else { 1 };
    let rows = (numbers.len() as i32 + columns - 1) / columns;
    let pads = pads(numbers, 1700, 1000, in_columns(columns));
    let (name, end) = (format!("PinHeader_{columns}x{rows:02}_P2.54mm_Vertical"), (rows - 1) * PITCH);
    let right = (columns - 1) * PITCH;
    let areas = [[-1770, -1770, right + 1770, end + 1770], [-1270, -1270, right + 1270, end + 1270]];
    footprint(name, pads, areas, marks::pins(columns, rows))
}

/// Pads of these numbers, which determine their places.
fn pads(numbers: &[usize], size: i32, drill: i32, place: impl Fn(i32) -> Point) -> Vec<Pad> {
    numbers.iter().map(|&number| pad(number, place(number as i32), size, drill)).collect()
}

/// Places that are numbered row by row.
fn in_columns(columns: i32) -> impl Fn(i32) -> Point {
    move |number| ((number - 1) % columns * PITCH, (number - 1) / columns * PITCH)
}

fn pad(number: usize, at: Point, size: i32, drill: i32) -> Pad {
    Pad { number, at, size, drill, is_square: number == 1 }
}

/// A footprint with its courtyard and its body: their left, upper, right and lower ends.
fn footprint(name: String, pads: Vec<Pad>, areas: [[i32; 4]; 2], marks: Vec<Mark>) -> Footprint {
    let [courtyard, body] = areas.map(|[x0, y0, x1, y1]| [(x0, y0), (x1, y1)]);
    Footprint { name, pads, courtyard, body, marks }
}

/// Two rows of pins, numbered downwards on the left and upwards on the right.
fn dual_in_line(kind: Kind, count: i32, numbers: &[usize]) -> Footprint {
    let width = if count >= 24 { 15_240 } else { 7_620 };
    let length = (count / 2 - 1) * PITCH;
    let pads = pads(numbers, 1600, 800, |number| {
        if number <= count / 2 { (0, (number - 1) * PITCH) } else { (width, (count - number) * PITCH) }
    });
    let inches = if width == 15_240 { "15.24" } else { "7.62" };
    let (name, sides, ends) = match kind {
        Kind::Oscillator => (format!("{OSCILLATOR}DIP-{count}"), 2790, 2980),
        Kind::Chip => (format!("DIP-{count}_W{inches}mm_Socket"), 1530, 1590),
        _ => (format!("DIP-{count}_W{inches}mm"), 1060, 1520),
    };
    let marks = match kind {
        Kind::Oscillator => marks::oscillator(width, length),
        _ => marks::dual_in_line(width, length, kind == Kind::Chip),
    };
    let body = [1100, -1270, width - 1100, length + 1270];
    footprint(name, pads, [[-sides, -ends, width + sides, length + ends], body], marks)
}

/// One row of pins, from left to right.
fn in_line(count: i32, numbers: &[usize]) -> Footprint {
    let length = (count - 1) * PITCH;
    let pads = pads(numbers, 1600, 800, in_columns(count));
    let areas = [[-1600, -1560, length + 1600, 1560], [-1350, -1310, length + 1350, 1310]];
    footprint(format!("R_Array_SIP{count}"), pads, areas, marks::in_line(length))
}

impl Footprint {
    /// The footprint as a file of the library.
    pub fn file(&self) -> String {
        let [(x0, y0), (x1, y1)] = self.courtyard;
        let x = i32::midpoint(x0, x1);
        let fields =
            [("Reference", "REF**", y0 - 1000, "F.SilkS"), ("Value", self.name.as_str(), y1 + 1000, "F.Fab")];
        let fields = fields.map(|(field, value, y, on)| {
            let (at, id) = (xy((x, y)), id(&format!("{} {field}", self.name)));
            format!("(property \"{field}\" {} (at {at} 0) (layer \"{on}\") {id} {TEXT})", quoted(value))
        });
        let pads = self.pads.iter().enumerate();
        let pads = pads.map(|(index, pad)| pad.text(0, &id(&format!("{} pad {index}", self.name))));
        format!(
            "(footprint {} {VERSION}{}\n(attr through_hole){}{}\n(embedded_fonts no){})\n",
            quoted(&self.name),
            lines(fields),
            lines(self.drawing(&self.name)),
            lines(pads),
            lines(self.model())
        )
    }

    /// The solid model of the part: that of KiCad's own footprint of the same name.
    pub fn model(&self) -> Option<String> {
        let (_, library) = MODELS.iter().find(|(start, _)| self.name.starts_with(start))?;
        let path = format!("${{KICAD9_3DMODEL_DIR}}/{library}.3dshapes/{}.step", self.name);
        let turn = if self.name.starts_with(OSCILLATOR) { 90 } else { 0 };
        let turn = format!("(offset (xyz 0 0 0)) (scale (xyz 1 1 1)) (rotate (xyz 0 0 {turn}))");
        Some(format!("(model {} {turn})", quoted(path)))
    }

    /// The middle of the body.
    pub fn middle(&self) -> Point {
        let [(x0, y0), (x1, y1)] = self.body;
        (i32::midpoint(x0, x1), i32::midpoint(y0, y1))
    }

    /// Whether it is taller than wide.
    pub fn is_tall(&self) -> bool {
        let [(x0, y0), (x1, y1)] = self.body;
        y1 - y0 > x1 - x0
    }

    /// The drawing of the footprint, without texts.
    pub fn drawing(&self, key: &str) -> Vec<String> {
        let area = |[from, to]: [Point; 2], width: &str, on: &str, what: &str| {
            let (ends, on, id) = (ends(from, to), layer(on), id(&format!("{key} {what}")));
            format!("(fp_rect {ends} (stroke (width {width}) (type solid)) (fill no) {on} {id})")
        };
        let areas =
            [area(self.courtyard, "0.05", "F.CrtYd", "courtyard"), area(self.body, "0.1", "F.Fab", "body")];
        let marks = self.marks.iter().enumerate();
        areas
            .into_iter()
            .chain(marks.map(|(index, mark)| mark.text(&format!("{key} mark {index}"))))
            .collect()
    }
}

/// A hole for a screw, as a file of the library.
pub fn screw() -> String {
    let hole = lines(hole("library screw", "REF**"));
    format!("(footprint \"screw\" {VERSION}{hole}\n(embedded_fonts no))\n")
}

/// The elements of a hole for a screw.
pub fn hole(key: &str, name: &str) -> [String; 4] {
    let id = |what: &str| id(&format!("{key} {what}"));
    let field = |field: &str, value: &str| {
        let (value, on, id) = (quoted(value), layer("F.Fab"), id(field));
        format!("(property \"{field}\" {value} (at 0 0 0) {on} (hide yes) {id} {TEXT})")
    };
    let (size, id) = (Length(SCREW), id("pad"));
    let pad =
        format!("(pad \"\" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) {LAYERS} {id})");
    let attributes = "(attr board_only exclude_from_pos_files exclude_from_bom)".to_owned();
    [field("Reference", name), field("Value", "M3"), attributes, pad]
}

impl Pad {
    /// The pad in KiCad's format, on a footprint turned by this angle, with further attributes.
    pub fn text(&self, angle: i32, more: &str) -> String {
        let (shape, corners) =
            if self.is_square { ("roundrect", " (roundrect_rratio 0.25)") } else { ("circle", "") };
        let (number, at, size, drill) = (self.number, xy(self.at), Length(self.size), Length(self.drill));
        let angle = if angle == 0 { String::new() } else { format!(" {angle}") };
        format!(
            "(pad \"{number}\" thru_hole {shape} (at {at}{angle}) (size {size} {size}) (drill {drill}) {LAYERS} {corners} \
             (remove_unused_layers no) {more})"
        )
    }
}
