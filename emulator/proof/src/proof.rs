//! A proof as pieces of work that do not need each other, and their sum.

use crate::clock::{Clock, NoClock};
use crate::explain::Explain;
use crate::instructions::{Cases, Mismatch, Portion};
use crate::loops::{Looked, Outcome, loops};
use crate::motion::{Motion, Motions, Phase};
use crate::order::order;
use crate::report::{
    CaseRow, Claim, ClaimReport, ClockRow, Counterexample, LookedAt, LoopRow, Moving, Report, RingRow,
    Verdict,
};
use crate::ring::Disorder;
use crate::wiring::Wiring;
use gray1_machine::board::Board;
use std::sync::atomic::AtomicBool;

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

    /// Does it. Gives nothing if it was stopped.
    pub fn work(&self, board: &Board, stop: &AtomicBool) -> Option<Finding> {
        Some(Finding(match &self.0 {
            Work::Loops => Found::Claim(prove_loops(board)),
            Work::Order => Found::Claim(prove_order(board)),
            Work::Cases(portion) if portion.cases.too_many(board).is_some() => {
                Found::Cases(portion.cases, Ok(0))
            }
            Work::Cases(portion) => Found::Cases(portion.cases, portion.try_all(board, stop)?),
        }))
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

fn prove_loops(board: &Board) -> ClaimReport {
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
    let explain = Explain { board, wiring: &wiring, motions: &motions };
    let (mut rows, mut counterexamples, mut undecided) = (vec![], vec![], vec![]);
    for (chip, outcome) in loops(&wiring, &motions) {
        let name = &wiring.chips[chip].name;
        let (verdict, looked) = match outcome {
            Outcome::Holds(looked) => (Verdict::Proved, looked),
            Outcome::Loses(lost) => {
                counterexamples.push(explain.lost(lost));
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
    let phases = motions.phases.iter().map(|phase| moving(&wiring, phase)).collect();
    ClaimReport::of(Claim::Loops, counterexamples, undecided, LookedAt::Loops { phases, chips: rows })
}

fn moving(wiring: &Wiring, phase: &Phase) -> Moving {
    let nets = |motion| wiring.names((0..wiring.nets.len()).filter(|&net| phase.motion[net] == motion));
    Moving { phase: phase.name.clone(), once: nets(Motion::Once), often: nets(Motion::Wild) }
}

fn prove_order(board: &Board) -> ClaimReport {
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
    let explain = Explain { board, wiring: &wiring, motions: &motions };
    let (circles, open) = order(&wiring, &motions, &clock.chips);
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
    let counterexamples = open.iter().map(|open| explain.open(open)).collect();
    ClaimReport::of(
        Claim::Order,
        counterexamples,
        vec![],
        LookedAt::Order { clock: row, rings: rings.collect() },
    )
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
