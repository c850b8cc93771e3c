//! The printed board as a KiCad file: footprints, tracks, planes, text.

use crate::circuit::{Circuit, Kind};
use crate::footprints::{self, Point, SCREW};
use crate::format::{Microns, quoted, uuid};
use crate::placement::{GRID, Layout, Placed};
use crate::planes::{self, Through, VIA, VIA_DRILL};
use crate::schematic;
use crate::symbols::LIBRARY;
use crate::tracks::{Tracks, WIDTH};
use gray1_kit::{Pin, RAILS};
use gray1_machine::board::Chip;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The position of the board's corner on the page.
const CORNER: Point = (20_000, 20_000);
/// The layers, from the top; the inner ones are planes.
const LAYERS: &str = "(layers (0 \"F.Cu\" signal) (4 \"In1.Cu\" power) (6 \"In2.Cu\" power) (2 \"B.Cu\" signal)
(13 \"F.Paste\" user) (15 \"B.Paste\" user) (5 \"F.SilkS\" user \"F.Silkscreen\") (7 \"B.SilkS\" user \"B.Silkscreen\")
(1 \"F.Mask\" user) (3 \"B.Mask\" user) (25 \"Edge.Cuts\" user) (27 \"Margin\" user) (31 \"F.CrtYd\" user \"F.Courtyard\")
(29 \"B.CrtYd\" user \"B.Courtyard\") (35 \"F.Fab\" user) (33 \"B.Fab\" user))\n";

/// A printed board that is being written.
struct Printed<'a> {
    circuit: &'a Circuit<'a>,
    /// The numbers of nets, by their names in KiCad.
    nets: BTreeMap<String, usize>,
    text: String,
}

/// The file.
pub fn text(circuit: &Circuit<'_>, layout: &Layout<'_>, tracks: &BTreeMap<String, Tracks>) -> String {
    let mut printed = Printed { circuit, nets: BTreeMap::new(), text: String::new() };
    for placed in &layout.placed {
        for pin in &placed.part.item.pins {
            let next = printed.nets.len() + 1;
            printed.nets.entry(printed.net(placed, pin)).or_insert(next);
        }
    }
    let size = if layout.size.0 > 240_000 { "A3" } else { "A4" };
    let corner = format!("{} {}", Microns(CORNER.0), Microns(CORNER.1 + layout.size.1));
    let mut text = format!(
        "(kicad_pcb (version 20241229) (generator \"gray1\") (generator_version \"9.0\")\n\
         (general (thickness 1.6) (legacy_teardrops no))\n(paper \"{size}\")\n\
         (title_block (title {}) (company {}) (comment 1 \"simulated, never powered\"))\n{LAYERS}\
         (setup (pad_to_mask_clearance 0) (allow_soldermask_bridges_in_footprints no) (tenting front back) (aux_axis_origin {corner}) (grid_origin {corner}))\n(net 0 \"\")\n",
        quoted(&schematic::title(circuit)),
        quoted(&circuit.board.name)
    );
    let mut numbered: Vec<_> = printed.nets.iter().collect();
    numbered.sort_by_key(|(_, number)| **number);
    for (name, number) in numbered {
        let _ = writeln!(text, "(net {number} {})", quoted(name));
    }
    layout.placed.iter().for_each(|placed| printed.footprint(placed));
    for (index, &hole) in layout.holes.iter().enumerate() {
        printed.screw(index + 1, hole);
    }
    printed.edge(layout.size);
    for (net, tracks) in tracks {
        printed.tracks(net, tracks);
    }
    for (rail, layer) in RAILS.iter().rev().zip(["In1.Cu", "In2.Cu"]) {
        printed.plane(layout, tracks, rail, layer);
    }
    text + &printed.text + "(embedded_fonts no))\n"
}

impl Printed<'_> {
    /// The name in KiCad of the net of a pin; an open pin has a net of its own.
    fn net(&self, placed: &Placed<'_>, pin: &Pin) -> String {
        match &pin.net {
            Some(net) => self.circuit.net_name(net),
            None => {
                // The resistors of a network are units of its symbol, which have letters.
                let unit = pin.name.bytes().next().filter(|_| placed.part.kind == Kind::Resistors);
                let unit = unit.map_or_else(String::new, |digit| char::from(digit - b'1' + b'A').to_string());
                format!("unconnected-({}{unit}-{}-Pad{})", placed.part.item.reference, pin.name, pin.number)
            }
        }
    }

    fn id(&self, key: &str) -> String {
        format!("(uuid {})", quoted(&uuid(&format!("{} board {key}", self.circuit.stem))))
    }

    fn footprint(&mut self, placed: &Placed<'_>) {
        let (part, shape) = (placed.part, &placed.footprint);
        let component = self.circuit.assembly.part(part.item);
        let reference = part.item.reference.as_str();
        let (x, y) = (Microns(placed.at.0 + CORNER.0), Microns(placed.at.1 + CORNER.1));
        let turn = if placed.angle == 0 { String::new() } else { format!(" {}", placed.angle) };
        let _ = writeln!(
            self.text,
            "(footprint {} (layer \"F.Cu\") {} (at {x} {y}{turn})",
            quoted(&format!("{LIBRARY}:{}", shape.name)),
            self.id(reference)
        );
        let middle = shape.middle();
        let is_chip = part.kind == Kind::Chip;
        // The name runs along the longer side, and is never upside down.
        let along = if shape.is_tall() { (placed.angle + 90) % 180 } else { placed.angle % 180 };
        let size = match part.kind {
            Kind::Chip => "2.5",
            Kind::Led => "0.6",
            _ => "0.8",
        };
        let socket = self.circuit.assembly.hardware.uses.sockets.get(&component.package).filter(|_| is_chip);
        let mut fields = vec![
            ("Reference", reference, "F.SilkS", false),
            ("Value", component.value.as_str(), "F.Fab", true),
            ("Datasheet", "", "F.Fab", true),
            ("Description", component.note.as_str(), "F.Fab", true),
            ("Part", part.item.part.as_str(), "F.Fab", true),
            ("Note", component.note.as_str(), "F.Fab", true),
        ];
        fields.extend(socket.map(|socket| ("Socket", socket.as_str(), "F.Fab", true)));
        for (field, value, layer, hidden) in fields {
            let hide = if hidden { " (hide yes)" } else { "" };
            let (place, size) = match (field, is_chip) {
                ("Reference", true) => ((middle.0 - 2_000, middle.1), size),
                ("Reference", false) => (shape.free_of_pads(part.kind), size),
                _ => (middle, "1"),
            };
            let layer = if field == "Reference" && part.kind == Kind::Led { "F.Fab" } else { layer };
            let _ = writeln!(
                self.text,
                "(property {} {} (at {} {} {along}) (layer \"{layer}\"){hide} {} (effects (font (size {size} {size}) (thickness 0.12))))",
                quoted(field),
                quoted(value),
                Microns(place.0),
                Microns(place.1),
                self.id(&format!("{reference} {field}"))
            );
        }
        if let Some(chip) = self.circuit.board.chips.iter().find(|chip| chip.name() == reference) {
            let held = if matches!(chip, Chip::Rom { .. }) { chip.burned() } else { component.value.clone() };
            let _ = writeln!(
                self.text,
                "(fp_text user {} (at {} {} {along}) (layer \"F.SilkS\") {} (effects (font (size 1.2 1.2) (thickness 0.15))))",
                quoted(&held),
                Microns(middle.0 + 2_000),
                Microns(middle.1),
                self.id(&format!("{reference} held"))
            );
        }
        let path = format!(
            "/{}/{}",
            schematic::sheet_id(self.circuit, part.sheet),
            schematic::symbol_id(self.circuit, reference, 1)
        );
        let _ = writeln!(
            self.text,
            "(path {}) (sheetname {}) (sheetfile {})\n(attr through_hole)",
            quoted(&path),
            quoted(&format!("/{}/", self.circuit.sheets[part.sheet])),
            quoted(&schematic::file(self.circuit, part.sheet))
        );
        self.text += &shape.drawing(&format!("{} board {reference}", self.circuit.stem));
        for (index, pad) in shape.pads.iter().enumerate() {
            let Some(pin) = part.item.pins.iter().find(|pin| pin.number == pad.number) else { continue };
            let name = self.net(placed, pin);
            let mut net = format!(" (net {} {})", self.nets[&name], quoted(&name));
            if pin.name != "NC" {
                let _ = write!(net, " (pinfunction {})", quoted(&pin.name));
            }
            let id = format!(" {}", self.id(&format!("{reference} pad {index}")));
            self.text += &pad.text(placed.angle, &net, &id);
        }
        self.text += "(embedded_fonts no))\n";
    }

    /// A hole for a screw.
    fn screw(&mut self, number: usize, at: Point) {
        let _ = writeln!(
            self.text,
            "(footprint \"{LIBRARY}:screw\" (layer \"F.Cu\") {} (at {} {})\n{}(embedded_fonts no))",
            self.id(&format!("screw {number}")),
            Microns(at.0 + CORNER.0),
            Microns(at.1 + CORNER.1),
            footprints::hole(&format!("{} screw {number}", self.circuit.stem), &format!("H{number}"))
        );
    }

    /// The edge of the board, and the text printed along it.
    fn edge(&mut self, (width, height): Point) {
        let (left, top, right, bottom) = (CORNER.0, CORNER.1, CORNER.0 + width, CORNER.1 + height);
        let _ = writeln!(
            self.text,
            "(gr_rect (start {} {}) (end {} {}) (stroke (width 0.1) (type solid)) (fill no) (layer \"Edge.Cuts\") {})",
            Microns(left),
            Microns(top),
            Microns(right),
            Microns(bottom),
            self.id("edge")
        );
        let said = format!(
            "{}: {}, version {}; simulated, never powered",
            self.circuit.board.name,
            schematic::title(self.circuit),
            env!("CARGO_PKG_VERSION")
        );
        let _ = writeln!(
            self.text,
            "(gr_text {} (at {} {}) (layer \"F.SilkS\") {} (effects (font (size 1.2 1.2) (thickness 0.15))))",
            quoted(&said),
            Microns(left + width / 2),
            Microns(bottom - 1_500),
            self.id("said")
        );
    }

    fn tracks(&mut self, net: &str, tracks: &Tracks) {
        let Some(&number) = self.nets.get(&self.circuit.net_name(net)) else { return };
        let place =
            |(x, y): Point| format!("{} {}", Microns(x * GRID + CORNER.0), Microns(y * GRID + CORNER.1));
        for (index, &(layer, from, to)) in tracks.lines.iter().enumerate() {
            let _ = writeln!(
                self.text,
                "(segment (start {}) (end {}) (width {}) (layer \"{}\") (net {number}) {})",
                place(from),
                place(to),
                Microns(WIDTH),
                ["F.Cu", "B.Cu"][layer],
                self.id(&format!("{net} line {index}"))
            );
        }
        for &via in &tracks.vias {
            let _ = writeln!(
                self.text,
                "(via (at {}) (size {}) (drill {}) (layers \"F.Cu\" \"B.Cu\") (net {number}) {})",
                place(via),
                Microns(VIA),
                Microns(VIA_DRILL),
                self.id(&format!("{net} via {via:?}"))
            );
        }
    }

    /// A plane, filled.
    fn plane(&mut self, layout: &Layout<'_>, tracks: &BTreeMap<String, Tracks>, rail: &str, layer: &str) {
        let Some(&number) = self.nets.get(rail) else { return };
        let mut through = Vec::new();
        for placed in &layout.placed {
            for pad in &placed.footprint.pads {
                let pin = placed.part.item.pins.iter().find(|pin| pin.number == pad.number);
                let is_joined = pin.is_some_and(|pin| pin.net.as_deref() == Some(rail));
                let at = placed.on_board(pad.at);
                through.push(Through { at, size: pad.size, is_square: pad.is_square, is_joined });
            }
        }
        for &(x, y) in tracks.values().flat_map(|tracks| &tracks.vias) {
            through.push(Through { at: (x * GRID, y * GRID), size: VIA, is_square: false, is_joined: false });
        }
        for &at in &layout.holes {
            through.push(Through { at, size: SCREW + 600, is_square: false, is_joined: false });
        }
        let points = |points: &[Point]| -> String {
            points
                .iter()
                .map(|&(x, y)| format!("(xy {} {})\n", Microns(x + CORNER.0), Microns(y + CORNER.1)))
                .collect()
        };
        let (width, height) = layout.size;
        let border = [
            (1_000, 1_000),
            (width - 1_000, 1_000),
            (width - 1_000, height - 1_000),
            (1_000, height - 1_000),
        ];
        let _ = writeln!(
            self.text,
            "(zone (net {number}) (net_name {}) (layer \"{layer}\") {} (hatch edge 0.5) (connect_pads (clearance 0.2)) (min_thickness 0.1) (filled_areas_thickness no)\n\
             (fill yes (thermal_gap 0.25) (thermal_bridge_width 0.5))\n(polygon (pts\n{}))\n(filled_polygon (layer \"{layer}\") (pts\n{})))",
            quoted(rail),
            self.id(&format!("plane {layer}")),
            points(&border),
            points(&planes::outline(layout.size, &through))
        );
    }
}
