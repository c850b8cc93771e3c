//! Proves or refutes each claim.

use crate::bench;
use crate::cells::{Reach, reach};
use crate::claim::Claim;
use crate::clock::{Clock, clock_cone};
use crate::cycle::Trouble;
use crate::examination::Examination;
use crate::instructions;
use crate::motion::{bench_phases, phases, reset_phases, steady_phases};
use crate::phase::write_line;
use crate::prover::{Prover, Stopped};
use crate::report::{ClaimReport, Counterexample, Report, Verdict};
use crate::undecided::Undecided;
use crate::weigh::weigh;
use gray1_machine::PHASES;

impl Prover<'_> {
    /// Proves or refutes a claim.
    pub fn prove(&self, claim: Claim) -> Result<ClaimReport, Stopped> {
        let report = match claim {
            Claim::Instructions => self.instructions(|| self.examine(claim)),
            _ => self.examine(claim),
        };
        self.unless_stopped().map(|()| report)
    }

    fn examine(&self, claim: Claim) -> ClaimReport {
        let Prover { board, ref limits, stop, .. } = *self;
        let netlist = &**board.netlist();
        let mut report = ClaimReport::nothing(claim);
        if netlist.bench.is_some() {
            let inputs = netlist.inputs.iter().cloned().flatten();
            let moves: Vec<_> = inputs.map(|net| (net, vec![])).collect();
            let (clock, phases) = (Clock::default(), bench_phases(netlist, &moves, limits));
            bench::examine(&Examination { prover: self, netlist, clock, phases }, &mut report);
            return self.finish(report);
        }
        match Clock::find(netlist, limits) {
            Ok(clock) => {
                let phases = phases(netlist, &clock, limits);
                Examination { prover: self, netlist, clock, phases }.examine(&mut report);
            }
            Err(_) if claim != Claim::Order => {
                report.leave(Undecided::NoClock);
                if claim == Claim::Reset
                    && let Some(what) = self.harm(&clock_cone(netlist).1)
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
            weigh(self, || self.examine(Claim::Instructions), &mut report);
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

    /// Finds which cells of each ROM a machine can reach, if that can be determined for this board.
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
