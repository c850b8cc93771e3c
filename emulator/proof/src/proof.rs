//! A proof as pieces of work that do not need each other, and their sum.

use crate::clock::{Clock, NoClock};
use crate::explain::Explain;
use crate::instructions::{Cases, Mismatch, Portion};
use crate::loops::{Looked, Lost, Outcome, loops};
use crate::motion::{Motion, Motions, Phase};
use crate::order::{Open, Opening, order};
use crate::report::{
    CaseRow, Claim, ClaimReport, ClockRow, Counterexample, LookedAt, LoopRow, Moving, Report, RingRow,
    Verdict,
};
use crate::ring::Disorder;
use crate::wiring::Wiring;
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

    /// What it looks at.
    pub fn name(&self) -> &'static str {
        match &self.0 {
            Work::Loops => Claim::Loops.says(),
            Work::Order => Claim::Order.says(),
            Work::Cases(portion) => portion.cases.name(),
        }
    }

    /// Does it. Gives nothing if it was stopped.
    pub fn work(&self, board: &Board, stop: &AtomicBool) -> Option<Finding> {
        let found = match &self.0 {
            Work::Loops => Found::Claim(prove_loops(board, stop)),
            Work::Order => Found::Claim(prove_order(board, stop)),
            Work::Cases(portion) if portion.cases.too_many(board).is_some() => {
                Found::Cases(portion.cases, Ok(0))
            }
            Work::Cases(portion) => Found::Cases(portion.cases, portion.try_all(board, stop)?),
        };
        (!stop.load(Ordering::Relaxed)).then_some(Finding(found))
    }
}

impl Report {
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

fn prove_loops(board: &Board, stop: &AtomicBool) -> ClaimReport {
    let wiring = Wiring::of(board);
    let looked = LookedAt::Loops { phases: vec![], chips: vec![] };
    let clock = match Clock::find(&wiring) {
        Ok(clock) => clock,
        Err(_) => {
            let why = "no clock was found, so nothing says what moves in which phase: see the claim `order`";
            return ClaimReport::of(Claim::Loops, vec![], vec![why.into()], looked);
        }
    };
    let motions = Motions::find(&wiring, &clock);
    let explain = Explain { board, wiring: &wiring, motions: &motions, stop };
    let (mut rows, mut faults, mut undecided) = (vec![], vec![], vec![]);
    for (chip, outcome) in loops(&wiring, &motions, stop) {
        let name = &wiring.chips[chip].name;
        let (verdict, looked) = match outcome {
            Outcome::Holds(looked) => (Verdict::Proved, looked),
            Outcome::Loses(lost) => {
                faults.push(lost);
                (Verdict::Refuted, Looked::default())
            }
            Outcome::Unknown(why) => {
                undecided.push(format!("{name}: {why}"));
                (Verdict::Undecided, Looked::default())
            }
        };
        rows.push(LoopRow {
            chip: name.clone(),
            verdict,
            holds: looked.holds,
            holds_between: looked.holds_between,
            goes: looked.goes,
            goes_between: looked.goes_between,
            cells: looked.cells,
        });
    }
    let alike = |one: &Lost, other: &Lost| {
        let trouble = |lost: &Lost| Lost { chip: 0, ..*lost };
        wiring.chips[one.chip].same_contents(&wiring.chips[other.chip]) && trouble(one) == trouble(other)
    };
    let named = |lost: &Lost| wiring.chips[lost.chip].name.clone();
    let counterexamples = grouped(faults, alike)
        .into_iter()
        .map(|(lost, also)| explain.lost(lost, also.iter().map(named).collect()))
        .collect();
    let phases = motions.phases.iter().map(|phase| moving(&wiring, phase)).collect();
    ClaimReport::of(Claim::Loops, counterexamples, undecided, LookedAt::Loops { phases, chips: rows })
}

fn moving(wiring: &Wiring, phase: &Phase) -> Moving {
    let nets = |motion| wiring.names((0..wiring.nets.len()).filter(|&net| phase.motion[net] == motion));
    Moving { phase: phase.name.clone(), once: nets(Motion::Once), often: nets(Motion::Wild) }
}

fn prove_order(board: &Board, stop: &AtomicBool) -> ClaimReport {
    let wiring = Wiring::of(board);
    let clock = match Clock::find(&wiring) {
        Ok(clock) => clock,
        Err(why) => {
            let looked = LookedAt::Order { clock: ClockRow::default(), rings: vec![] };
            return ClaimReport::of(Claim::Order, vec![no_clock(&wiring, why)], vec![], looked);
        }
    };
    let names =
        |chips: &[usize]| chips.iter().map(|&chip| wiring.chips[chip].name.clone()).collect::<Vec<_>>();
    let motions = Motions::find(&wiring, &clock);
    let explain = Explain { board, wiring: &wiring, motions: &motions, stop };
    let (circles, open) = order(&wiring, &motions, &clock.chips, stop);
    let levels = |(net, level): &(usize, bool)| format!("{}={}", wiring.nets[*net], u8::from(*level));
    let rings = circles.iter().map(|circle| RingRow {
        phase: motions.phases[circle.phase].name.clone(),
        chips: names(&circle.chips),
        verdict: Verdict::Proved,
        starts: circle.starts,
        states: circle.states,
        changes: circle.changes,
        withdrawn: circle.withdrawn,
        cut_by: circle.cut_by.iter().map(levels).collect(),
        cells: circle.cells,
    });
    let row = ClockRow {
        chips: names(&clock.chips),
        starts: clock.starts,
        states: clock.states,
        changes: clock.changes,
    };
    let alike = |one: &Open, other: &Open| match (&one.chips[..], &other.chips[..]) {
        (&[first], &[second]) => {
            one.phase == other.phase && wiring.chips[first].same_contents(&wiring.chips[second])
        }
        _ => false,
    };
    let (too_large, open): (Vec<Open>, Vec<Open>) =
        open.into_iter().partition(|open| matches!(open.kind, Opening::TooLarge));
    let undecided = too_large.iter().map(|open| {
        let (phase, chips) = (&motions.phases[open.phase].name, names(&open.chips).join(" "));
        format!("the ring {chips} in phase {phase} is cut by nothing and has too many states to visit")
    });
    let undecided = undecided.collect();
    let counterexamples = grouped(open, alike)
        .into_iter()
        .map(|(open, also)| explain.open(&open, also.iter().flat_map(|open| names(&open.chips)).collect()))
        .collect();
    ClaimReport::of(
        Claim::Order,
        counterexamples,
        undecided,
        LookedAt::Order { clock: row, rings: rings.collect() },
    )
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

fn no_clock(wiring: &Wiring, why: NoClock) -> Counterexample {
    let why = match why {
        NoClock::Other(why) => why,
        NoClock::Disorder { chips, disorder, pins } => {
            let chips: Vec<&str> = chips.iter().map(|&chip| wiring.chips[chip].name.as_str()).collect();
            let names = |way: &[usize]| wiring.names(way.iter().map(|&pin| pins[pin])).join(", ");
            let how = match &disorder {
                Disorder::TwoEnds { ways: [one, other], .. } => {
                    format!(
                        "when lines move in the order {} it ends elsewhere than after {}",
                        names(one),
                        names(other)
                    )
                }
                Disorder::Endless { way } => format!("it goes on moving for ever, after {}", names(way)),
                Disorder::TooLarge => "it has too many states to visit".to_owned(),
            };
            format!("the clock, {}, depends on the order of its lines: {how}", chips.join(" "))
        }
    };
    Counterexample::Clock { why }
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
    ClaimReport::of(Claim::Instructions, counterexamples, undecided, LookedAt::Instructions { cases: rows })
}

impl ClaimReport {
    fn of(
        claim: Claim,
        counterexamples: Vec<Counterexample>,
        undecided: Vec<String>,
        looked: LookedAt,
    ) -> ClaimReport {
        let verdict = match (counterexamples.is_empty(), undecided.is_empty()) {
            (false, _) => Verdict::Refuted,
            (true, false) => Verdict::Undecided,
            (true, true) => Verdict::Proved,
        };
        ClaimReport { claim, verdict, undecided, counterexamples, looked }
    }
}
