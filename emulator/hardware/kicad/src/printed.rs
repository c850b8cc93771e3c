//! The printed board as a KiCad file: footprints, tracks, planes, text.

use crate::circuit::{Circuit, Kind};
use crate::expression::{Length, List, Point, at, font, id, layer, list};
use crate::footprints::{self, SCREW};
use crate::labels::{self, Area, Label};
use crate::placement::{GRID, Layout, Placed, turned};
use crate::planes::{self, Through, VIA, VIA_DRILL};
use crate::problem::{BROAD, WIDTH};
use crate::schematic;
use crate::symbols::LIBRARY;
use crate::tracks::Tracks;
use gray1_kit::{Pin, RAILS};
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
    format!("{}\n", printed.file())
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
fn effects((width, height): Point) -> List {
    let size = list("size").with(Length(height)).with(Length(width));
    let thickness = list("thickness").with(Length((height / 10).max(150)));
    list("effects").with(list("font").with(size).with(thickness))
}

/// A point of the board on the page.
fn on_page((x, y): Point) -> Point {
    (x + CORNER.0, y + CORNER.1)
}

impl Printed<'_> {
    fn file(&self) -> List {
        let (layout, circuit) = (self.layout, self.circuit);
        let block = list("title_block")
            .with(list("title").text(schematic::title(circuit)))
            .with(list("company").text(&circuit.board.name))
            .with("(comment 1 \"simulated, never powered\")");
        let corner = on_page((0, layout.size.1));
        let setup = list("setup")
            .with(
                "(pad_to_mask_clearance 0) (allow_soldermask_bridges_in_footprints no) (tenting front back)",
            )
            .with(list("aux_axis_origin").point(corner))
            .with(list("grid_origin").point(corner));
        let mut nets: Vec<_> = self.nets.iter().map(|(name, number)| (*number, name)).collect();
        nets.sort_unstable();
        let nets = nets.into_iter().map(|(number, name)| list("net").with(number).text(name));
        let screws = (1..).zip(&layout.holes).map(|(number, &hole)| self.screw(number, hole));
        let planes = RAILS.iter().rev().zip(["In1.Cu", "In2.Cu"]);
        list("kicad_pcb")
            .with("(version 20241229) (generator \"gray1\") (generator_version \"9.0\")")
            .line("(general (thickness 1.6) (legacy_teardrops no))")
            .line(list("paper").text(if layout.size.0 > 240_000 { "A3" } else { "A4" }))
            .line(block)
            .line(LAYERS)
            .line(setup)
            .line("(net 0 \"\")")
            .lines(nets)
            .lines(
                layout.placed.iter().zip(&self.labels).map(|(placed, labels)| self.footprint(placed, labels)),
            )
            .lines(screws)
            .lines(self.edge())
            .lines(layout.broad.iter().flat_map(|(net, ends)| self.broad_track(net, *ends)))
            .lines(self.tracks.iter().flat_map(|(net, tracks)| self.net_tracks(net, tracks)))
            .lines(planes.filter_map(|(rail, layer)| self.plane(rail, layer)))
            .line("(embedded_fonts no)")
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

    fn id(&self, key: &str) -> List {
        id(&self.key(key))
    }

    fn footprint(&self, placed: &Placed<'_>, labels: &[Label]) -> List {
        let (part, shape) = (placed.part, &placed.footprint);
        let reference = part.item.reference.as_str();
        let path = format_args!(
            "/{}/{}",
            schematic::sheet_id(self.circuit, part.sheet),
            schematic::symbol_id(self.circuit, reference, 1)
        );
        let pads = shape.pads.iter().enumerate().filter_map(|(index, pad)| {
            let pin = placed.pin(pad)?;
            let name = self.net(placed, pin);
            let net = list("net").with(self.nets[&name]).text(name);
            let function = (pin.name != "NC").then(|| list("pinfunction").text(&pin.name));
            let pad = pad.list(placed.angle).with(net).all(function);
            Some(pad.with(self.id(&format!("{reference} pad {index}"))))
        });
        list("footprint")
            .text(format_args!("{LIBRARY}:{}", shape.name))
            .with(layer("F.Cu"))
            .with(self.id(reference))
            .with(at(on_page(placed.at)).all((placed.angle != 0).then_some(placed.angle)))
            .lines(self.texts(placed, labels))
            .line(list("path").text(path))
            .with(list("sheetname").text(format_args!("/{}/", self.circuit.sheets[part.sheet])))
            .with(list("sheetfile").text(schematic::file(self.circuit, part.sheet)))
            .line("(attr through_hole)")
            .lines(shape.drawing(&self.key(reference)))
            .lines(pads)
            .line("(embedded_fonts no)")
            .lines(shape.model())
    }

    /// The texts of a component: those that are printed, and the hidden ones.
    fn texts(&self, placed: &Placed<'_>, labels: &[Label]) -> Vec<List> {
        let (part, shape) = (placed.part, &placed.footprint);
        let component = self.circuit.assembly.part(part.item);
        let reference = part.item.reference.as_str();
        let print = |text: List, label: &Label, key: &str| {
            let on_board = (label.at.0 - placed.at.0, label.at.1 - placed.at.1);
            let place = at(turned(on_board, 360 - placed.angle)).with(label.angle);
            let text = text.with(place).with(layer("F.SilkS")).with(self.id(&format!("{reference} {key}")));
            text.with(effects(label.size))
        };
        let hide = |field: &str, value: &str| {
            let text = list("property").text(field).text(value).with(at(shape.middle()).with(0));
            let text =
                text.with(layer("F.Fab")).with("(hide yes)").with(self.id(&format!("{reference} {field}")));
            text.with(list("effects").with(font("1").with("(thickness 0.15)")))
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
            |label| print(list("property").text("Reference").text(reference), label, "Reference"),
        );
        let remarks = remarks.into_iter().enumerate().map(|(index, label)| {
            print(list("fp_text").with("user").text(&label.words), label, &format!("text {index}"))
        });
        [name].into_iter().chain(others).chain(remarks).collect()
    }

    /// A hole for a screw.
    fn screw(&self, number: usize, hole: Point) -> List {
        list("footprint")
            .text(format_args!("{LIBRARY}:screw"))
            .with(layer("F.Cu"))
            .with(self.id(&format!("screw {number}")))
            .with(at(on_page(hole)))
            .lines(footprints::hole(&format!("{} screw {number}", self.circuit.stem), &format!("H{number}")))
            .line("(embedded_fonts no)")
    }

    /// The edge of the board, and the text printed along it.
    fn edge(&self) -> [List; 2] {
        let (width, height) = self.layout.size;
        let edge = list("gr_rect")
            .ends(CORNER, on_page((width, height)))
            .with("(stroke (width 0.1) (type solid)) (fill no)")
            .with(layer("Edge.Cuts"))
            .with(self.id("edge"));
        let place = at(on_page((width / 2, height - ABOVE_EDGE)));
        let edge_text = list("gr_text").text(edge_text(self.circuit)).with(place).with(layer("F.SilkS"));
        [edge, edge_text.with(self.id("said")).with(effects((EDGE_TEXT_SIZE, EDGE_TEXT_SIZE)))]
    }

    /// A track; `key` identifies it.
    fn segment(&self, number: usize, ends: [Point; 2], width: i32, on: &str, key: &str) -> List {
        let [from, to] = ends.map(on_page);
        let line = list("segment").ends(from, to).with(list("width").with(Length(width))).with(layer(on));
        line.with(list("net").with(number)).with(self.id(key))
    }

    fn net_tracks(&self, net: &str, tracks: &Tracks) -> Vec<List> {
        let Some(&number) = self.nets.get(&self.circuit.net_name(net)) else { return Vec::new() };
        let place = |(x, y): Point| (x * GRID, y * GRID);
        let lines = tracks.lines.iter().enumerate().map(|(index, &(on, from, to))| {
            let ends = [place(from), place(to)];
            self.segment(number, ends, WIDTH, ["F.Cu", "B.Cu"][on], &format!("{net} line {index}"))
        });
        let vias = tracks.vias.iter().map(|&via| {
            let round = list("via").with(at(on_page(place(via)))).with(list("size").with(Length(VIA)));
            let drilled = round.with(list("drill").with(Length(VIA_DRILL))).with(r#"(layers "F.Cu" "B.Cu")"#);
            drilled.with(list("net").with(number)).with(self.id(&format!("{net} via {via:?}")))
        });
        lines.chain(vias).collect()
    }

    /// A broad track, on both outer layers.
    fn broad_track(&self, net: &str, ends: [Point; 2]) -> Vec<List> {
        let Some(&number) = self.nets.get(&self.circuit.net_name(net)) else { return Vec::new() };
        let line = |on: &str| self.segment(number, ends, BROAD, on, &format!("{net} broad {on}"));
        ["F.Cu", "B.Cu"].map(line).to_vec()
    }

    /// A plane, filled.
    fn plane(&self, rail: &str, on: &str) -> Option<List> {
        let number = self.nets.get(rail)?;
        let points = |points: &[Point]| {
            let points = points.iter().map(|&point| list("xy").point(on_page(point)));
            list("pts").lines(points).line("")
        };
        let (width, height) = self.layout.size;
        let (right, lower) = (width - 1_000, height - 1_000);
        let border = [(1_000, 1_000), (right, 1_000), (right, lower), (1_000, lower)];
        let plane = list("zone")
            .with(list("net").with(number))
            .with(list("net_name").text(rail))
            .with(layer(on))
            .with(self.id(&format!("plane {on}")))
            .with("(hatch edge 0.5) (connect_pads (clearance 0.2)) (min_thickness 0.1) (filled_areas_thickness no)")
            .line("(fill yes (thermal_gap 0.25) (thermal_bridge_width 0.5))")
            .line(list("polygon").with(points(&border)))
            .line(list("filled_polygon").with(layer(on)).with(points(&self.outline(rail))));
        Some(plane)
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
