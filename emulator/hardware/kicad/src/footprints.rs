//! The footprints of the parts on a printed board: holes, pads, outlines. The pads are where KiCad's own footprints of
//! the same names have them, seen from above; lengths are in thousandths of a millimetre.

use crate::circuit::{Circuit, Kind, Part};
use crate::format::{Microns, quoted, uuid};
use crate::symbols::LIBRARY;
use std::fmt::Write;

/// A point on a board or a footprint.
pub type Point = (i32, i32);

/// A footprint: its origin is pin 1.
#[derive(Clone, Debug)]
pub struct Footprint {
    pub name: String,
    pub pads: Vec<Pad>,
    /// The area that it takes up, as two corners.
    pub courtyard: [Point; 2],
    /// The printed outline, as two corners.
    outline: [Point; 2],
    print: Print,
}

/// How the outline is printed, so that it does not cross pads.
#[derive(Clone, Copy, Debug)]
enum Print {
    Box,
    Circle,
    /// The upper and the lower edge.
    Edges,
    Diode,
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
/// The distance between pins.
const PITCH: i32 = 2540;

/// The footprint of a component, if its package is known.
pub fn of(circuit: &Circuit<'_>, part: &Part<'_>) -> Option<Footprint> {
    let package = circuit.assembly.part(part.item).package.as_str();
    let numbers: Vec<usize> = part.item.pins.iter().map(|pin| pin.number).collect();
    let count = |prefix: &str| package.strip_prefix(prefix).and_then(|count| count.parse::<usize>().ok());
    let fits = |count: usize| numbers.iter().all(|&number| number <= count) && (4..=64).contains(&count);
    if let Some(count) = count("DIP-").filter(|&count| fits(count) && count % 2 == 0) {
        let is_socketed = part.kind == Kind::Chip;
        return Some(dual_in_line(part.kind, count as i32, &numbers, is_socketed));
    }
    if let Some(count) = count("SIP-").filter(|&count| fits(count)) {
        return Some(in_line(count as i32, &numbers));
    }
    let row = |name: &str, pitch: i32, size: i32, drill: i32, courtyard: [i32; 4], outline: [i32; 4]| {
        let pads = numbers.iter().map(|&number| pad(number, ((number as i32 - 1) * pitch, 0), size, drill));
        footprint(name.to_owned(), pads.collect(), courtyard, outline)
    };
    let two = numbers == [1, 2];
    match package {
        "radial 5 mm" if two => Some(row(
            "C_Disc_D5.0mm_W2.5mm_P5.00mm",
            5000,
            1600,
            800,
            [-1050, -1500, 6050, 1500],
            [0, -1250, 5000, 1250],
        ))
        .map(|disc| Footprint { print: Print::Edges, ..disc }),
        "radial 8 mm" if two => {
            let round = row(
                "CP_Radial_D8.0mm_P3.50mm",
                3500,
                1600,
                800,
                [-2500, -4250, 6000, 4250],
                [-2250, -4000, 5750, 4000],
            );
            Some(Footprint { print: Print::Circle, ..round })
        }
        "3 mm" if two => {
            let round =
                row("LED_D3.0mm", PITCH, 1800, 900, [-1150, -2210, 3690, 2210], [-230, -1900, 2770, 1900]);
            Some(Footprint { print: Print::Edges, ..round })
        }
        "DO-35" if two => Some(row(
            "D_DO-35_SOD27_P7.62mm_Horizontal",
            7620,
            1600,
            800,
            [-1050, -1250, 8670, 1250],
            [1810, -1000, 5810, 1000],
        ))
        .map(|diode| Footprint { print: Print::Diode, ..diode }),
        "5.08 mm" if two => Some(row(
            "TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal",
            5080,
            2600,
            1300,
            [-3040, -5710, 8130, 5100],
            [-2540, -5210, 7620, 4600],
        )),
        "6 mm" if two => {
            let places = [(1, (0, 0)), (1, (6500, 0)), (2, (0, 4500)), (2, (6500, 4500))];
            let pads = places.map(|(number, at)| pad(number, at, 2000, 1100)).to_vec();
            let mut button =
                footprint("SW_PUSH_6mm".to_owned(), pads, [-1500, -1500, 8000, 6000], [0, -1250, 6500, 5750]);
            button.pads.iter_mut().for_each(|pad| pad.is_square = false);
            button.print = Print::Edges;
            Some(button)
        }
        "2.54 mm" if numbers.len().is_multiple_of(2) => {
            let rows = numbers.len() as i32 / 2;
            let place = |number: i32| ((number - 1) % 2 * PITCH, (number - 1) / 2 * PITCH);
            let pads = numbers.iter().map(|&number| pad(number, place(number as i32), 1700, 1000)).collect();
            let end = (rows - 1) * PITCH;
            Some(footprint(
                format!("IDC-Header_2x{rows:02}_P2.54mm_Vertical"),
                pads,
                [-3680, -5600, 6220, end + 5600],
                [-3180, -5100, 5720, end + 5100],
            ))
        }
        _ => None,
    }
}

fn pad(number: usize, at: Point, size: i32, drill: i32) -> Pad {
    Pad { number, at, size, drill, is_square: number == 1 }
}

fn footprint(name: String, pads: Vec<Pad>, courtyard: [i32; 4], outline: [i32; 4]) -> Footprint {
    let corners = |[x0, y0, x1, y1]: [i32; 4]| [(x0, y0), (x1, y1)];
    Footprint { name, pads, courtyard: corners(courtyard), outline: corners(outline), print: Print::Box }
}

/// Two rows of pins, numbered downwards on the left and upwards on the right.
fn dual_in_line(kind: Kind, count: i32, numbers: &[usize], is_socketed: bool) -> Footprint {
    let width = if count >= 24 { 15_240 } else { 7_620 };
    let length = (count / 2 - 1) * PITCH;
    let place = |number: i32| {
        if number <= count / 2 { (0, (number - 1) * PITCH) } else { (width, (count - number) * PITCH) }
    };
    let pads = numbers.iter().map(|&number| pad(number, place(number as i32), 1600, 800)).collect();
    let inches = if width == 15_240 { "15.24" } else { "7.62" };
    let (name, sides, ends) = match kind {
        Kind::Oscillator => (format!("Oscillator_DIP-{count}"), 2790, 2980),
        _ if is_socketed => (format!("DIP-{count}_W{inches}mm_Socket"), 1530, 1590),
        _ => (format!("DIP-{count}_W{inches}mm"), 1060, 1520),
    };
    footprint(
        name,
        pads,
        [-sides, -ends, width + sides, length + ends],
        [1100, -1270, width - 1100, length + 1270],
    )
}

/// One row of pins, from left to right.
fn in_line(count: i32, numbers: &[usize]) -> Footprint {
    let length = (count - 1) * PITCH;
    let pads =
        numbers.iter().map(|&number| pad(number, ((number as i32 - 1) * PITCH, 0), 1600, 800)).collect();
    footprint(
        format!("R_Array_SIP{count}"),
        pads,
        [-1600, -1560, length + 1600, 1560],
        [-1350, -1310, length + 1350, 1310],
    )
}

impl Footprint {
    /// The footprint as a file of the library.
    pub fn file(&self) -> String {
        let mut text = format!(
            "(footprint {} (version 20241229) (generator \"gray1\") (generator_version \"9.0\") (layer \"F.Cu\")\n",
            quoted(&self.name)
        );
        let [(x0, y0), (x1, y1)] = self.courtyard;
        let (x, above, below) = (Microns(i32::midpoint(x0, x1)), Microns(y0 - 1000), Microns(y1 + 1000));
        for (field, value, y, layer) in
            [("Reference", "REF**", above, "F.SilkS"), ("Value", &self.name, below, "F.Fab")]
        {
            let id = quoted(&uuid(&format!("{} {field}", self.name)));
            let _ = writeln!(
                text,
                "(property \"{field}\" {} (at {x} {y} 0) (layer \"{layer}\") (uuid {id}) (effects (font (size 1 1) (thickness 0.15))))",
                quoted(value)
            );
        }
        text += "(attr through_hole)\n";
        text += &self.drawing(&self.name);
        for (index, pad) in self.pads.iter().enumerate() {
            let id = format!(" (uuid {})", quoted(&uuid(&format!("{} pad {index}", self.name))));
            text += &pad.text(0, "", &id);
        }
        text + "(embedded_fonts no))\n"
    }

    /// The middle of the printed outline.
    pub fn middle(&self) -> Point {
        let [(x0, y0), (x1, y1)] = self.outline;
        (i32::midpoint(x0, x1), i32::midpoint(y0, y1))
    }

    /// A place for its name where there are no pads.
    pub fn free_of_pads(&self, kind: Kind) -> Point {
        let (middle, [low, high]) = (self.middle(), self.outline);
        match kind {
            Kind::PullDowns => (middle.0, high.1 + 640),
            Kind::Header => (low.0 + 1_000, middle.1),
            Kind::Bulk => (middle.0, low.1 + 1_600),
            _ => middle,
        }
    }

    /// Whether it is taller than wide.
    pub fn is_tall(&self) -> bool {
        let [(x0, y0), (x1, y1)] = self.outline;
        y1 - y0 > x1 - x0
    }

    /// The drawing of the footprint, without its name and its place.
    pub fn drawing(&self, key: &str) -> String {
        let mut text = String::new();
        let [(x0, y0), (x1, y1)] = self.outline;
        let id = |what: &str| format!("(uuid {})", quoted(&uuid(&format!("{key} {what}"))));
        let mut draw = |shape: &str, [from, to]: [Point; 2], width: &str, layer: &str, what: &str| {
            let fill = if shape == "fp_line" { "" } else { " (fill no)" };
            let ends = if shape == "fp_circle" { ["center", "end"] } else { ["start", "end"] };
            let _ = writeln!(
                text,
                "({shape} ({} {} {}) ({} {} {}) (stroke (width {width}) (type solid)){fill} (layer \"{layer}\") {})",
                ends[0],
                Microns(from.0),
                Microns(from.1),
                ends[1],
                Microns(to.0),
                Microns(to.1),
                id(what)
            );
        };
        draw("fp_rect", self.courtyard, "0.05", "F.CrtYd", "courtyard");
        draw("fp_rect", self.outline, "0.1", "F.Fab", "body");
        match self.print {
            Print::Box => draw("fp_rect", self.outline, "0.12", "F.SilkS", "outline"),
            Print::Circle => {
                let (x, y) = self.middle();
                draw("fp_circle", [(x, y), (x1, y)], "0.12", "F.SilkS", "outline");
            }
            Print::Edges => {
                draw("fp_line", [(x0, y0), (x1, y0)], "0.12", "F.SilkS", "upper edge");
                draw("fp_line", [(x0, y1), (x1, y1)], "0.12", "F.SilkS", "lower edge");
            }
            Print::Diode => {
                draw("fp_rect", self.outline, "0.12", "F.SilkS", "outline");
                let x = x0 + 400;
                draw("fp_line", [(x, y0), (x, y1)], "0.12", "F.SilkS", "cathode");
            }
        }
        text
    }
}

/// A hole for a screw, as a file of the library.
pub fn screw() -> String {
    format!(
        "(footprint \"screw\" (version 20241229) (generator \"gray1\") (generator_version \"9.0\") (layer \"F.Cu\")\n{}(embedded_fonts no))\n",
        hole("library screw", "REF**")
    )
}

/// The elements of a hole for a screw.
pub fn hole(key: &str, name: &str) -> String {
    let size = Microns(SCREW);
    let id = |what: &str| format!("(uuid {})", quoted(&uuid(&format!("{key} {what}"))));
    let field = |field: &str, value: &str| {
        let id = id(field);
        format!(
            "(property \"{field}\" \"{value}\" (at 0 0 0) (layer \"F.Fab\") (hide yes) {id} (effects (font (size 1 1) (thickness 0.15))))\n"
        )
    };
    format!(
        "{}{}(attr board_only exclude_from_pos_files exclude_from_bom)\n\
         (pad \"\" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) (layers \"*.Cu\" \"*.Mask\") {})\n",
        field("Reference", name),
        field("Value", "M3"),
        id("pad")
    )
}

/// The table that tells KiCad where the library of footprints is.
pub fn library_table() -> String {
    format!(
        "(fp_lib_table\n  (version 7)\n  (lib (name \"{LIBRARY}\")(type \"KiCad\")(uri \"${{KIPRJMOD}}/{LIBRARY}.pretty\")(options \"\")(descr \"packages of the Gray-1\"))\n)\n"
    )
}

impl Pad {
    /// The pad in KiCad's format, on a footprint turned by this angle; `net` is the expression for its net.
    pub fn text(&self, angle: i32, net: &str, id: &str) -> String {
        let shape = if self.is_square { "roundrect" } else { "circle" };
        let corners = if self.is_square { " (roundrect_rratio 0.25)" } else { "" };
        let (x, y, size, drill) =
            (Microns(self.at.0), Microns(self.at.1), Microns(self.size), Microns(self.drill));
        let turn = if angle == 0 { String::new() } else { format!(" {angle}") };
        format!(
            "(pad \"{}\" thru_hole {shape} (at {x} {y}{turn}) (size {size} {size}) (drill {drill}) (layers \"*.Cu\" \"*.Mask\") {corners} (remove_unused_layers no){net}{id})\n",
            self.number
        )
    }
}
