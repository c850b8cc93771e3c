//! Draws the components that are not memory: buttons, the oscillator, pull-downs, pads, connectors and the supply.

use super::cells::upright;
use super::page::{PLAIN, Page, Row, SMALL, Side, symbol_at};
use crate::circuit::{Kind, Part};
use crate::expression::Place;
use crate::symbols::{self, CHIP_WIDTH, HEADER_WIDTH, PITCH, REACH};
use gray1_kit::RAILS;

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

/// Draws the pads: each connects its column and its row to five volts, through diodes.
pub fn pads(page: &mut Page<'_>, sheet: usize, (x, y): Place) {
    let circuit = page.circuit;
    let here = |kind| circuit.parts.iter().filter(move |part| part.sheet == sheet && part.kind == kind);
    let diodes: Vec<&Part<'_>> = here(Kind::Diode).collect();
    let (columns, rows) = (circuit.board.panel.pad_column.names(), circuit.board.panel.pad_row.names());
    let (left, top) = (x + 16, y + 8);
    let from =
        |pad: &str, net: &str| diodes.iter().find(|diode| diode.net("A") == pad && diode.net("K") == net);
    for button in here(Kind::Button) {
        let pad = button.net("2");
        let find = |nets: &[String]| nets.iter().position(|net| from(pad, net).is_some());
        let (Some(column), Some(row)) = (find(columns), find(rows)) else { continue };
        let corner = (left + PAD.0 * column as i32, top + PAD.1 * row as i32);
        let node = (corner.0 + 10, corner.1 + 4);
        page.rail(button.net("1"), (corner.0 + 3, node.1), None);
        page.part(button, (corner.0 + 3 + REACH, node.1), 0, 1, Some((0, -3)), None);
        page.wire((corner.0 + 3 + 2 * REACH, node.1), node);
        page.label(pad, (node.0, node.1 + 2));
        page.junction(node);
        let end = (corner.0 + 20, node.1);
        if let Some(diode) = from(pad, &columns[column]) {
            page.wire(node, (node.0 + 2, node.1));
            page.part(diode, (node.0 + 2 + REACH, node.1), 180, 1, Some((-1, -2)), None);
            page.wire((node.0 + 2 + 2 * REACH, node.1), end);
            page.junction(end);
        }
        if let Some(diode) = from(pad, &rows[row]) {
            page.wire(node, (node.0, node.1 + 2));
            page.part(diode, (node.0, node.1 + 2 + REACH), 90, 1, Some((4, 2)), None);
            page.wire((node.0, node.1 + 2 + 2 * REACH), (node.0, corner.1 + 14));
            page.junction((node.0, corner.1 + 14));
        }
    }
    pad_wires(page, sheet, (left, top));
}

/// Draws the wires of columns and rows, which lead from pad to pad and then to the outputs.
fn pad_wires(page: &mut Page<'_>, sheet: usize, (left, top): Place) {
    let panel = &page.circuit.board.panel;
    let (columns, rows) = (panel.pad_column.names(), panel.pad_row.names());
    let mut outs: [Vec<Row<'_>>; 2] = [Vec::new(), Vec::new()];
    for (index, net) in (0..).zip(rows) {
        let y = top + PAD.1 * index + 14;
        let start = (left - 1, y);
        let mut before = start;
        for column in 0..columns.len() as i32 {
            let next = (left + PAD.0 * column + 10, y);
            page.wire(before, next);
            before = next;
        }
        outs[0].push(Row { at: start, net: Some(net) });
    }
    let bottom = top + PAD.1 * rows.len() as i32;
    for (index, net) in (0..).zip(columns) {
        let x = left + PAD.0 * index + 20;
        let mut before = (x, top + 4);
        for row in 1..rows.len() as i32 {
            let next = (x, top + PAD.1 * row + 4);
            page.wire(before, next);
            before = next;
        }
        let end = (x, bottom + 2 + 2 * (columns.len() as i32 - index));
        page.wire(before, end);
        outs[1].push(Row { at: end, net: Some(net) });
    }
    page.column(Side::Left, &outs[0], PLAIN, sheet);
    // Columns lead out to the right, below the pads.
    let edge = left + PAD.0 * columns.len() as i32 + 4;
    for row in &mut outs[1] {
        page.wire(row.at, (edge, row.at.1));
        row.at.0 = edge;
    }
    outs[1].reverse();
    page.column(Side::Right, &outs[1], PLAIN, sheet);
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
