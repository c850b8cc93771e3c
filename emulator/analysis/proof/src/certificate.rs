//! The data that an independent checker needs in order to check the claims `loops` and `order`.
//!
//! A proof is hard to find and easy to check: which nets move in which phase is found by repeating a rule until it
//! gives nothing new, and checked by applying the rule once; the states of a ring are found by visiting them, and
//! checked by looking one step ahead from each. So the certificate has the motion of each net, and the list of states.
//! It refers to the board as described by [`gray1_machine::board::Wiring`]. `tests/second-opinion/check.py` is a
//! checker.

use crate::clock::Clock;
use crate::motion::phases;
use crate::order::{ClosedRing, order};
use crate::phase::{Motion, Phase};
use crate::prover::{Prover, Stopped};
use crate::ring::Exploration;
use crate::rom::{chip_names, names};
use gray1_machine::PHASES;
use gray1_machine::netlist::{NetId, Netlist};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// Levels of nets by name.
type Levels = BTreeMap<String, u8>;

/// The evidence for the claims `loops` and `order`.
///
/// States are numbers with one bit for each address line of each chip in the list beside them. The lowest bit is the
/// lowest line of the first chip.
#[derive(Debug, Serialize)]
pub struct Certificate {
    board: String,
    clock: ClockEvidence,
    phases: Vec<PhaseEvidence>,
    rings: Vec<RingEvidence>,
}

#[derive(Debug, Serialize)]
struct ClockEvidence {
    chips: Vec<String>,
    explorations: Vec<Exploration>,
}

/// A phase: the levels that are certain when it begins and when it ends, and the nets that move.
#[derive(Debug, Serialize)]
struct PhaseEvidence {
    name: String,
    start: Levels,
    end: Levels,
    once: Vec<String>,
    often: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RingEvidence {
    /// The index of the phase.
    phase: usize,
    chips: Vec<String>,
    ways: Vec<Way>,
}

/// One way in which the lines from outside the ring move: the lines whose levels are known, with the levels before and
/// after. If nothing was explored, they cut the ring.
#[derive(Debug, Serialize)]
struct Way {
    from: Levels,
    to: Levels,
    explorations: Option<Vec<Exploration>>,
}

impl Prover<'_> {
    /// The evidence for the claims `loops` and `order`, if the claim `order` was proved.
    pub fn certificate(&self) -> Result<Option<Certificate>, Stopped> {
        let netlist = &**self.board.netlist();
        let Ok(clock) = Clock::find(netlist, &self.limits) else { return Ok(None) };
        let phases = phases(netlist, &clock, &self.limits);
        let (rings, open) = order(netlist, &phases, &clock.chips, self.stop);
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let reset = netlist.panel.reset[0];
        if !open.is_empty() || phases.len() != PHASES || phases.iter().any(|phase| phase.moves(reset)) {
            return Ok(None);
        }
        let clock =
            ClockEvidence { chips: chip_names(netlist, &clock.chips), explorations: clock.explorations };
        Ok(Some(Certificate {
            board: self.board.name.clone(),
            clock,
            phases: phases.iter().map(|phase| phase_evidence(netlist, phase)).collect(),
            rings: rings.into_iter().map(|ring| ring_evidence(netlist, ring)).collect(),
        }))
    }
}

fn phase_evidence(netlist: &Netlist, phase: &Phase) -> PhaseEvidence {
    let levels = |known: &[Option<bool>]| levels(netlist, known.iter().copied().enumerate());
    PhaseEvidence {
        name: phase.name.clone(),
        start: levels(&phase.start),
        end: levels(&phase.end),
        once: names(netlist, phase.nets(netlist, Motion::Once)),
        often: names(netlist, phase.nets(netlist, Motion::Glitches)),
    }
}

fn ring_evidence(netlist: &Netlist, ring: ClosedRing) -> RingEvidence {
    let ways = ring.ways.into_iter().map(|(outside, explorations)| Way {
        from: levels(netlist, outside.levels.iter().map(|&(net, from, _)| (net, from))),
        to: levels(netlist, outside.levels.iter().map(|&(net, _, to)| (net, to))),
        explorations,
    });
    RingEvidence { phase: ring.phase, chips: chip_names(netlist, &ring.chips), ways: ways.collect() }
}

fn levels(netlist: &Netlist, known: impl Iterator<Item = (NetId, Option<bool>)>) -> Levels {
    let known = known.filter_map(|(net, level)| Some((netlist.nets[net].name.clone(), u8::from(level?))));
    known.collect()
}
