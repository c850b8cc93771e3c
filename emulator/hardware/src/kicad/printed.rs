//! The printed board as a KiCad file: footprints, tracks, planes, text.

use crate::kicad::circuit::{Circuit, Kind};
use crate::kicad::expression::{Length, Point, ends, id, layer, lines, quoted, xy};
use crate::kicad::footprints::{self, SCREW};
use crate::kicad::labels::{self, Area, Label};
use crate::kicad::placement::{GRID, Layout, Placed, turned};
use crate::kicad::planes::{self, Through, VIA, VIA_DRILL};
use crate::kicad::problem::{BROAD, WIDTH};
use crate::kicad::schematic;
use crate::kicad::symbols::LIBRARY;
use crate::kicad::tracks::Tracks;
use crate::kit::{Pin, RAILS};
use std::collections::BTreeMap;

/// The position of the board's corner on the page.
const CORNER: Point = (20_000, 20_000);
/// The layers, from the top; the inner ones are planes.
const LAYERS: &str = "(layers (0 \"F.Cu\" signal) (4 \"In1.Cu\" power) (6 \"In2.Cu\" power) (2 \"B.Cu\" signal)
(13 \"F.Paste\" user) (15 \"B.Paste\" user) (5 \"F.SilkS\" user \"F.Silkscreen\") (7 \"B.SilkS\" user \"B.Silkscreen\")
(1 \"F.Mask\" user) (3 \"B.Mask\" user) (25 \"Edge.Cuts\" user) (27 \"Margin\" user) (31 \"F.CrtYd\" user \"F.Courtyard\")
(29 \"B.CrtYd\" user \"B.Courtyard\") (35 \"F.Fab\" user) (33 \"B.Fab\" user))";
/// The size of the text along the edge, and its distance from it.
const EDGE_TEXT_SIZE: i32 = 1_200;
const ABOVE_EDGE: i32 = 1_500;

/// A printed board that is being written.
struct Printed<'a> {
    circuit: &'a Circuit<'a>,
    layout: &'a Layout<'a>,
    tracks: &'a BTreeMap<String, Tracks>,
    /// The texts of each component.
    labels: Vec<Vec<Label>>,
    /// The numbers of nets, by their names in KiCad.
    nets: BTreeMap<String, usize>,
}

/// The file.
pub fn text(circuit: &Circuit<'_>, layout: &Layout<'_>, tracks: &BTreeMap<String, Tracks>) -> String {
    let (edge_text, (width, height)) = (edge_text(circuit), layout.size);
    let area = Area::around(
        (width / 2, height - ABOVE_EDGE),
        (edge_text.len() as i32 * EDGE_TEXT_SIZE, 2 * EDGE_TEXT_SIZE),
    );
    let labels = labels::labels(circuit, layout, area);
    let mut printed = Printed { circuit, layout, tracks, labels, nets: BTreeMap::new() };
    for placed in &layout.placed {
        for pin in &placed.part.item.pins {
            let next = printed.nets.len() + 1;
            printed.nets.entry(printed.net(placed, pin)).or_insert(next);
        }
    }
    printed.file()
}

/// The text along the edge.
fn edge_text(circuit: &Circuit<'_>) -> String {
    format!(
        "{}: {}, version {}; simulated, never powered",
        circuit.board.name,
        schematic::title(circuit),
        env!("CARGO_PKG_VERSION")
    )
}

/// The effects of a text with letters of this width and height.
fn effects((width, height): Point) -> String {
    let (thickness, width, height) = (Length((height / 10).max(150)), Length(width), Length(height));
    format!("(effects (font (size {height} {width}) (thickness {thickness})))")
}

/// A point of the board on the page.
fn on_page((x, y): Point) -> Point {
    (x + CORNER.0, y + CORNER.1)
}

impl Printed<'_> {
    fn file(&self) -> String {
        let (layout, circuit) = (self.layout, self.circuit);
        let mut nets: Vec<_> = self.nets.iter().map(|(name, number)| (*number, name)).collect();
        nets.sort_unstable();
        let nets = nets.into_iter().map(|(number, name)| format!("(net {number} {})", quoted(name)));
        let footprints = layout.placed.iter().zip(&self.labels);
        let screws = (1..).zip(&layout.holes).map(|(number, &hole)| self.screw(number, hole));
        let planes = RAILS.iter().rev().zip(["In1.Cu", "In2.Cu"]);
        let content = [
            lines(nets),
            lines(footprints.map(|(placed, labels)| self.footprint(placed, labels))),
            lines(screws),
            lines(self.edge()),
            lines(layout.broad.iter().flat_map(|(net, ends)| self.broad_track(net, *ends))),
            lines(self.tracks.iter().flat_map(|(net, tracks)| self.net_tracks(net, tracks))),
            lines(planes.filter_map(|(rail, layer)| self.plane(rail, layer))),
        ];
        let paper = if layout.size.0 > 240_000 { "A3" } else { "A4" };
        let [title, company] = [schematic::title(circuit), circuit.board.name.clone()].map(quoted);
        let corner = xy(on_page((0, layout.size.1)));
        format!(
            "(kicad_pcb (version 20241229) (generator \"gray1\") (generator_version \"9.0\")\n\
             (general (thickness 1.6) (legacy_teardrops no))\n\
             (paper \"{paper}\")\n\
             (title_block (title {title}) (company {company}) (comment 1 \"simulated, never powered\"))\n\
             {LAYERS}\n\
             (setup (pad_to_mask_clearance 0) (allow_soldermask_bridges_in_footprints no) (tenting front back) \
             (aux_axis_origin {corner}) (grid_origin {corner}))\n\
             (net 0 \"\"){}\n(embedded_fonts no))\n",
            content.concat()
        )
    }

    /// The name in KiCad of the net of a pin; an open pin has a separate net.
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

    /// The prefix of what identifiers are made from.
    fn key(&self, key: &str) -> String {
        format!("{} board {key}", self.circuit.stem)
    }

    fn id(&self, key: &str) -> String {
        id(&self.key(key))
    }

    fn footprint(&self, placed: &Placed<'_>, labels: &[Label]) -> String {
        let (part, shape) = (placed.part, &placed.footprint);
        let reference = part.item.reference.as_str();
        let pads = shape.pads.iter().enumerate().filter_map(|(index, pad)| {
            let pin = placed.pin(pad)?;
            let name = self.net(placed, pin);
            let net = format!("(net {} {})", self.nets[&name], quoted(name));
            let named = pin.name != "NC";
            let function =
                if named { format!(" (pinfunction {})", quoted(&pin.name)) } else { String::new() };
            let id = self.id(&format!("{reference} pad {index}"));
            Some(pad.text(placed.angle, &format!("{net}{function} {id}")))
        });
        let angle = if placed.angle == 0 { String::new() } else { format!(" {}", placed.angle) };
        let sheet = schematic::sheet_id(self.circuit, part.sheet);
        format!(
            "(footprint {} {} {} (at {}{angle}){}\n(path \"/{sheet}/{}\") (sheetname {}) (sheetfile {})\n\
             (attr through_hole){}{}\n(embedded_fonts no){})",
            quoted(format_args!("{LIBRARY}:{}", shape.name)),
            layer("F.Cu"),
            self.id(reference),
            xy(on_page(placed.at)),
            lines(self.texts(placed, labels)),
            schematic::symbol_id(self.circuit, reference, 1),
            quoted(format_args!("/{}/", self.circuit.sheets[part.sheet])),
            quoted(schematic::file(self.circuit, part.sheet)),
            lines(shape.drawing(&self.key(reference))),
            lines(pads),
            lines(shape.model())
        )
    }

    /// The texts of a component: those that are printed, and the hidden ones.
    fn texts(&self, placed: &Placed<'_>, labels: &[Label]) -> Vec<String> {
        let (part, shape) = (placed.part, &placed.footprint);
        let component = self.circuit.assembly.part(part.item);
        let reference = part.item.reference.as_str();
        let print = |text: &str, label: &Label, key: &str| {
            let on_board = (label.at.0 - placed.at.0, label.at.1 - placed.at.1);
            let (at, angle) = (xy(turned(on_board, 360 - placed.angle)), label.angle);
            let (on, id) = (layer("F.SilkS"), self.id(&format!("{reference} {key}")));
            format!("({text} (at {at} {angle}) {on} {id} {})", effects(label.size))
        };
        let hide = |field: &str, value: &str| {
            let (value, at, on) = (quoted(value), xy(shape.middle()), layer("F.Fab"));
            let id = self.id(&format!("{reference} {field}"));
            let font = "(font (size 1 1) (thickness 0.15))";
            format!("(property \"{field}\" {value} (at {at} 0) {on} (hide yes) {id} (effects {font}))")
        };
        let socket = self.circuit.assembly.socket(part.item).filter(|_| part.kind == Kind::Chip);
        let others = [
            ("Value", component.value.as_str()),
            ("Datasheet", ""),
            ("Description", &component.note),
            ("Part", &part.item.part),
            ("Note", &component.note),
        ];
        let others = others.into_iter().chain(socket.map(|socket| ("Socket", socket)));
        let others = others.map(|(field, value)| hide(field, value));
        let (names, remarks): (Vec<&Label>, Vec<&Label>) = labels.iter().partition(|label| label.is_name);
        let name = names.first().map_or_else(
            || hide("Reference", reference),
            |label| print(&format!("property \"Reference\" {}", quoted(reference)), label, "Reference"),
        );
        let remarks = remarks.into_iter().enumerate().map(|(index, label)| {
            print(&format!("fp_text user {}", quoted(&label.words)), label, &format!("text {index}"))
        });
        [name].into_iter().chain(others).chain(remarks).collect()
    }

    /// A hole for a screw.
    fn screw(&self, number: usize, hole: Point) -> String {
        let elements =
            footprints::hole(&format!("{} screw {number}", self.circuit.stem), &format!("H{number}"));
        let (on, id, at) = (layer("F.Cu"), self.id(&format!("screw {number}")), xy(on_page(hole)));
        let elements = lines(elements);
        format!("(footprint \"{LIBRARY}:screw\" {on} {id} (at {at}){elements}\n(embedded_fonts no))")
    }

    /// The edge of the board, and the text printed along it.
    fn edge(&self) -> [String; 2] {
        let (width, height) = self.layout.size;
        let (corners, on, id) = (ends(CORNER, on_page((width, height))), layer("Edge.Cuts"), self.id("edge"));
        let edge = format!("(gr_rect {corners} (stroke (width 0.1) (type solid)) (fill no) {on} {id})");
        let (text, at) = (quoted(edge_text(self.circuit)), xy(on_page((width / 2, height - ABOVE_EDGE))));
        let effects = effects((EDGE_TEXT_SIZE, EDGE_TEXT_SIZE));
        [edge, format!("(gr_text {text} (at {at}) {} {} {effects})", layer("F.SilkS"), self.id("said"))]
    }

    /// A track; `key` identifies it.
    fn segment(&self, number: usize, [from, to]: [Point; 2], width: i32, on: &str, key: &str) -> String {
        let (ends, width, on) = (ends(on_page(from), on_page(to)), Length(width), layer(on));
        format!("(segment {ends} (width {width}) {on} (net {number}) {})", self.id(key))
    }

    fn net_tracks(&self, net: &str, tracks: &Tracks) -> Vec<String> {
        let Some(&number) = self.nets.get(&self.circuit.net_name(net)) else { return Vec::new() };
        let place = |(x, y): Point| (x * GRID, y * GRID);
        let segments = tracks.lines.iter().enumerate().map(|(index, &(on, from, to))| {
            let ends = [place(from), place(to)];
            self.segment(number, ends, WIDTH, ["F.Cu", "B.Cu"][on], &format!("{net} line {index}"))
        });
        let (size, drill) = (Length(VIA), Length(VIA_DRILL));
        let vias = tracks.vias.iter().map(|&via| {
            let (at, id) = (xy(on_page(place(via))), self.id(&format!("{net} via {via:?}")));
            let layers = r#"(layers "F.Cu" "B.Cu")"#;
            format!("(via (at {at}) (size {size}) (drill {drill}) {layers} (net {number}) {id})")
        });
        segments.chain(vias).collect()
    }

    /// A broad track, on both outer layers.
    fn broad_track(&self, net: &str, ends: [Point; 2]) -> Vec<String> {
        let Some(&number) = self.nets.get(&self.circuit.net_name(net)) else { return Vec::new() };
        let line = |on: &str| self.segment(number, ends, BROAD, on, &format!("{net} broad {on}"));
        ["F.Cu", "B.Cu"].map(line).to_vec()
    }

    /// A plane, filled.
    fn plane(&self, rail: &str, on: &str) -> Option<String> {
        let number = self.nets.get(rail)?;
        let corners =
            |points: &[Point]| lines(points.iter().map(|&point| format!("(xy {})", xy(on_page(point)))));
        let (right, lower) = (self.layout.size.0 - 1_000, self.layout.size.1 - 1_000);
        let border = corners(&[(1_000, 1_000), (right, 1_000), (right, lower), (1_000, lower)]);
        let (id, on) = (self.id(&format!("plane {on}")), layer(on));
        Some(format!(
            "(zone (net {number}) (net_name \"{rail}\") {on} {id} (hatch edge 0.5) (connect_pads (clearance 0.2)) \
             (min_thickness 0.1) (filled_areas_thickness no)\n\
             (fill yes (thermal_gap 0.25) (thermal_bridge_width 0.5))\n\
             (polygon (pts{border}\n))\n\
             (filled_polygon {on} (pts{}\n)))",
            corners(&self.outline(rail))
        ))
    }

    /// The outline of a plane, around what goes through it.
    fn outline(&self, rail: &str) -> Vec<Point> {
        let hole = |at, size| Through { at, size, is_square: false, is_joined: false };
        let pads = self.layout.placed.iter().flat_map(|placed| {
            placed.footprint.pads.iter().map(move |pad| {
                let is_joined = placed.pin(pad).is_some_and(|pin| pin.net.as_deref() == Some(rail));
                Through { at: placed.on_board(pad.at), size: pad.size, is_square: pad.is_square, is_joined }
            })
        });
        let vias = self.tracks.values().flat_map(|tracks| &tracks.vias);
        let vias = vias.map(|&(x, y)| hole((x * GRID, y * GRID), VIA));
        let screws = self.layout.holes.iter().map(|&screw| hole(screw, SCREW + 600));
        planes::outline(self.layout.size, &pads.chain(vias).chain(screws).collect::<Vec<_>>())
    }
}
