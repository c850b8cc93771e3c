//! The drawing functions for a page: wires, buses, labels, symbols, and columns of pins, which combine them.

use crate::circuit::{Circuit, Kind, Part};
use crate::format::{Place, Steps, quoted, uuid};
use crate::symbols::{self, LIBRARY, Symbol};
use gray1_kit::RAILS;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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
    text: String,
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

/// How a column of pins is drawn.
#[derive(Clone, Copy)]
pub struct Column {
    /// The length of the wires.
    pub length: i32,
    /// The distance of the labels from the pins.
    pub label: i32,
}

/// A column without components between its pins and its labels.
pub const PLAIN: Column = Column { length: 9, label: 1 };
/// The size of text.
pub const SMALL: &str = "1.27";
pub const LARGE: &str = "2";

impl<'a> Page<'a> {
    pub fn new(
        circuit: &'a Circuit<'a>,
        symbols: &'a BTreeMap<String, Symbol>,
        name: &str,
        path: String,
    ) -> Page<'a> {
        let name = format!("{}/{name}", circuit.stem);
        Page { circuit, symbols, name, path, count: 0, used: BTreeSet::new(), text: String::new() }
    }

    /// An identifier for the next element.
    pub fn id(&mut self) -> String {
        self.count += 1;
        format!("(uuid {})", quoted(&uuid(&format!("{}#{}", self.name, self.count))))
    }

    /// Adds an element as text.
    pub fn put(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    pub fn wire(&mut self, from: Place, to: Place) {
        self.line("wire", from, to);
    }

    pub fn bus(&mut self, from: Place, to: Place) {
        self.line("bus", from, to);
    }

    fn line(&mut self, kind: &str, (x0, y0): Place, (x1, y1): Place) {
        let id = self.id();
        let (x0, y0, x1, y1) = (Steps(x0), Steps(y0), Steps(x1), Steps(y1));
        self.put(&format!(
            "({kind} (pts (xy {x0} {y0}) (xy {x1} {y1})) (stroke (width 0) (type default)) {id})"
        ));
    }

    pub fn junction(&mut self, (x, y): Place) {
        let id = self.id();
        self.put(&format!("(junction (at {} {}) (diameter 0) (color 0 0 0 0) {id})", Steps(x), Steps(y)));
    }

    /// Marks a pin that is not connected.
    pub fn open(&mut self, (x, y): Place) {
        let id = self.id();
        self.put(&format!("(no_connect (at {} {}) {id})", Steps(x), Steps(y)));
    }

    /// Draws the name of a wire, to the right of a place.
    pub fn label(&mut self, name: &str, (x, y): Place) {
        let id = self.id();
        self.put(&format!(
            "(label {} (at {} {} 0) (effects (font (size 1.27 1.27)) (justify left bottom)) {id})",
            quoted(name),
            Steps(x),
            Steps(y)
        ));
    }

    /// Draws the end of a wire or a bus, with a connection to other sheets if its net is on several.
    pub fn end(&mut self, name: &str, (x, y): Place, side: Side, is_output: Option<bool>) {
        let id = self.id();
        let (angle, justify) = if side == Side::Left { (180, "right") } else { (0, "left") };
        let (kind, shape, bottom) = match is_output {
            None => ("label", "", " bottom"),
            Some(true) => ("hierarchical_label", " (shape output)", ""),
            Some(false) => ("hierarchical_label", " (shape input)", ""),
        };
        self.put(&format!(
            "({kind} {}{shape} (at {} {} {angle}) (effects (font (size 1.27 1.27)) (justify {justify}{bottom})) {id})",
            quoted(name),
            Steps(x),
            Steps(y)
        ));
    }

    /// Draws text that starts at a place.
    pub fn note(&mut self, text: &str, (x, y): Place, size: &str) {
        let id = self.id();
        let weight = if size == SMALL { "" } else { " (bold yes)" };
        self.put(&format!(
            "(text {} (exclude_from_sim no) (at {} {} 0) (effects (font (size {size} {size}){weight}) (justify left top)) {id})",
            quoted(text),
            Steps(x),
            Steps(y)
        ));
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
        self.used.extend(self.symbols.get_key_value(rail).map(|(name, _)| name.as_str()));
        let turned = if angle == 0 { 0 } else { 90 };
        let text = (at.0 + text.0, at.1 + text.1);
        let fields = [("Reference", reference.as_str(), text, true, ""), ("Value", rail, text, false, "")];
        self.instance(rail, at, angle, turned, 1, &reference, &fields, &id);
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
        let symbol = symbols::name_of(part);
        let reference = part.item.reference.as_str();
        let component = self.circuit.assembly.part(part.item);
        self.used.extend(self.symbols.get_key_value(&symbol).map(|(name, _)| name.as_str()));
        let id = format!("(uuid {})", quoted(&symbol_id(self.circuit, reference, unit)));
        let place = |shift: Option<Place>| shift.map_or(at, |shift| (at.0 + shift.0, at.1 + shift.1));
        let socket = self.circuit.assembly.hardware.uses.sockets.get(&component.package);
        let socket = socket.filter(|_| part.kind == Kind::Chip);
        let footprint = self.symbols.get(&symbol).map_or("", Symbol::footprint);
        // The names of chips are larger.
        let justify = if part.kind == Kind::Chip { " (justify left bottom)" } else { " (justify left)" };
        let mut fields = vec![
            ("Reference", reference, place(name), name.is_none(), justify),
            ("Value", &component.value, place(value), value.is_none(), " (justify left)"),
            ("Footprint", footprint, at, true, ""),
            ("Part", &part.item.part, at, true, ""),
            ("Note", &component.note, at, true, ""),
        ];
        fields.extend(socket.map(|socket| ("Socket", socket.as_str(), at, true, "")));
        let turned = if angle.is_multiple_of(180) { 0 } else { 90 };
        self.instance(&symbol, at, angle, turned, unit, reference, &fields, &id);
    }

    #[allow(clippy::too_many_arguments)] // the parts of one expression
    fn instance(
        &mut self,
        symbol: &str,
        (x, y): Place,
        angle: u16,
        turned: u16,
        unit: usize,
        reference: &str,
        fields: &[(&str, &str, Place, bool, &str)],
        id: &str,
    ) {
        let bom = if reference.starts_with('#') {
            "(in_bom no) (on_board no)"
        } else {
            "(in_bom yes) (on_board yes)"
        };
        let mut text = format!(
            "(symbol (lib_id {}) (at {} {} {angle}) (unit {unit}) (exclude_from_sim no) {bom} (dnp no) {id}\n",
            quoted(&format!("{LIBRARY}:{symbol}")),
            Steps(x),
            Steps(y)
        );
        for (field, value, (x, y), hidden, justify) in fields {
            let hide = if *hidden { " (hide yes)" } else { "" };
            let size = if justify.contains("bottom") { LARGE } else { SMALL };
            let _ = writeln!(
                text,
                "(property {} {} (at {} {} {turned}) (effects (font (size {size} {size})){justify}{hide}))",
                quoted(field),
                quoted(value),
                Steps(*x),
                Steps(*y)
            );
        }
        let _ = write!(
            text,
            "(instances (project {} (path {} (reference {}) (unit {unit})))))",
            quoted(&self.circuit.stem),
            quoted(&self.path),
            quoted(reference)
        );
        self.put(&text);
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
                let id = self.id();
                self.put(&format!(
                    "(bus_entry (at {} {}) (size {} {}) (stroke (width 0) (type default)) {id})",
                    Steps(end),
                    Steps(y),
                    Steps(out),
                    Steps(1)
                ));
            }
            let ys: Vec<i32> = ys().collect();
            ys.windows(2).for_each(|pair| self.bus((trunk, pair[0] + 1), (trunk, pair[1] + 1)));
            self.bus((trunk, top + 1), (trunk + 2 * out, top + 1));
            self.end(&bus.name, (trunk + 2 * out, top + 1), side, shared(&bus.name, net));
        }
    }

    /// The whole file. The identifier is the page's own.
    pub fn finish(self, id: &str, paper: &str, title: &str, end: &str) -> String {
        let mut symbols = String::new();
        for name in &self.used {
            symbols += &self.symbols[*name].text(&format!("{LIBRARY}:"));
        }
        format!(
            "(kicad_sch (version 20250114) (generator \"gray1\") (generator_version \"9.0\") (uuid {})\n\
             (paper {})\n\
             (title_block (title {}) (company {}) (comment 1 \"simulated, never powered\") (comment 2 \"made by gray1 build\"))\n\
             (lib_symbols\n{symbols})\n{}{end}(embedded_fonts no))\n",
            quoted(id),
            quoted(paper),
            quoted(title),
            quoted(&self.circuit.board.name),
            self.text
        )
    }
}

/// The identifier of a component on a schematic, or of one of its units.
pub fn symbol_id(circuit: &Circuit<'_>, reference: &str, unit: usize) -> String {
    uuid(&format!("{} {reference} {unit}", circuit.stem))
}

/// The place of a pin of a symbol that is at a place and not turned.
pub fn symbol_at((x, y): Place, pin: Place) -> Place {
    (x + pin.0, y + pin.1)
}
