//! The drawing functions for a page: wires, buses, labels, symbols, and columns of pins, which combine them.

use crate::kicad::circuit::{Circuit, Kind, Part};
use crate::kicad::expression::{Place, font, hidden, id, lines, on_page, points, quoted, uuid, xy};
use crate::kicad::symbols::{self, LIBRARY, Symbol};
use crate::kit::RAILS;
use std::collections::{BTreeMap, BTreeSet};

/// A page of a schematic.
pub struct Page<'a> {
    pub circuit: &'a Circuit<'a>,
    pub symbols: &'a BTreeMap<String, Symbol>,
    /// Its name, and its path: the identifiers of the sheets above it and its own.
    name: String,
    path: String,
    /// The number of the next element.
    count: usize,
    used: BTreeSet<&'a str>,
    elements: Vec<String>,
}

/// The side of a box on which a pin is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left = -1,
    Right = 1,
}

/// The end of a pin, and the net to connect it to.
pub struct Row<'n> {
    pub at: Place,
    pub net: Option<&'n str>,
}

/// The style of a column of pins.
#[derive(Clone, Copy)]
pub struct Column {
    /// The length of the wires.
    pub length: i32,
    /// The distance of the labels from the pins.
    pub label: i32,
}

/// A symbol on a page.
struct Instance<'i> {
    symbol: &'i str,
    reference: &'i str,
    at: Place,
    angle: u16,
    unit: usize,
}

/// A text beside a symbol, or hidden.
struct Field<'f> {
    name: &'static str,
    value: &'f str,
    at: Place,
    is_hidden: bool,
    /// The justification of the text; centred if there is none.
    justify: Option<&'static str>,
}

impl<'f> Field<'f> {
    fn hidden(name: &'static str, value: &'f str, at: Place) -> Field<'f> {
        Field { name, value, at, is_hidden: true, justify: None }
    }
}

/// A column without components between its pins and its labels.
pub const PLAIN: Column = Column { length: 9, label: 1 };
/// The size of text.
pub const SMALL: &str = "1.27";
pub const LARGE: &str = "2";
/// The justification of the names of chips, which are larger.
const LARGE_NAME: &str = "(justify left bottom)";
/// The style of wires and buses.
const STROKE: &str = "(stroke (width 0) (type default))";

impl<'a> Page<'a> {
    pub fn new(
        circuit: &'a Circuit<'a>,
        symbols: &'a BTreeMap<String, Symbol>,
        name: &str,
        path: String,
    ) -> Page<'a> {
        let name = format!("{}/{name}", circuit.stem);
        Page { circuit, symbols, name, path, count: 0, used: BTreeSet::new(), elements: Vec::new() }
    }

    /// An identifier for the next element.
    pub fn id(&mut self) -> String {
        self.count += 1;
        id(&format!("{}#{}", self.name, self.count))
    }

    /// Adds an element that has its identifier.
    pub fn add(&mut self, element: String) {
        self.elements.push(element);
    }

    /// Adds an element, of which the next identifier and the closing bracket are missing.
    fn draw(&mut self, element: &str) {
        let id = self.id();
        self.add(format!("({element} {id})"));
    }

    pub fn wire(&mut self, from: Place, to: Place) {
        self.stroke("wire", from, to);
    }

    pub fn bus(&mut self, from: Place, to: Place) {
        self.stroke("bus", from, to);
    }

    fn stroke(&mut self, kind: &str, from: Place, to: Place) {
        self.draw(&format!("{kind} {} {STROKE}", points(&[from, to].map(on_page))));
    }

    pub fn junction(&mut self, place: Place) {
        self.draw(&format!("junction {} (diameter 0) (color 0 0 0 0)", at(place)));
    }

    /// Marks a pin that is not connected.
    pub fn open(&mut self, place: Place) {
        self.draw(&format!("no_connect {}", at(place)));
    }

    /// Draws the name of a wire, to the right of a place.
    pub fn label(&mut self, name: &str, place: Place) {
        self.end(name, place, Side::Right, None);
    }

    /// Draws the end of a wire or a bus, with a connection to other sheets if its net is on several.
    pub fn end(&mut self, name: &str, place: Place, side: Side, is_output: Option<bool>) {
        let (angle, justify) = if side == Side::Left { (180, "right") } else { (0, "left") };
        let (kind, shape, bottom) = match is_output {
            None => ("label", "", " bottom"),
            Some(true) => ("hierarchical_label", " (shape output)", ""),
            Some(false) => ("hierarchical_label", " (shape input)", ""),
        };
        let (name, place, font) = (quoted(name), xy(on_page(place)), font(SMALL));
        let effects = format!("(effects {font} (justify {justify}{bottom}))");
        self.draw(&format!("{kind} {name}{shape} (at {place} {angle}) {effects}"));
    }

    /// Draws text that starts at a place.
    pub fn note(&mut self, text: &str, place: Place, size: &str) {
        let bold = if size == SMALL { "" } else { " (bold yes)" };
        let effects = format!("(effects (font (size {size} {size}){bold}) (justify left top))");
        let (text, place) = (quoted(text), xy(on_page(place)));
        self.draw(&format!("text {text} (exclude_from_sim no) (at {place} 0) {effects}"));
    }

    /// Draws a rail, pointing up or down, or to a side if it is beside pins.
    pub fn rail(&mut self, rail: &str, at: Place, side: Option<Side>) {
        let up = rail != "GND";
        let (angle, text) = match (side, up) {
            (None, true) => (0, (0, -3)),
            (None, false) => (0, (0, 3)),
            (Some(Side::Left), up) => (if up { 90 } else { 270 }, (-4, 0)),
            (Some(Side::Right), up) => (if up { 270 } else { 90 }, (4, 0)),
        };
        let id = self.id();
        let reference = format!("#{}{}", if rail == "PWR_FLAG" { "FLG" } else { "PWR" }, self.count);
        let text = (at.0 + text.0, at.1 + text.1);
        let value = Field { is_hidden: false, ..Field::hidden("Value", rail, text) };
        let fields = [Field::hidden("Reference", &reference, text), value];
        self.instance(&Instance { symbol: rail, reference: &reference, at, angle, unit: 1 }, &id, &fields);
    }

    /// Draws a component, or one of its units, with its name and value at the given places, or hidden.
    pub fn part(
        &mut self,
        part: &Part<'_>,
        at: Place,
        angle: u16,
        unit: usize,
        name: Option<Place>,
        value: Option<Place>,
    ) {
        let symbol = &symbols::name_of(part);
        let reference = part.item.reference.as_str();
        let component = self.circuit.assembly.part(part.item);
        let socket = self.circuit.assembly.socket(part.item).filter(|_| part.kind == Kind::Chip);
        let footprint = self.symbols.get(symbol).map_or("", Symbol::footprint);
        let beside = |name, value, shift: Option<Place>, justify| {
            let at = shift.map_or(at, |shift| (at.0 + shift.0, at.1 + shift.1));
            Field { name, value, at, is_hidden: shift.is_none(), justify: Some(justify) }
        };
        let of_name = if part.kind == Kind::Chip { LARGE_NAME } else { "(justify left)" };
        let mut fields = vec![
            beside("Reference", reference, name, of_name),
            beside("Value", &component.value, value, "(justify left)"),
            Field::hidden("Footprint", footprint, at),
            Field::hidden("Part", &part.item.part, at),
            Field::hidden("Note", &component.note, at),
        ];
        fields.extend(socket.map(|socket| Field::hidden("Socket", socket, at)));
        let id = format!("(uuid \"{}\")", symbol_id(self.circuit, reference, unit));
        self.instance(&Instance { symbol, reference, at, angle, unit }, &id, &fields);
    }

    fn instance(&mut self, instance: &Instance<'_>, id: &str, fields: &[Field<'_>]) {
        let &Instance { symbol, reference, at: place, angle, unit } = instance;
        self.used.extend(self.symbols.get_key_value(symbol).map(|(name, _)| name.as_str()));
        let is_bought = if reference.starts_with('#') { "no" } else { "yes" };
        let field = |field: &Field<'_>| {
            let font = font(if field.justify == Some(LARGE_NAME) { LARGE } else { SMALL });
            let justify = field.justify.map_or_else(String::new, |justify| format!(" {justify}"));
            let (name, value, place) = (field.name, quoted(field.value), xy(on_page(field.at)));
            let (angle, hidden) = (angle % 180, hidden(field.is_hidden));
            format!("(property \"{name}\" {value} (at {place} {angle}) (effects {font}{justify}{hidden}))")
        };
        let (path, reference) = (quoted(&self.path), quoted(reference));
        let (stem, fields) = (quoted(&self.circuit.stem), lines(fields.iter().map(field)));
        let (symbol, place) = (quoted(format_args!("{LIBRARY}:{symbol}")), xy(on_page(place)));
        self.add(format!(
            "(symbol (lib_id {symbol}) (at {place} {angle}) (unit {unit}) (exclude_from_sim no) (in_bom {is_bought}) \
             (on_board {is_bought}) (dnp no) {id}{fields}\n\
             (instances (project {stem} (path {path} (reference {reference}) (unit {unit})))))"
        ));
    }

    /// Draws the connections of a column of pins: rails, buses with their labels, single wires, or none.
    pub fn column(&mut self, side: Side, rows: &[Row<'_>], column: Column, sheet: usize) {
        let circuit = self.circuit;
        let outlets = circuit.outlets(sheet);
        let shared = |name: &str, net: &str| {
            circuit.is_shared(net).then(|| outlets.get(name).copied().unwrap_or(false))
        };
        let same = |one: &Row<'_>, other: &Row<'_>| match (one.net, other.net) {
            (Some(one), Some(other)) if RAILS.contains(&one) => one == other,
            (Some(one), Some(other)) => {
                let name = |net| circuit.bus_of(net).map(|bus| &bus.name);
                name(one).is_some() && name(one) == name(other)
            }
            _ => false,
        };
        let out = side as i32;
        for run in rows.chunk_by(same) {
            let ((x, top), Some(net)) = (run[0].at, run[0].net) else {
                self.open(run[0].at);
                continue;
            };
            let ys = || run.iter().map(|row| row.at.1);
            if RAILS.contains(&net) {
                let x1 = x + 2 * out;
                ys().for_each(|y| self.wire((x, y), (x1, y)));
                let ys: Vec<i32> = ys().collect();
                ys.windows(2).for_each(|pair| self.wire((x1, pair[0]), (x1, pair[1])));
                ys.iter().skip(1).take(ys.len().saturating_sub(2)).for_each(|&y| self.junction((x1, y)));
                self.rail(net, (x1, ys[ys.len() / 2]), Some(side));
                continue;
            }
            let end = x + column.length * out;
            let label = if side == Side::Left { end } else { x + column.label };
            let Some(bus) = circuit.bus_of(net) else {
                self.wire((x, top), (end, top));
                match shared(net, net) {
                    None if side == Side::Left => self.label(net, (end, top)),
                    None => self.end(net, (end, top), Side::Left, None),
                    is_output => self.end(net, (end, top), side, is_output),
                }
                continue;
            };
            let trunk = end + out;
            for row in run {
                let y = row.at.1;
                self.wire((x, y), (end, y));
                self.label(row.net.unwrap_or_default(), (label, y));
                let (place, size) = (at((end, y)), xy(on_page((out, 1))));
                self.draw(&format!("bus_entry {place} (size {size}) {STROKE}"));
            }
            let ys: Vec<i32> = ys().collect();
            ys.windows(2).for_each(|pair| self.bus((trunk, pair[0] + 1), (trunk, pair[1] + 1)));
            self.bus((trunk, top + 1), (trunk + 2 * out, top + 1));
            self.end(&bus.name, (trunk + 2 * out, top + 1), side, shared(&bus.name, net));
        }
    }

    /// The whole file, with the page's own identifier.
    pub fn finish(self, id: &str, paper: &str, title: &str, end: Option<&str>) -> String {
        let symbols = self.used.iter().map(|name| self.symbols[*name].text(&format!("{LIBRARY}:")));
        format!(
            "(kicad_sch (version 20250114) (generator \"gray1\") (generator_version \"9.0\") (uuid \"{id}\")\n\
             (paper \"{paper}\")\n\
             (title_block (title {}) (company {}) (comment 1 \"simulated, never powered\") (comment 2 \"made by gray1 build\"))\n\
             (lib_symbols{}\n){}{}\n(embedded_fonts no))\n",
            quoted(title),
            quoted(&self.circuit.board.name),
            lines(symbols),
            lines(&self.elements),
            lines(end)
        )
    }
}

/// The identifier of a component on a schematic, or of one of its units.
pub fn symbol_id(circuit: &Circuit<'_>, reference: &str, unit: usize) -> String {
    uuid(&format!("{} {reference} {unit}", circuit.stem))
}

/// The position of an element at a place.
fn at(place: Place) -> String {
    format!("(at {})", xy(on_page(place)))
}

/// The place of a pin of a symbol that is at a place and not turned.
pub fn symbol_at((x, y): Place, pin: Place) -> Place {
    (x + pin.0, y + pin.1)
}
