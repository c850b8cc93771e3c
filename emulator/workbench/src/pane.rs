//! The panes, and where each of them is on a screen of any size.
//!
//! ```text
//!   80 x 24                                   120 x 40
//!   ┌─ title ─────────────────────────┐       ┌─ title ────────────────────────────┐
//!   │ source or board     │ registers │       │ source         │ registers │ LEDs  │
//!   │                     │ the panes │       │                │ RAM       │ output│
//!   │                     │ that fit  │       ├────────────────┴───────────┴───────┤
//!   ├─ time line ─────────────────────┤       │ board                              │
//!   │ messages                        │       ├─ time line ────────────────────────┤
//!   └─ command line, or keys ─────────┘       └─ messages, command line ───────────┘
//! ```

use ratatui::layout::Rect;

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their names say it
pub enum Pane {
    Source,
    Board,
    Registers,
    Ram,
    Display,
    Output,
    Points,
    Messages,
}

/// All panes, in the order of their digits.
pub const PANES: [Pane; 8] = [
    Pane::Source,
    Pane::Board,
    Pane::Registers,
    Pane::Ram,
    Pane::Display,
    Pane::Output,
    Pane::Points,
    Pane::Messages,
];

/// What somebody wants to see.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The pane that has the keys.
    pub focus: Pane,
    /// Whether it is to be seen alone.
    pub zoom: bool,
    /// The panes at the side, the most wanted first.
    pub side: Vec<Pane>,
    /// How many chips the board has.
    pub chips: usize,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// Program and position.
    pub title: Rect,
    /// The panes that are seen.
    pub panes: Vec<(Pane, Rect)>,
    /// The time line.
    pub time: Rect,
    /// The latest messages, where they are not seen in a pane.
    pub messages: Rect,
    /// The command line.
    pub prompt: Rect,
}

/// Columns that a chip takes in the board's pane.
pub const CHIP_WIDTH: u16 = 18;
/// Narrower than this, there is one pane at a time.
const NARROW: u16 = 64;
/// From this size on, the board is seen together with the program.
const WIDE: (u16, u16) = (118, 38);
const REGISTERS_HEIGHT: u16 = 8;
const DISPLAY_HEIGHT: u16 = 10;
const DISPLAY_WIDTH: u16 = 21;

impl Pane {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Source => "source",
            Pane::Board => "board",
            Pane::Registers => "registers",
            Pane::Ram => "ram",
            Pane::Display => "display",
            Pane::Output => "output",
            Pane::Points => "points",
            Pane::Messages => "messages",
        }
    }

    /// Its least and its greatest useful height.
    fn heights(self) -> (u16, u16) {
        match self {
            Pane::Registers => (4, REGISTERS_HEIGHT),
            Pane::Display => (DISPLAY_HEIGHT, DISPLAY_HEIGHT),
            _ => (4, u16::MAX),
        }
    }
}

impl Arrangement {
    /// Where a pane is, if it is seen.
    pub fn area_of(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|(other, _)| *other == pane).map(|(_, area)| *area)
    }
}

/// Whether a screen is so small that it shows only where the machine is.
pub fn is_tiny(area: Rect) -> bool {
    area.width < 20 || area.height < 5
}

/// Arranges the screen.
pub fn arrange(area: Rect, wish: &Wish) -> Arrangement {
    let mut left = area;
    let title = take_top(&mut left, 1);
    let prompt = take_bottom(&mut left, 1);
    let is_alone = wish.zoom || area.width < NARROW;
    let messages = match area.height {
        _ if wish.focus == Pane::Messages => 0,
        0..10 => 0,
        10..16 => 1,
        16..20 => 2,
        20..30 => 3,
        30..40 => 4,
        40..50 => 5,
        _ => 8,
    };
    let messages = take_bottom(&mut left, messages);
    let time = take_bottom(&mut left, u16::from(area.height >= 8));
    let panes = if is_alone {
        vec![(wish.focus, left)]
    } else if area.width >= WIDE.0 && area.height >= WIDE.1 {
        wide(left, wish)
    } else if wish.focus == Pane::Board || wish.focus == Pane::Messages {
        vec![(wish.focus, left)]
    } else {
        let side = take_right(&mut left, if area.width >= 100 { 42 } else { 32 });
        let mut panes = vec![(Pane::Source, left)];
        panes.extend(column(side, Pane::Registers, &wish.side));
        panes
    };
    Arrangement { title, panes, time, messages, prompt }
}

/// Everything at once: two columns beside the source, and the board below.
fn wide(mut left: Rect, wish: &Wish) -> Vec<(Pane, Rect)> {
    let columns = (left.width.saturating_sub(2) / CHIP_WIDTH).max(1);
    let rows = wish.chips.div_ceil(usize::from(columns)).min(100) as u16 + 2;
    let half = left.height / 2;
    let board = take_bottom(&mut left, rows.min(half));
    let lights = take_right(&mut left, DISPLAY_WIDTH);
    let state = take_right(&mut left, 42);
    if wish.focus == Pane::Messages {
        return vec![(Pane::Messages, left.union(lights)), (Pane::Board, board)];
    }
    let mut panes = vec![(Pane::Source, left)];
    panes.extend(column(state, Pane::Registers, &[Pane::Ram]));
    let rest: Vec<Pane> =
        wish.side.iter().copied().filter(|pane| matches!(pane, Pane::Output | Pane::Points)).collect();
    panes.extend(column(lights, Pane::Display, &rest));
    panes.push((Pane::Board, board));
    panes
}

/// A column of panes: the first always, of the others the most wanted that fit, in the order of their digits.
fn column(mut area: Rect, first: Pane, others: &[Pane]) -> Vec<(Pane, Rect)> {
    let mut free = area.height.saturating_sub(first.heights().1);
    let mut chosen = Vec::new();
    for &pane in others {
        let (least, _) = pane.heights();
        // The most wanted is there in any case, as far as there is room at all.
        if least <= free || (chosen.is_empty() && free > 0) {
            free = free.saturating_sub(least);
            chosen.push(pane);
        }
    }
    let wanted = chosen.first().copied();
    chosen.sort_by_key(|pane| PANES.iter().position(|other| other == pane));
    let mut panes = vec![(first, take_top(&mut area, first.heights().1))];
    for (place, &pane) in chosen.iter().enumerate() {
        let (least, greatest) = pane.heights();
        let behind: u16 = chosen[place + 1..].iter().map(|pane| pane.heights().0).sum();
        let spare = area.height.saturating_sub(least + behind);
        let is_last = place + 1 == chosen.len();
        // What is left over goes to the one that is wanted most, or else to the last.
        let share = if is_last || Some(pane) == wanted { spare } else { spare / 2 };
        let height = if is_last { area.height } else { (least + share).min(greatest) };
        panes.push((pane, take_top(&mut area, height)));
    }
    panes.retain(|(_, area)| !area.is_empty());
    panes
}

fn take_top(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    let taken = Rect { height, ..*area };
    *area = Rect { y: area.y + height, height: area.height - height, ..*area };
    taken
}

fn take_bottom(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    area.height -= height;
    Rect { y: area.y + area.height, height, ..*area }
}

fn take_right(area: &mut Rect, width: u16) -> Rect {
    let width = width.min(area.width);
    area.width -= width;
    Rect { x: area.x + area.width, width, ..*area }
}
