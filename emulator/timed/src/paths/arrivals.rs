//! The earliest and the latest time at which each net can change in a phase, with the paths through the chips.

use super::cases::Case;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::cmp::Ordering;

/// The shortest and the longest delay of each net, in picoseconds.
pub type Spans = [(u64, u64)];

/// A path through the chips that begins at the oscillator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The time that a change takes along it, in picoseconds.
    pub time: u64,
    /// The nets on it.
    pub nets: Vec<NetId>,
}

/// The shortest and the longest path to each net that can change.
pub struct Arrivals {
    pub shortest: Vec<Option<Path>>,
    pub longest: Vec<Option<Path>>,
}

impl Path {
    /// The path extended by one net.
    pub(super) fn to(&self, net: NetId, delay: u64) -> Path {
        Path { time: self.time + delay, nets: self.nets.iter().copied().chain([net]).collect() }
    }
}

impl Arrivals {
    /// Follows an edge of the oscillator through the chips. No path goes through a chip twice: when the lines of a
    /// chip's own loop change, its output already has the value that they lead to.
    pub fn follow(netlist: &Netlist, case: &Case, spans: &Spans) -> Arrivals {
        let oscillator = netlist.panel.oscillator[0];
        let mut paths = vec![None; netlist.nets.len()];
        paths[oscillator] = Some(Path { time: 0, nets: vec![oscillator] });
        let mut arrivals = Arrivals { shortest: paths.clone(), longest: paths };
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for chip in 0..netlist.chips.len() {
                is_new |= arrivals.pass(netlist, case, spans, chip);
            }
        }
        arrivals
    }

    /// Extends the paths to a chip's lines by its data lines; returns whether one is shorter or longer than those
    /// known.
    fn pass(&mut self, netlist: &Netlist, case: &Case, spans: &Spans, id: ChipId) -> bool {
        let chip = &netlist.chips[id];
        let mut is_new = false;
        for (line, &read) in chip.reads.iter().enumerate().filter(|(_, read)| case.moves[**read]) {
            let bits = case.moved_by(id, line);
            for (bit, &net) in chip.data.iter().enumerate() {
                if bits >> bit & 1 == 0 || !case.moves[net] {
                    continue;
                }
                let (shortest, longest) = spans[net];
                let is_other = |path: &&Path| !path.nets.iter().any(|net| chip.data.contains(net));
                for (paths, delay, better) in [
                    (&mut self.longest, longest, Ordering::Greater),
                    (&mut self.shortest, shortest, Ordering::Less),
                ] {
                    if let Some(path) = paths[read].as_ref().filter(is_other)
                        && paths[net]
                            .as_ref()
                            .is_none_or(|known| (path.time + delay).cmp(&known.time) == better)
                    {
                        paths[net] = Some(path.to(net, delay));
                        is_new = true;
                    }
                }
            }
        }
        is_new
    }
}
