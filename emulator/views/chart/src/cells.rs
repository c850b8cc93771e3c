//! Tables of memory chips as pictures: one small square for each cell, row by row, coloured by its kind.

use crate::page::{BOLD, Heading, MARGIN, NOTE, Page, SMALL, START, TEXT, WIDTH, width};
use crate::palette::{COLOURS, GRID, INK};
use std::fmt::Write;

/// The greatest side of a cell.
const LARGEST: f64 = 8.0;
/// The colours of the kinds, in their order.
const KINDS: [&str; 4] = [GRID, "#9aa4af", COLOURS[1], COLOURS[0]];

/// The cells of several chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The chips, from top to bottom.
    pub tables: Vec<Table>,
    /// What the kinds of cells mean, the palest first.
    pub names: [String; 4],
}

/// The cells of a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of the chip.
    pub name: String,
    /// More about it, in small letters.
    pub note: String,
    /// The kind of each cell, by address: 0 to 3.
    pub kinds: Vec<u8>,
}

impl Cells {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let mut x = MARGIN;
        for (name, colour) in self.names.iter().zip(KINDS).filter(|(name, _)| !name.is_empty()) {
            page.rectangle((x, page.y), (12.0, 12.0), colour, "key", "");
            page.text(x + 18.0, page.y + 10.0, START, NOTE, name);
            x += 18.0 + width(name, SMALL) + 24.0;
        }
        page.y += 24.0;
        for table in &self.tables {
            table.draw(&mut page);
        }
        page.svg()
    }
}

impl Table {
    fn draw(&self, page: &mut Page) {
        page.text(MARGIN, page.y + 12.0, START, BOLD, &self.name);
        let note = MARGIN + width(&self.name, TEXT * 1.05) + 14.0;
        page.text(note, page.y + 12.0, START, NOTE, &self.note);
        page.y += 20.0;
        // A little wider than high, and a power of two, so that columns and rows are lines of the address.
        let columns = 1usize << self.kinds.len().max(1).ilog2().div_ceil(2);
        let rows = self.kinds.len().div_ceil(columns);
        let side = ((WIDTH - 2.0 * MARGIN) / columns as f64).min(LARGEST);
        let mut paths = KINDS.map(|_| String::new());
        for (row, kinds) in self.kinds.chunks(columns).enumerate() {
            let mut at = 0;
            for run in kinds.chunk_by(|a, b| a == b) {
                let length = run.len();
                let _ = write!(paths[usize::from(run[0]) % KINDS.len()], "M{at} {row}h{length}v1h-{length}z");
                at += length;
            }
        }
        page.element(&format!(r#"<g transform="translate({MARGIN:.1} {:.1}) scale({side:.3})">"#, page.y));
        for (path, colour) in paths.iter().zip(KINDS).filter(|(path, _)| !path.is_empty()) {
            page.element(&format!(r#"<path d="{path}" fill="{colour}"/>"#));
        }
        let frame = format!(r#"fill="none" stroke="{INK}" stroke-width="0.1""#);
        page.element(&format!(r#"<rect width="{columns}" height="{rows}" {frame}/></g>"#));
        page.y += side * rows as f64 + 18.0;
    }
}
