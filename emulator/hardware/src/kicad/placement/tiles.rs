//! Which components belong to which chip.

use crate::kicad::circuit::{Circuit, Kind, Part, pairs};
use crate::kicad::footprints::Footprint;

/// Longer chips are placed horizontally.
pub const MAX_UPRIGHT: i32 = 45_000;

/// A component and its footprint.
pub type Shape<'a> = (&'a Part<'a>, Footprint);

/// A chip with the components beside it.
pub struct Tile<'a, 's> {
    pub chip: &'s Shape<'a>,
    pub decoupling: Option<&'s Shape<'a>>,
    pub filter: Option<&'s Shape<'a>>,
    pub capacitors: Vec<&'s Shape<'a>>,
    pub lights: Option<&'s Shape<'a>>,
}

impl Tile<'_, '_> {
    /// The names of all of them.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        let all = [Some(self.chip), self.decoupling, self.filter, self.lights];
        all.into_iter()
            .flatten()
            .chain(self.capacitors.iter().copied())
            .map(|(part, _)| part.item.reference.as_str())
    }

    /// The height of the upright chip.
    pub fn height(&self) -> i32 {
        let [low, high] = self.chip.1.courtyard;
        high.1 - low.1
    }

    /// Whether its chip reads what the jumper of the clock selects.
    pub fn reads(&self, (part, _): &Shape<'_>) -> bool {
        let has =
            |net: Option<&str>| net.is_some_and(|net| self.chip.0.item.nets().any(|other| other == net));
        // A jumper has the same net on all of its even pins.
        part.kind == Kind::Pins && part.item.pins.len() == 6 && has(part.item.pins[1].net.as_deref())
    }

    /// The approximate width of the vertical tile.
    pub fn width(&self) -> i32 {
        let [low, high] = self.chip.1.courtyard;
        let own = if self.height() > MAX_UPRIGHT { high.1 - low.1 } else { high.0 - low.0 };
        let network = if self.filter.is_some() { 11_500 } else { 0 };
        own + network + if self.capacitors.is_empty() { 0 } else { 9_000 }
    }
}

/// A tile for each chip.
pub fn tiles<'a, 's>(circuit: &Circuit<'_>, shapes: &'s [Shape<'a>]) -> Vec<Tile<'a, 's>> {
    let chips = shapes.iter().enumerate().filter(|(_, (part, _))| part.kind == Kind::Chip);
    chips
        .map(|(index, chip)| {
            let nets: Vec<&str> = chip.0.item.nets().collect();
            let network = |is_filter: bool| {
                shapes.iter().find(|(part, _)| {
                    part.kind == Kind::Resistors
                        && circuit.lights(part) != is_filter
                        && pairs(part.item).any(|(front, back)| {
                            nets.contains(&front) && (!is_filter || circuit.is_line(back))
                        })
                })
            };
            let filter = network(true);
            let lines: Vec<&str> =
                filter.map_or_else(Vec::new, |(part, _)| pairs(part.item).map(|(_, net)| net).collect());
            let capacitor = |part: &Part<'_>| part.kind == Kind::Capacitor;
            Tile {
                chip,
                decoupling: shapes[index..].iter().find(|(part, _)| capacitor(part)),
                filter,
                capacitors: shapes
                    .iter()
                    .filter(|(part, _)| capacitor(part) && lines.contains(&part.net("1")))
                    .collect(),
                lights: network(false),
            }
        })
        .collect()
}
