//! Colours: few, distinguishable by colour-blind people (Okabe and Ito's), dark enough for thin lines on white.

/// The background. A chart has its own, so that it can be read on a page of any colour.
pub const PAPER: &str = "#ffffff";
/// Titles and values.
pub const INK: &str = "#1f2328";
/// Axis titles, notes.
pub const FAINT: &str = "#59636e";
/// The lines of the axes.
pub const AXIS: &str = "#9aa4af";
/// Lines at ticks with a label.
pub const GRID: &str = "#e1e5ea";
/// Lines at minor ticks.
pub const FINE_GRID: &str = "#f2f4f6";

/// The colours of curves, in their order.
pub const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#5b5b5b"];

/// The colour of a curve by its number.
pub fn curve_colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}
