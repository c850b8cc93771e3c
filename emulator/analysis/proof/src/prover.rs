//! The prover: proves or refutes each claim, and reports what it has examined.

use crate::bench;
use crate::cells::{Reach, reach};
use crate::claim::Claim;
use crate::clock::{Clock, clock_cone};
use crate::cycle::Trouble;
use crate::examination::Examination;
use crate::findings::Findings;
use crate::instructions;
use crate::limits::Limits;
use crate::motion::{bench_phases, phases, reset_phases, steady_phases};
use crate::phase::write_line;
use crate::report::{ClaimReport, ClockRow, Counterexample, Evidence, Report, Verdict};
use crate::reset::RESET_CYCLES;
use crate::undecided::Undecided;
use gray1_machine::PHASES;
use gray1_machine::board::Board;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Proves or refutes claims about one board.
#[derive(Clone)]
pub struct Prover<'a> {
    pub(crate) board: &'a Board,
    pub(crate) limits: Limits,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) findings: Arc<Findings>,
}

/// A proof was stopped before there was a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the proof was stopped")]
pub struct Stopped;

impl<'a> Prover<'a> {
    /// A prover that is never stopped, with limits far above what a board of this size needs.
    pub fn new(board: &'a Board) -> Prover<'a> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Prover { board, limits: Limits::default(), stop: &NEVER, findings: Arc::default() }
    }

    /// The same with other limits.
    pub fn within(self, limits: Limits) -> Prover<'a> {
        Prover { limits, findings: Arc::default(), ..self }
    }

    /// The same, stopped as soon as this flag is set.
    pub fn until(self, stop: &'a AtomicBool) -> Prover<'a> {
        Prover { stop, ..self }
    }

    /// Proves or refutes a claim.
    pub fn prove(&self, claim: Claim) -> Result<ClaimReport, Stopped> {
        let report = match claim {
            Claim::Instructions => self.findings.instructions.make(self.stop, || self.examine(claim)),
            _ => self.examine(claim),
        };
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(report) }
    }

    fn examine(&self, claim: Claim) -> ClaimReport {
        let Prover { board, ref limits, stop, ref findings } = *self;
        let netlist = &**board.netlist();
        let mut report = ClaimReport::nothing(claim);
        if netlist.bench.is_some() {
            let inputs = netlist.inputs.iter().cloned().flatten();
            let moves: Vec<_> = inputs.map(|net| (net, vec![])).collect();
            let (clock, phases) = (Clock::none(), bench_phases(netlist, &moves, limits));
            bench::examine(
                &Examination { board, netlist, limits, stop, findings, clock, phases },
                &mut report,
            );
            return self.finish(report);
        }
        match Clock::find(netlist, limits) {
            Ok(clock) => {
                let phases = phases(netlist, &clock, limits);
                Examination { board, netlist, limits, stop, findings, clock, phases }.examine(&mut report);
            }
            Err(_) if claim != Claim::Order => {
                report.leave(Undecided::NoClock);
                if claim == Claim::Reset
                    && let Some(what) = findings.harm(board, &clock_cone(netlist).1, stop)
                {
                    report.undecided.clear();
                    report.counterexamples.push(Counterexample::Button { what });
                }
            }
            Err(why) if why.is_undecided() => report.leave(Undecided::Clock(why)),
            Err(why) => report.counterexamples.push(Counterexample::Clock { why }),
        }
        // A claim that cannot be decided for all states at once may still be refuted by a random program.
        if claim == Claim::Instructions
            && !report.undecided.is_empty()
            && report.counterexamples.is_empty()
            && !report.undecided.iter().any(|why| matches!(why, Undecided::Unseen { .. }))
            && let Some((cases, mismatch)) = instructions::by_search(board, stop)
        {
            report.undecided.clear();
            report.counterexamples.push(Counterexample::Instruction { cases, mismatch });
        }
        if matches!(claim, Claim::Loops | Claim::Order | Claim::Reset) {
            self.weigh(&mut report);
        }
        self.finish(report)
    }

    fn finish(&self, mut report: ClaimReport) -> ClaimReport {
        let netlist = self.board.netlist();
        let rams = netlist.chips.iter().filter(|chip| chip.is_ram() && self.board.hardware.is_some());
        report.leave_all(rams.filter(|ram| netlist.opposite(write_line(ram)).is_none()).map(|ram| {
            let write = netlist.nets[write_line(ram)].name.clone();
            Undecided::NoWriteLine { ram: ram.name.clone(), write }
        }));
        report.verdict = match (report.counterexamples.is_empty(), report.undecided.is_empty()) {
            (false, _) => Verdict::Refuted,
            (true, false) => Verdict::Undecided,
            (true, true) => Verdict::Proved,
        };
        report
    }

    /// How a machine gets to each cell of each ROM, if that can be determined for this board.
    pub fn cells(&self) -> Result<Option<Vec<Reach>>, Stopped> {
        let netlist = &**self.board.netlist();
        let Ok(clock) = Clock::find(netlist, &self.limits) else { return Ok(None) };
        let phases = steady_phases(netlist, &clock, &self.limits);
        let reset = reset_phases(netlist, &clock, &self.limits);
        let (held, releases) = reset.split_at(PHASES);
        let releases = clock.releases.iter().map(|release| release.phase).zip(releases).collect();
        let cycles = [(&phases[..PHASES], vec![]), (held, releases)];
        match reach(netlist, &cycles, &self.limits, self.stop) {
            Ok(reach) => Ok(Some(reach)),
            Err(Trouble::Stopped) => Err(Stopped),
            Err(_) => Ok(None),
        }
    }

    /// Proves or refutes all claims.
    pub fn prove_all(&self) -> Result<Report, Stopped> {
        let claims = Claim::ALL.into_iter().map(|claim| self.prove(claim));
        Ok(Report::of(self.board, claims.collect::<Result<_, _>>()?))
    }
}

impl Report {
    /// The results of some claims, in the order of the claims.
    pub fn of(board: &Board, mut claims: Vec<ClaimReport>) -> Report {
        claims.sort_by_key(|claim| claim.claim);
        let verdict = claims.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::Proved);
        Report { board: board.name.clone(), verdict, claims }
    }
}

impl ClaimReport {
    /// The report before anything was examined.
    pub(crate) fn nothing(claim: Claim) -> ClaimReport {
        let evidence = match claim {
            Claim::Loops => Evidence::Loops { phases: vec![], chips: vec![] },
            Claim::Order => Evidence::Order { clock: ClockRow::default(), rings: vec![] },
            Claim::Instructions => {
                Evidence::Instructions { cases: vec![], states: String::new(), state: vec![], inputs: vec![] }
            }
            Claim::Strobes => Evidence::Strobes { strobes: vec![] },
            Claim::Reset => {
                Evidence::Reset { cycles: RESET_CYCLES, from: vec![], ends: vec![], begins: vec![] }
            }
        };
        ClaimReport {
            claim,
            verdict: Verdict::Undecided,
            assumptions: claim.assumptions().to_vec(),
            nodes: None,
            seconds: None,
            undecided: vec![],
            counterexamples: vec![],
            evidence,
        }
    }

    /// Notes why it may remain undecided, once.
    pub(crate) fn leave(&mut self, why: Undecided) {
        if !self.undecided.contains(&why) {
            self.undecided.push(why);
        }
    }

    pub(crate) fn leave_all(&mut self, reasons: impl IntoIterator<Item = Undecided>) {
        reasons.into_iter().for_each(|why| self.leave(why));
    }
}
