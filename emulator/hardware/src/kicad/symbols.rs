//! The symbols of the parts, made from the names of their pins: inputs on the left, outputs on the right.
//!
//! Coordinates are steps from the origin of the symbol, downwards and to the right, as on a page.

use crate::kicad::circuit::{Circuit, Kind, Part};
use crate::kicad::expression::{
    Length, Place, Point, STEP, ends, font, hidden, lines, on_page, plain, quoted, xy,
};
use crate::kicad::footprints;
use std::collections::BTreeMap;

/// The name of the library that all symbols and footprints are in.
pub const LIBRARY: &str = "gray1";
/// The width of the box of a chip and of a connector.
pub const CHIP_WIDTH: i32 = 20;
pub const HEADER_WIDTH: i32 = 12;
/// The distance between inputs, and between outputs: it leaves room for a filter on each.
pub const PITCH: i32 = 2;
pub const OUTPUT_PITCH: i32 = 4;
/// The distance of the ends of a resistor, a capacitor, an LED or a button from its middle.
pub const REACH: i32 = 3;

/// A symbol.
#[derive(Default)]
pub struct Symbol {
    pub name: String,
    pub pins: Vec<SymbolPin>,
    /// The height of its box.
    pub height: i32,
    prefix: String,
    value: String,
    footprint: String,
    description: String,
    /// The lines of the drawing, for each unit.
    drawing: Vec<String>,
    units: usize,
    hides_names: bool,
    hides_numbers: bool,
    is_power: bool,
}

/// A pin of a symbol.
pub struct SymbolPin {
    pub number: String,
    pub name: String,
    pub at: Place,
    /// The unit it belongs to, from 1.
    pub unit: usize,
    electrical: &'static str,
    /// The direction from its end to the body: 0 is right, 90 up, 180 left, 270 down.
    angle: u16,
    length: i32,
}

/// All symbols that a board needs, by name.
pub fn all(circuit: &Circuit<'_>) -> BTreeMap<String, Symbol> {
    let parts = circuit.parts.iter().map(|part| of(circuit, part));
    parts.chain(rails()).map(|symbol| (symbol.name.clone(), symbol)).collect()
}

/// The rails, and the flag that tells KiCad that they are driven.
fn rails() -> [Symbol; 3] {
    [("VCC", "power_in", 90), ("GND", "power_in", 270), ("PWR_FLAG", "power_out", 90)].map(
        |(name, electrical, angle)| Symbol {
            name: name.to_owned(),
            pins: vec![pin("1", name, (0, 0), electrical, angle, 0)],
            prefix: "#PWR".to_owned(),
            value: name.to_owned(),
            drawing: drawing(name),
            units: 1,
            hides_names: true,
            hides_numbers: true,
            is_power: true,
            ..Symbol::default()
        },
    )
}

/// The name of the symbol of a component.
pub fn name_of(part: &Part<'_>) -> String {
    plain(&part.item.part)
}

/// The symbol of a component.
pub fn of(circuit: &Circuit<'_>, part: &Part<'_>) -> Symbol {
    let component = circuit.assembly.part(part.item);
    let mut symbol = Symbol {
        name: name_of(part),
        prefix: match part.kind {
            Kind::Chip | Kind::ThreePins => "U".to_owned(),
            _ => part.item.reference.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned(),
        },
        value: component.value.clone(),
        footprint: footprints::of(circuit, part)
            .map(|footprint| format!("{LIBRARY}:{}", footprint.name))
            .unwrap_or_default(),
        description: component.note.clone(),
        units: 1,
        ..Symbol::default()
    };
    match part.kind {
        Kind::Chip | Kind::Oscillator => chip(&mut symbol, part),
        Kind::Header | Kind::Pins | Kind::Supply | Kind::PullDowns | Kind::ThreePins => {
            header(&mut symbol, part);
        }
        Kind::Resistors => resistors(&mut symbol, part),
        _ => two_ends(&mut symbol, part),
    }
    symbol
}

/// A pin of the first unit.
fn pin(number: &str, name: &str, at: Place, electrical: &'static str, angle: u16, length: i32) -> SymbolPin {
    let (number, name) = (number.to_owned(), name.to_owned());
    SymbolPin { number, name, at, unit: 1, electrical, angle, length }
}

/// The lines of a symbol that is drawn by hand.
fn drawing(name: &str) -> Vec<String> {
    let blocks = include_str!("drawings.txt").split("\n\n").filter_map(|block| block.split_once('\n'));
    let lines = blocks.filter(|(other, _)| *other == name).flat_map(|(_, lines)| lines.lines());
    lines.map(str::to_owned).collect()
}

/// Draws a box of this size.
fn boxed(width: i32, height: i32) -> Vec<String> {
    let (ends, fill) = (ends((0, 0), upwards((width, height))), "(fill (type background))");
    vec![format!("(rectangle {ends} (stroke (width 0.254) (type default)) {fill})")]
}

/// A place as a point of a symbol, where KiCad counts upwards.
fn upwards((x, y): Place) -> Point {
    on_page((x, -y))
}

/// The letter of a pin that carries an address or a data line: the letter `A` or `D` and a number.
fn line(name: &str) -> Option<char> {
    let letter = name.chars().next().filter(|letter| ['A', 'D'].contains(letter))?;
    let number = &name[1..];
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some(letter)
}

/// Draws a chip: address pins and controls on the left, with tied pins last; outputs on the right.
fn chip(symbol: &mut Symbol, part: &Part<'_>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let x = CHIP_WIDTH - 6;
    for own in &part.item.pins {
        let number = own.number.to_string();
        match (own.name.as_str(), line(&own.name)) {
            ("VCC", _) => symbol.pins.push(pin(&number, "VCC", (x, -2), "power_in", 270, 2)),
            ("GND", _) => symbol.pins.push(pin(&number, "GND", (x, 0), "power_in", 90, 2)),
            ("NC", _) => right.push((2, 0, own, "no_connect")),
            ("OUT", _) => right.push((1, 0, own, "output")),
            (name, Some('D')) => right.push((1, digits(name), own, "tri_state")),
            (name, line) => {
                let order = match own.net.as_deref() {
                    _ if line.is_some() => 0,
                    Some("GND") => 2,
                    Some("VCC") => 3,
                    _ => 1,
                };
                left.push((order, digits(name), own));
            }
        }
    }
    left.sort_by_key(|(order, number, _)| (*order, *number));
    right.sort_by_key(|(order, number, ..)| (*order, *number));
    let mut y = 0;
    let mut before = None;
    for (order, _, own) in left {
        y += if before.is_some_and(|before| before != order) { 2 * PITCH } else { PITCH };
        before = Some(order);
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (-2, y), "input", 0, 2));
    }
    let mut height = y;
    y = PITCH - OUTPUT_PITCH;
    for (_, _, own, electrical) in right {
        y += OUTPUT_PITCH;
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (CHIP_WIDTH + 2, y), electrical, 180, 2));
    }
    height = height.max(y) + PITCH;
    for ground in symbol.pins.iter_mut().filter(|pin| pin.name == "GND") {
        ground.at.1 = height + 2;
    }
    symbol.height = height;
    symbol.drawing = boxed(CHIP_WIDTH, height);
}

/// The number in the name of a pin.
fn digits(name: &str) -> usize {
    name.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// Draws a connector or a network: odd pins on the left, even ones on the right, or all on the left if there are few.
fn header(symbol: &mut Symbol, part: &Part<'_>) {
    let pins = &part.item.pins;
    let columns = if pins.len() > 10 { 2 } else { 1 };
    for (index, own) in pins.iter().enumerate() {
        let y = PITCH * (index / columns + 1) as i32;
        let (x, angle) = if index % columns == 0 { (-2, 0) } else { (HEADER_WIDTH + 2, 180) };
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (x, y), "passive", angle, 2));
    }
    symbol.hides_names = columns > 1 || matches!(part.kind, Kind::Header | Kind::Pins);
    symbol.height = PITCH * (pins.len().div_ceil(columns) + 1) as i32;
    symbol.drawing = boxed(HEADER_WIDTH, symbol.height);
}

/// Draws eight resistors, each a separate unit.
fn resistors(symbol: &mut Symbol, part: &Part<'_>) {
    symbol.units = 8;
    symbol.hides_names = true;
    for unit in 1..=symbol.units {
        for (side, x, angle) in [("A", -REACH, 0), ("B", REACH, 180)] {
            let name = format!("{unit}{side}");
            let number = part.item.pin(&name).map_or(0, |pin| pin.number);
            let pin = pin(&number.to_string(), &name, (x, 0), "passive", angle, 1);
            symbol.pins.push(SymbolPin { unit, ..pin });
        }
    }
    symbol.drawing = drawing("resistor");
}

/// Draws a component with two ends, the first pin on the left.
fn two_ends(symbol: &mut Symbol, part: &Part<'_>) {
    (symbol.hides_names, symbol.hides_numbers) = (true, true);
    let (name, length) = match part.kind {
        Kind::Capacitor => ("capacitor", 2),
        Kind::Bulk => ("polarised capacitor", 2),
        Kind::Led | Kind::Lamp => ("LED", 2),
        Kind::Diode | Kind::Clamp => ("diode", 2),
        Kind::Resistor => ("resistor", 1),
        Kind::Fuse => ("fuse", 1),
        _ => ("button", 1),
    };
    symbol.drawing = drawing(name);
    for (own, (x, angle)) in part.item.pins.iter().zip([(-REACH, 0), (REACH, 180)]) {
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (x, 0), "passive", angle, length));
    }
}

impl Symbol {
    /// Its footprint, with the library that it is in.
    pub fn footprint(&self) -> &str {
        &self.footprint
    }

    /// The symbol in KiCad's format; `library` is the prefix of its name.
    pub fn text(&self, library: &str) -> String {
        let fields = [
            ("Reference", self.prefix.as_str(), self.is_power),
            ("Value", &self.value, false),
            ("Footprint", &self.footprint, true),
            ("Datasheet", "", true),
            ("Description", &self.description, true),
        ];
        let fields = fields.map(|(field, value, is_hidden)| {
            let effects = format!("(effects {}{})", font("1.27"), hidden(is_hidden));
            format!("(property \"{field}\" {} (at 0 0 0) {effects})", quoted(value))
        });
        format!(
            "(symbol {}{}{} (pin_names (offset 0.6){}) (exclude_from_sim no) (in_bom yes) (on_board yes){}{}\n\
             (embedded_fonts no))",
            quoted(format_args!("{library}{}", self.name)),
            if self.is_power { " (power)" } else { "" },
            if self.hides_numbers { " (pin_numbers (hide yes))" } else { "" },
            hidden(self.hides_names),
            lines(fields),
            lines((1..=self.units).map(|unit| self.unit(unit)))
        )
    }

    fn unit(&self, unit: usize) -> String {
        let pins = self.pins.iter().filter(|pin| pin.unit == unit).map(SymbolPin::text);
        let name = quoted(format_args!("{}_{unit}_1", self.name));
        format!("(symbol {name}{}{}\n)", lines(&self.drawing), lines(pins))
    }
}

impl SymbolPin {
    fn text(&self) -> String {
        let text = |text: &str, size| format!("{} (effects {})", quoted(text), font(size));
        format!(
            "(pin {} line (at {} {}) (length {}) (name {}) (number {}))",
            self.electrical,
            xy(upwards(self.at)),
            self.angle,
            Length(self.length * STEP),
            text(&self.name, "1.27"),
            text(&self.number, "1")
        )
    }
}
