//! The result of a proof, as data.

use crate::claim::{Claim, RESET_CYCLES};
pub use crate::fault::*;
use crate::mismatch::Aspect;
use crate::ring::Counted;
use crate::undecided::Undecided;
use gray1_machine::board::Board;
use serde::Serialize;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is true.
    Proved,
    /// It is undecided; the reason is given separately.
    #[default]
    Undecided,
    /// It is false; there is a counterexample.
    Refuted,
}

/// All results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the board.
    pub board: String,
    /// The worst of the verdicts.
    pub verdict: Verdict,
    /// The claims that were to be proved.
    pub claims: Vec<ClaimReport>,
}

/// The result for one claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimReport {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// The numbers of its assumptions.
    pub assumptions: Vec<u8>,
    /// The nodes of decision diagrams that it took, if it took any that are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
    /// Why it is undecided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<Undecided>,
    /// Why it is refuted: the first counterexample for each chip, ring or kind of case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<Counterexample>,
    /// The evidence.
    #[serde(flatten)]
    pub evidence: Evidence,
}

impl Report {
    /// Collects the results of some claims, in the order of the claims.
    pub fn of(board: &Board, mut claims: Vec<ClaimReport>) -> Report {
        claims.sort_by_key(|claim| claim.claim);
        let verdict = claims.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::Proved);
        Report { board: board.name.clone(), verdict, claims }
    }
}

impl ClaimReport {
    /// Returns the report before anything was examined.
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
            assumptions: claim.wording().assumptions.to_vec(),
            nodes: None,
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

    /// Notes several reasons.
    pub(crate) fn leave_all(&mut self, reasons: impl IntoIterator<Item = Undecided>) {
        reasons.into_iter().for_each(|why| self.leave(why));
    }

    /// Notes why faults of loops do not refute the claim. If there are no other counterexamples, no chip does either.
    pub(crate) fn leave_harmless(&mut self, reasons: impl IntoIterator<Item = Undecided>) {
        if let (true, Evidence::Loops { chips, .. }) = (self.counterexamples.is_empty(), &mut self.evidence) {
            let refuted = chips.iter_mut().filter(|row| row.verdict == Verdict::Refuted);
            refuted.for_each(|row| row.verdict = Verdict::Undecided);
        }
        self.leave_all(reasons);
    }
}

/// The parts of a board that were examined, for each kind of claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Evidence {
    #[allow(missing_docs)]
    Loops {
        /// Which nets can move in which phase.
        phases: Vec<Moving>,
        /// The chips with a loop, and the RAMs.
        chips: Vec<LoopRow>,
    },
    #[allow(missing_docs)]
    Order {
        /// The clock, explored alone: states of power-up, states visited, changes of a line.
        clock: ClockRow,
        /// The rings around which lines can move in some phase.
        rings: Vec<RingRow>,
    },
    #[allow(missing_docs)]
    Instructions {
        /// The aspects that are compared, each in all of these states.
        cases: Vec<CaseRow>,
        /// The number of states in which a cycle can begin, as a power of two.
        states: String,
        /// The nets that are free in these states.
        state: Vec<String>,
        /// The other nets that can have any level: the program word, RAM's byte, pads and keys.
        inputs: Vec<String>,
    },
    #[allow(missing_docs)]
    Strobes { strobes: Vec<StrobeRow> },
    #[allow(missing_docs)]
    Reset {
        /// The reset has to be held for this many cycles.
        cycles: usize,
        /// The nets that are free when it begins.
        from: Vec<String>,
        /// The phases in which it can end, and those in which it can begin, when the button moves at any moment.
        ends: Vec<usize>,
        begins: Vec<usize>,
    },
}

/// The motion of nets in a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moving {
    /// The phase, `0` to `3`, or `reset ends`.
    pub phase: String,
    /// Nets that move at most once.
    pub once: Vec<String>,
    /// Nets that move in any way.
    pub often: Vec<String>,
}

/// The evidence for one chip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LoopRow {
    /// The chip.
    pub chip: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Changes from A to B through which it holds.
    pub holds: u64,
    /// Members of T(A,B), summed over these changes.
    pub holds_between: u64,
    /// Changes from A to B that it makes itself.
    pub goes: u64,
    /// Members of T(A,B), summed over these changes.
    pub goes_between: u64,
    /// The number of distinct cells among these members.
    pub cells: u64,
}

impl LoopRow {
    /// Creates the row of a chip for which nothing was examined yet.
    pub(crate) fn new(chip: &str, verdict: Verdict) -> LoopRow {
        LoopRow { chip: chip.to_owned(), verdict, ..LoopRow::default() }
    }
}

/// The evidence for the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct ClockRow {
    pub chips: Vec<String>,
    pub starts: u64,
    pub states: u64,
    pub changes: u64,
}

/// The evidence for one ring in one phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct RingRow {
    /// The phase.
    pub phase: String,
    /// The chips of the ring.
    pub chips: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// If it was explored: the numbers of initial states of rest, of states visited, of changes of a line, and of
    /// changes that were due and then no longer (a pulse is possible there).
    pub starts: u64,
    pub states: u64,
    pub changes: u64,
    pub withdrawn: u64,
    /// If it is cut: the lines that cut it, and the cells that show that.
    pub cut_by: Vec<String>,
    pub cells: u64,
}

impl RingRow {
    /// Creates a ring in a phase, before anything of it is examined.
    pub(crate) fn new(phase: String, chips: Vec<String>) -> RingRow {
        RingRow { phase, chips, verdict: Verdict::Proved, ..RingRow::default() }
    }

    /// Adds an exploration from one state of rest.
    pub(crate) fn add(&mut self, counted: Counted) {
        self.starts += 1;
        self.states += counted.states;
        self.changes += counted.changes;
        self.withdrawn += counted.withdrawn;
    }
}

/// The result for one strobe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StrobeRow {
    /// The line; or the register that opens, with those of its bits that open together if not all do.
    pub strobe: String,
    /// The phases in which it rises and falls.
    pub rises: Option<usize>,
    #[allow(missing_docs)]
    pub falls: Option<usize>,
    /// Whether it is proved that it moves at no other time.
    pub proved: bool,
}

/// Something that each instruction has to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CaseRow {
    /// The aspect that is compared.
    pub cases: Aspect,
    /// The verdict.
    pub verdict: Verdict,
    /// The number of cases: states, program words, bytes in RAM, pads and keys.
    pub tried: f64,
}

/// Returns the first of each group of items that are alike, and the others of the group.
pub(crate) fn groups<T>(items: Vec<T>, alike: impl Fn(&T, &T) -> bool) -> Vec<(T, Vec<T>)> {
    let mut groups: Vec<(T, Vec<T>)> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|(first, _)| alike(first, &item)) {
            Some((_, others)) => others.push(item),
            None => groups.push((item, vec![])),
        }
    }
    groups
}
