//! Axes: linear or logarithmic, their ends, and which values are marked on them.

use crate::number;

/// Larger numbers than this are not shown; nor, on a logarithmic axis, are those smaller than its inverse.
const LARGEST: f64 = 1e300;

/// An axis as the owner of the data describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit: `cycles`, `capacitance in pF`.
    pub title: String,
    /// Whether equal steps add or multiply.
    pub scale: Scale,
    /// Its ends. Without them, the data determine the ends.
    pub ends: Option<(f64, f64)>,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps add.
    Linear,
    /// Equal steps multiply. Zero and negative values cannot be shown.
    Log,
}

impl Axis {
    /// A linear axis.
    pub fn linear(title: impl Into<String>) -> Axis {
        Axis { title: title.into(), scale: Scale::Linear, ends: None }
    }

    /// A logarithmic axis.
    pub fn log(title: impl Into<String>) -> Axis {
        Axis { title: title.into(), scale: Scale::Log, ends: None }
    }

    /// The same axis with these ends.
    pub fn between(self, low: f64, high: f64) -> Axis {
        Axis { ends: Some((low, high)), ..self }
    }

    /// Whether this axis can show a value.
    pub(crate) fn can_show(&self, value: f64) -> bool {
        match self.scale {
            Scale::Linear => value.abs() < LARGEST,
            Scale::Log => (1.0 / LARGEST..LARGEST).contains(&value),
        }
    }

    /// The value, or its logarithm: what grows evenly along the axis.
    fn scaled(&self, value: f64) -> f64 {
        if self.scale == Scale::Log { value.log10() } else { value }
    }
}

/// An axis laid out on the page.
pub(crate) struct Ruler {
    axis: Axis,
    /// The values at its ends.
    pub low: f64,
    pub high: f64,
    /// Its ends on the page.
    from: f64,
    to: f64,
}

/// A tick.
pub(crate) struct Tick {
    pub place: f64,
    /// Empty for a minor tick.
    pub label: String,
}

impl Ruler {
    /// Lays out an axis from `from` to `to`; it holds all of these values, unless its ends are given.
    pub fn new(axis: &Axis, values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Ruler {
        let shown = values.into_iter().filter(|value| axis.can_show(*value));
        let found = shown.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let given = axis.ends.filter(|(low, high)| axis.can_show(*low) && axis.can_show(*high) && low < high);
        let (mut low, mut high) = given.or(found).unwrap_or((1.0, 10.0));
        if low == high {
            // A single value gets some room on both sides.
            (low, high) = match axis.scale {
                Scale::Log => (low / 2.0, high * 2.0),
                Scale::Linear => {
                    let room = (low.abs() / 1e6).max(1.0);
                    (low - room, high + room)
                }
            };
        }
        Ruler { axis: axis.clone(), low, high, from, to }
    }

    /// Widens the ends to round numbers.
    pub fn rounded(mut self) -> Ruler {
        if self.axis.ends.is_some() {
            return self;
        }
        match self.axis.scale {
            Scale::Log => {
                self.low = power(self.low.log10().floor());
                self.high = power(self.high.log10().ceil());
            }
            Scale::Linear => {
                // Twice, because a longer axis may have larger steps.
                for _ in 0..2 {
                    let step = self.step();
                    self.low = (self.low / step).floor() * step;
                    self.high = (self.high / step).ceil() * step;
                }
            }
        }
        self
    }

    /// Where a value lies on the page, if the axis reaches it.
    pub fn place(&self, value: f64) -> Option<f64> {
        if !self.axis.can_show(value) {
            return None;
        }
        let [low, high, value] = [self.low, self.high, value].map(|value| self.axis.scaled(value));
        let share = (value - low) / (high - low);
        let slack = 1e-9; // an end may be off by a rounding error
        (-slack..=1.0 + slack).contains(&share).then_some(self.from + (self.to - self.from) * share)
    }

    /// The ticks, in order.
    pub fn ticks(&self) -> Vec<Tick> {
        let values = match self.axis.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Log => self.log_ticks(),
        };
        let tick = |(value, is_labelled)| {
            let label = if is_labelled { number(value) } else { String::new() };
            Some(Tick { place: self.place(value)?, label })
        };
        values.into_iter().filter_map(tick).collect()
    }

    fn linear_ticks(&self) -> Vec<(f64, bool)> {
        let step = self.step();
        let first = (self.low / step).ceil();
        let count = ((self.high / step).floor() - first).clamp(0.0, 1000.0) as u32;
        // Rounded, or 0.1 + 0.2 would be labelled 0.30000000000000004.
        let exact = |steps: f64| (steps * step / step.min(1.0)).round() * step.min(1.0);
        (0..=count).map(|number| (exact(first + f64::from(number)), true)).collect()
    }

    fn log_ticks(&self) -> Vec<(f64, bool)> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let decades = self.high.log10() - self.low.log10();
        let room = (self.to - self.from).abs();
        // Labels only at every few decades, so that they do not run into each other.
        let every = (1..).find(|every| room * f64::from(*every) / decades > 34.0).unwrap_or(1);
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for digit in 1..10 {
                let is_labelled = match digit {
                    1 => exponent.rem_euclid(every) == 0,
                    2 | 5 => decades < 1.7,
                    _ => false,
                };
                if is_labelled || decades <= 10.0 || digit == 1 {
                    ticks.push((f64::from(digit) * power(f64::from(exponent)), is_labelled));
                }
            }
        }
        ticks
    }

    /// The distance between linear ticks: 1, 2 or 5 times a power of ten, so that there are five to ten of them.
    fn step(&self) -> f64 {
        let rough = (self.high - self.low) / 10.0;
        let decade = power(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade).into_iter().find(|step| *step >= rough);
        step.unwrap_or(1.0)
    }
}

/// Ten to a whole power, exact where possible.
fn power(exponent: f64) -> f64 {
    let exponent = exponent.clamp(-300.0, 300.0) as i32;
    if exponent < 0 { 1.0 / 10f64.powi(-exponent) } else { 10f64.powi(exponent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: &Ruler) -> Vec<String> {
        ruler.ticks().into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let ruler = |low, high| Ruler::new(&Axis::linear(""), [low, high], 0.0, 400.0).rounded();
        assert_eq!(labels(&ruler(4.0, 12.0)), ["4", "5", "6", "7", "8", "9", "10", "11", "12"]);
        assert_eq!(labels(&ruler(0.0, 1.0)).len(), 11);
        assert_eq!(labels(&ruler(0.0, 1.0))[3], "0.3");
        assert_eq!(labels(&ruler(-3.0, 95.0)), ["−20", "0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn log_ticks_are_decades() {
        let ruler = Ruler::new(&Axis::log(""), [134_963.0, 2.4e9], 0.0, 600.0).rounded();
        assert_eq!(
            labels(&ruler),
            ["100,000", "1,000,000", "10,000,000", "100,000,000", "1,000,000,000", "10,000,000,000"]
        );
        assert_eq!(ruler.place(1e5), Some(0.0));
        assert!(ruler.place(1e10).is_some_and(|place| (place - 600.0).abs() < 1e-6));
        let middle = ruler.place(10f64.powf(7.5)).expect("it is on the axis");
        assert!((middle - 300.0).abs() < 1e-6);
        assert_eq!(ruler.place(0.0), None);
        assert_eq!(ruler.place(9e4), None);
        let short = Ruler::new(&Axis::log(""), [3.0, 60.0], 0.0, 300.0);
        assert_eq!(labels(&short), ["5", "10", "20", "50"]);
    }

    #[test]
    fn odd_values_make_an_axis_too() {
        for axis in [Axis::linear(""), Axis::log(""), Axis::log("").between(5.0, 5.0)] {
            for values in [&[][..], &[0.0], &[f64::NAN, -1.0], &[1e308, 1e-308], &[f64::INFINITY]] {
                let ruler = Ruler::new(&axis, values.iter().copied(), 0.0, 100.0).rounded();
                assert!(ruler.low < ruler.high, "{values:?}");
                assert!(ruler.ticks().len() < 3000);
            }
        }
    }
}
