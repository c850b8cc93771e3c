//! The texts printed beside each part: its name, its value, the names of pins, the function of a key or a connector.

use crate::kicad::circuit::{Circuit, Kind};
use crate::kicad::expression::Point;
use crate::kicad::placement::Placed;
use crate::kit::{Pin, RAILS};
use gray1_isa::memory_map::KEY_NAMES;
use gray1_machine::board::Chip;

/// The height of letters, and that of the names of chips and of what they hold.
const HEIGHT: i32 = 1_000;
const CHIP: i32 = 2_500;
const HELD: i32 = 1_200;

/// A text that has to be printed.
pub struct LabelRequest {
    /// The words; each alternative is used if there is no room for the one before.
    pub words: Vec<String>,
    pub height: i32,
    pub anchor: Anchor,
    pub is_name: bool,
}

/// The place for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At this point of the footprint.
    Fixed(Point),
    /// Beside the pin of this number.
    Pin(usize),
    /// Beside the part.
    Part,
    /// The same, for what may stand farther away.
    Remark,
}

impl Anchor {
    /// The turn in which places are found for such texts.
    pub fn turn(self) -> usize {
        match self {
            Anchor::Fixed(_) => 0,
            Anchor::Pin(_) => 1,
            Anchor::Part => 2,
            Anchor::Remark => 3,
        }
    }
}

/// The texts of a part.
pub fn requests(circuit: &Circuit<'_>, placed: &Placed<'_>) -> Vec<LabelRequest> {
    let part = placed.part;
    let component = circuit.assembly.part(part.item);
    let text = |words: &[&str], anchor: Anchor| LabelRequest {
        words: words.iter().map(|words| (*words).to_owned()).collect(),
        height: HEIGHT,
        anchor,
        is_name: false,
    };
    let name = LabelRequest { is_name: true, ..text(&[&part.item.reference], Anchor::Part) };
    let pin =
        |name: &str, words: &str| part.item.pin(name).map(|pin| text(&[words], Anchor::Pin(pin.number)));
    let value = component.value.as_str();
    let mut requests: Vec<LabelRequest> = match part.kind {
        Kind::Chip => return chip(circuit, placed, name),
        // "8 x 100 R" is "100R": that there are eight is seen.
        Kind::Resistors | Kind::PullDowns => {
            let short = value.strip_prefix("8 x ").unwrap_or(value).replace(' ', "");
            vec![text(&[&short], Anchor::Remark)]
        }
        Kind::Capacitor | Kind::Oscillator => vec![text(&[&value.replace(' ', "")], Anchor::Remark)],
        Kind::Bulk | Kind::ThreePins | Kind::Resistor | Kind::Fuse => vec![text(&[value], Anchor::Remark)],
        Kind::Led | Kind::Lamp => {
            let colour = value.rsplit(' ').next().unwrap_or_default();
            let initial: String = colour.chars().take(1).collect();
            let colour = text(&[colour, &initial.to_uppercase()], Anchor::Remark);
            pin("K", "K").into_iter().chain(pin("A", "A")).chain([colour]).collect()
        }
        Kind::Diode => pin("K", "K").into_iter().collect(),
        Kind::Clamp => pin("K", "K").into_iter().chain([text(&[value], Anchor::Remark)]).collect(),
        Kind::Pins => {
            // The signal on each pin; what has a ground beside each has no names for these.
            let is_paired = part.item.pins.len() > 6;
            let pins = part.item.pins.iter().filter(|pin| pin.number % 2 == 1 || part.item.pins.len() == 2);
            let name = |pin: &Pin| pin.net.as_deref().map(|net| short(circuit, net));
            pins.filter_map(|pin| Some(text(&[&name(pin)?], Anchor::Pin(pin.number))))
                .chain(is_paired.then(|| text(&["GND"], Anchor::Pin(part.item.pins.len()))))
                .collect()
        }
        Kind::Button => vec![text(&[&key(circuit, part.net("2"))], Anchor::Remark)],
        Kind::Header => {
            let end = joined(circuit, placed);
            let words: Vec<&str> = end.iter().map(String::as_str).collect();
            pin("P1", "1").into_iter().chain([text(&words, Anchor::Remark)]).collect()
        }
        Kind::Supply => {
            let rails = pin("PLUS", "+").into_iter().chain(pin("MINUS", "-"));
            let is_input = part.net("PLUS") != RAILS[0];
            let to = joined(circuit, placed).first().map_or_else(|| "5V".to_owned(), |to| format!("5V {to}"));
            rails.chain([text(&[if is_input { "5V IN" } else { &to }], Anchor::Remark)]).collect()
        }
    };
    requests.push(name);
    requests
}

/// The texts of a chip: its name, and its contents or its value.
fn chip(circuit: &Circuit<'_>, placed: &Placed<'_>, name: LabelRequest) -> Vec<LabelRequest> {
    let item = placed.part.item;
    let chip = circuit.board.chips.iter().find(|chip| chip.name() == item.reference);
    let rom = chip.filter(|chip| matches!(chip, Chip::Rom { .. }));
    let held = rom.map_or_else(|| circuit.assembly.part(item).value.clone(), Chip::burned);
    let middle = placed.footprint.middle();
    let beside = |shift: i32| Anchor::Fixed((middle.0 + shift, middle.1));
    let held = LabelRequest { words: vec![held], height: HELD, anchor: beside(2_000), is_name: false };
    vec![LabelRequest { height: CHIP, anchor: beside(-2_000), ..name }, held]
}

/// The printed name of a net; the sources of the clock have the short names of the jumper's positions: `STEP`.
fn short(circuit: &Circuit<'_>, net: &str) -> String {
    let clock = &circuit.board.panel.oscillator.names()[0];
    net.strip_prefix(clock.as_str()).and_then(|end| end.strip_prefix('_')).unwrap_or(net).to_owned()
}

/// The function of a button, by its net.
fn key(circuit: &Circuit<'_>, net: &str) -> String {
    let panel = &circuit.board.panel;
    if panel.reset.names().iter().any(|reset| net.starts_with(reset.as_str())) {
        return "RESET".to_owned();
    }
    if panel.oscillator.names().iter().any(|clock| net.starts_with(clock.as_str())) {
        return short(circuit, net);
    }
    match panel.keys.names().iter().position(|key| key == net).and_then(|key| KEY_NAMES.get(key)) {
        Some(name) => name.to_uppercase(),
        // A pad: its row and its column.
        None => net.trim_start_matches("PAD").replace('_', ","),
    }
}

/// The other end of the cable of a connector: the port, or another board.
fn joined(circuit: &Circuit<'_>, placed: &Placed<'_>) -> Vec<String> {
    let (item, assembly) = (placed.part.item, circuit.assembly);
    if item.part == assembly.hardware.uses.port {
        return vec!["OUTPUT PORT".to_owned(), "OUT".to_owned()];
    }
    let other = circuit.other_end(item);
    let board = other.and_then(|other| Some((other, assembly.boards.get(other.board?)?)));
    board.map_or_else(Vec::new, |(other, board)| {
        vec![format!("to {} on {board}", other.reference), format!("to {}", other.reference)]
    })
}

/// The length of a text in KiCad's font; rather too much than too little.
pub fn length(words: &str, (width, _): Point) -> i32 {
    let letter = |c: char| match c {
        'm' | '+' | '-' => 26,
        'M' | 'W' | 'w' => 24,
        'i' | 'l' | 'I' | ',' | '.' | '\'' | ':' | ';' => 10,
        'A'..='Z' => 22,
        ' ' | 'f' | 'j' | 'r' | 't' => 16,
        _ => 20,
    };
    words.chars().map(letter).sum::<i32>() * width / 21
}
