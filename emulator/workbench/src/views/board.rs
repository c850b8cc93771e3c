//! The board: each chip with the address it sees now and the data it gives, what this phase has changed marked; and
//! one chip in full.
//!
//! ```text
//!   ALUL   *1B3F→06*     the address has changed in this phase, and so has the data
//! ```

use super::registers::{PHASES, clock};
use super::{changed, mark, title_of};
use crate::desk::Desk;
use crate::look::Card;
use crate::paint::{Canvas, Ink};
use crate::pane::{CHIP_WIDTH, Pane};
use gray1_machine::burn::{Field, split};
use ratatui::layout::Rect;

/// Columns of a chip's name.
const NAME: usize = 6;
/// Rows that are worth spending on the chosen chip.
const LEAST_DETAILS: usize = 4;

/// Draws it.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let area = canvas.area;
    let phase = usize::from(desk.look.position.phase) % PHASES.len();
    let chips = &desk.look.wires.chips;
    let moved = (0..chips.len()).filter(|chip| is_new(desk, *chip) != (false, false)).count();
    let right = format!("phase {phase}: {}; {moved} of {} chips changed *", PHASES[phase], chips.len());
    let (first, rows) = table(desk, area);
    let mut inner = canvas.frame(&title_of(Pane::Board), &right, has_focus);
    if first > 0 {
        clock(desk, &mut inner, 0);
    }
    for chip in 0..chips.len() {
        let (column, row) = (chip / rows, first + chip % rows);
        draw_chip(desk, &mut inner, chip, column * usize::from(CHIP_WIDTH), row, has_focus);
    }
    let used = first + rows + 1;
    if inner.height() >= used + LEAST_DETAILS - 1 {
        let below =
            Rect { y: inner.area.y + used as u16, height: inner.area.height - used as u16, ..inner.area };
        describe(desk, &mut inner.part(below));
    }
}

/// The first row of the table within the frame, and how many rows it has.
pub fn table(desk: &Desk, area: Rect) -> (usize, usize) {
    let columns = (area.width.saturating_sub(2) / CHIP_WIDTH).max(1);
    let rows = desk.cards.len().div_ceil(usize::from(columns)).max(1);
    let height = usize::from(area.height.saturating_sub(2));
    // The clock has two rows and one below it, where chips and details leave them.
    (if height >= rows + 3 + LEAST_DETAILS { 3 } else { 0 }, rows)
}

fn draw_chip(desk: &Desk, canvas: &mut Canvas, chip: usize, column: usize, row: usize, has_focus: bool) {
    let (Some(card), Some(&(address, data))) = (desk.cards.get(chip), desk.look.wires.chips.get(chip)) else {
        return;
    };
    if column + usize::from(CHIP_WIDTH) > canvas.width() + 1 {
        return;
    }
    let (address_new, data_new) = is_new(desk, chip);
    let name_ink = if has_focus && chip == desk.chip { Ink::Now } else { Ink::Label };
    canvas.cell(column, row, NAME).text(0, 0, &format!("{:<NAME$}", card.name), name_ink);
    let digits = card.width.0.div_ceil(4);
    let text = format!("{}{address:0digits$X}", mark(address_new));
    let address_end = column + 12;
    canvas.text_before(address_end, row, &text, if address_new { Ink::Changed } else { Ink::Dim });
    canvas.text(address_end, row, canvas.paint.signs.leads_to, Ink::Dim);
    let digits = card.width.1.div_ceil(4);
    canvas.text(address_end + 1, row, &format!("{data:0digits$X}{}", mark(data_new)), changed(data_new));
}

/// Whether this phase has changed the address that a chip sees, and the data it gives.
fn is_new(desk: &Desk, chip: usize) -> (bool, bool) {
    let look = &desk.look;
    let pair = look
        .wires_before
        .as_ref()
        .and_then(|before| Some((look.wires.chips.get(chip)?, before.chips.get(chip)?)));
    pair.map_or((false, false), |(now, before)| (now.0 != before.0, now.1 != before.1))
}

/// One chip in full: what it is, its address and data field by field, its nets.
fn describe(desk: &Desk, canvas: &mut Canvas) {
    let (Some(card), Some(&(address, data))) =
        (desk.cards.get(desk.chip), desk.look.wires.chips.get(desk.chip))
    else {
        return;
    };
    let column = canvas.text(0, 0, &card.name, Ink::Title);
    canvas.text(column + 2, 0, &card.kind, Ink::Plain);
    let before = desk.look.wires_before.as_ref().and_then(|before| before.chips.get(desk.chip)).copied();
    let mut row = 1;
    if let Some((address_fields, data_fields)) = card.fields {
        let old = before.unwrap_or((address, data));
        row = fields(canvas, row, "sees", address_fields, address, old.0);
        row = fields(canvas, row, "gives", data_fields, u32::from(data), u32::from(old.1));
    } else {
        row = nets(desk, canvas, row, "sees", &card.nets.0);
    }
    row = nets(desk, canvas, row, if card.fields.is_some() { "nets" } else { "gives" }, &nets_of(card));
    let width = canvas.width().max(8);
    let mut line = String::new();
    for word in card.about.split(' ').chain(std::iter::once("")) {
        if word.is_empty() || line.chars().count() + word.chars().count() >= width {
            canvas.text(0, row, &line, Ink::Dim);
            row += 1;
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
}

fn nets_of(card: &Card) -> Vec<usize> {
    match card.fields {
        Some(_) => {
            let mut nets = card.nets.0.clone();
            nets.extend(card.nets.1.iter().filter(|net| !card.nets.0.contains(net)));
            nets
        }
        None => card.nets.1.clone(),
    }
}

/// Fields with their values in binary, the lowest first as the pinout has them.
fn fields(canvas: &mut Canvas, row: usize, title: &str, fields: &[Field], now: u32, before: u32) -> usize {
    let values = split(fields, now).into_iter().zip(split(fields, before));
    let items = fields.iter().zip(values).map(|((name, width), (now, before))| {
        (format!("{name} {now:0width$b}", width = *width as usize), now != before)
    });
    flow(canvas, row, title, items)
}

/// Nets with their levels.
fn nets(desk: &Desk, canvas: &mut Canvas, row: usize, title: &str, nets: &[usize]) -> usize {
    let wires = &desk.look.wires.nets;
    let before = desk.look.wires_before.as_ref().map_or(wires, |before| &before.nets);
    let items = nets.iter().map(|&net| {
        let level = |nets: &[u16]| nets.get(net).copied().unwrap_or(0);
        let name = desk.nets.get(net).map_or("", String::as_str);
        (format!("{name} {}", level(wires)), level(wires) != level(before))
    });
    flow(canvas, row, title, items)
}

/// Writes things one behind the other, on as many rows as they need; returns the row behind them.
fn flow(
    canvas: &mut Canvas,
    mut row: usize,
    title: &str,
    items: impl Iterator<Item = (String, bool)>,
) -> usize {
    canvas.text(0, row, title, Ink::Dim);
    let mut column = 6;
    for (text, is_new) in items {
        let text = format!("{text}{}", mark(is_new));
        if column > 6 && column + text.chars().count() > canvas.width() {
            (row, column) = (row + 1, 6);
        }
        column = canvas.text(column, row, &text, changed(is_new)) + 1;
    }
    row + 1
}
