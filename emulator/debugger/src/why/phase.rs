//! The causal order of the nets in a phase.
//!
//! Levels at rest explain themselves: a latch is at 1 because it is at 1. So the nets are sorted such that each follows
//! from earlier ones. The inputs come first, then the nets that they determine. The other nets depend on loops; loops that
//! depend on no other loop come first. If no net of a loop has changed, the loop has held its levels. Otherwise a chip has
//! made a step: it has read the new levels of earlier nets together with the previous levels of the loop.
//!
//! The order in which chips react on the board does not matter (`gray1 verify order`); this is one possible order.

use crate::why::circuit::{Circuit, DataLine};
use crate::why::levels::Levels;
use gray1_machine::logic::components;
use gray1_machine::netlist::{Chip, NetId, Pin};

/// The origin of a net's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The net is an input.
    OutputSink,
    /// Levels of this phase determine the level.
    Fixed,
    /// A loop held the level.
    Held,
    /// The loop made a step. The chip read these lines: new levels of earlier nets, old levels of the others.
    Step(u32),
    /// The tables do not explain the change, so the user made it.
    Changed,
}

/// The order of a phase.
pub struct Phase {
    origins: Vec<Option<(u16, Origin)>>,
}

impl Phase {
    /// Determines how the levels after a phase followed from those before it. At the beginning of a run, `before` is
    /// `None`.
    pub fn new(circuit: &Circuit, before: Option<&Levels>, after: &Levels) -> Phase {
        let netlist = circuit.netlist();
        let nets = netlist.nets.len();
        let mut order = PhaseOrder {
            circuit,
            before,
            after,
            phase: Phase { origins: vec![None; nets] },
            round: 0,
            known: vec![None; netlist.chips.len()],
            open: vec![0; nets],
        };
        for net in netlist.inputs.iter().cloned().flatten() {
            order.phase.origins[net] = Some((0, Origin::OutputSink));
        }
        while order.take_fixed() {
            order.take_loops();
        }
        order.phase
    }

    /// Returns the origin of a net's level.
    pub fn origin(&self, net: NetId) -> Origin {
        self.origins[net].map_or(Origin::Changed, |(_, origin)| origin)
    }

    /// Returns the rank of a net in the order. Nets of the same rank do not depend on each other.
    pub fn rank(&self, net: NetId) -> u16 {
        self.origins[net].map_or(u16::MAX, |(rank, _)| rank)
    }
}

/// The construction of an order.
struct PhaseOrder<'a> {
    circuit: &'a Circuit,
    before: Option<&'a Levels>,
    after: &'a Levels,
    phase: Phase,
    round: u16,
    /// For each chip, the lines that were known when it was last examined.
    known: Vec<Option<u32>>,
    /// For each remaining net, the lines of its chip that could still change it then.
    open: Vec<u32>,
}

impl PhaseOrder<'_> {
    /// Takes all nets that earlier nets determine. Returns whether any nets are left.
    fn take_fixed(&mut self) -> bool {
        let netlist = self.circuit.netlist();
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            self.round += 1;
            for (id, chip) in netlist.chips.iter().enumerate() {
                let known = self.known(&chip.reads);
                if self.known[id].replace(known) == Some(known) {
                    continue;
                }
                let lines = self.circuit.lines_of(id, self.after);
                for (line, &net) in chip.data.iter().enumerate() {
                    if self.phase.origins[net].is_some() {
                        continue;
                    }
                    let line = self.circuit.line(Pin { chip: id, line });
                    self.open[net] = line.open_lines(lines, known, chip.reads.len());
                    if self.open[net] == 0 {
                        let is_held = self.unmoved(net, chip).is_some_and(|still| {
                            line.open_lines(lines, known & still, chip.reads.len()) == 0
                        });
                        let origin = if is_held { Origin::Held } else { Origin::Fixed };
                        self.phase.origins[net] = Some((self.round, origin));
                        is_new = true;
                    }
                }
            }
        }
        self.phase.origins.iter().any(Option::is_none)
    }

    /// Returns the unchanged lines of a chip, for a net that has not changed and is read by its own chip. If these lines
    /// determine the net, it has been held, even if other lines would determine it as well: the counter, for instance,
    /// could restore a lost bit from its other bits.
    fn unmoved(&self, net: NetId, chip: &Chip) -> Option<u32> {
        let before = self.before?;
        let is_still = before.level(net) == self.after.level(net) && chip.reads.contains(&net);
        is_still.then(|| !(before.number(&chip.reads) ^ self.after.number(&chip.reads)))
    }

    /// Takes the nets of loops that no remaining net outside of them can change.
    fn take_loops(&mut self) {
        self.round += 1;
        let left: Vec<Vec<NetId>> = (0..self.phase.origins.len()).map(|net| self.open_nets(net)).collect();
        for nets in components(&left) {
            let is_left = self.phase.origins[nets[0]].is_none();
            if !is_left || nets.iter().flat_map(|&net| &left[net]).any(|net| !nets.contains(net)) {
                continue;
            }
            let changed: Vec<NetId> = nets
                .iter()
                .copied()
                .filter(|&net| self.before.is_some_and(|before| before.level(net) != self.after.level(net)))
                .collect();
            let steps: Vec<(NetId, u32)> =
                changed.iter().filter_map(|&net| Some((net, self.step(net)?))).collect();
            let taken = match (&changed[..], &steps[..]) {
                ([], _) => nets.iter().map(|&net| (net, Origin::Held)).collect(),
                (_, []) => changed.iter().map(|&net| (net, Origin::Changed)).collect(),
                _ => steps.iter().map(|&(net, lines)| (net, Origin::Step(lines))).collect::<Vec<_>>(),
            };
            for (net, origin) in taken {
                self.phase.origins[net] = Some((self.round, origin));
            }
        }
    }

    /// Returns the lines that the chip of a net reads while earlier nets have their new levels and the others their old
    /// ones; `None` if its output is not the new level then.
    fn step(&self, net: NetId) -> Option<u32> {
        let pin = self.circuit.driver(net)?;
        let reads = &self.circuit.netlist().chips[pin.chip].reads;
        let known = self.known(reads);
        let lines = self.after.number(reads) & known | self.before?.number(reads) & !known;
        let gives = match self.circuit.line(pin) {
            DataLine::Rom(function) => function.at(lines),
            DataLine::Ram { .. } => return None,
        };
        (gives == self.after.level(net)).then_some(lines)
    }

    /// Returns the nets that can still change a net; none if the net is already ordered.
    fn open_nets(&self, net: NetId) -> Vec<NetId> {
        let pin = self.circuit.driver(net).filter(|_| self.phase.origins[net].is_none());
        let Some(pin) = pin else { return Vec::new() };
        let reads = self.circuit.netlist().chips[pin.chip].reads.iter().enumerate();
        reads.filter(|(line, _)| self.open[net] >> line & 1 == 1).map(|(_, &net)| net).collect()
    }

    /// Returns the nets that come earlier, as a mask.
    fn known(&self, nets: &[NetId]) -> u32 {
        nets.iter().zip(0..).fold(0, |mask, (&net, line)| {
            let is_earlier = self.phase.origins[net].is_some_and(|(rank, _)| rank < self.round);
            mask | u32::from(is_earlier) << line
        })
    }
}
