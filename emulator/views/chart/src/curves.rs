//! Curves: several things over one quantity, each with its name at its end, its own colour and its own marks.

use crate::axis::{Axis, Ruler, Tick};
use crate::page::{
    END, Heading, MARGIN, MIDDLE, NOTE, PLAIN, Page, SMALL, START, TEXT, THIN, WIDTH, cut, widest,
};
use crate::palette::{AXIS, FINE_GRID, GRID, PAPER, curve_colour};

/// The height of the field.
const HEIGHT: f64 = 400.0;
/// The least distance between two names.
const LINE: f64 = 19.0;
/// Longer names are cut off.
const LONGEST_NAME: f64 = 260.0;

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves. Their order determines their colours and marks.
    pub curves: Vec<Curve>,
}

/// A curve of a chart: measurements, joined to lead the eye.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What is measured.
    pub name: String,
    /// The points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The value on the vertical axis.
    pub y: f64,
    /// The range that `y` may lie in, shown as an error bar.
    pub between: Option<(f64, f64)>,
}

impl Point {
    /// A point without uncertainty.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, between: None }
    }
}

/// The area that the curves are drawn in.
struct Field {
    x: Ruler,
    y: Ruler,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Curves {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let field = self.field(&page);
        self.grid(&mut page, &field);
        for (number, curve) in self.curves.iter().enumerate() {
            curve.draw(&mut page, &field, number);
        }
        self.names(&mut page, &field);
        page.y = field.bottom + 50.0;
        page.svg()
    }

    fn field(&self, page: &Page) -> Field {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let ys = points().flat_map(|point| {
            let (low, high) = point.between.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        let top = page.y + 4.0;
        let bottom = top + HEIGHT;
        let y = Ruler::new(&self.y, ys, bottom, top).rounded();
        let numbers = widest(y.ticks().iter().map(|tick| &tick.label), SMALL);
        let names = widest(self.curves.iter().map(|curve| &curve.name), TEXT);
        let left = MARGIN + 28.0 + numbers;
        let right = WIDTH - MARGIN - names.min(LONGEST_NAME) - 44.0;
        let inset = 14.0; // keeps marks off the frame
        let x = Ruler::new(&self.x, points().map(|point| point.x), left + inset, right - inset);
        Field { x, y, left, right, top, bottom }
    }

    fn grid(&self, page: &mut Page, field: &Field) {
        let Field { left, right, top, bottom, .. } = *field;
        let colour = |tick: &Tick| if tick.label.is_empty() { FINE_GRID } else { GRID };
        for tick in field.y.ticks() {
            page.line((left, tick.place), (right, tick.place), colour(&tick), THIN);
            page.text(left - 8.0, tick.place + 4.0, END, NOTE, &tick.label);
        }
        for tick in field.x.ticks() {
            page.line((tick.place, top), (tick.place, bottom), colour(&tick), THIN);
            page.label(tick.place, bottom + 18.0, 6.0, &tick.label);
        }
        let frame = [(left, top), (left, bottom), (right, bottom)];
        page.path(&frame, false, &format!(r#"fill="none" stroke="{AXIS}""#));
        page.text(f64::midpoint(left, right), bottom + 40.0, MIDDLE, PLAIN, &self.x.title);
        page.upward_text(MARGIN + 10.0, f64::midpoint(top, bottom), PLAIN, &self.y.title);
    }

    /// The names of the curves to their right, each as near as possible to the height where its curve ends.
    fn names(&self, page: &mut Page, field: &Field) {
        let end = |curve: &Curve| curve.places(field).last().map_or(field.bottom, |place| place.1);
        let mut names: Vec<(f64, usize)> = self.curves.iter().map(end).zip(0..).collect();
        names.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut heights: Vec<f64> = names.iter().map(|(end, _)| *end).collect();
        spread(&mut heights, field.top, field.bottom);
        for ((_, number), height) in names.into_iter().zip(heights) {
            let curve = &self.curves[number];
            let colour = curve_colour(number);
            let start = field.right + 26.0;
            if let Some(end) = curve.places(field).last() {
                let lead = [(end.0 + 7.0, end.1), (field.right + 4.0, end.1), (start - 8.0, height)];
                let faint = r#"stroke-opacity="0.45" stroke-dasharray="1.5 3""#;
                page.path(&lead, false, &format!(r#"fill="none" stroke="{colour}" {faint}"#));
            }
            mark(page, (start, height), number, colour);
            let name = cut(&curve.name, TEXT, LONGEST_NAME);
            page.text(start + 11.0, height + 4.5, START, PLAIN, &name);
        }
    }
}

impl Curve {
    /// The points on the page; those that cannot be shown are left out.
    fn places(&self, field: &Field) -> Vec<(f64, f64)> {
        let place = |point: &Point| Some((field.x.place(point.x)?, field.y.place(point.y)?));
        self.points.iter().filter_map(place).collect()
    }

    fn draw(&self, page: &mut Page, field: &Field, number: usize) {
        let colour = curve_colour(number);
        let places = self.places(field);
        if places.len() > 1 {
            let line = r#"stroke-width="2.2" stroke-linejoin="round""#;
            page.path(&places, false, &format!(r#"class="curve" fill="none" stroke="{colour}" {line}"#));
        }
        for point in &self.points {
            if let Some((low, high)) = point.between {
                let ends = (field.x.place(point.x), field.y.place(low), field.y.place(high));
                if let (Some(x), Some(low), Some(high)) = ends {
                    bar(page, x, low, high, colour);
                }
            }
        }
        for place in places {
            mark(page, place, number, colour);
        }
    }
}

/// Draws an error bar.
fn bar(page: &mut Page, x: f64, low: f64, high: f64, colour: &str) {
    let look = r#"class="uncertain" stroke-width="1.5" stroke-opacity="0.7""#;
    page.line((x, low), (x, high), colour, look);
    for end in [low, high] {
        page.line((x - 4.0, end), (x + 4.0, end), colour, look);
    }
}

/// The mark of a curve. Its shape tells it apart where its colour does not.
fn mark(page: &mut Page, (x, y): (f64, f64), number: usize, colour: &str) {
    let look = format!(r#"class="mark" fill="{colour}" stroke="{PAPER}" {THIN}"#);
    let shape: &[(f64, f64)] = match number % 6 {
        0 => return page.circle((x, y), 5.0, &look),
        1 => &[(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)],
        2 => &[(0.0, -5.8), (5.6, 4.4), (-5.6, 4.4)],
        3 => &[(0.0, -6.2), (6.2, 0.0), (0.0, 6.2), (-6.2, 0.0)],
        4 => &[(0.0, 5.8), (5.6, -4.4), (-5.6, -4.4)],
        _ => &[
            (-2.0, -6.0),
            (2.0, -6.0),
            (2.0, -2.0),
            (6.0, -2.0),
            (6.0, 2.0),
            (2.0, 2.0),
            (2.0, 6.0),
            (-2.0, 6.0),
            (-2.0, 2.0),
            (-6.0, 2.0),
            (-6.0, -2.0),
            (-2.0, -2.0),
        ],
    };
    let corners: Vec<(f64, f64)> = shape.iter().map(|(right, down)| (x + right, y + down)).collect();
    page.path(&corners, true, &look);
}

/// Moves ascending heights apart until a line of text fits between any two.
fn spread(heights: &mut [f64], top: f64, bottom: f64) {
    for name in 1..heights.len() {
        heights[name] = heights[name].max(heights[name - 1] + LINE);
    }
    let mut floor = bottom.max(top + LINE * heights.len() as f64);
    for height in heights.iter_mut().rev() {
        *height = height.min(floor);
        floor = *height - LINE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_overlap() {
        let mut heights = [100.0, 101.0, 102.0, 395.0, 399.0, 400.0];
        spread(&mut heights, 0.0, 400.0);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= LINE - 1e-9), "{heights:?}");
        assert!(heights[5] <= 400.0);
        assert_eq!(heights[0], 100.0);
    }
}
