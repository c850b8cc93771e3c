//! The ways in which the lines of one chip can move in a phase.

use crate::clock::Motion;
use crate::phase::Phase;
use gray1_machine::logic::values;
use gray1_machine::netlist::Chip;

/// One way in which the lines of a chip can move in a phase: lines that move once either do or do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Scenario {
    /// Lines that cannot move and whose level is known.
    pub fixed: u32,
    pub levels: u32,
    /// Lines that change from one level to the other once, and their first levels.
    pub once: u32,
    pub from: u32,
    /// Lines that can have any level at any time.
    pub glitching: u32,
}

impl Phase {
    /// Returns the ways in which the lines of a chip can move. Its own lines, if they move at all, are assumed to
    /// glitch, and so are lines that move once if their levels before and after are not known (unless the chip has few
    /// lines), or if there are many ways already: this only adds ways.
    pub fn scenarios(&self, chip: &Chip) -> Vec<Scenario> {
        let own = chip.own_lines();
        let mut all = vec![Scenario::default()];
        for (line, &net) in chip.reads.iter().enumerate() {
            let bit = 1u32 << line;
            match (self.motion[net], self.start[net]) {
                (Motion::Stable, Some(level)) => all.iter_mut().for_each(|scenario| scenario.fix(bit, level)),
                (Motion::Stable, None) => {}
                (Motion::Once, start)
                    if own & bit == 0
                        && ((start, self.end[net]) != (None, None) || chip.reads.len() <= 4)
                        && all.len() < self.limits.scenarios =>
                {
                    all = all
                        .into_iter()
                        .flat_map(|scenario| scenario.once(bit, start, self.end[net]))
                        .collect();
                }
                _ => all.iter_mut().for_each(|scenario| scenario.glitching |= bit),
            }
        }
        all
    }
}

impl Scenario {
    /// Returns all lines that can move.
    pub fn moving(&self) -> u32 {
        self.once | self.glitching
    }

    /// Returns the addresses that some order of events can lead to; those at the beginning are included.
    pub fn addresses(self, lines: usize) -> impl Iterator<Item = u32> {
        let free = ((1u64 << lines) - 1) as u32 & !self.fixed;
        values(free).map(move |value| value | self.levels)
    }

    /// Whether all lines that move once are at their first level.
    pub fn begins(&self, address: u32) -> bool {
        address & self.once == self.from
    }

    /// Whether all lines that move once are at their last level.
    pub fn ends(&self, address: u32) -> bool {
        address & self.once == self.once & !self.from
    }

    pub fn fix(&mut self, bit: u32, level: bool) {
        self.fixed |= bit;
        self.levels |= if level { bit } else { 0 };
    }

    fn once(self, bit: u32, start: Option<bool>, end: Option<bool>) -> Vec<Scenario> {
        let mut all = Vec::new();
        for from in [false, true].into_iter().filter(|level| start.is_none_or(|start| start == *level)) {
            for to in [false, true].into_iter().filter(|level| end.is_none_or(|end| end == *level)) {
                let mut scenario = self;
                if from == to {
                    scenario.fix(bit, from);
                } else {
                    scenario.once |= bit;
                    scenario.from |= if from { bit } else { 0 };
                }
                all.push(scenario);
            }
        }
        all
    }
}
