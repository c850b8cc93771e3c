//! Bars: one quantity of several things, with the name to the left of each bar and its value at its end. On a linear
//! axis, bars of negative values point to the left.

use crate::axis::{Axis, Ruler, Scale};
use crate::number;
use crate::page::{
    BOLD, END, Heading, MARGIN, MIDDLE, NOTE, PLAIN, Page, SMALL, START, TEXT, THIN, WIDTH, cut, widest,
};
use crate::palette::{AXIS, COLOURS, FINE_GRID, GRID};

/// The distance between the middles of two bars.
const PITCH: f64 = 44.0;
/// How thick a bar is.
const THICKNESS: f64 = 22.0;
/// Longer names are cut off.
const LONGEST_NAME: f64 = 320.0;

/// A chart of bars, the first on top.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The text above and below the chart.
    pub heading: Heading,
    /// What the bars measure. A logarithmic axis begins a little below the shortest bar.
    pub axis: Axis,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What is measured.
    pub name: String,
    /// More about it, in small letters; may be empty.
    pub note: String,
    /// The length of the bar. On a linear axis it may be negative.
    pub value: f64,
}

impl Bars {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        let notes = widest(self.bars.iter().map(|bar| &bar.note), SMALL);
        // Names are bold, and so a little wider.
        let names = widest(self.bars.iter().map(|bar| &bar.name), TEXT * 1.05).max(notes).min(LONGEST_NAME);
        let values = widest(self.bars.iter().map(|bar| number(bar.value)), TEXT);
        let is_signed = self.axis.scale == Scale::Linear && self.bars.iter().any(|bar| bar.value < 0.0);
        let room = if is_signed { values + 10.0 } else { 0.0 };
        let (left, right) = (MARGIN + names + 12.0 + room, WIDTH - MARGIN - values - 10.0);
        let ruler = self.ruler(left, right);

        let top = page.y;
        let bottom = top + PITCH * self.bars.len() as f64 + 4.0;
        for tick in ruler.ticks() {
            let colour = if tick.label.is_empty() { FINE_GRID } else { GRID };
            page.line((tick.place, top), (tick.place, bottom), colour, THIN);
        }
        let zero = ruler.place(0.0).filter(|_| is_signed).unwrap_or(left);
        page.line((zero, top), (zero, bottom), AXIS, THIN);
        for (number, bar) in self.bars.iter().enumerate() {
            let middle = top + PITCH * (number as f64 + 0.5) + 2.0;
            self.bar(&mut page, bar, (&ruler, zero), middle, names);
        }
        for tick in ruler.ticks() {
            page.label(tick.place, bottom + 18.0, 6.0, &tick.label);
        }
        let title = match self.axis.scale {
            Scale::Log => format!("{} (logarithmic)", self.axis.title),
            Scale::Linear => self.axis.title.clone(),
        };
        page.text(f64::midpoint(left, right), bottom + 40.0, MIDDLE, PLAIN, &title);
        page.y = bottom + 50.0;
        page.svg()
    }

    fn bar(&self, page: &mut Page, bar: &Bar, (ruler, zero): (&Ruler, f64), middle: f64, names: f64) {
        let end = MARGIN + names;
        let name = cut(&bar.name, TEXT, names);
        if bar.note.is_empty() {
            page.text(end, middle + 4.5, END, BOLD, &name);
        } else {
            page.text(end, middle - 2.0, END, BOLD, &name);
            page.text(end, middle + 13.5, END, NOTE, &cut(&bar.note, SMALL, names));
        }
        let value = number(bar.value);
        let place = ruler.place(bar.value).unwrap_or(zero);
        let corner = (zero.min(place), middle - THICKNESS / 2.0);
        let title = format!("{}: {value} {}", bar.name, self.axis.title);
        let is_left = place < zero;
        let colour = COLOURS[usize::from(!is_left && ruler.low < 0.0)];
        page.rectangle(corner, ((place - zero).abs(), THICKNESS), colour, "bar", &title);
        let (gap, anchor) = if is_left { (-7.0, END) } else { (7.0, START) };
        page.text(place + gap, middle + 4.5, anchor, PLAIN, &value);
    }

    /// The axis of the bars. It includes zero or, being logarithmic, begins at a power of ten below the shortest bar.
    fn ruler(&self, left: f64, right: f64) -> Ruler {
        let values = || self.bars.iter().map(|bar| bar.value);
        let axis = match (self.axis.ends, self.axis.scale) {
            (Some(_), _) => self.axis.clone(),
            (None, Scale::Linear) => {
                let finite = || values().filter(|value| value.is_finite());
                let (low, high) = (finite().fold(0.0, f64::min), finite().fold(0.0, f64::max));
                self.axis.clone().between(low, if high > low { high } else { 1.0 })
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
