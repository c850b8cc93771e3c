//! KiCad's files are S-expressions: lists of words, quoted strings and lists. This writes parts of them, with lengths in
//! millimetres, and with identifiers that are the same in each run.
//!
//! Everything on a schematic is on a grid of 1.27 mm, so that pins and wires meet: places on a page are counted in
//! steps of this size, downwards and to the right. Points on a board are in thousandths of a millimetre.

use std::fmt::{self, Display};

/// A place on a page, in steps.
pub type Place = (i32, i32);
/// A point on a board or a footprint, in thousandths of a millimetre.
pub type Point = (i32, i32);

/// The step of the grid of a page, in thousandths of a millimetre.
pub const STEP: i32 = 1270;

/// A string in quotes.
pub fn quoted(text: impl Display) -> String {
    let text = text.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}

/// Both coordinates of a point.
pub fn xy((x, y): Point) -> String {
    format!("{} {}", Length(x), Length(y))
}

/// The ends of a line, or the corners of an area.
pub fn ends(start: Point, end: Point) -> String {
    format!("(start {}) (end {})", xy(start), xy(end))
}

/// The corners of a line or an area.
pub fn points(points: &[Point]) -> String {
    let points: String = points.iter().map(|&point| format!(" (xy {})", xy(point))).collect();
    format!("(pts{points})")
}

/// Items, each on a new line.
pub fn lines(items: impl IntoIterator<Item = impl Display>) -> String {
    items.into_iter().map(|item| format!("\n{item}")).collect()
}

/// The point at a place of a page.
pub fn on_page((x, y): Place) -> Point {
    (x * STEP, y * STEP)
}

/// The font of a text of this size, for `effects`.
pub fn font(height: &str) -> String {
    format!("(font (size {height} {height}))")
}

/// A layer of a board.
pub fn layer(name: &str) -> String {
    format!("(layer \"{name}\")")
}

/// An identifier for the thing that `key` describes.
pub fn id(key: &str) -> String {
    format!("(uuid \"{}\")", uuid(key))
}

/// The attribute of hidden text.
pub fn hidden(is_hidden: bool) -> &'static str {
    if is_hidden { " (hide yes)" } else { "" }
}

/// A length in thousandths of a millimetre, written in millimetres.
#[derive(Clone, Copy)]
pub struct Length(pub i32);

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let text = format!("{sign}{}.{:03}", size / 1000, size % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// An identifier for the thing that `key` describes: the same for the same key, different for different keys.
pub fn uuid(key: &str) -> String {
    // Two FNV-1a hashes with different start values.
    let hash = |start: u64| {
        key.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let (high, low) = (mixed(hash(0xcbf2_9ce4_8422_2325)), mixed(hash(0x9ae1_6a3b_2f90_404f)));
    format!(
        "{:08x}-{:04x}-5{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        0x8000 | low >> 48 & 0x3fff,
        low & 0xffff_ffff_ffff
    )
}

/// Spreads the bits of a hash.
fn mixed(mut hash: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ hash >> 33).wrapping_mul(factor);
    }
    hash ^ hash >> 33
}

/// A text with only the characters that are allowed in the name of a symbol or a file.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
