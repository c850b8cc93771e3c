//! A map of cells: one result for each pair of two quantities, from none (orange) to all (blue).

use crate::page::{
    END, Heading, MARGIN, MIDDLE, NOTE, PLAIN, Page, SMALL, START, Style, THIN, WIDTH, cut, widest, width,
};
use crate::palette::{AXIS, PAPER, ink_on, shade};

/// The least and the greatest height of a row.
const ROW: (f64, f64) = (16.0, 36.0);
/// The height of all rows together, if possible.
const HEIGHT: f64 = 400.0;
/// The greatest width of a column.
const WIDEST: f64 = 84.0;
/// Longer names in the key are cut off.
const LONGEST_END: f64 = 200.0;
/// The colour of a cell that was not measured.
const UNKNOWN: &str = "#e4e7eb";

/// A map of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The columns, from left to right.
    pub x: Labels,
    /// The rows, from bottom to top.
    pub y: Labels,
    /// The cells, row by row. Missing cells were not measured.
    pub cells: Vec<Vec<Cell>>,
    /// What the shares 0 and 1 mean: `fails`, `holds`.
    pub ends: [String; 2],
}

/// The text along one side of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// What is measured, with its unit.
    pub title: String,
    /// A label for each column or row.
    pub labels: Vec<String>,
}

/// A cell of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// From 0, none, to 1, all.
    pub share: f64,
    /// Written in the cell if there is room; may be empty.
    pub text: String,
}

impl Map {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let (columns, rows) = (self.x.labels.len().max(1) as f64, self.y.labels.len().max(1) as f64);
        let labels = widest(&self.y.labels, SMALL).min(200.0);
        let left = MARGIN + 28.0 + labels + 8.0;
        let cell_width = ((WIDTH - MARGIN - left) / columns).min(WIDEST);
        let cell_height = (HEIGHT / rows).clamp(ROW.0, ROW.1);
        let (right, top) = (left + cell_width * columns, page.y + 4.0);
        let bottom = top + cell_height * rows;

        for (row, label) in self.y.labels.iter().enumerate() {
            let corner_y = bottom - cell_height * (row as f64 + 1.0);
            let label = cut(label, SMALL, labels);
            page.text(left - 8.0, corner_y + cell_height / 2.0 + 4.0, END, NOTE, &label);
            for column in 0..self.x.labels.len() {
                let corner = (left + cell_width * column as f64, corner_y);
                self.cell(&mut page, (column, row), corner, (cell_width, cell_height));
            }
        }
        let outline = [(left, top), (right, top), (right, bottom), (left, bottom)];
        page.path(&outline, true, &format!(r#"fill="none" stroke="{AXIS}""#));
        for (column, label) in self.x.labels.iter().enumerate() {
            page.label(left + cell_width * (column as f64 + 0.5), bottom + 18.0, 4.0, label);
        }
        page.text(f64::midpoint(left, right), bottom + 40.0, MIDDLE, PLAIN, &self.x.title);
        page.upward_text(MARGIN + 10.0, f64::midpoint(top, bottom), PLAIN, &self.y.title);
        page.y = bottom + 58.0;
        self.key(&mut page, left);
        page.svg()
    }

    fn cell(&self, page: &mut Page, (column, row): (usize, usize), corner: (f64, f64), size: (f64, f64)) {
        let cell =
            self.cells.get(row).and_then(|cells| cells.get(column)).filter(|cell| cell.share.is_finite());
        let (colour, text) = cell.map_or((UNKNOWN.to_owned(), "not measured"), |cell| {
            let words =
                if cell.text.is_empty() { &self.ends[usize::from(cell.share >= 0.5)] } else { &cell.text };
            (shade(cell.share), words.as_str())
        });
        let name = format!("{}, {}: {text}", self.x.labels[column], self.y.labels[row]);
        page.rectangle(corner, size, &colour, "cell", &name);
        let edges = [corner, (corner.0 + size.0, corner.1), (corner.0 + size.0, corner.1 + size.1)];
        page.path(&edges, false, &format!(r#"fill="none" stroke="{PAPER}" {THIN}"#));
        if let Some(cell) = cell.filter(|cell| width(&cell.text, SMALL) + 4.0 < size.0) {
            let style = Style { size: SMALL, colour: ink_on(cell.share), bold: false };
            page.bare_text(corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0 + 4.0, style, &cell.text);
        }
    }

    /// The key: what the colours mean.
    fn key(&self, page: &mut Page, left: f64) {
        let [none, all] = &self.ends.each_ref().map(|end| cut(end, SMALL, LONGEST_END));
        let is_graded = self.cells.iter().flatten().any(|cell| cell.share > 0.0 && cell.share < 1.0);
        let steps = if is_graded { 11 } else { 2 };
        let start = left + width(none, SMALL) + 8.0;
        page.text(left, page.y + 10.0, START, NOTE, none);
        for step in 0..steps {
            let share = f64::from(step) / f64::from(steps - 1);
            let corner = (start + 16.0 * f64::from(step), page.y);
            page.rectangle(corner, (16.0, 12.0), &shade(share), "key", "");
        }
        page.text(start + 16.0 * f64::from(steps) + 8.0, page.y + 10.0, START, NOTE, all);
        page.y += 16.0;
    }
}
