//! The board: each chip with its address and its output, marked if they have changed in this phase; and one chip in
//! full.
//!
//! ```text
//!   ALUL   *1B3F→06*     the address has changed in this phase, and so has the data
//! ```

use super::clock::{PHASE_NAMES, clock};
use super::frame::{changed, mark};
use crate::canvas::Canvas;
use crate::pane::{CHIP_WIDTH, Pane};
use crate::state::ScreenState;
use crate::theme::Ink;
use gray1_machine::board;
use gray1_machine::burn::{Field, split};
use gray1_machine::netlist::number;
use gray1_machine::netlist::{Chip, ChipId, NetId};

/// The columns of a chip's name, and of the name with the address.
const NAME: usize = 6;
const ADDRESS_END: usize = 12;
/// The columns before a list of nets or fields.
const INDENT: usize = 6;

/// A number now and a phase ago.
#[derive(Clone, Copy)]
struct TwoPhases {
    now: u32,
    before: u32,
}

impl TwoPhases {
    fn of(state: &ScreenState, nets: &[NetId]) -> TwoPhases {
        let machine = &state.machine;
        TwoPhases { now: number(&machine.levels, nets), before: number(&machine.levels_before, nets) }
    }

    fn is_new(self) -> bool {
        self.now != self.before
    }
}

/// Describes the phase, with the number of chips that have changed.
pub fn changes(state: &ScreenState) -> String {
    let chips = &state.board.netlist().chips;
    let phase = usize::from(state.machine.position.phase) % PHASE_NAMES.len();
    let has_moved = |chip: &&Chip| {
        TwoPhases::of(state, chip.address()).is_new() || TwoPhases::of(state, &chip.data).is_new()
    };
    let moved = chips.iter().filter(has_moved).count();
    format!("phase {phase}: {}; {moved} of {} chips changed *", PHASE_NAMES[phase], chips.len())
}

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    if state.board.is_unfolded {
        return describe(state, canvas, state.board.chip);
    }
    let chips = &state.board.netlist().chips;
    let table = state.board.table(canvas.area);
    if table.top > 0 {
        clock(state, canvas, 0);
    }
    for (index, chip) in chips.iter().enumerate() {
        let (column, row) = table.column_and_row(index);
        if column + usize::from(CHIP_WIDTH) <= canvas.width() + 1 {
            let is_chosen = state.panes.focus == Pane::Board && index == state.board.chip;
            let width = canvas.width();
            let mut part = canvas.cell(column, row, width);
            draw_chip(state, &mut part, chip, if is_chosen { Ink::Now } else { Ink::Label });
        }
    }
    if let Some(row) = table.details {
        describe(state, &mut canvas.below(row), state.board.chip);
    }
}

fn draw_chip(state: &ScreenState, canvas: &mut Canvas, chip: &Chip, name_ink: Ink) {
    let (address, data) = (TwoPhases::of(state, chip.address()), TwoPhases::of(state, &chip.data));
    canvas.cell(0, 0, NAME).text(0, 0, &format!("{:<NAME$}", chip.name), name_ink);
    let digits = chip.address().len().div_ceil(4);
    let text = format!("{}{:0digits$X}", mark(address.is_new()), address.now);
    canvas.text_before(ADDRESS_END, 0, &text, if address.is_new() { Ink::Changed } else { Ink::Dim });
    canvas.text(ADDRESS_END, 0, canvas.theme.symbols.leads_to, Ink::Dim);
    let digits = chip.data.len().div_ceil(4);
    let text = format!("{:0digits$X}{}", data.now, mark(data.is_new()));
    canvas.text(ADDRESS_END + 1, 0, &text, changed(data.is_new()));
}

/// One chip in full: its description, its address and data field by field, its nets.
fn describe(state: &ScreenState, canvas: &mut Canvas, id: ChipId) {
    let Some(chip) = state.board.netlist().chips.get(id) else { return };
    let (contents, holds) = match &state.board.board.chips[id] {
        board::Chip::Rom { burn, .. } => match burn.contents() {
            Some(contents) => (Some(contents), format!("{burn:?}")),
            None => (None, "cells of the board file".to_owned()),
        },
        board::Chip::Ram { .. } => (None, "RAM".to_owned()),
    };
    let column = canvas.text(0, 0, &chip.name, Ink::Title);
    canvas.text(column + 2, 0, &format!("{} {holds}", chip.part), Ink::Plain);
    let Some(contents) = contents else {
        let row = list_nets(state, canvas, 1, "sees", &chip.reads);
        list_nets(state, canvas, row, "gives", &chip.data);
        return;
    };
    let row = list_fields(canvas, 1, "sees", contents.address, TwoPhases::of(state, chip.address()));
    let row = list_fields(canvas, row, "gives", contents.data, TwoPhases::of(state, &chip.data));
    let driven = chip.data.iter().filter(|net| !chip.reads.contains(net));
    let nets: Vec<NetId> = chip.reads.iter().chain(driven).copied().collect();
    let row = list_nets(state, canvas, row, "nets", &nets);
    canvas.below(row).paragraph(contents.about, Ink::Dim);
}

/// Fields with their values in binary, the lowest first as in the pinout. Returns the row below.
fn list_fields(canvas: &mut Canvas, row: usize, title: &str, fields: &[Field], change: TwoPhases) -> usize {
    let values = split(fields, change.now).into_iter().zip(split(fields, change.before));
    let items = fields.iter().zip(values).map(|((name, width), (now, before))| {
        (format!("{name} {now:0width$b}", width = *width as usize), now != before)
    });
    list(canvas, row, title, items)
}

/// Nets with their levels. Returns the row below.
fn list_nets(state: &ScreenState, canvas: &mut Canvas, row: usize, title: &str, nets: &[NetId]) -> usize {
    let netlist = state.board.netlist();
    let items = nets.iter().map(|&net| {
        let change = TwoPhases::of(state, &[net]);
        (format!("{} {}", netlist.nets[net].name, change.now), change.is_new())
    });
    list(canvas, row, title, items)
}

/// Items, each with whether it has changed, in as many rows as they need. Returns the row below.
fn list(
    canvas: &mut Canvas,
    mut row: usize,
    title: &str,
    items: impl Iterator<Item = (String, bool)>,
) -> usize {
    canvas.text(0, row, title, Ink::Dim);
    let mut column = INDENT;
    for (text, is_new) in items {
        let text = format!("{text}{}", mark(is_new));
        if column > INDENT && column + text.chars().count() > canvas.width() {
            (row, column) = (row + 1, INDENT);
        }
        column = canvas.text(column, row, &text, changed(is_new)) + 1;
    }
    row + 1
}
