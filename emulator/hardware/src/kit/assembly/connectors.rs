//! The connectors between boards, and the cables between them.
//!
//! A net with pins on several boards is led to the others by a cable. Both ends of a cable have the same net on the
//! same pin. Unused pins are connected to ground and spread between the others.

use super::{Assembler, AssemblyError, GND};
use std::collections::BTreeMap;

/// A connector has at least one ground pin for this number of pins, so that each signal has one beside it or behind it.
const PINS_PER_GROUND: usize = 3;

impl Assembler<'_> {
    /// Adds all connectors and cables.
    pub(super) fn connectors(&mut self) -> Result<(), AssemblyError> {
        let uses = &self.hardware.uses;
        let mut crossings: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for net in &self.assembly.nets {
            let boards = self.boards_of(net);
            let home =
                self.home(net).filter(|home| boards.contains(home)).or_else(|| boards.first().copied());
            let Some(home) = home else { continue };
            for other in boards.into_iter().filter(|other| *other != home) {
                crossings.entry((home.min(other), home.max(other))).or_default().push(net.clone());
            }
        }
        let part = &self.hardware.parts[&uses.connector];
        let pins = (1..).take_while(|pin| part.pins.has(&format!("P{pin}"))).count();
        let most = (pins - pins / PINS_PER_GROUND).max(1);
        for ((one, other), nets) in crossings {
            let cables = nets.len().div_ceil(most);
            for nets in nets.chunks(nets.len().div_ceil(cables)) {
                let mut joined: Vec<(String, String)> =
                    (1..=pins).map(|pin| (format!("P{pin}"), GND.to_owned())).collect();
                for (index, net) in nets.iter().enumerate() {
                    joined[index * pins / nets.len()].1.clone_from(net);
                }
                self.add("J", &uses.connector, Some(one), &joined)?;
                self.add("J", &uses.connector, Some(other), &joined)?;
                self.add("W", &uses.cable, None, &[])?;
            }
        }
        Ok(())
    }
}
