//! When each net that moves in a phase does so: at the earliest, at the latest, and on which way through the chips.

use super::cases::Case;
use crate::circuit::{Circuit, Net};

/// The shortest and the longest delay of each net, in picoseconds.
pub type Spans = [(u64, u64)];

/// A way through the chips, from the oscillator on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// How long it takes, in picoseconds.
    pub time: u64,
    /// The nets on it.
    pub nets: Vec<Net>,
}

/// The earliest and the latest way to each net that moves.
pub struct Arrivals {
    pub earliest: Vec<Option<Way>>,
    pub latest: Vec<Option<Way>>,
}

impl Arrivals {
    /// Follows an edge of the oscillator through the chips. No way leads through a chip twice: a chip whose own lines
    /// move has already given what they lead to.
    pub fn follow(circuit: &Circuit, case: &Case, spans: &Spans) -> Arrivals {
        let start = Way { time: 0, nets: vec![circuit.panel.oscillator] };
        let mut ways =
            Arrivals { earliest: vec![None; circuit.nets.len()], latest: vec![None; circuit.nets.len()] };
        ways.earliest[circuit.panel.oscillator] = Some(start.clone());
        ways.latest[circuit.panel.oscillator] = Some(start);
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for chip in 0..circuit.chips.len() {
                grows |= ways.pass(circuit, case, spans, chip);
            }
        }
        ways
    }

    /// Leads the ways to a chip's lines through it; says whether one was longer or shorter than those known.
    fn pass(&mut self, circuit: &Circuit, case: &Case, spans: &Spans, number: usize) -> bool {
        let chip = &circuit.chips[number];
        let mut grew = false;
        for (line, &read) in chip.reads.iter().enumerate().filter(|(_, read)| case.moves[**read]) {
            let bits = case.moved_by(number, line);
            for (bit, net) in chip.gives().enumerate() {
                if bits >> bit & 1 == 0 || !case.moves[net] {
                    continue;
                }
                let (shortest, longest) = spans[net];
                let is_new = |way: &Way| !way.nets.iter().any(|net| chip.gives().contains(net));
                let through = |way: &Way, delay: u64| Way {
                    time: way.time + delay,
                    nets: way.nets.iter().copied().chain([net]).collect(),
                };
                if let Some(way) = self.latest[read].as_ref().filter(|way| is_new(way))
                    && self.latest[net].as_ref().is_none_or(|known| way.time + longest > known.time)
                {
                    self.latest[net] = Some(through(way, longest));
                    grew = true;
                }
                if let Some(way) = self.earliest[read].as_ref().filter(|way| is_new(way))
                    && self.earliest[net].as_ref().is_none_or(|known| way.time + shortest < known.time)
                {
                    self.earliest[net] = Some(through(way, shortest));
                    grew = true;
                }
            }
        }
        grew
    }
}
