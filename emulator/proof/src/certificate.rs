//! The data that an independent checker needs in order to check the claims `loops`, `order`,
//! `strobes` and `reset`.
//!
//! A proof is hard to find and easy to check: which nets move in which phase is found by repeating a rule until it
//! gives nothing new, and checked by applying the rule once; the states of a ring are found by visiting them, and
//! checked by looking one step ahead from each. So the certificate has the motion of each net, and the list of states.
//! The claim `strobes` follows from the motions, and needs no more than these; the claim `reset` needs the same evidence
//! for the phases while the reset line is held, and for those in which a reset ends.
//! It refers to the board as described by [`gray1_machine::board::Wiring`]. `tests/second-opinion/check.py` is a
//! checker.

use crate::claim::Claim;
use crate::clock::{Clock, Motion};
use crate::motion::{phases, reset_phases, turning_phases};
use crate::order::{ClosedRing, order};
use crate::phase::Phase;
use crate::prover::{Prover, Stopped};
use crate::ring::Exploration;
use crate::rom::{chip_names, names};
use gray1_machine::PHASES;
use gray1_machine::netlist::{NetId, Netlist};
use serde::Serialize;
use std::collections::BTreeMap;

/// Levels of nets by name.
type Levels = BTreeMap<String, u8>;

/// The evidence for some claims: `loops` and `order`, and those that rest upon them.
///
/// States are numbers with one bit for each address line of each chip in the list beside them. The lowest bit is the
/// lowest line of the first chip.
#[derive(Debug, Serialize)]
pub struct Certificate {
    board: String,
    clock: ClockEvidence,
    #[serde(flatten)]
    running: PhasesEvidence,
    claims: Vec<Claim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset: Option<ResetEvidence>,
}

#[derive(Debug, Serialize)]
struct PhasesEvidence {
    phases: Vec<PhaseEvidence>,
    rings: Vec<RingEvidence>,
}

/// The four phases while the reset line is held, and then those in which a reset can end.
#[derive(Debug, Serialize)]
struct ResetEvidence {
    #[serde(flatten)]
    phases: PhasesEvidence,
    /// The phases in which a reset can begin.
    begins: Vec<PhaseEvidence>,
    explorations: Vec<Exploration>,
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
    ways: Vec<RingCase>,
}

/// One way in which the lines from outside the ring move: the lines whose levels are known, with the levels before and
/// after. If nothing was explored, they cut the ring.
#[derive(Debug, Serialize)]
struct RingCase {
    from: Levels,
    to: Levels,
    explorations: Option<Vec<Exploration>>,
}

impl Prover<'_> {
    /// Returns the evidence for those of the claims, which must have been proved, that a certificate can be about;
    /// `None` without `loops` and `order`.
    pub fn certificate(&self, proved: &[Claim]) -> Result<Option<Certificate>, Stopped> {
        let mut claims = vec![Claim::Loops, Claim::Order];
        if !claims.iter().all(|claim| proved.contains(claim)) {
            return Ok(None);
        }
        claims.extend([Claim::Strobes, Claim::Reset].into_iter().filter(|claim| proved.contains(claim)));
        let netlist = &**self.board.netlist();
        let Ok(mut clock) = Clock::find(netlist, &self.limits) else { return Ok(None) };
        let phases = phases(netlist, &clock, &self.limits);
        let reset = netlist.panel.reset[0];
        if phases.len() != PHASES || phases.iter().any(|phase| phase.moves(reset)) {
            return Ok(None);
        }
        let Some(running) = self.phases_evidence(&clock, &phases)? else {
            return Ok(None);
        };
        let mut reset = None;
        if claims.contains(&Claim::Reset) {
            let Ok(presses) = clock.presses(netlist, &self.limits) else { return Ok(None) };
            let begins = turning_phases(netlist, &clock, &self.limits, true, &presses);
            let begins = begins.iter().map(|phase| phase_evidence(netlist, phase)).collect();
            let phases = reset_phases(netlist, &clock, &self.limits);
            let Some(phases) = self.phases_evidence(&clock, &phases)? else { return Ok(None) };
            reset = Some(ResetEvidence {
                phases,
                begins,
                explorations: std::mem::take(&mut clock.reset_explorations),
            });
        }
        let clock =
            ClockEvidence { chips: chip_names(netlist, &clock.chips), explorations: clock.explorations };
        Ok(Some(Certificate { board: self.board.name.clone(), clock, running, claims, reset }))
    }

    /// Returns the evidence for some phases, if order does not matter in them.
    fn phases_evidence(&self, clock: &Clock, phases: &[Phase]) -> Result<Option<PhasesEvidence>, Stopped> {
        let netlist = &**self.board.netlist();
        let (rings, open) = order(netlist, phases, &clock.chips, self.stop);
        self.unless_stopped()?;
        let evidence = || PhasesEvidence {
            phases: phases.iter().map(|phase| phase_evidence(netlist, phase)).collect(),
            rings: rings.into_iter().map(|ring| ring_evidence(netlist, ring)).collect(),
        };
        Ok(open.is_empty().then(evidence))
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
    let ways = ring.ways.into_iter().map(|(outside, explorations)| RingCase {
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
