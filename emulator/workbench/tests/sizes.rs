//! Properties of a screen of any size: every pane has a whole frame, the panes cover their part of the screen and do
//! not overlap, one has the focus, and a screen too small for panes shows the position of the machine.

use crate::support;
use crossterm::event::Event;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Rect};
use support::Bench;

const COUNT: &str = include_str!("count.g1");
const NARROWEST: u16 = 20;
const LOWEST: u16 = 5;

/// Keys, and whether a pane must then show the position of the machine.
const STATES: [(&str, bool); 11] = [
    ("", true),
    (":break loop<Enter>rrr:a message<Enter>", true),
    ("2", false),
    ("3", false),
    ("4", false),
    ("5", false),
    ("6", false),
    ("7", false),
    ("8", false),
    ("1z", true),
    ("1:pri<Tab><Tab>", false),
];

#[test]
fn panes_have_frames_and_cover_the_screen() {
    for (keys, shows_machine) in STATES {
        let mut bench = Bench::new("count.g1", COUNT, 80, 24);
        bench.keys(keys);
        for (width, height) in sizes() {
            bench.event(&Event::Resize(width, height));
            let (buffer, cursor) = bench.draw();
            let place = format!("{keys:?}, {width} x {height}:\n{}", bench.text());
            assert!(cursor.is_none_or(|cursor| bench.area.contains(cursor)), "{place}");
            if width < NARROWEST || height < LOWEST {
                let shown = bench.text();
                let cycle = shown.lines().next().map_or("", |line| line.trim_end_matches('…'));
                assert!(cycle.starts_with("cycle ") || "cycle ".starts_with(cycle), "{place}");
                continue;
            }
            assert!(bench.text().lines().next().is_some_and(|title| title.contains("cycle ")), "{place}");
            let frames = frames(&buffer);
            let body = frames.iter().copied().reduce(Rect::union).unwrap_or_default();
            assert_eq!(
                (body.x, body.y, body.width),
                (0, 1, width),
                "the panes begin below the title: {place}"
            );
            let cells: u32 = frames.iter().map(|frame| frame.area()).sum();
            assert_eq!(cells, body.area(), "the panes cover their part of the screen once: {place}");
            let below = height - body.bottom();
            assert!((1..=height / 4 + 1).contains(&below), "{below} rows below the panes: {place}");
            let focused = frames.iter().filter(|frame| buffer[frame.as_position()].symbol() == "┏");
            assert_eq!(focused.count(), 1, "one pane has the focus: {place}");
            assert!(!shows_machine || bench.text().contains('►'), "the line of the machine: {place}");
        }
    }
}

#[test]
fn the_help_has_a_frame() {
    let mut bench = Bench::new("count.g1", COUNT, 80, 24);
    bench.keys("?");
    for (width, height) in sizes() {
        bench.event(&Event::Resize(width, height));
        let buffer = bench.buffer();
        if width >= NARROWEST && height >= LOWEST {
            assert_eq!(frames(&buffer), [buffer.area], "{width} x {height}:\n{}", bench.text());
        }
    }
}

/// All small sizes, and some larger ones.
fn sizes() -> impl Iterator<Item = (u16, u16)> {
    let widths = || (1..24).chain((24..150).step_by(9)).chain([200]);
    widths().flat_map(|width| (1..20).chain((20..70).step_by(7)).map(move |height| (width, height)))
}

/// The frames on a screen: each must be whole.
fn frames(buffer: &Buffer) -> Vec<Rect> {
    let area = buffer.area;
    let symbol = |x: u16, y: u16| buffer[(x, y)].symbol();
    let mut frames = Vec::new();
    for corner in area.positions() {
        let [right, bottom_left, bottom_right, horizontal, vertical] = match symbol(corner.x, corner.y) {
            "┌" => ["┐", "└", "┘", "─", "│"],
            "┏" => ["┓", "┗", "┛", "━", "┃"],
            _ => continue,
        };
        let width = (corner.x..area.right()).find(|&x| symbol(x, corner.y) == right).expect("a right corner");
        let height =
            (corner.y..area.bottom()).find(|&y| symbol(corner.x, y) == bottom_left).expect("a lower corner");
        let frame = Rect::new(corner.x, corner.y, width - corner.x + 1, height - corner.y + 1);
        let (last_column, last_row) = (frame.right() - 1, frame.bottom() - 1);
        assert_eq!(symbol(last_column, last_row), bottom_right, "{frame}");
        let inside = frame.inner(Margin::new(1, 1));
        for y in inside.rows().map(|row| row.y) {
            assert_eq!((symbol(frame.x, y), symbol(last_column, y)), (vertical, vertical), "{frame}");
        }
        for x in inside.columns().map(|column| column.x) {
            assert_eq!(symbol(x, last_row), horizontal, "{frame}");
        }
        frames.push(frame);
    }
    frames
}
