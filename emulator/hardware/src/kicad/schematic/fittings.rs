//! Draws the components that are not memory: buttons, the oscillator, pull-downs, pads, connectors and the supply.

use super::cells::upright;
use super::page::{Column, PLAIN, Page, Row, SMALL, Side, symbol_at};
use crate::kicad::circuit::{Kind, Part};
use crate::kicad::expression::Place;
use crate::kicad::symbols::{self, CHIP_WIDTH, HEADER_WIDTH, PITCH, REACH};
use crate::kit::RAILS;

/// The space that labels beside a box or a button need.
const LABELS: i32 = 26;
/// The size of a pad with its diodes.
const PAD: Place = (24, 18);

/// Draws a box with pins: a connector, pull-downs, the oscillator.
pub fn boxed(page: &mut Page<'_>, part: &Part<'_>, sheet: usize, (x, y): Place) {
    let corner = (x + beside(part)[0], y);
    let symbol = &page.symbols[&symbols::name_of(part)];
    page.part(part, corner, 0, 1, Some((0, -2)), Some((0, symbol.height + 2)));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for pin in &part.item.pins {
        let own = symbol.pins.iter().find(|own| own.number == pin.number.to_string());
        let at = own.map_or(corner, |own| symbol_at(corner, own.at));
        let is_upright = part.kind == Kind::Oscillator && RAILS.contains(&pin.name.as_str());
        match pin.net.as_deref() {
            Some(rail) if is_upright => page.rail(rail, at, None),
            net if at.0 < corner.0 => left.push(Row { at, net }),
            net => right.push(Row { at, net }),
        }
    }
    page.column(Side::Left, &left, PLAIN, sheet);
    page.column(Side::Right, &right, PLAIN, sheet);
}

/// The space that a box needs on its left and on its right.
fn beside(part: &Part<'_>) -> [i32; 2] {
    match part.kind {
        Kind::Oscillator => [8, LABELS],
        Kind::Header | Kind::Pins if part.item.pins.len() > 10 => [LABELS, LABELS],
        _ => [LABELS, 8],
    }
}

/// The total width of a box.
pub fn width(part: &Part<'_>) -> i32 {
    let own = if part.kind == Kind::Oscillator { CHIP_WIDTH } else { HEADER_WIDTH };
    own + beside(part).iter().sum::<i32>()
}

/// Draws components with two ends, one below the other: the first pin on the left, the second on the right.
pub fn two_ends(page: &mut Page<'_>, parts: &[&Part<'_>], sheet: usize, (x, y): Place) {
    let mut rows = [Vec::new(), Vec::new()];
    for (number, part) in (0..).zip(parts) {
        let (x, y) = (x + LABELS, y + 3 * PITCH * number);
        page.part(part, (x + REACH, y), 0, 1, Some((-REACH + 1, -3)), Some((-REACH + 6, -3)));
        for ((pin, rows), x) in part.item.pins.iter().zip(&mut rows).zip([x, x + 2 * REACH]) {
            rows.push(Row { at: (x, y), net: pin.net.as_deref() });
        }
    }
    // The wires of each are separate.
    for (side, rows) in [Side::Left, Side::Right].into_iter().zip(&rows) {
        rows.chunks(1).for_each(|row| page.column(side, row, PLAIN, sheet));
    }
}

/// Draws the pads as a matrix: each connects its column and its row to five volts, through diodes. Below them are the
/// connections of columns and rows to other sheets.
pub fn pads(page: &mut Page<'_>, sheet: usize, (x, y): Place) {
    let circuit = page.circuit;
    let here = |kind| circuit.parts.iter().filter(move |part| part.sheet == sheet && part.kind == kind);
    let lines = [&circuit.board.panel.pad_column, &circuit.board.panel.pad_row].map(|lines| lines.names());
    for button in here(Kind::Button) {
        let pad = button.net("2");
        let diode = |nets: &[String]| {
            let mut own = here(Kind::Diode).filter(|diode| diode.net("A") == pad);
            own.find_map(|diode| Some((diode, nets.iter().position(|net| net == diode.net("K"))?)))
        };
        let [Some((to_column, column)), Some((to_row, row))] = lines.map(diode) else { continue };
        let (x, y) = (x + 26 + PAD.0 * column as i32, y + 12 + PAD.1 * row as i32);
        page.rail(button.net("1"), (x - 7, y), None);
        page.part(button, (x - 7 + REACH, y), 0, 1, Some((0, -3)), None);
        page.wire((x - 7 + 2 * REACH, y), (x, y));
        page.junction((x, y));
        page.wire((x, y), (x + 2, y));
        page.part(to_column, (x + 2 + REACH, y), 180, 1, Some((-1, -2)), None);
        page.label(to_column.net("K"), (x + 2 + 2 * REACH, y));
        page.wire((x, y), (x, y + 2));
        page.label(pad, (x, y + 2));
        page.part(to_row, (x, y + 2 + REACH), 90, 1, Some((4, 2)), None);
        page.label(to_row.net("K"), (x, y + 2 + 2 * REACH));
    }
    let below = y + 12 + PAD.1 * lines[1].len() as i32;
    for (number, nets) in (0..).zip(lines) {
        let at = |line: i32| (x + 26 + 2 * PAD.0 * number, below + PITCH * line);
        let rows = (0..).zip(nets).map(|(line, net)| Row { at: at(line), net: Some(net) });
        page.column(Side::Right, &rows.collect::<Vec<_>>(), Column { label: 0, ..PLAIN }, sheet);
    }
}

/// Draws the supply, with a flag on each rail that marks it as driven.
pub fn supply(page: &mut Page<'_>, parts: &[&Part<'_>], sheet: usize, (x, y): Place) {
    let (mut y, top) = (y - 14, y);
    for part in parts {
        if part.kind == Kind::Supply {
            y += 14;
            boxed(page, part, sheet, (x, y));
        } else {
            upright(page, part, (x + 50, top + 4));
        }
    }
    for (number, rail) in (0..).zip(RAILS) {
        let x = x + 10 + 20 * number;
        page.rail(rail, (x, y + 24), None);
        page.wire((x, y + 24), (x + 8, y + 24));
        page.rail("PWR_FLAG", (x + 8, y + 24), None);
    }
    page.note("Five volts come from outside, or from the first board.", (x + 8, y + 30), SMALL);
}
