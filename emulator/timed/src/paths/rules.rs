//! What has to be in time for what.
//!
//! ```text
//!   begun by edge j             edge k
//!   │── the longest way ──▶│    │
//!   │────────── k - j half periods ──────────│─ the shortest way ─▶│
//! ```
//!
//! Each rule compares a longest way, begun by one edge, with a shortest way, begun by a later one.

use super::arrivals::{Arrivals, Spans, Way};
use super::cases::{Case, PHASES, Phase};
use crate::circuit::{Circuit, Kind, Net};
use crate::conditions::NANOSECOND;

/// Something that has to be in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The phase whose edge begins the long way.
    pub from: usize,
    /// The phase whose edge begins the short way.
    pub to: usize,
    /// The half periods between the two.
    pub edges: u64,
    /// The long way: the last net of it has to be right …
    pub late: Way,
    /// … before the last net of this one moves. A way of no nets is the edge itself.
    pub early: Way,
    /// The chip where they meet, if they meet at one.
    pub chip: Option<usize>,
    /// Why.
    pub why: Why,
}

/// Why something has to be in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A latch closes: what it is to hold has to have come in and gone round its loop.
    Holds,
    /// A line that opens or writes something must not show a wrong level.
    Opens,
    /// RAM is written: address and data have to stand.
    Writes,
    /// A latch has to have closed before anything it has let in moves.
    Closes,
    /// In the gap between masters and slaves all storage loops have to come to rest.
    Gap,
    /// The registers have to be right when the cycle is over.
    Registers,
}

impl Need {
    /// The half period it needs, in picoseconds.
    pub fn half_period(&self) -> u64 {
        self.late.time.saturating_sub(self.early.time).div_ceil(self.edges)
    }
}

/// The phases of a board with the ways through each case.
pub struct Ways<'a> {
    pub circuit: &'a Circuit,
    pub phases: &'a [Phase],
    pub spans: &'a Spans,
    /// For each phase, the ways of each of its cases.
    pub arrivals: Vec<Vec<Arrivals>>,
}

impl Ways<'_> {
    pub fn find<'a>(circuit: &'a Circuit, phases: &'a [Phase], spans: &'a Spans) -> Ways<'a> {
        let arrivals = phases
            .iter()
            .map(|phase| phase.cases.iter().map(|case| Arrivals::follow(circuit, case, spans)).collect());
        Ways { circuit, phases, spans, arrivals: arrivals.collect() }
    }

    /// Everything that has to be in time; of several ways to one net, only the hardest.
    pub fn needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        for phase in 0..PHASES {
            for case in 0..self.phases[phase].cases.len() {
                for chip in 0..self.circuit.chips.len() {
                    self.at_chip(phase, case, chip, &mut needs);
                }
            }
        }
        let edge = |to| (to, Way { time: 0, nets: Vec::new() });
        for net in (0..self.circuit.nets.len()).filter(|&net| self.circuit.is_loop(net)) {
            self.settled(net, 0, edge(3), None, Why::Gap, None, &mut needs);
        }
        let panel = &self.circuit.panel;
        for &net in panel.counter.iter().chain(&panel.accumulator).chain([&panel.carry]) {
            self.settled(net, 0, edge(1), None, Why::Registers, None, &mut needs);
        }
        needs
    }

    /// What has to be in time at one chip when an edge moves its enables.
    fn at_chip(&self, phase: usize, case_number: usize, number: usize, needs: &mut Vec<Need>) {
        let (circuit, chip) = (self.circuit, &self.circuit.chips[number]);
        let case = &self.phases[phase].cases[case_number];
        let arrivals = &self.arrivals[phase][case_number];
        let is_own = |net: Net| chip.gives().contains(&net);
        let controls: Vec<Net> = chip
            .reads
            .iter()
            .copied()
            .filter(|&net| !is_own(net) && case.is_control(net) && case.moves[net])
            .collect();
        let firsts = controls.iter().filter_map(|&net| arrivals.earliest[net].as_ref());
        let Some(first) = firsts.min_by_key(|way| way.time).cloned() else { return };
        let is_ram = matches!(chip.kind, Kind::Ram { .. });
        let plain = &self.phases[phase].plain;
        for (line, &net) in chip.reads.iter().enumerate().filter(|(_, net)| !controls.contains(net)) {
            let (was, is) = (case.facts_before[number].moves[line], case.facts_after[number].moves[line]);
            let meet = (phase, first.clone());
            if is_ram {
                if was | is != 0 {
                    self.settled(net, 0, meet, Some((case, number)), Why::Writes, None, needs);
                }
                continue;
            }
            for (bit, out) in chip.gives().enumerate() {
                let has = |bits: u8| bits >> bit & 1 == 1;
                if !circuit.is_loop(out) {
                    let opens = case.is_control(out) && has(plain.during[number].moves[line]);
                    if opens {
                        self.settled(net, 0, meet.clone(), Some((case, number)), Why::Opens, None, needs);
                    }
                    continue;
                }
                let own = chip.reads.iter().position(|&read| read == out);
                let holds = own.is_some_and(|own| has(case.facts_after[number].moves[own]));
                if holds && has(was) && !is_own(net) {
                    let round = (out, self.spans[out].1);
                    self.settled(
                        net,
                        round.1,
                        meet.clone(),
                        Some((case, number)),
                        Why::Holds,
                        Some(out),
                        needs,
                    );
                }
                if (holds && has(is)) || (is_own(net) && case.is_control(net)) {
                    self.settled(net, 0, meet.clone(), Some((case, number)), Why::Holds, None, needs);
                }
            }
        }
        self.closed(phase, case_number, number, &controls, needs);
        if is_ram {
            self.written(phase, arrivals, number, &controls, needs);
        }
    }

    /// A net has to be right when the second way ends, whichever edge before moved it.
    #[allow(clippy::too_many_arguments)]
    fn settled(
        &self,
        net: Net,
        more: u64,
        (to, early): (usize, Way),
        at: Option<(&Case, usize)>,
        why: Why,
        through: Option<Net>,
        needs: &mut Vec<Need>,
    ) {
        for edges in 1..=PHASES {
            let from = (to + PHASES - edges) % PHASES;
            let ways = self.phases[from].cases.iter().zip(&self.arrivals[from]);
            let fitting =
                ways.filter(|(case, _)| at.is_none_or(|(then, _)| self.agree(case, from, then, edges)));
            let latest = fitting.filter_map(|(_, ways)| ways.latest[net].as_ref()).max_by_key(|way| way.time);
            if let Some(late) = latest {
                let mut late = late.clone();
                late.time += more;
                late.nets.extend(through);
                let chip = at.map(|(_, chip)| chip);
                needs.push(Need { from, to, edges: edges as u64, late, early: early.clone(), chip, why });
            }
        }
    }

    /// Whether two cases can be those of one run: what both assume is the same, if nothing has moved it since.
    fn agree(&self, case: &Case, from: usize, then: &Case, edges: usize) -> bool {
        case.assumed.iter().all(|&(net, level)| {
            let has_moved = (1..=edges).any(|edge| self.phases[(from + edge) % PHASES].plain.moves[net]);
            has_moved || then.assumed.iter().all(|&(other, then)| other != net || then == level)
        })
    }

    /// Enables have to have arrived before the next edge moves anything else on the chip's lines.
    fn closed(&self, phase: usize, case: usize, number: usize, controls: &[Net], needs: &mut Vec<Need>) {
        let chip = &self.circuit.chips[number];
        if !chip.holds_itself() && !matches!(chip.kind, Kind::Ram { .. }) {
            return;
        }
        let late = controls.iter().filter_map(|&net| self.arrivals[phase][case].latest[net].as_ref());
        let Some(late) = late.max_by_key(|way| way.time) else { return };
        let to = (phase + 1) % PHASES;
        let ways = self.arrivals[to]
            .iter()
            .flat_map(|ways| chip.reads.iter().filter_map(|&net| ways.earliest[net].as_ref()));
        if let Some(early) = ways.min_by_key(|way| way.time) {
            let (late, early) = (late.clone(), early.clone());
            needs.push(Need { from: phase, to, edges: 1, late, early, chip: Some(number), why: Why::Closes });
        }
    }

    /// RAM has to be written for long enough.
    fn written(
        &self,
        phase: usize,
        arrivals: &Arrivals,
        number: usize,
        controls: &[Net],
        needs: &mut Vec<Need>,
    ) {
        let to = (phase + 1) % PHASES;
        let inertia = u64::from(self.circuit.chips[number].timing.inertia) * NANOSECOND;
        for &net in controls {
            let early = self.arrivals[to]
                .iter()
                .filter_map(|ways| ways.earliest[net].as_ref())
                .min_by_key(|way| way.time);
            if let (Some(late), Some(early)) = (&arrivals.latest[net], early) {
                let mut late = late.clone();
                late.time += inertia;
                let early = early.clone();
                needs.push(Need {
                    from: phase,
                    to,
                    edges: 1,
                    late,
                    early,
                    chip: Some(number),
                    why: Why::Writes,
                });
            }
        }
    }
}
