//! Packages whose pins are always the same, as data.

use crate::kicad::expression::Point;
use crate::kicad::marks::Drawing;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The footprints of packages whose pins are always the same.
pub type Packages = BTreeMap<String, Package>;

/// A footprint of `packages.ron`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    pub name: String,
    /// The number and the place of each pad.
    pub pads: Vec<(usize, Point)>,
    /// The size of the pads, and of the holes in them.
    pub pad: i32,
    pub drill: i32,
    /// Whether pin 1 is marked by a square pad.
    #[serde(default = "is_usual")]
    pub has_square: bool,
    /// The left, upper, right and lower ends.
    pub courtyard: [i32; 4],
    pub body: [i32; 4],
    pub marks: Vec<Drawing>,
}

fn is_usual() -> bool {
    true
}

/// Reads `packages.ron`.
pub fn packages() -> Packages {
    // A test reads it.
    ron::from_str(include_str!("packages.ron")).unwrap_or_default()
}
