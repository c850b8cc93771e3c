//! The wiring of the board: blocks on a diagonal, their outputs, and the cables whose levels have changed in this
//! phase.
//!
//! ```text
//!   SEQ      05 ■━━◆━━◆─●        a cable leaves its block to the side,
//!   DEC       2    ■  ┃ │        and goes up or down to those that read it
//!   FLAGS    0D       ■ │
//! ```

use crate::canvas::Canvas;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::state::board::{NAMES, STEP};
use crate::theme::Ink;
use gray1_schematic::{Activity, Moment, Source};

/// The columns of a block's name; its value follows.
const NAME: usize = 10;

/// The drawing at a place: a line across, a line up and down, the corner of a cable.
#[derive(Clone, Copy, Default)]
struct Crossing {
    across: Option<Activity>,
    along: Option<Activity>,
    corner: Option<Activity>,
}

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let schematic = &state.board.schematic;
    let blocks = schematic.blocks();
    let moment = Moment::new(state.board.netlist(), &state.machine.levels, &state.machine.levels_before);
    let mut places = vec![vec![Crossing::default(); blocks.len() * STEP]; blocks.len()];
    for cable in schematic.cables() {
        let activity = Some(moment.of_cable(schematic, cable));
        let (from, to) = (cable.from.min(cable.to), cable.from.max(cable.to));
        for place in &mut places[cable.from][from * STEP..=to * STEP] {
            place.across = place.across.max(activity);
        }
        for row in &mut places[from..=to] {
            let place = &mut row[cable.to * STEP];
            place.along = place.along.max(activity);
        }
        let corner = &mut places[cable.from][cable.to * STEP].corner;
        *corner = (*corner).max(activity);
    }
    let (top, left) = state.board.window(canvas.area);
    let chosen = schematic.block_of(state.board.chip);
    for (row, block) in blocks.iter().enumerate().skip(top).take(canvas.height()) {
        let is_chosen = state.panes.focus == Pane::Board && chosen == Some(row);
        let mut line = canvas.cell(0, row - top, NAMES);
        line.text(0, 0, &block.name, if is_chosen { Ink::Now } else { Ink::Label });
        let activity = moment.of_block(schematic, row);
        // The values of several chips do not fit here; they are in the list of chips.
        if !matches!(&block.source, Source::Chips(chips) if chips.len() > 1) {
            line.text(NAME, 0, &moment.value(block), ink(activity));
        }
        for (column, place) in places[row].iter().enumerate().skip(left) {
            let symbols = canvas.theme.symbols;
            let (symbol, activity) = match *place {
                _ if column == row * STEP => (symbols.block, activity),
                Crossing { corner: Some(activity), .. } => (symbols.wire[activity as usize][3], activity),
                Crossing { across: Some(across), along: Some(along), .. } => {
                    (symbols.wire[across.max(along) as usize][2], across.max(along))
                }
                Crossing { along: Some(activity), .. } => (symbols.wire[activity as usize][1], activity),
                Crossing { across: Some(activity), .. } => (symbols.wire[activity as usize][0], activity),
                _ => continue,
            };
            canvas.cell(NAMES + column - left, row - top, 1).text(0, 0, symbol, ink(activity));
        }
    }
}

fn ink(activity: Activity) -> Ink {
    match activity {
        Activity::Idle => Ink::Dim,
        Activity::Steady => Ink::Plain,
        Activity::Moved => Ink::Changed,
    }
}
