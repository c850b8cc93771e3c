//! The panes, and their layout on a screen of any size.
//!
//! ```text
//!   80 x 24                                   120 x 40
//!   ┌─ title ─────────────────────────┐       ┌─ title ────────────────────────────┐
//!   │ source or board     │ registers │       │ source         │ registers │ LEDs  │
//!   │                     │ the panes │       │                │ RAM       │ output│
//!   │                     │ that fit  │       ├────────────────┴───────────┴───────┤
//!   ├─ timeline ──────────────────────┤       │ board                              │
//!   │ messages                        │       ├─ timeline ─────────────────────────┤
//!   └─ command line, or keys ─────────┘       └─ messages, command line ───────────┘
//! ```

use ratatui_core::layout::Constraint::{Fill, Length};
use ratatui_core::layout::{Layout, Margin, Rect};

/// A part of the screen that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// All panes, in the order of the digits that show them.
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
const NAMES: [&str; 8] = ["source", "board", "registers", "ram", "display", "output", "points", "messages"];

/// The size of the screen, and the user's choice of panes.
pub struct Panes {
    pub screen: Rect,
    pub focus: Pane,
    /// Whether the pane with the focus fills the screen.
    pub is_zoomed: bool,
    /// The panes at the side, in order of preference.
    side: Vec<Pane>,
    /// The number of chips in the board pane.
    chips: usize,
}

/// The areas of everything on the screen.
pub struct ScreenLayout {
    pub title: Rect,
    /// The panes that are visible.
    pub panes: Vec<(Pane, Rect)>,
    pub time: Rect,
    /// The area of the latest messages, if their pane is not visible.
    pub messages: Rect,
    pub prompt: Rect,
}

/// The width of a chip in the board pane.
pub const CHIP_WIDTH: u16 = 18;
/// A screen that is narrower, or has no room for two panes above each other, shows one pane at a time.
const NARROW: u16 = 64;
/// The height of a frame with one row inside.
const MIN_HEIGHT: u16 = 3;
/// From this size on, the board is visible together with the source.
const WIDE: (u16, u16) = (118, 38);
const REGISTERS_HEIGHT: u16 = 8;
const DISPLAY_HEIGHT: u16 = 10;
const DISPLAY_WIDTH: u16 = 21;
const STATE_WIDTH: u16 = 42;

impl Pane {
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The least and the greatest useful height.
    fn heights(self) -> (u16, u16) {
        match self {
            Pane::Registers => (4, REGISTERS_HEIGHT),
            Pane::Display => (DISPLAY_HEIGHT, DISPLAY_HEIGHT),
            _ => (4, u16::MAX),
        }
    }
}

impl Panes {
    pub fn new(chips: usize) -> Panes {
        Panes {
            screen: Rect::new(0, 0, 80, 24),
            focus: Pane::Source,
            is_zoomed: false,
            side: vec![Pane::Display, Pane::Ram, Pane::Output, Pane::Points],
            chips,
        }
    }

    /// Whether the screen is so small that it shows only the position of the machine.
    pub fn is_tiny(&self) -> bool {
        self.screen.width < 20 || self.screen.height < 5
    }

    /// Gives a pane the focus, and makes it visible.
    pub fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        if let Some(index) = self.side.iter().position(|other| *other == pane) {
            self.side[..=index].rotate_right(1);
        }
    }

    /// The area inside the frame of a pane; empty if the pane is not visible.
    pub fn inside(&self, pane: Pane) -> Rect {
        let panes = self.layout().panes;
        let visible = panes.iter().find(|(other, _)| *other == pane);
        visible.map_or(Rect::ZERO, |(_, area)| area.inner(Margin::new(1, 1)))
    }

    /// The number of rows of a pane that are visible.
    pub fn rows_of(&self, pane: Pane) -> usize {
        usize::from(self.inside(pane).height)
    }

    pub fn layout(&self) -> ScreenLayout {
        let Rect { width, height, .. } = self.screen;
        let messages = match height {
            _ if self.focus == Pane::Messages => 0,
            0..10 => 0,
            10..16 => 1,
            16..20 => 2,
            20..30 => 3,
            30..40 => 4,
            40..50 => 5,
            _ => 8,
        };
        let time = u16::from(height >= 8);
        let rows = [Length(1), Fill(1), Length(time), Length(messages), Length(1)];
        let [title, body, time, messages, prompt] = Layout::vertical(rows).areas(self.screen);
        let panes = if self.is_zoomed || width < NARROW || body.height < 2 * MIN_HEIGHT {
            vec![(self.focus, body)]
        } else if width >= WIDE.0 && height >= WIDE.1 {
            self.wide(body)
        } else if matches!(self.focus, Pane::Board | Pane::Messages) {
            vec![(self.focus, body)]
        } else {
            let side = Length(if width >= 100 { STATE_WIDTH } else { 32 });
            let [source, side] = Layout::horizontal([Fill(1), side]).areas(body);
            let mut panes = vec![(Pane::Source, source)];
            panes.extend(stack(side, Pane::Registers, &self.side));
            panes
        };
        ScreenLayout { title, panes, time, messages, prompt }
    }

    /// Everything at once: two columns beside the source, and the board below.
    fn wide(&self, body: Rect) -> Vec<(Pane, Rect)> {
        let columns = (body.width.saturating_sub(2) / CHIP_WIDTH).max(1);
        let rows = self.chips.div_ceil(usize::from(columns)).min(100) as u16 + 2;
        let [top, board] = Layout::vertical([Fill(1), Length(rows.min(body.height / 2))]).areas(body);
        if self.focus == Pane::Messages {
            return vec![(Pane::Messages, top), (Pane::Board, board)];
        }
        let columns = [Fill(1), Length(STATE_WIDTH), Length(DISPLAY_WIDTH)];
        let [source, state, lights] = Layout::horizontal(columns).areas(top);
        let is_below_lights = |pane: &Pane| matches!(pane, Pane::Output | Pane::Points);
        let others: Vec<Pane> = self.side.iter().copied().filter(is_below_lights).collect();
        let mut panes = vec![(Pane::Source, source)];
        panes.extend(stack(state, Pane::Registers, &[Pane::Ram]));
        panes.extend(stack(lights, Pane::Display, &others));
        panes.push((Pane::Board, board));
        panes
    }
}

/// A stack of panes, in the order of their digits: `first` always, and as many of the others as fit. `others` are in the
/// order of preference.
fn stack(area: Rect, first: Pane, others: &[Pane]) -> Vec<(Pane, Rect)> {
    let first_height = first.heights().1.min(area.height.saturating_sub(MIN_HEIGHT));
    let mut left = area.height - first_height;
    let mut free = left;
    let mut chosen = Vec::new();
    for &pane in others {
        let (least, _) = pane.heights();
        // The first one is always there.
        if least <= free || chosen.is_empty() {
            free = free.saturating_sub(least);
            chosen.push(pane);
        }
    }
    let wanted = chosen.first().copied();
    chosen.sort();
    let mut heights = vec![first_height];
    for (index, &pane) in chosen.iter().enumerate() {
        let (least, greatest) = pane.heights();
        let below: u16 = chosen[index + 1..].iter().map(|pane| pane.heights().0).sum();
        let spare = left.saturating_sub(least + below);
        // The remaining rows go to the first of the wanted panes, or else to the last pane.
        let share = if Some(pane) == wanted { spare } else { spare / 2 };
        let is_last = index + 1 == chosen.len();
        let height = if is_last { left } else { (least + share).min(greatest).min(left) };
        left -= height;
        heights.push(height);
    }
    let areas = Layout::vertical(heights.into_iter().map(Length)).split(area);
    std::iter::once(first).chain(chosen).zip(areas.iter().copied()).collect()
}
