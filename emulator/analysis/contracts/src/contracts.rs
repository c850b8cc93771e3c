//! Contracts: from a program to verdicts.

use crate::Obstacle;
use crate::attempt::{Attempt, Mode};
use crate::gates::{Gates, Solver};
use crate::levels::{Diagram, Levels, Outcome, Stop};
use crate::witness::Moment;
use crate::violation::Part;
use crate::promises::Promises;
use crate::proof::{By, Doubt, Proof, Verdict};
use crate::prover::{Prover, cycle_of_endless};
use gray1_assembler::{Contract, Subject};

impl Prover<'_> {
    /// Whether a contract holds.
    pub fn prove(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let proof = self.judge(contract, stop)?;
        match proof.verdict {
            Verdict::Refuted(Part::Within, _) => self.with_maximum(proof, contract, stop),
            _ => Ok(proof),
        }
    }

    /// The proof that a contract takes too long, with all cycles and the input that takes the most.
    fn with_maximum(&self, proof: Proof, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let bare = Contract {
            ensures: Vec::new(),
            invariants: Vec::new(),
            checks: Vec::new(),
            variants: Vec::new(),
            modifies: None,
            within: None,
            ..contract.clone()
        };
        let Proof { cycles, endless, .. } = self.judge(&bare, stop)?;
        let most = cycles.iter().find_map(|cycles| cycles.most.clone());
        let endless =
            endless.map(|(at, moment)| (at, Moment { cycle: cycle_of_endless(contract), ..moment }));
        let endless = endless.filter(|(_, moment)| self.confirms(contract, Part::Within, moment));
        let slowest = endless.clone().or(most.map(|(_, moment)| (0, moment)));
        let verdict = slowest.map_or(proof.verdict, |(_, moment)| Verdict::Refuted(Part::Within, moment));
        Ok(Proof { verdict, cycles, endless, ..proof })
    }

    /// Whether a contract holds; if it takes too long, not how long.
    fn judge(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let attempt = |mode: Mode| {
            let attempt = |mode| self.attempt(contract, Diagram::new(self.limits.nodes, stop), mode);
            let (proof, _) = attempt(mode)?;
            match proof.verdict {
                Verdict::Undecided(Doubt::Endless(_)) => Ok(attempt(Mode { remembers: false, ..mode })?.0),
                _ => Ok(proof),
            }
        };
        let words = match contract.subject {
            Subject::Program => self.limits.words_of_program,
            _ => self.limits.words,
        };
        let mode = Mode { words, cuts: false, counts: true, remembers: true };
        if !has_cuts(contract) {
            return attempt(mode);
        }
        let few = match contract.subject {
            Subject::Program => words,
            _ => self.limits.words_before_invariants,
        };
        let few = Mode { words: few, ..mode };
        let proof = attempt(few)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(..)) => attempt(Mode { cuts: true, ..mode }),
            _ => Ok(proof),
        }
    }

    /// Whether a contract holds, decided by a solver.
    pub fn prove_by(&self, contract: &Contract, solver: &mut dyn Solver) -> Outcome<Proof> {
        let remembers = contract.within.is_none();
        let mode = Mode { words: self.limits.words, cuts: has_cuts(contract), counts: true, remembers };
        let (proof, _) = self.attempt(contract, Gates::new(MAX_GATES, Some(solver)), mode)?;
        Ok(Proof { by: By::Solver, ..proof })
    }

    /// The question whether a contract is broken, as SMT-LIB.
    pub fn question(&self, contract: &Contract) -> Outcome<String> {
        let mode = Mode {
            words: MAX_WORDS_OF_A_QUESTION,
            cuts: has_cuts(contract),
            counts: false,
            remembers: false,
        };
        let (proof, gates) = self.attempt(contract, Gates::new(MAX_GATES, None), mode)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(obstacle, _)) => Err(obstacle),
            _ => Ok(gates.map(|gates| gates.question(&contract.name)).unwrap_or_default()),
        }
    }

    fn attempt<B: Levels>(&self, contract: &Contract, levels: B, mode: Mode) -> Outcome<(Proof, Option<B>)> {
        let ends = self.ends(contract);
        let temporaries = &self.program.temporaries;
        let mut promises = Promises::new(contract, &ends, temporaries, mode.cuts, mode.counts);
        let mut attempt = Attempt::begin(self, contract, &ends, levels)?;
        promises.define(&mut attempt.scene);
        match attempt.walk(&mut promises, mode) {
            Ok(verdict) => Ok((attempt.proof(verdict, promises), Some(attempt.scene.levels))),
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => {
                let doubt = Doubt::Limit(obstacle, attempt.last_head);
                Ok((Proof::undecided(doubt), None))
            }
        }
    }
}

/// Whether a contract has words at which a walk may end and begin anew.
fn has_cuts(contract: &Contract) -> bool {
    !contract.invariants.is_empty() || !contract.variants.is_empty()
}

/// The most words that are walked through for a question, since it is not known which ways are possible.
const MAX_WORDS_OF_A_QUESTION: u64 = 200_000;
/// The most gates of a question.
const MAX_GATES: usize = 4_000_000;
