//! The claims: their proofs as pieces of work that do not need each other, and the report of what came of them.

use crate::clock::Clock;
use crate::explain::Explain;
use crate::instructions::{Cases, Mismatch, Portion};
use crate::limits::Limits;
use crate::loops::{Examined, Fault, Outcome, loops};
use crate::motion::phases;
use crate::order::{OpenRing, order};
use crate::phase::Motion;
use crate::report::{
    CaseRow, Claim, ClaimReport, ClockRow, Counterexample, Evidence, LoopRow, Moving, Report, Verdict,
};
use crate::rest::{self, loops_across, restless};
use crate::rom::{chip_names, names};
use crate::undecided::Undecided;
use gray1_machine::board::Board;
use std::sync::atomic::{AtomicBool, Ordering};

/// A piece of a proof.
#[derive(Clone, Debug)]
pub struct Piece(Work);

#[derive(Clone, Debug)]
enum Work {
    Loops,
    Order,
    Cases(Portion),
}

/// What came of a piece.
#[derive(Clone, Debug)]
pub struct Finding(Found);

#[derive(Clone, Debug)]
enum Found {
    Claim(ClaimReport),
    Cases(Cases, Result<u64, Mismatch>),
}

impl Claim {
    /// All claims.
    pub const ALL: [Claim; 3] = [Claim::Loops, Claim::Order, Claim::Instructions];

    /// What it says of a board, in a sentence.
    pub fn says(self) -> &'static str {
        match self {
            Claim::Loops => "Every loop holds over T(A,B)",
            Claim::Order => "Order does not matter",
            Claim::Instructions => "The board computes the instruction set",
        }
    }

    /// The pieces of its proof.
    pub fn pieces(self) -> Vec<Piece> {
        match self {
            Claim::Loops => vec![Piece(Work::Loops)],
            Claim::Order => vec![Piece(Work::Order)],
            Claim::Instructions => {
                let portions = Cases::ALL.into_iter().flat_map(Cases::portions);
                portions.map(|portion| Piece(Work::Cases(portion))).collect()
            }
        }
    }
}

impl Piece {
    /// How much work it is, in cases.
    pub fn size(&self) -> u64 {
        match &self.0 {
            Work::Cases(portion) => portion.count(),
            Work::Loops | Work::Order => 1 << 18,
        }
    }

    /// What it examines.
    pub fn name(&self) -> &'static str {
        match &self.0 {
            Work::Loops => Claim::Loops.says(),
            Work::Order => Claim::Order.says(),
            Work::Cases(portion) => portion.cases.name(),
        }
    }

    /// Does it. Gives nothing if it was stopped.
    pub fn work(&self, board: &Board, limits: &Limits, stop: &AtomicBool) -> Option<Finding> {
        let found = match &self.0 {
            Work::Loops => Found::Claim(prove_loops(board, limits, stop)),
            Work::Order => Found::Claim(prove_order(board, limits, stop)),
            Work::Cases(portion) if portion.cases.too_many(board).is_some() => {
                Found::Cases(portion.cases, Ok(0))
            }
            Work::Cases(portion) => Found::Cases(portion.cases, portion.try_all(board, stop)?),
        };
        (!stop.load(Ordering::Relaxed)).then_some(Finding(found))
    }
}

impl Report {
    /// Proves or refutes these claims, one piece after the other. Gives nothing if it was stopped.
    pub fn prove(board: &Board, claims: &[Claim], limits: &Limits, stop: &AtomicBool) -> Option<Report> {
        let pieces = claims.iter().flat_map(|claim| claim.pieces());
        let findings: Option<Vec<Finding>> = pieces.map(|piece| piece.work(board, limits, stop)).collect();
        Some(Report::of(board, claims, findings?))
    }

    /// The sum of the results of all pieces of these claims, in the order of the pieces.
    pub fn of(board: &Board, claims: &[Claim], results: impl IntoIterator<Item = Finding>) -> Report {
        let (mut whole, mut cases) = (Vec::new(), Vec::new());
        for result in results {
            match result.0 {
                Found::Claim(claim) => whole.push(claim),
                Found::Cases(kind, result) => cases.push((kind, result)),
            }
        }
        if claims.contains(&Claim::Instructions) {
            whole.push(sum_cases(board, cases));
        }
        whole.sort_by_key(|claim| claim.claim);
        let verdict = whole.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::Proved);
        Report { board: board.name.clone(), verdict, claims: whole }
    }
}

fn prove_loops(board: &Board, limits: &Limits, stop: &AtomicBool) -> ClaimReport {
    let netlist = &**board.netlist();
    let Ok(clock) = Clock::find(netlist, limits) else {
        let evidence = Evidence::Loops { phases: vec![], chips: vec![] };
        return ClaimReport::of(Claim::Loops, vec![], vec![Undecided::NoClock], evidence);
    };
    let phases = phases(netlist, &clock, limits);
    let (mut rows, mut faults) = (vec![], vec![]);
    let mut undecided = restless(netlist, &phases);
    undecided.extend(rest::undecided(netlist, &loops_across(netlist, &phases)));
    for (chip, outcome) in loops(netlist, &phases, stop) {
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
    let explain = Explain { board, netlist, phases: &phases, stop };
    let counterexamples = grouped(faults, alike).into_iter().map(|(fault, also)| {
        explain.fault(fault, also.iter().map(|other| netlist.chips[other.chip].name.clone()).collect())
    });
    let moving = phases.iter().map(|phase| Moving {
        phase: phase.name.clone(),
        once: names(netlist, phase.nets(netlist, Motion::Once)),
        often: names(netlist, phase.nets(netlist, Motion::Glitches)),
    });
    let evidence = Evidence::Loops { phases: moving.collect(), chips: rows };
    ClaimReport::of(Claim::Loops, counterexamples.collect(), undecided, evidence)
}

fn prove_order(board: &Board, limits: &Limits, stop: &AtomicBool) -> ClaimReport {
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
    let (rings, open) = order(netlist, &phases, &clock.chips, stop);
    let alike = |one: &OpenRing, other: &OpenRing| match (&one.chips[..], &other.chips[..]) {
        (&[first], &[second]) => {
            one.phase == other.phase && netlist.chips[first].holds == netlist.chips[second].holds
        }
        _ => false,
    };
    let explain = Explain { board, netlist, phases: &phases, stop };
    let mut undecided = restless(netlist, &phases);
    let mut across = loops_across(netlist, &phases);
    across.retain(|(chips, _)| {
        !rings.iter().any(|ring| ring.starts > 0 && ring.chips == chip_names(netlist, chips))
    });
    undecided.extend(rest::undecided(netlist, &across));
    let mut counterexamples = Vec::new();
    for (open, also) in grouped(open, alike) {
        let also = also.iter().flat_map(|open| chip_names(netlist, &open.chips)).collect();
        match explain.open(&open, also) {
            Ok(counterexample) => counterexamples.push(counterexample),
            Err(why) => undecided.push(why),
        }
    }
    let clock = ClockRow {
        chips: chip_names(netlist, &clock.chips),
        starts: clock.starts,
        states: clock.states,
        changes: clock.changes,
    };
    let evidence = Evidence::Order { clock, rings };
    ClaimReport::of(Claim::Order, counterexamples, undecided, evidence)
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

fn sum_cases(board: &Board, results: Vec<(Cases, Result<u64, Mismatch>)>) -> ClaimReport {
    let (mut rows, mut counterexamples, mut undecided) = (vec![], vec![], vec![]);
    for cases in Cases::ALL {
        let mut row = CaseRow { cases, verdict: Verdict::Proved, tried: 0 };
        if let Some(why) = cases.too_many(board) {
            undecided.push(why);
            row.verdict = Verdict::Undecided;
        }
        for (_, result) in results.iter().filter(|(kind, _)| *kind == cases) {
            match result {
                Ok(tried) => row.tried += tried,
                Err(mismatch) => {
                    if row.verdict != Verdict::Refuted {
                        counterexamples
                            .push(Counterexample::Instruction { cases, mismatch: mismatch.clone() });
                    }
                    row.verdict = Verdict::Refuted;
                }
            }
        }
        rows.push(row);
    }
    ClaimReport::of(Claim::Instructions, counterexamples, undecided, Evidence::Instructions { cases: rows })
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
