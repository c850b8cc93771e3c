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
use super::tables::Facts;
use crate::circuit::{Circuit, Kind, Net};
use crate::conditions::NANOSECOND;
use std::sync::Arc;

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

/// By when a net has to be right.
struct Deadline<'a> {
    to: usize,
    early: Way,
    /// The chip where that is so, in one case.
    at: Option<(&'a Case, usize)>,
    why: Why,
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
        let edge = |to, why| Deadline { to, early: Way { time: 0, nets: Vec::new() }, at: None, why };
        for net in (0..self.circuit.nets.len()).filter(|&net| self.circuit.is_loop(net)) {
            needs.extend(self.settled(net, None, &edge(3, Why::Gap)));
        }
        let panel = &self.circuit.panel;
        for &net in panel.counter.iter().chain(&panel.accumulator).chain([&panel.carry]) {
            needs.extend(self.settled(net, None, &edge(1, Why::Registers)));
        }
        needs
    }

    /// What has to be in time at one chip when an edge moves its enables.
    fn at_chip(&self, phase: usize, case_number: usize, number: usize, needs: &mut Vec<Need>) {
        let chip = &self.circuit.chips[number];
        let case = &self.phases[phase].cases[case_number];
        let arrivals = &self.arrivals[phase][case_number];
        let is_control = |net: Net| !chip.gives().contains(&net) && case.is_control(net) && case.moves[net];
        let controls: Vec<Net> = chip.reads.iter().copied().filter(|&net| is_control(net)).collect();
        let firsts = controls.iter().filter_map(|&net| arrivals.earliest[net].as_ref());
        let Some(first) = firsts.min_by_key(|way| way.time) else { return };
        let deadline = |why| Deadline { to: phase, early: first.clone(), at: Some((case, number)), why };
        let is_ram = matches!(chip.kind, Kind::Ram { .. });
        for (line, &net) in chip.reads.iter().enumerate().filter(|(_, net)| !controls.contains(net)) {
            if !is_ram {
                self.at_line(phase, line, &deadline, needs);
            } else if (case.facts_before[number].moves[line] | case.facts_after[number].moves[line]) != 0 {
                needs.extend(self.settled(net, None, &deadline(Why::Writes)));
            }
        }
        self.closed(phase, case_number, number, &controls, needs);
        if is_ram {
            self.written(phase, arrivals, number, &controls, needs);
        }
    }

    /// What one line of a ROM has to be in time for, bit by bit.
    fn at_line<'c>(
        &self,
        phase: usize,
        line: usize,
        deadline: &dyn Fn(Why) -> Deadline<'c>,
        needs: &mut Vec<Need>,
    ) {
        let Some((case, number)) = deadline(Why::Holds).at else { return };
        let chip = &self.circuit.chips[number];
        let net = chip.reads[line];
        let is_own = chip.gives().contains(&net);
        let moves = |facts: &[Arc<Facts>], line: usize, bit: usize| facts[number].moves[line] >> bit & 1 == 1;
        for (bit, out) in chip.gives().enumerate() {
            if !self.circuit.is_loop(out) {
                if case.is_control(out) && moves(&self.phases[phase].plain.during, line, bit) {
                    needs.extend(self.settled(net, None, &deadline(Why::Opens)));
                }
                continue;
            }
            let own = chip.reads.iter().position(|&read| read == out);
            let holds = own.is_some_and(|own| moves(&case.facts_after, own, bit));
            if holds && !is_own && moves(&case.facts_before, line, bit) {
                needs.extend(self.settled(net, Some(out), &deadline(Why::Holds)));
            }
            if (holds && moves(&case.facts_after, line, bit)) || (is_own && case.is_control(net)) {
                needs.extend(self.settled(net, None, &deadline(Why::Holds)));
            }
        }
    }

    /// A net has to be right when the second way ends, whichever edge before moved it; where it comes into a loop,
    /// once round it.
    fn settled(&self, net: Net, round: Option<Net>, deadline: &Deadline) -> impl Iterator<Item = Need> {
        let Deadline { to, early, at, why } = deadline;
        (1..=PHASES).filter_map(move |edges| {
            let from = (to + PHASES - edges) % PHASES;
            let ways = self.phases[from].cases.iter().zip(&self.arrivals[from]);
            let fitting =
                ways.filter(|(case, _)| at.is_none_or(|(then, _)| self.agree(case, from, then, edges)));
            let latest = fitting.filter_map(|(_, ways)| ways.latest[net].as_ref());
            let mut late = latest.max_by_key(|way| way.time)?.clone();
            if let Some(round) = round {
                late.time += self.spans[round].1;
                late.nets.push(round);
            }
            let chip = at.map(|(_, chip)| chip);
            Some(Need { from, to: *to, edges: edges as u64, late, early: early.clone(), chip, why: *why })
        })
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
