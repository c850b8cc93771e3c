//! Curves: several things over one quantity, each named at its end, in a colour and with marks of its own.

use crate::axis::{Axis, Ruler, Tick};
use crate::page::{Anchor, Heading, MARGIN, NOTE, PLAIN, Page, SMALL, TEXT, WIDTH, cut, width};
use crate::palette::{AXIS, COLOURS, FAINT, FINE_GRID, GRID, PAPER};

/// How high the curves are.
const HEIGHT: f64 = 400.0;
/// Between the names of curves.
const LINE: f64 = 19.0;
/// The widest that names may be.
const LONGEST_NAME: f64 = 260.0;

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What stands over and under it.
    pub heading: Heading,
    /// What lies to the right.
    pub x: Axis,
    /// What lies upward.
    pub y: Axis,
    /// The curves. Their colours and marks follow from their order.
    pub curves: Vec<Curve>,
    /// Places of `x` that have a name.
    pub guides: Vec<Guide>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it belongs to.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// Its points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line: a quantity known everywhere.
    Line,
    /// Marks: measurements that nothing joins.
    Marks,
    /// Both: measurements, joined to lead the eye.
    Both,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upward.
    pub y: f64,
    /// From where to where `y` may be: an error bar at a mark, a band along a line.
    pub between: Option<(f64, f64)>,
}

/// A place of the `x` axis with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// The place.
    pub at: f64,
    /// The name.
    pub name: String,
}

impl Point {
    /// A point that is certain.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, between: None }
    }
}

/// Where the curves are drawn.
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
            curve.band(&mut page, &field, COLOURS[number % COLOURS.len()]);
        }
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
        let top = page.y + if self.guides.is_empty() { 4.0 } else { 24.0 };
        let bottom = top + HEIGHT;
        let y = Ruler::new(&self.y, ys, bottom, top).rounded();
        let numbers = y.ticks().iter().map(|tick| width(&tick.label, SMALL)).fold(0.0, f64::max);
        let names = self.curves.iter().map(|curve| width(&curve.name, TEXT)).fold(0.0, f64::max);
        let left = MARGIN + 28.0 + numbers;
        let right = WIDTH - MARGIN - names.min(LONGEST_NAME) - 44.0;
        let inset = 14.0; // so that no mark lies on the frame
        let guides = self.guides.iter().map(|guide| guide.at);
        let x = Ruler::new(&self.x, points().map(|point| point.x).chain(guides), left + inset, right - inset);
        Field { x, y, left, right, top, bottom }
    }

    fn grid(&self, page: &mut Page, field: &Field) {
        let Field { left, right, top, bottom, .. } = *field;
        let colour = |tick: &Tick| if tick.label.is_empty() { FINE_GRID } else { GRID };
        for tick in field.y.ticks() {
            page.line((left, tick.place), (right, tick.place), colour(&tick), "stroke-width=\"1\"");
            page.text(left - 8.0, tick.place + 4.0, Anchor::End, NOTE, &tick.label);
        }
        let mut free = f64::MIN; // where the last number ends
        for tick in field.x.ticks() {
            page.line((tick.place, top), (tick.place, bottom), colour(&tick), "stroke-width=\"1\"");
            let half = width(&tick.label, SMALL) / 2.0;
            if !tick.label.is_empty() && tick.place - half > free {
                page.text(tick.place, bottom + 18.0, Anchor::Middle, NOTE, &tick.label);
                free = tick.place + half + 6.0;
            }
        }
        let frame = [(left, top), (left, bottom), (right, bottom)];
        page.path(&frame, false, &format!("fill=\"none\" stroke=\"{AXIS}\""));
        page.text(f64::midpoint(left, right), bottom + 40.0, Anchor::Middle, PLAIN, &self.x.title);
        page.upward_text(MARGIN + 10.0, f64::midpoint(top, bottom), PLAIN, &self.y.title);
        for guide in &self.guides {
            let Some(place) = field.x.place(guide.at) else { continue };
            let look = "stroke-width=\"1.2\" stroke-dasharray=\"4 3\"";
            page.line((place, top), (place, bottom), FAINT, look);
            let half = width(&guide.name, SMALL) / 2.0;
            let middle = place.clamp(MARGIN + half, (WIDTH - MARGIN - half).max(MARGIN + half));
            page.text(middle, top - 9.0, Anchor::Middle, NOTE, &guide.name);
        }
    }

    /// The names of the curves, right of them, each as high as its curve ends or as near to that as there is room.
    fn names(&self, page: &mut Page, field: &Field) {
        let mut names: Vec<(f64, usize)> = Vec::new();
        for (number, curve) in self.curves.iter().enumerate() {
            let end = curve.places(field).last().map_or(field.bottom, |place| place.1);
            names.push((end, number));
        }
        names.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut heights: Vec<f64> = names.iter().map(|(end, _)| *end).collect();
        spread(&mut heights, field.top, field.bottom);
        for ((_, number), height) in names.into_iter().zip(heights) {
            let curve = &self.curves[number];
            let colour = COLOURS[number % COLOURS.len()];
            let start = field.right + 26.0;
            if let Some(end) = curve.places(field).last() {
                let lead = [(end.0 + 7.0, end.1), (field.right + 4.0, end.1), (start - 8.0, height)];
                let look = format!(
                    "fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.45\" stroke-dasharray=\"1.5 3\""
                );
                page.path(&lead, false, &look);
            }
            if curve.look != Look::Line {
                mark(page, (start, height), number, colour);
            } else {
                let look = "stroke-width=\"2.5\"";
                page.line((start - 5.0, height), (start + 6.0, height), colour, look);
            }
            let name = cut(&curve.name, TEXT, LONGEST_NAME);
            page.text(start + 11.0, height + 4.5, Anchor::Start, PLAIN, &name);
        }
    }
}

impl Curve {
    /// The points on paper, those that can be shown.
    fn places(&self, field: &Field) -> Vec<(f64, f64)> {
        let place = |point: &Point| Some((field.x.place(point.x)?, field.y.place(point.y)?));
        self.points.iter().filter_map(place).collect()
    }

    /// Between which heights the curve may be: a band along a line, bars at marks.
    fn band(&self, page: &mut Page, field: &Field, colour: &str) {
        let ends = |point: &Point| {
            let (low, high) = point.between?;
            Some((field.x.place(point.x)?, field.y.place(low)?, field.y.place(high)?))
        };
        let ends: Vec<(f64, f64, f64)> = self.points.iter().filter_map(ends).collect();
        if self.look == Look::Marks {
            for (x, low, high) in ends {
                let look = "stroke-width=\"1.5\" stroke-opacity=\"0.7\"";
                page.line((x, low), (x, high), colour, look);
                for end in [low, high] {
                    page.line((x - 4.0, end), (x + 4.0, end), colour, look);
                }
            }
        } else if !ends.is_empty() {
            let there = ends.iter().map(|(x, _, high)| (*x, *high));
            let back = ends.iter().rev().map(|(x, low, _)| (*x, *low));
            let outline: Vec<(f64, f64)> = there.chain(back).collect();
            page.path(&outline, true, &format!("class=\"band\" fill=\"{colour}\" fill-opacity=\"0.16\""));
        }
    }

    fn draw(&self, page: &mut Page, field: &Field, number: usize) {
        let colour = COLOURS[number % COLOURS.len()];
        let places = self.places(field);
        if self.look != Look::Marks && places.len() > 1 {
            let look = format!(
                "class=\"curve\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" stroke-linejoin=\"round\""
            );
            page.path(&places, false, &look);
        }
        if self.look != Look::Line {
            for place in places {
                mark(page, place, number, colour);
            }
        }
    }
}

/// The mark of a curve: its shape tells it apart where its colour does not.
fn mark(page: &mut Page, (x, y): (f64, f64), number: usize, colour: &str) {
    let look = format!("class=\"mark\" fill=\"{colour}\" stroke=\"{PAPER}\" stroke-width=\"1\"");
    let shape: &[(f64, f64)] = match number % 6 {
        0 => {
            page.element(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" {look}/>"));
            return;
        }
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

/// Moves heights, which ascend, so far apart that a line of text fits between any two.
fn spread(heights: &mut [f64], top: f64, bottom: f64) {
    for place in 1..heights.len() {
        heights[place] = heights[place].max(heights[place - 1] + LINE);
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
