//! The prover: proves or refutes each claim, and reports what it has examined.

use crate::cells::{Reach, reach};
use crate::claim::Claim;
use crate::clock::Clock;
use crate::cycle::Trouble;
use crate::explain::Explain;
use crate::instructions::{self, Aspect, Cycle, Explanation, Mismatch};
use crate::limits::Limits;
use crate::loops::{Examined, Fault, Outcome, loops};
use crate::motion::{phases, reset_phases};
use crate::order::{OpenRing, order};
use crate::phase::{Motion, Phase};
use crate::report::{
    CaseRow, ClaimReport, ClockRow, Counterexample, Evidence, LoopRow, Moving, Report, RingRow, Verdict,
};
use crate::reset::{self, RESET_CYCLES, ResetPhases};
use crate::rest::{self, loops_across, restless};
use crate::rom::{chip_names, listed, names, pads_and_keys};
use crate::strobes::strobes;
use crate::undecided::Undecided;
use gray1_logic::TooLarge;
use gray1_machine::PHASES;
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, Netlist};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Proves or refutes claims about one board.
#[derive(Clone, Copy)]
pub struct Prover<'a> {
    pub(crate) board: &'a Board,
    pub(crate) limits: Limits,
    pub(crate) stop: &'a AtomicBool,
}

/// A proof was stopped before there was a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the proof was stopped")]
pub struct Stopped;

impl<'a> Prover<'a> {
    /// A prover that is never stopped, with limits far above what a board of this size needs.
    pub fn new(board: &'a Board) -> Prover<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Prover { board, limits: Limits::default(), stop: &NEVER }
    }

    /// The same with other limits.
    pub fn within(self, limits: Limits) -> Prover<'a> {
        Prover { limits, ..self }
    }

    /// The same, stopped as soon as this flag is set.
    pub fn until(self, stop: &'a AtomicBool) -> Prover<'a> {
        Prover { stop, ..self }
    }

    /// Proves or refutes a claim.
    pub fn prove(&self, claim: Claim) -> Result<ClaimReport, Stopped> {
        let report = match claim {
            Claim::Loops => self.loops(),
            Claim::Order => self.order(),
            Claim::Instructions => self.instructions(),
            Claim::Strobes => self.strobes(),
            Claim::Reset => self.reset(),
        };
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(report) }
    }

    /// How a machine gets to each cell of each ROM, if that can be determined for this board.
    pub fn cells(&self) -> Result<Option<Vec<Reach>>, Stopped> {
        let netlist = &**self.board.netlist();
        let Ok(clock) = Clock::find(netlist, &self.limits) else { return Ok(None) };
        let phases = phases(netlist, &clock, &self.limits);
        let reset = reset_phases(netlist, &clock, &self.limits);
        let (held, releases) = reset.split_at(PHASES);
        let releases = clock.releases.iter().map(|release| release.phase).zip(releases).collect();
        let cycles = [(&phases[..PHASES], vec![]), (held, releases)];
        match reach(netlist, &cycles, &self.limits, self.stop) {
            Ok(None) => Err(Stopped),
            Ok(reach) => Ok(reach),
            Err(_) => Ok(None),
        }
    }

    /// Proves or refutes all claims.
    pub fn prove_all(&self) -> Result<Report, Stopped> {
        let claims = Claim::ALL.into_iter().map(|claim| self.prove(claim));
        Ok(Report::of(self.board, claims.collect::<Result<_, _>>()?))
    }

    fn loops(&self) -> ClaimReport {
        let netlist = &**self.board.netlist();
        let Ok(clock) = Clock::find(netlist, &self.limits) else {
            let evidence = Evidence::Loops { phases: vec![], chips: vec![] };
            return ClaimReport::of(Claim::Loops, vec![], vec![Undecided::NoClock], evidence);
        };
        let phases = phases(netlist, &clock, &self.limits);
        let (chips, counterexamples, undecided) = self.loops_in(&phases, &[]);
        let moving = phases.iter().map(|phase| Moving {
            phase: phase.name.clone(),
            once: names(netlist, phase.nets(netlist, Motion::Once)),
            often: names(netlist, phase.nets(netlist, Motion::Glitches)),
        });
        let evidence = Evidence::Loops { phases: moving.collect(), chips };
        ClaimReport::of(Claim::Loops, counterexamples, undecided, evidence)
    }

    /// Examines each chip with a loop in these phases, except for some chips.
    fn loops_in(
        &self,
        phases: &[Phase],
        except: &[ChipId],
    ) -> (Vec<LoopRow>, Vec<Counterexample>, Vec<Undecided>) {
        let Prover { board, stop, .. } = *self;
        let netlist = &**board.netlist();
        let (mut rows, mut faults) = (vec![], vec![]);
        let mut undecided = restless(netlist, phases);
        undecided.extend(rest::undecided(netlist, &loops_across(netlist, phases)));
        for (chip, outcome) in
            loops(netlist, phases, stop).into_iter().filter(|(chip, _)| !except.contains(chip))
        {
            let (verdict, Examined { holds, holds_between, steps, steps_between, cells }) = match outcome {
                Outcome::Holds(examined) => (Verdict::Proved, examined),
                Outcome::Loses(fault) => {
                    faults.push(fault);
                    (Verdict::Refuted, Examined::default())
                }
                Outcome::Undecided(why) => {
                    undecided.push(why);
                    (Verdict::Undecided, Examined::default())
                }
            };
            let chip = netlist.chips[chip].name.clone();
            let (goes, goes_between) = (steps, steps_between);
            rows.push(LoopRow { chip, verdict, holds, holds_between, goes, goes_between, cells });
        }
        let alike = |one: &Fault, other: &Fault| {
            let same_contents = netlist.chips[one.chip].holds == netlist.chips[other.chip].holds;
            same_contents && (one.phase, one.kind) == (other.phase, other.kind)
        };
        let explain = Explain { board, netlist, phases, stop };
        let counterexamples = grouped(faults, alike).into_iter().map(|(fault, also)| {
            explain.fault(fault, also.iter().map(|other| netlist.chips[other.chip].name.clone()).collect())
        });
        (rows, counterexamples.collect(), undecided)
    }

    fn order(&self) -> ClaimReport {
        let Prover { board, ref limits, .. } = *self;
        let netlist = &**board.netlist();
        let clock = match Clock::find(netlist, limits) {
            Ok(clock) => clock,
            Err(why) => {
                let evidence = Evidence::Order { clock: ClockRow::default(), rings: vec![] };
                return if why.is_undecided() {
                    ClaimReport::of(Claim::Order, vec![], vec![Undecided::Clock(why)], evidence)
                } else {
                    ClaimReport::of(Claim::Order, vec![Counterexample::Clock { why }], vec![], evidence)
                };
            }
        };
        let phases = phases(netlist, &clock, limits);
        let (rings, counterexamples, undecided) = self.order_in(&phases, &clock);
        let clock = ClockRow {
            chips: chip_names(netlist, &clock.chips),
            starts: clock.starts,
            states: clock.states,
            changes: clock.changes,
        };
        ClaimReport::of(Claim::Order, counterexamples, undecided, Evidence::Order { clock, rings })
    }

    /// Examines each ring in these phases.
    fn order_in(
        &self,
        phases: &[Phase],
        clock: &Clock,
    ) -> (Vec<RingRow>, Vec<Counterexample>, Vec<Undecided>) {
        let Prover { board, stop, .. } = *self;
        let netlist = &**board.netlist();
        let (rings, open) = order(netlist, phases, &clock.chips, stop);
        let alike = |one: &OpenRing, other: &OpenRing| match (&one.chips[..], &other.chips[..]) {
            (&[first], &[second]) => {
                one.phase == other.phase && netlist.chips[first].holds == netlist.chips[second].holds
            }
            _ => false,
        };
        let explain = Explain { board, netlist, phases, stop };
        let mut undecided = restless(netlist, phases);
        let mut across = loops_across(netlist, phases);
        across.retain(|(chips, _)| !rings.iter().any(|ring| ring.row.starts > 0 && ring.chips == *chips));
        undecided.extend(rest::undecided(netlist, &across));
        let mut counterexamples = Vec::new();
        for (open, also) in grouped(open, alike) {
            let also = also.iter().flat_map(|open| chip_names(netlist, &open.chips)).collect();
            match explain.open(&open, also) {
                Ok(counterexample) => counterexamples.push(counterexample),
                Err(why) => undecided.push(why),
            }
        }
        (rings.into_iter().map(|ring| ring.row).collect(), counterexamples, undecided)
    }

    fn strobes(&self) -> ClaimReport {
        let Prover { board, ref limits, stop } = *self;
        let netlist = &**board.netlist();
        let Ok(clock) = Clock::find(netlist, limits) else {
            let evidence = Evidence::Strobes { strobes: vec![] };
            return ClaimReport::of(Claim::Strobes, vec![], vec![Undecided::NoClock], evidence);
        };
        let phases = phases(netlist, &clock, limits);
        let explain = Explain { board, netlist, phases: &phases, stop };
        let (strobes, faults) = strobes(netlist, &phases[..PHASES], &clock.chips);
        let counterexamples = faults.into_iter().map(|fault| Counterexample::Strobe {
            strobe: fault.strobe,
            phase: fault.phase,
            why: fault.why,
            because: fault.line.map_or(vec![], |line| explain.because(&phases[fault.phase], line)),
        });
        let undecided = restless(netlist, &phases);
        ClaimReport::of(Claim::Strobes, counterexamples.collect(), undecided, Evidence::Strobes { strobes })
    }

    fn reset(&self) -> ClaimReport {
        let Prover { board, ref limits, stop } = *self;
        let netlist = &**board.netlist();
        let Ok(clock) = Clock::find(netlist, limits) else {
            let evidence = Evidence::Reset { cycles: RESET_CYCLES, from: vec![], ends: vec![] };
            return ClaimReport::of(Claim::Reset, vec![], vec![Undecided::NoClock], evidence);
        };
        let (running, reset) = (phases(netlist, &clock, limits), reset_phases(netlist, &clock, limits));
        // The clock may take over the end of a reset or miss it; both cases were explored.
        let (_, mut counterexamples, mut undecided) = self.loops_in(&reset, &clock.chips);
        let (_, open, unclear) = self.order_in(&reset, &clock);
        counterexamples.extend(open);
        undecided.extend(unclear.into_iter().filter(|why| !undecided.contains(why)).collect::<Vec<_>>());
        let (held, releases) = reset.split_at(PHASES);
        let ends: Vec<usize> = clock.releases.iter().map(|release| release.phase).collect();
        let releases = ends.iter().copied().zip(releases).collect();
        let phases = ResetPhases { held, releases, running: &running };
        let mut from = vec![];
        match reset::run(netlist, &phases, limits, stop) {
            Ok(Some(run)) => {
                counterexamples.extend(run.faults.into_iter().map(Counterexample::Reset));
                from = names(netlist, listed(netlist, run.free));
            }
            Ok(None) => undecided.push(Undecided::Stopped),
            Err(trouble) => undecided.push(trouble_in_words(netlist, trouble)),
        }
        let evidence = Evidence::Reset { cycles: RESET_CYCLES, from, ends };
        ClaimReport::of(Claim::Reset, counterexamples, undecided, evidence)
    }

    fn instructions(&self) -> ClaimReport {
        let Prover { board, ref limits, stop } = *self;
        let netlist = &**board.netlist();
        let phases = match Clock::find(netlist, limits) {
            Ok(clock) => phases(netlist, &clock, limits),
            Err(_) => return self.by_search(Undecided::NoClock),
        };
        let why = match instructions::run(netlist, &phases, limits, None, stop) {
            Ok(Some(mut cycle)) => {
                match (Explanation { board, phases: &phases, limits, stop }.of_all(&mut cycle)) {
                    Ok(found) => {
                        let evidence = instruction_evidence(&cycle, &found);
                        return ClaimReport::of(
                            Claim::Instructions,
                            instruction_faults(found),
                            vec![],
                            evidence,
                        );
                    }
                    // There is a fault, but not enough nodes to explain it.
                    Err(too_large) => trouble_in_words(netlist, too_large.into()),
                }
            }
            Ok(None) => Undecided::Stopped,
            Err(trouble) => trouble_in_words(netlist, trouble),
        };
        self.by_search(why)
    }

    /// A claim that cannot be decided for all states at once may still be refuted by a random program.
    fn by_search(&self, why: Undecided) -> ClaimReport {
        let nothing =
            Evidence::Instructions { cases: vec![], states: String::new(), state: vec![], inputs: vec![] };
        let found = instructions::by_search(self.board, self.stop);
        let undecided = if found.is_none() { vec![why] } else { vec![] };
        ClaimReport::of(Claim::Instructions, instruction_faults(found), undecided, nothing)
    }
}

/// The states that the claim covers, and the findings about them.
fn instruction_evidence(cycle: &Cycle, found: &[(Aspect, Mismatch)]) -> Evidence {
    let netlist = cycle.board.netlist;
    let panel = &netlist.panel;
    let memory = panel.memory.iter().flat_map(|&ram| &netlist.chips[ram].data);
    let inputs = panel.word.iter().chain(memory).copied().chain(pads_and_keys(netlist));
    let inputs = listed(netlist, inputs.collect());
    let share = cycle.board.diagrams.share(cycle.rests);
    let bits = cycle.state.len() as f64 + share.log2();
    let states = if share == 1.0 { format!("2^{bits}") } else { format!("2^{bits:.1}") };
    let tried = (bits + inputs.len() as f64).exp2();
    let cases = Aspect::ALL.map(|cases| {
        let is_wrong = found.iter().any(|(wrong, _)| *wrong == cases);
        CaseRow { cases, verdict: if is_wrong { Verdict::Refuted } else { Verdict::Proved }, tried }
    });
    let state = names(netlist, listed(netlist, cycle.state.clone()));
    Evidence::Instructions { cases: cases.to_vec(), states, state, inputs: names(netlist, inputs) }
}

fn trouble_in_words(netlist: &Netlist, trouble: Trouble) -> Undecided {
    match trouble {
        Trouble::TooLarge(TooLarge(nodes)) => Undecided::Diagrams { nodes },
        Trouble::Unsettled(chips) => Undecided::Unsettled { chips: chip_names(netlist, &chips) },
    }
}

fn instruction_faults(found: impl IntoIterator<Item = (Aspect, Mismatch)>) -> Vec<Counterexample> {
    found.into_iter().map(|(cases, mismatch)| Counterexample::Instruction { cases, mismatch }).collect()
}

impl Report {
    /// The results of some claims, in the order of the claims.
    pub fn of(board: &Board, mut claims: Vec<ClaimReport>) -> Report {
        claims.sort_by_key(|claim| claim.claim);
        let verdict = claims.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::Proved);
        Report { board: board.name.clone(), verdict, claims }
    }
}

/// The first of each group of faults that are alike, and the others of the group.
fn grouped<Fault>(faults: Vec<Fault>, alike: impl Fn(&Fault, &Fault) -> bool) -> Vec<(Fault, Vec<Fault>)> {
    let mut groups: Vec<(Fault, Vec<Fault>)> = Vec::new();
    for fault in faults {
        match groups.iter_mut().find(|(first, _)| alike(first, &fault)) {
            Some((_, also)) => also.push(fault),
            None => groups.push((fault, vec![])),
        }
    }
    groups
}

impl ClaimReport {
    fn of(
        claim: Claim,
        counterexamples: Vec<Counterexample>,
        undecided: Vec<Undecided>,
        evidence: Evidence,
    ) -> ClaimReport {
        let verdict = match (counterexamples.is_empty(), undecided.is_empty()) {
            (false, _) => Verdict::Refuted,
            (true, false) => Verdict::Undecided,
            (true, true) => Verdict::Proved,
        };
        ClaimReport { claim, verdict, undecided, counterexamples, evidence }
    }
}
