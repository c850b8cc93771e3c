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

/// The colours of the shares 0, 1/2 and 1.
const NONE: [u8; 3] = [0xd5, 0x5e, 0x00];
const HALF: [u8; 3] = [0xf4, 0xf1, 0xea];
const ALL: [u8; 3] = [0x00, 0x72, 0xb2];

/// The colour of a curve by its number.
pub fn curve_colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// The colour of a share from 0 to 1.
pub fn shade(share: f64) -> String {
    let share = share.clamp(0.0, 1.0);
    let (from, to, way) =
        if share < 0.5 { (NONE, HALF, share * 2.0) } else { (HALF, ALL, share * 2.0 - 1.0) };
    let [red, green, blue] = [0, 1, 2].map(|part| {
        let (from, to) = (f64::from(from[part]), f64::from(to[part]));
        (from + (to - from) * way).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A colour for text on the colour of a share.
pub fn ink_on(share: f64) -> &'static str {
    if (0.18..0.82).contains(&share) { INK } else { PAPER }
}
