//! The symbols of the parts, made from the names of their pins: inputs on the left, outputs on the right.
//!
//! Coordinates are steps from the origin of the symbol, downwards and to the right, as on a page.

use crate::circuit::{Circuit, Kind, Part};
use crate::footprints;
use crate::format::{Place, Steps, plain, quoted};
use std::collections::BTreeMap;
use std::fmt::Write;

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
pub struct Symbol {
    pub name: String,
    pub pins: Vec<SymbolPin>,
    /// The height of its box.
    pub height: i32,
    prefix: &'static str,
    value: String,
    footprint: String,
    description: String,
    /// The drawing, for each unit.
    drawing: String,
    units: usize,
    shows_names: bool,
    shows_numbers: bool,
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
    let bar = line(&[(-1, -2), (1, -2)]) + &line(&[(0, 0), (0, -2)]);
    let earth = line(&[(0, 0), (0, 1)]) + &line(&[(-1, 1), (1, 1), (0, 2), (-1, 1)]);
    let flag = line(&[(0, 0), (0, -1), (-1, -2), (0, -3), (1, -2), (0, -1)]);
    [("VCC", bar, "power_in", 90), ("GND", earth, "power_in", 270), ("PWR_FLAG", flag, "power_out", 90)].map(
        |(name, drawing, electrical, angle)| Symbol {
            name: name.to_owned(),
            pins: vec![pin("1", name, (0, 0), electrical, angle, 0)],
            height: 0,
            prefix: "#PWR",
            value: name.to_owned(),
            footprint: String::new(),
            description: String::new(),
            drawing,
            units: 1,
            shows_names: false,
            shows_numbers: false,
            is_power: true,
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
        pins: Vec::new(),
        height: 0,
        prefix: match part.kind {
            Kind::Chip => "U",
            Kind::Oscillator => "X",
            Kind::Resistors | Kind::PullDowns => "RN",
            Kind::Capacitor | Kind::Bulk => "C",
            Kind::Led | Kind::Diode => "D",
            Kind::Button => "S",
            Kind::Header | Kind::Supply => "J",
        },
        value: component.value.clone(),
        footprint: footprints::of(circuit, part)
            .map(|footprint| format!("{LIBRARY}:{}", footprint.name))
            .unwrap_or_default(),
        description: component.note.clone(),
        drawing: String::new(),
        units: 1,
        shows_names: true,
        shows_numbers: true,
        is_power: false,
    };
    match part.kind {
        Kind::Chip | Kind::Oscillator => chip(&mut symbol, part),
        Kind::Header | Kind::Supply | Kind::PullDowns => header(&mut symbol, part),
        Kind::Resistors => resistors(&mut symbol, part),
        Kind::Capacitor | Kind::Bulk | Kind::Led | Kind::Diode | Kind::Button => two_ends(&mut symbol, part),
    }
    symbol
}

/// A pin of the first unit.
fn pin(number: &str, name: &str, at: Place, electrical: &'static str, angle: u16, length: i32) -> SymbolPin {
    let (number, name) = (number.to_owned(), name.to_owned());
    SymbolPin { number, name, at, unit: 1, electrical, angle, length }
}

/// Draws a line.
fn line(points: &[Place]) -> String {
    let points: String = points.iter().map(|&(x, y)| format!(" (xy {} {})", Steps(x), Steps(-y))).collect();
    format!("(polyline (pts{points}) (stroke (width 0.2) (type default)) (fill (type none)))\n")
}

/// Draws a box.
fn rectangle((x0, y0): Place, (x1, y1): Place, fill: &str) -> String {
    format!(
        "(rectangle (start {} {}) (end {} {}) (stroke (width 0.254) (type default)) (fill (type {fill})))\n",
        Steps(x0),
        Steps(-y0),
        Steps(x1),
        Steps(-y1)
    )
}

/// The letter before the number in the name of a pin, and the suffix after it, which tell the pins of a port.
fn group(name: &str) -> Option<(char, &str)> {
    let letter = name.chars().next().filter(|letter| ['A', 'D'].contains(letter))?;
    let rest = name[1..].trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < name.len() - 1 && ["", "L", "R"].contains(&rest)).then_some((letter, rest))
}

/// A chip: address pins, data inputs and controls on the left, with tied pins last; outputs on the right.
fn chip(symbol: &mut Symbol, part: &Part<'_>) {
    let is_output = |name: &str| matches!(group(name), Some(('D', "" | "R"))) || name == "OUT";
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let x = CHIP_WIDTH - 6;
    for own in &part.item.pins {
        let number = own.number.to_string();
        match own.name.as_str() {
            "VCC" => symbol.pins.push(pin(&number, "VCC", (x, -2), "power_in", 270, 2)),
            "GND" => symbol.pins.push(pin(&number, "GND", (x, 0), "power_in", 90, 2)),
            "NC" => right.push((2, 0, own, "no_connect")),
            name if is_output(name) => {
                let electrical = if name == "OUT" { "output" } else { "tri_state" };
                right.push((1, digits(name), own, electrical));
            }
            name => {
                let tied = own.net.as_deref().filter(|_| group(name).is_none());
                let order = match (group(name), tied) {
                    (Some(('A', port)), _) => (0, usize::from(port == "R")),
                    (Some(_), _) => (1, 0),
                    (None, Some("GND")) => (3, 0),
                    (None, Some("VCC")) => (4, 0),
                    (None, _) => (2, 0),
                };
                let electrical = if matches!(order, (1, _)) { "bidirectional" } else { "input" };
                left.push((order, digits(name), own, electrical));
            }
        }
    }
    left.sort_by_key(|(order, number, ..)| (*order, *number));
    right.sort_by_key(|(order, number, ..)| (*order, *number));
    let mut y = 0;
    let mut before = None;
    for (order, _, own, electrical) in left {
        y += if before.is_some_and(|before| before != order) { 2 * PITCH } else { PITCH };
        before = Some(order);
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (-2, y), electrical, 0, 2));
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
    symbol.drawing = rectangle((0, 0), (CHIP_WIDTH, height), "background");
}

/// The number in the name of a pin.
fn digits(name: &str) -> usize {
    name.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// A connector or a network: odd pins on the left, even ones on the right, or all on the left if there are few.
fn header(symbol: &mut Symbol, part: &Part<'_>) {
    let pins = &part.item.pins;
    let columns = if pins.len() > 10 { 2 } else { 1 };
    for (index, own) in pins.iter().enumerate() {
        let y = PITCH * (index / columns + 1) as i32;
        let (x, angle) = if index % columns == 0 { (-2, 0) } else { (HEADER_WIDTH + 2, 180) };
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (x, y), "passive", angle, 2));
    }
    symbol.shows_names = columns == 1 && part.kind != Kind::Header;
    symbol.height = PITCH * (pins.len().div_ceil(columns) + 1) as i32;
    symbol.drawing = rectangle((0, 0), (HEADER_WIDTH, symbol.height), "background");
}

/// Eight resistors, each a unit of its own.
fn resistors(symbol: &mut Symbol, part: &Part<'_>) {
    symbol.units = 8;
    symbol.shows_names = false;
    for unit in 1..=symbol.units {
        for (side, x, angle) in [("A", -REACH, 0), ("B", REACH, 180)] {
            let name = format!("{unit}{side}");
            let number = part.item.pins.iter().find(|pin| pin.name == name).map_or(0, |pin| pin.number);
            symbol
                .pins
                .push(SymbolPin { unit, ..pin(&number.to_string(), &name, (x, 0), "passive", angle, 1) });
        }
    }
    symbol.drawing = "(rectangle (start -2.54 0.762) (end 2.54 -0.762) (stroke (width 0.254) (type default)) (fill (type none)))\n".to_owned();
}

/// A component with two ends, the first pin on the left.
fn two_ends(symbol: &mut Symbol, part: &Part<'_>) {
    (symbol.shows_names, symbol.shows_numbers) = (false, false);
    let length = if matches!(part.kind, Kind::Capacitor | Kind::Bulk) { 2 } else { 1 };
    for (own, x, angle) in
        part.item.pins.iter().zip([(-REACH, 0), (REACH, 180)]).map(|(own, (x, a))| (own, x, a))
    {
        let length = if matches!(part.kind, Kind::Led | Kind::Diode) { 2 } else { length };
        symbol.pins.push(pin(&own.number.to_string(), &own.name, (x, 0), "passive", angle, length));
    }
    let plate = |x: f64| {
        format!(
            "(polyline (pts (xy {x} 1.524) (xy {x} -1.524)) (stroke (width 0.381) (type default)) (fill (type none)))\n"
        )
    };
    symbol.drawing = match part.kind {
        Kind::Capacitor | Kind::Bulk => {
            let lead = |x: f64| {
                format!(
                    "(polyline (pts (xy {} 0) (xy {x} 0)) (stroke (width 0) (type default)) (fill (type none)))\n",
                    x.signum() * 1.27
                )
            };
            let plus = if part.kind == Kind::Bulk {
                "(text \"+\" (at -1.4 0.9 0) (effects (font (size 1.27 1.27))))\n"
            } else {
                ""
            };
            plate(-0.4) + &plate(0.4) + &lead(-0.4) + &lead(0.4) + plus
        }
        Kind::Led | Kind::Diode => {
            let arrows = if part.kind == Kind::Led {
                line(&[(0, -1), (-1, -2)]) + &line(&[(1, -1), (0, -2)])
            } else {
                String::new()
            };
            line(&[(-1, -1), (-1, 1)]) + &line(&[(1, -1), (1, 1), (-1, 0), (1, -1)]) + &arrows
        }
        _ => {
            line(&[(-2, -1), (2, -1)])
                + &line(&[(0, -1), (0, -2)])
                + &line(&[(-2, 0), (-1, 0)])
                + &line(&[(1, 0), (2, 0)])
        }
    };
}

impl Symbol {
    /// Its footprint, with the library that it is in.
    pub fn footprint(&self) -> &str {
        &self.footprint
    }

    /// The symbol in KiCad's format; `library` is the prefix of its name.
    pub fn text(&self, library: &str) -> String {
        let name = &self.name;
        let mut text = format!("(symbol {}", quoted(&format!("{library}{name}")));
        if self.is_power {
            text += " (power)";
        }
        if !self.shows_numbers {
            text += " (pin_numbers (hide yes))";
        }
        text += if self.shows_names {
            " (pin_names (offset 0.6))"
        } else {
            " (pin_names (offset 0.6) (hide yes))"
        };
        text += " (exclude_from_sim no) (in_bom yes) (on_board yes)\n";
        let fields = [
            ("Reference", self.prefix, self.is_power),
            ("Value", &self.value, false),
            ("Footprint", &self.footprint, true),
            ("Datasheet", "", true),
            ("Description", &self.description, true),
        ];
        for (field, value, hidden) in fields {
            let hide = if hidden { " (hide yes)" } else { "" };
            let _ = writeln!(
                text,
                "(property {} {} (at 0 0 0) (effects (font (size 1.27 1.27)){hide}))",
                quoted(field),
                quoted(value)
            );
        }
        for unit in 1..=self.units {
            let _ = writeln!(
                text,
                "(symbol {}\n{}",
                quoted(&format!("{name}_{unit}_1")),
                self.drawing.trim_end()
            );
            for pin in self.pins.iter().filter(|pin| pin.unit == unit) {
                let _ = writeln!(
                    text,
                    "(pin {} line (at {} {} {}) (length {}) (name {} (effects (font (size 1.27 1.27)))) (number {} (effects (font (size 1 1)))))",
                    pin.electrical,
                    Steps(pin.at.0),
                    Steps(-pin.at.1),
                    pin.angle,
                    Steps(pin.length),
                    quoted(&pin.name),
                    quoted(&pin.number)
                );
            }
            text += ")\n";
        }
        text + "(embedded_fonts no))\n"
    }
}
