//! Draws a chip with its inputs, filters, LEDs, capacitor, and a note about its purpose.

use super::page::{Column, LARGE, PLAIN, Page, Row, SMALL, Side, symbol_at};
use crate::kicad::circuit::{Kind, Part, pairs};
use crate::kicad::expression::Place;
use crate::kicad::symbols::{self, CHIP_WIDTH, OUTPUT_PITCH, REACH};
use gray1_machine::board::Chip;
use std::fmt::Write;

/// The width of a chip with labels on both sides and filters.
pub const CELL: i32 = 103;
/// The width of a row of LEDs with their resistors.
pub const LIGHTS: i32 = 62;
/// The distance from the left edge of a cell to the chip.
const INSIDE: i32 = 25;
/// The distance from the pin of a chip to the resistor of a filter.
const TO_RESISTOR: i32 = 13;
/// Maximum width of a note, in letters.
const LINE: usize = 66;

/// Draws a chip; returns where it ends.
pub fn chip(page: &mut Page<'_>, part: &Part<'_>, sheet: usize, (x, y): Place) -> i32 {
    let circuit = page.circuit;
    let corner = (x + INSIDE, y);
    let symbol = &page.symbols[&symbols::name_of(part)];
    let height = symbol.height;
    page.part(part, corner, 0, 1, Some((0, -3)), Some((-6, height + 2)));
    let pin_at = |number: usize| {
        let pin = symbol.pins.iter().find(|pin| pin.number == number.to_string());
        pin.map_or(corner, |pin| symbol_at(corner, pin.at))
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for pin in &part.item.pins {
        let at = pin_at(pin.number);
        let row = Row { at, net: pin.net.as_deref() };
        match pin.net.as_deref() {
            Some(rail) if ["VCC", "GND"].contains(&pin.name.as_str()) => page.rail(rail, at, None),
            _ if at.0 < corner.0 => left.push(row),
            _ => right.push(row),
        }
    }
    left.sort_by_key(|row| row.at.1);
    right.sort_by_key(|row| row.at.1);
    page.column(Side::Left, &left, PLAIN, sheet);
    let near = |other: &&Part<'_>| other.sheet == sheet;
    let filter = circuit.parts.iter().filter(near).find(|other| {
        other.kind == Kind::Resistors
            && pairs(other.item)
                .any(|(pin, net)| circuit.is_line(net) && right.iter().any(|row| row.net == Some(pin)))
    });
    match filter {
        Some(filter) => filters(page, filter, &right, sheet),
        None => page.column(Side::Right, &right, PLAIN, sheet),
    }
    // Its capacitor is the first that follows it in the parts list.
    let after = circuit.parts.iter().skip_while(|other| other.item.reference != part.item.reference);
    if let Some(capacitor) = after
        .into_iter()
        .find(|other| other.kind == Kind::Capacitor && other.item.nets().any(|net| net == "VCC"))
    {
        upright(page, capacitor, (corner.0 + CHIP_WIDTH + 8, y - 8));
    }
    page.note(&about(page, part), (x + INSIDE - 8, y + height + 7), SMALL);
    y + height
}

/// Draws a capacitor between the rails.
pub fn upright(page: &mut Page<'_>, part: &Part<'_>, (x, y): Place) {
    page.part(part, (x, y), 270, 1, Some((3, -1)), Some((3, 1)));
    page.rail("VCC", (x, y - REACH), None);
    page.rail("GND", (x, y + REACH), None);
}

/// Draws the resistor on each data line that a network is for, with its capacitor if it has one.
fn filters(page: &mut Page<'_>, network: &Part<'_>, rows: &[Row<'_>], sheet: usize) {
    let circuit = page.circuit;
    let capacitors: Vec<&Part<'_>> =
        circuit.parts.iter().filter(|part| part.kind == Kind::Capacitor).collect();
    let (mut behind, mut direct) = (Vec::new(), Vec::new());
    let mut grounds = Vec::new();
    let mut unused: Vec<usize> = (1..=8).filter(|pair| network.net(&format!("{pair}A")).is_empty()).collect();
    for row in rows {
        let (x, y) = row.at;
        let pair =
            (1..=8).find(|pair| row.net.is_some() && row.net == Some(network.net(&format!("{pair}A"))));
        let middle = (x + TO_RESISTOR + REACH, y);
        match (pair, row.net) {
            (Some(pair), Some(net)) => {
                page.wire((x, y), (x + TO_RESISTOR, y));
                page.label(net, (x + 1, y));
                page.part(network, middle, 0, pair, Some((-REACH + 1, -2)), None);
                let net = network.net(&format!("{pair}B"));
                let node = (middle.0 + REACH + 2, y);
                page.wire((middle.0 + REACH, y), node);
                let capacitor = capacitors.iter().find(|part| part.net("1") == net);
                if let Some(capacitor) = capacitor {
                    page.wire(node, (node.0, y + 2));
                    page.junction(node);
                    page.part(capacitor, (node.0 + REACH, y + 2), 0, 1, Some((REACH + 1, 0)), None);
                    grounds.push((node.0 + 2 * REACH, y + 2));
                }
                behind.push(Row { at: node, net: Some(net) });
            }
            (None, Some(net)) => direct.push(Row { at: row.at, net: Some(net) }),
            _ => {
                page.open(row.at);
                if let Some(unit) = unused.first().copied() {
                    unused.remove(0);
                    spare(page, network, unit, middle);
                }
            }
        }
    }
    let below = rows.last().map_or((0, 0), |row| row.at);
    for (place, unit) in (1..).zip(unused) {
        spare(page, network, unit, (below.0 + TO_RESISTOR + REACH, below.1 + OUTPUT_PITCH * place));
    }
    grounds.windows(2).for_each(|pair| page.wire(pair[0], pair[1]));
    grounds.iter().skip(1).for_each(|&ground| page.junction(ground));
    if let Some(&last) = grounds.last() {
        page.rail("GND", last, None);
    }
    page.column(Side::Right, &direct, PLAIN, sheet);
    page.column(Side::Right, &behind, Column { length: 2 * REACH + 15, label: 2 * REACH + 7 }, sheet);
    if let (Some(first), Some(value)) =
        (rows.first(), capacitors.iter().find(|part| part.sheet == sheet && part.net("1") != "VCC"))
    {
        let values = [value, &network].map(|part| circuit.assembly.part(part.item).value.as_str());
        let text = format!("{}, {}", values[1], values[0]);
        page.note(&text, (first.at.0 + TO_RESISTOR + 12, first.at.1 - 5), SMALL);
    }
}

/// Draws an unused resistor.
fn spare(page: &mut Page<'_>, network: &Part<'_>, unit: usize, middle: Place) {
    page.part(network, middle, 0, unit, Some((-REACH + 1, -2)), None);
    page.open((middle.0 - REACH, middle.1));
    page.open((middle.0 + REACH, middle.1));
}

/// Draws a row of LEDs; returns where it ends.
pub fn lights(page: &mut Page<'_>, network: &Part<'_>, (x, y): Place) -> i32 {
    let circuit = page.circuit;
    let leds: Vec<&Part<'_>> = circuit.parts.iter().filter(|part| part.kind == Kind::Led).collect();
    let mut ends = Vec::new();
    let mut rail = "VCC";
    page.note(&circuit.assembly.part(network.item).value, (x + 14, y - 1), SMALL);
    for pair in 1..=8 {
        let y = y + OUTPUT_PITCH * pair as i32;
        let middle = (x + 14 + REACH, y);
        let [from, to] = ["A", "B"].map(|side| network.net(&format!("{pair}{side}")));
        if from.is_empty() {
            spare(page, network, pair, middle);
            continue;
        }
        page.label(from, (x, y));
        page.wire((x, y), (x + 14, y));
        page.part(network, middle, 0, pair, Some((-REACH + 1, -2)), None);
        let Some(led) = leds.iter().find(|led| [led.net("K"), led.net("A")].contains(&to)) else { continue };
        let end = x + 14 + 2 * REACH + 15;
        page.wire((x + 14 + 2 * REACH, y), (end, y));
        page.label(to, (x + 15 + 2 * REACH, y));
        let is_sunk = led.net("K") == to;
        page.part(led, (end + REACH, y), if is_sunk { 0 } else { 180 }, 1, Some((REACH + 3, -1)), None);
        rail = if is_sunk { "VCC" } else { "GND" };
        page.wire((end + 2 * REACH, y), (end + 2 * REACH + 2, y));
        ends.push((end + 2 * REACH + 2, y));
    }
    ends.windows(2).for_each(|pair| page.wire(pair[0], pair[1]));
    ends.iter().skip(1).take(ends.len().saturating_sub(2)).for_each(|&end| page.junction(end));
    if let (Some(&first), Some(&last)) = (ends.first(), ends.last()) {
        page.rail(rail, if rail == "VCC" { first } else { last }, None);
    }
    y + OUTPUT_PITCH * 9
}

/// The note about a chip: what it holds, and what its lines mean.
fn about(page: &Page<'_>, part: &Part<'_>) -> String {
    let board = page.circuit.board;
    let Some(chip) = board.chips.iter().find(|chip| chip.name() == part.item.reference) else {
        return "each cell holds its own address".to_owned();
    };
    let mut text = match chip {
        Chip::Rom { .. } => format!("{} holds {}", chip.name(), chip.burned()),
        Chip::Ram { .. } => format!("{} is not burned", chip.name()),
    };
    let about = board
        .nets
        .iter()
        .filter(|nets| nets.nets.names().iter().any(|net| chip.data().names().contains(net)));
    for nets in about {
        let own: Vec<&str> = nets
            .nets
            .names()
            .iter()
            .filter(|net| chip.data().names().contains(net))
            .map(String::as_str)
            .collect();
        let name = match own.as_slice() {
            [first, .., last] => format!("{first} to {last}"),
            own => own.join(" "),
        };
        let _ = write!(text, "\n{}", wrapped(&format!("{name}: {}", nets.about)));
    }
    text
}

/// Wraps a text to [`LINE`].
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        if length + word.len() >= LINE {
            lines += "\n   ";
            length = 3;
        }
        lines += if length == 0 { "" } else { " " };
        lines += word;
        length += word.len() + 1;
    }
    lines
}

/// The heading of a page.
pub fn heading(page: &mut Page<'_>, text: &str) {
    page.note(text, (12, 11), LARGE);
}
