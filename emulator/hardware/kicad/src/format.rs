//! KiCad's notation for strings and lengths, and identifiers that are the same in each run.
//!
//! Everything on a schematic is on a grid of 1.27 mm, so that pins and wires meet: coordinates are counted in steps of
//! this size, downwards and to the right.

use std::fmt::{self, Display};

/// A place on a page, in steps.
pub type Place = (i32, i32);

/// A length in steps, written in millimetres.
#[derive(Clone, Copy)]
pub struct Steps(pub i32);

impl Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Microns(self.0 * 1270).fmt(f)
    }
}

/// A length in thousandths of a millimetre, written in millimetres.
#[derive(Clone, Copy)]
pub struct Microns(pub i32);

impl Display for Microns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let text = format!("{sign}{}.{:03}", size / 1000, size % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A string.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
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
