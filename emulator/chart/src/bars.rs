//! Bars: one measure of several things, the name left of each bar, its value right of it.

use crate::axis::{Axis, Ruler, Scale};
use crate::number;
use crate::page::{Anchor, BOLD, Heading, MARGIN, NOTE, PLAIN, Page, SMALL, TEXT, WIDTH, cut, width};
use crate::palette::{AXIS, COLOURS, FINE_GRID, GRID};

/// From the middle of a bar to the middle of the next.
const PITCH: f64 = 44.0;
/// How thick a bar is.
const THICKNESS: f64 = 22.0;
/// The widest that names may be.
const LONGEST_NAME: f64 = 320.0;

/// A chart of bars, the first on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What stands over and under it.
    pub heading: Heading,
    /// What the bars measure. A logarithmic axis begins a little below the shortest bar.
    pub axis: Axis,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it belongs to.
    pub name: String,
    /// A little more about that, in small letters; or nothing.
    pub note: String,
    /// Its length.
    pub value: f64,
}

impl Bars {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let names = widest(
            &mut self.bars.iter().map(|bar| width(&bar.name, TEXT * 1.05).max(width(&bar.note, SMALL))),
        );
        let values = widest(&mut self.bars.iter().map(|bar| width(&number(bar.value), TEXT)));
        let names = names.min(LONGEST_NAME);
        let (left, right) = (MARGIN + names + 12.0, WIDTH - MARGIN - values - 10.0);
        let ruler = self.ruler(left, right);

        let top = page.y;
        let bottom = top + PITCH * self.bars.len() as f64 + 4.0;
        for tick in ruler.ticks() {
            let colour = if tick.label.is_empty() { FINE_GRID } else { GRID };
            page.line((tick.place, top), (tick.place, bottom), colour, "stroke-width=\"1\"");
        }
        page.line((left, top), (left, bottom), AXIS, "stroke-width=\"1\"");
        for (number, bar) in self.bars.iter().enumerate() {
            let middle = top + PITCH * (number as f64 + 0.5) + 2.0;
            self.bar(&mut page, bar, &ruler, middle, names);
        }
        let mut free = f64::MIN; // where the last number ends
        for tick in ruler.ticks().iter().filter(|tick| !tick.label.is_empty()) {
            let half = width(&tick.label, SMALL) / 2.0;
            if tick.place - half > free && tick.place + half < WIDTH - MARGIN / 2.0 {
                page.text(tick.place, bottom + 18.0, Anchor::Middle, NOTE, &tick.label);
                free = tick.place + half + 6.0;
            }
        }
        let title = match self.axis.scale {
            Scale::Log => format!("{} (logarithmic)", self.axis.title),
            Scale::Linear => self.axis.title.clone(),
        };
        page.text(f64::midpoint(left, right), bottom + 40.0, Anchor::Middle, PLAIN, &title);
        page.y = bottom + 50.0;
        page.svg()
    }

    fn bar(&self, page: &mut Page, bar: &Bar, ruler: &Ruler, middle: f64, names: f64) {
        let end = MARGIN + names;
        let name = cut(&bar.name, TEXT, names);
        if bar.note.is_empty() {
            page.text(end, middle + 4.5, Anchor::End, BOLD, &name);
        } else {
            page.text(end, middle - 2.0, Anchor::End, BOLD, &name);
            page.text(end, middle + 13.5, Anchor::End, NOTE, &cut(&bar.note, SMALL, names));
        }
        let value = number(bar.value);
        let start = end + 12.0;
        let length = ruler.place(bar.value).map_or(0.0, |place| place - start);
        let corner = (start, middle - THICKNESS / 2.0);
        page.rectangle(
            corner,
            (length, THICKNESS),
            COLOURS[0],
            "bar",
            &format!("{}: {value} {}", bar.name, self.axis.title),
        );
        page.text(start + length + 7.0, middle + 4.5, Anchor::Start, PLAIN, &value);
    }

    /// The axis of the bars: from zero, or, where there is none, from a decade below the shortest bar.
    fn ruler(&self, left: f64, right: f64) -> Ruler {
        let values = || self.bars.iter().map(|bar| bar.value);
        let axis = match (self.axis.ends, self.axis.scale) {
            (Some(_), _) => self.axis.clone(),
            (None, Scale::Linear) => {
                let high = values().filter(|value| value.is_finite()).fold(0.0, f64::max);
                self.axis.clone().between(0.0, if high > 0.0 { high } else { 1.0 })
            }
            (None, Scale::Log) => {
                let found = Ruler::new(&self.axis, values(), left, right);
                let below = 10f64.powf((found.low / 1.5).log10().floor());
                self.axis.clone().between(below, found.high)
            }
        };
        Ruler::new(&axis, values(), left, right)
    }
}
