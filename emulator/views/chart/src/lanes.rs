//! Events in lanes, from the latest at the top to the earliest, with lines from each to those that led to it.

use crate::page::{
    END, Heading, MARGIN, MIDDLE, NOTE, Page, SMALL, START, Style, THIN, WIDTH, cut, widest, width,
};
use crate::palette::{FINE_GRID, GRID, INK, curve_colour};

/// The height of a row, and of a box in it.
const ROW: f64 = 30.0;
const BOX: f64 = 20.0;
/// The height of the line that begins a group of rows.
const GROUP: f64 = 24.0;
/// The greatest width of a lane.
const WIDEST: f64 = 160.0;

/// Events in lanes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The names of the lanes, from left to right.
    pub lanes: Vec<String>,
    /// The events, from the top down, each in a row of its own.
    pub events: Vec<Event>,
}

/// Something that happened in a lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// The heading of the group that begins with it, in a line above the row; may be empty.
    pub group: String,
    /// When it happened, in short.
    pub time: String,
    /// The lane.
    pub lane: usize,
    /// The text in its box, shortened to the room there.
    pub text: String,
    /// The text shown when the mouse points to it.
    pub name: String,
    /// The events that led to it, further down, each with whether it was necessary.
    pub causes: Vec<(usize, bool)>,
}

impl Lanes {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let times = widest(self.events.iter().map(|event| &event.time), SMALL).min(80.0);
        let left = MARGIN + times + 10.0;
        let lane = ((WIDTH - MARGIN - left) / self.lanes.len().max(1) as f64).min(WIDEST);
        let last = self.lanes.len().saturating_sub(1);
        let middle = |number: usize| left + lane * (number.min(last) as f64 + 0.5);
        let top = page.y + 18.0;
        // The lines between rows need the positions of all rows.
        let mut rows = Vec::new();
        let mut y = top;
        for event in &self.events {
            y += if event.group.is_empty() { 0.0 } else { GROUP };
            rows.push(y + ROW / 2.0);
            y += ROW;
        }
        for (number, name) in self.lanes.iter().enumerate() {
            page.line((middle(number), top), (middle(number), y), GRID, THIN);
            page.text(middle(number), top - 6.0, MIDDLE, NOTE, &cut(name, SMALL, lane - 4.0));
        }
        let place = |event: usize| Some((middle(self.events.get(event)?.lane), *rows.get(event)?));
        for (number, event) in self.events.iter().enumerate() {
            for &(cause, is_decisive) in &event.causes {
                let (Some(from), Some(to)) = (place(cause), place(number)) else { continue };
                let dashes = if is_decisive { "" } else { r#" stroke-dasharray="3 3""# };
                let look = format!(r#"class="cause" stroke-width="1.5" opacity="0.7"{dashes}"#);
                page.line((from.0, from.1 - BOX / 2.0), (to.0, to.1 + BOX / 2.0), curve_colour(0), &look);
            }
        }
        for (number, event) in self.events.iter().enumerate() {
            let Some((x, y)) = place(number) else { continue };
            if !event.group.is_empty() {
                let line = y - ROW / 2.0 - GROUP;
                page.line((MARGIN, line + 4.0), (WIDTH - MARGIN, line + 4.0), FINE_GRID, THIN);
                let style = Style { size: SMALL, colour: INK, bold: true };
                page.text(MARGIN, line + 19.0, START, style, &cut(&event.group, SMALL, WIDTH - 2.0 * MARGIN));
            }
            page.text(left - 10.0, y + 4.0, END, NOTE, &cut(&event.time, SMALL, times));
            let text = cut(&event.text, SMALL, lane - 4.0);
            let box_width = (width(&text, SMALL) + 6.0).min(lane - 2.0);
            page.rectangle(
                (x - box_width / 2.0, y - BOX / 2.0),
                (box_width, BOX),
                "#e8f1f8",
                "event",
                &event.name,
            );
            page.bare_text(x, y + 4.0, Style { size: SMALL, colour: INK, bold: false }, &text);
        }
        page.y = y + 8.0;
        page.svg()
    }
}
