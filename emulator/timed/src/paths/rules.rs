//! The deadlines that changes have to meet.
//!
//! ```text
//!   edge j of the oscillator    edge k
//!   │── the longest path ──▶│   │
//!   │────────── k - j half periods ──────────│── the shortest path ──▶│
//! ```
//!
//! Each rule compares a longest path that begins with one edge with a shortest path that begins with a later edge.

use super::arrivals::{Arrivals, Path, Spans};
use super::cases::{Case, Influence, Phase};
use crate::conditions::NANOSECOND;
use gray1_machine::PHASES;
use gray1_machine::board::Timing;
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// A deadline: the last net of the longest path has to have its final level before the last net of the shortest path
/// changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The phase with whose edge the longest path begins.
    pub from: usize,
    /// The phase with whose edge the shortest path begins.
    pub to: usize,
    /// The half periods between the two edges.
    pub edges: u64,
    /// The longest path.
    pub longest: Path,
    /// The shortest path; one without nets is the edge itself.
    pub shortest: Path,
    /// The chip where they meet, if they meet at one.
    pub chip: Option<ChipId>,
    /// The reason for it.
    pub rule: Rule,
}

/// The reason for a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// When a latch closes, its input has to have arrived and to have gone around its loop.
    Holds,
    /// A line that opens or writes something must not show a wrong level.
    Opens,
    /// While RAM is written, address and data have to be stable.
    Writes,
    /// A latch has to have closed before its input changes again.
    Closes,
    /// In the gap between masters and slaves, all storage loops have to settle.
    Gap,
    /// At the end of the cycle the registers have to have their final values.
    Registers,
}

impl Requirement {
    /// The shortest half period that meets it, in picoseconds.
    pub fn half_period(&self) -> u64 {
        self.longest.time.saturating_sub(self.shortest.time).div_ceil(self.edges)
    }
}

/// The phases of a board with the paths in each case.
pub struct Analysis<'a> {
    netlist: &'a Netlist,
    timings: &'a [Timing],
    phases: &'a [Phase],
    spans: &'a Spans,
    /// For each phase, the paths in each of its cases.
    arrivals: Vec<Vec<Arrivals>>,
}

/// A chip in one case of a phase in which its controls change.
struct Site<'a> {
    phase: usize,
    case: &'a Case,
    arrivals: &'a Arrivals,
    chip: ChipId,
    controls: Vec<NetId>,
    /// The shortest path to one of its controls.
    shortest: &'a Path,
}

impl Analysis<'_> {
    pub fn new<'a>(
        netlist: &'a Netlist,
        timings: &'a [Timing],
        phases: &'a [Phase],
        spans: &'a Spans,
    ) -> Analysis<'a> {
        let follow = |case| Arrivals::follow(netlist, case, spans);
        let arrivals = phases.iter().map(|phase| phase.cases.iter().map(follow).collect());
        Analysis { netlist, timings, phases, spans, arrivals: arrivals.collect() }
    }

    /// All deadlines; of several paths to one net, only the longest.
    pub fn requirements(&self) -> Vec<Requirement> {
        let mut found = Vec::new();
        for (phase, arrivals) in self.arrivals.iter().enumerate() {
            for (case, arrivals) in self.phases[phase].cases.iter().zip(arrivals) {
                for chip in 0..self.netlist.chips.len() {
                    if let Some(site) = self.site(phase, case, arrivals, chip) {
                        self.lines(&site, &mut found);
                        self.closes(&site, &mut found);
                        self.writes(&site, &mut found);
                    }
                }
            }
        }
        for net in (0..self.netlist.nets.len()).filter(|&net| self.is_loop(net)) {
            found.extend(self.settled(net, None, 3, None, Rule::Gap));
        }
        let panel = &self.netlist.panel;
        for &net in panel.counter.iter().chain(&panel.accumulator).chain(&panel.carry) {
            found.extend(self.settled(net, None, 1, None, Rule::Registers));
        }
        found
    }

    /// The requirements for everything to be at rest in the gap, not only the storage loops.
    pub fn rest(&self) -> impl Iterator<Item = Requirement> {
        (0..self.netlist.nets.len()).flat_map(|net| self.settled(net, None, 3, None, Rule::Gap))
    }

    /// The longest path that begins with the edge of each phase.
    pub fn settling(&self) -> Vec<Path> {
        let longest = self.arrivals.iter().map(|cases| {
            let paths = cases.iter().flat_map(|arrivals| arrivals.longest.iter().flatten());
            paths.max_by_key(|path| path.time).cloned().unwrap_or_default()
        });
        longest.collect()
    }

    fn site<'a>(&self, phase: usize, case: &'a Case, arrivals: &'a Arrivals, id: ChipId) -> Option<Site<'a>> {
        let chip = &self.netlist.chips[id];
        let is_control = |net: &NetId| !chip.data.contains(net) && case.is_control(*net) && case.moves[*net];
        let controls: Vec<NetId> = chip.reads.iter().copied().filter(is_control).collect();
        let shortest = controls.iter().filter_map(|&net| arrivals.shortest[net].as_ref());
        let shortest = shortest.min_by_key(|path| path.time)?;
        Some(Site { phase, case, arrivals, chip: id, controls, shortest })
    }

    /// The deadlines of the lines of a chip when its controls change.
    fn lines(&self, site: &Site, found: &mut Vec<Requirement>) {
        let chip = &self.netlist.chips[site.chip];
        let lines = chip.reads.iter().enumerate().filter(|(_, net)| !site.controls.contains(net));
        let [before, after] =
            [&site.case.influence_before, &site.case.influence_after].map(|influence| &influence[site.chip]);
        for (line, &net) in lines {
            if !chip.is_ram() {
                self.rom_line(site, line, found);
            } else if before[line] | after[line] != 0 {
                found.extend(self.settled(net, None, site.phase, Some(site), Rule::Writes));
            }
        }
    }

    /// The deadlines of one line of a ROM, for each data line.
    fn rom_line(&self, site: &Site, line: usize, found: &mut Vec<Requirement>) {
        let chip = &self.netlist.chips[site.chip];
        let (case, net) = (site.case, chip.reads[line]);
        let is_own = chip.data.contains(&net);
        let settled = |round, rule| self.settled(net, round, site.phase, Some(site), rule);
        for (bit, &out) in chip.data.iter().enumerate() {
            let moves = |influence: &Influence, line: usize| influence[site.chip][line] >> bit & 1 == 1;
            if !self.is_loop(out) {
                let any = &self.phases[site.phase].any;
                if case.is_control(out) && moves(&any.influence_during, line) {
                    found.extend(settled(None, Rule::Opens));
                }
                continue;
            }
            let own = chip.own.iter().find(|&&(_, own)| own == bit);
            let holds = own.is_some_and(|&(own, _)| moves(&case.influence_after, own));
            if holds && !is_own && moves(&case.influence_before, line) {
                found.extend(settled(Some(out), Rule::Holds));
            }
            if (holds && moves(&case.influence_after, line)) || (is_own && case.is_control(net)) {
                found.extend(settled(None, Rule::Holds));
            }
        }
    }

    /// The controls of a latch or a RAM have to have arrived before the next edge changes any of its lines.
    fn closes(&self, site: &Site, found: &mut Vec<Requirement>) {
        let chip = &self.netlist.chips[site.chip];
        if !chip.holds_itself() && !chip.is_ram() {
            return;
        }
        let longest = site.controls.iter().filter_map(|&net| site.arrivals.longest[net].as_ref());
        if let Some(longest) = longest.max_by_key(|path| path.time) {
            found.extend(self.before_next(site, longest.clone(), &chip.reads, Rule::Closes));
        }
    }

    /// RAM has to be written for long enough.
    fn writes(&self, site: &Site, found: &mut Vec<Requirement>) {
        let inertia = u64::from(self.timings[site.chip].inertia) * NANOSECOND;
        let is_ram = self.netlist.chips[site.chip].is_ram();
        let controls = site.controls.iter().filter(|_| is_ram);
        for &net in controls {
            if let Some(longest) = &site.arrivals.longest[net] {
                let longest = Path { time: longest.time + inertia, ..longest.clone() };
                found.extend(self.before_next(site, longest, &[net], Rule::Writes));
            }
        }
    }

    /// A path has to end before the next edge changes any of these nets.
    fn before_next(&self, site: &Site, longest: Path, nets: &[NetId], rule: Rule) -> Option<Requirement> {
        let to = (site.phase + 1) % PHASES;
        let cases = self.arrivals[to].iter();
        let paths = cases.flat_map(|case| nets.iter().filter_map(|&net| case.shortest[net].as_ref()));
        let shortest = paths.min_by_key(|path| path.time)?.clone();
        Some(Requirement { from: site.phase, to, edges: 1, longest, shortest, chip: Some(site.chip), rule })
    }

    /// A net has to have its final level when the controls of a site change, or at the edge `to` itself, whichever
    /// earlier edge has changed it. If it enters a loop, the change has to have gone around the loop once, by the data
    /// line `round`.
    fn settled(
        &self,
        net: NetId,
        round: Option<NetId>,
        to: usize,
        site: Option<&Site>,
        rule: Rule,
    ) -> impl Iterator<Item = Requirement> {
        (1..=PHASES).filter_map(move |edges| {
            let from = (to + PHASES - edges) % PHASES;
            let cases = self.phases[from].cases.iter().zip(&self.arrivals[from]);
            let possible =
                cases.filter(|(case, _)| site.is_none_or(|site| self.agree(case, from, site.case, edges)));
            let longest = possible.filter_map(|(_, arrivals)| arrivals.longest[net].as_ref());
            let mut longest = longest.max_by_key(|path| path.time)?.clone();
            if let Some(round) = round {
                longest = longest.to(round, self.spans[round].1);
            }
            Some(Requirement {
                from,
                to,
                edges: edges as u64,
                longest,
                shortest: site.map_or_else(Path::default, |site| site.shortest.clone()),
                chip: site.map(|site| site.chip),
                rule,
            })
        })
    }

    /// Whether two cases can belong to one run: they assume the same levels of nets that have not changed in between.
    fn agree(&self, case: &Case, from: usize, later: &Case, edges: usize) -> bool {
        case.assumed.iter().all(|&(net, level)| {
            let has_moved = (1..=edges).any(|edge| self.phases[(from + edge) % PHASES].any.moves[net]);
            has_moved || later.assumed.iter().all(|&(other, later)| other != net || later == level)
        })
    }

    /// Whether the chip that drives a net also reads it, so that the net is part of a storage loop.
    fn is_loop(&self, net: NetId) -> bool {
        let driver = self.netlist.nets[net].driver;
        driver.is_some_and(|pin| self.netlist.chips[pin.chip].own.iter().any(|&(_, bit)| bit == pin.line))
    }
}
