//! From a contract to its proof.

use crate::Obstacle;
use crate::attempt::{Attempt, Mode};
use crate::gates::{Gates, Solver};
use crate::levels::{Diagram, Levels, Outcome, Stop};
use crate::promises::Promises;
use crate::proof::{Doubt, Method, Proof, Verdict};
use crate::prover::{Prover, cycle_of_endless};
use crate::violation::Violation;
use crate::witness::Witness;
use gray1_assembler::{Contract, Subject};

impl Prover<'_> {
    /// Proves or refutes a contract.
    pub fn prove(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let proof = self.judge(contract, stop)?;
        match proof.verdict {
            Verdict::Refuted(Violation::Within, _) => self.with_maximum(proof, contract, stop),
            _ => Ok(proof),
        }
    }

    /// Completes the proof that a contract takes too long, with all cycles and the input that takes the most.
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
            endless.map(|(at, witness)| (at, Witness { cycle: cycle_of_endless(contract), ..witness }));
        let endless = endless.filter(|(_, witness)| self.confirms(contract, Violation::Within, witness));
        let slowest = endless.clone().or(most.map(|(_, witness)| (0, witness)));
        let verdict =
            slowest.map_or(proof.verdict, |(_, witness)| Verdict::Refuted(Violation::Within, witness));
        Ok(Proof { verdict, cycles, endless, ..proof })
    }

    /// Proves or refutes a contract. If it takes too long, the maximum is not determined.
    fn judge(&self, contract: &Contract, stop: Stop) -> Outcome<Proof> {
        let attempt = |mode: Mode| {
            let attempt = |mode| self.attempt(contract, Diagram::new(self.limits.nodes, stop), mode);
            let (proof, _) = attempt(mode)?;
            match proof.verdict {
                Verdict::Undecided(Doubt::Endless(_)) => {
                    Ok(attempt(Mode { detects_repetition: false, ..mode })?.0)
                }
                _ => Ok(proof),
            }
        };
        let max_words = match contract.subject {
            Subject::Program => self.limits.words_of_program,
            _ => self.limits.words,
        };
        let mode = Mode { max_words, cuts: false, counts_cycles: true, detects_repetition: true };
        if !has_cuts(contract) {
            return attempt(mode);
        }
        let few_words = match contract.subject {
            Subject::Program => max_words,
            _ => self.limits.words_before_invariants,
        };
        let proof = attempt(Mode { max_words: few_words, ..mode })?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(..)) => attempt(Mode { cuts: true, ..mode }),
            _ => Ok(proof),
        }
    }

    /// Proves or refutes a contract by a solver.
    pub fn prove_by(&self, contract: &Contract, solver: &mut dyn Solver) -> Outcome<Proof> {
        let mode = Mode {
            max_words: self.limits.words,
            cuts: has_cuts(contract),
            counts_cycles: true,
            detects_repetition: contract.within.is_none(),
        };
        let (proof, _) = self.attempt(contract, Gates::new(MAX_GATES, Some(solver)), mode)?;
        Ok(Proof { method: Method::Solver, ..proof })
    }

    /// Returns the question whether a contract is broken, as SMT-LIB.
    pub fn question(&self, contract: &Contract) -> Outcome<String> {
        let mode = Mode {
            max_words: MAX_QUESTION_WORDS,
            cuts: has_cuts(contract),
            counts_cycles: false,
            detects_repetition: false,
        };
        let (proof, gates) = self.attempt(contract, Gates::new(MAX_GATES, None), mode)?;
        match proof.verdict {
            Verdict::Undecided(Doubt::Limit(obstacle, _)) => Err(obstacle),
            _ => Ok(gates.map(|gates| gates.question(&contract.name)).unwrap_or_default()),
        }
    }

    fn attempt<B: Levels>(&self, contract: &Contract, levels: B, mode: Mode) -> Outcome<(Proof, Option<B>)> {
        let extent = self.extent(contract);
        let temporaries = &self.program.temporaries;
        let mut promises = Promises::new(contract, &extent, temporaries, mode.cuts, mode.counts_cycles);
        let mut attempt = Attempt::new(self, contract, &extent, levels)?;
        promises.define_ghosts(&mut attempt.scene);
        match attempt.judge(&mut promises, mode) {
            Ok(verdict) => Ok((attempt.proof(verdict, promises), Some(attempt.scene.levels))),
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => {
                let doubt = Doubt::Limit(obstacle, attempt.last_head);
                Ok((Proof::undecided(doubt), None))
            }
        }
    }
}

/// Whether a contract has cut points.
fn has_cuts(contract: &Contract) -> bool {
    !contract.invariants.is_empty() || !contract.variants.is_empty()
}

/// The maximum number of executed words for a question, which also covers infeasible paths.
const MAX_QUESTION_WORDS: u64 = 200_000;
/// The maximum number of gates.
const MAX_GATES: usize = 4_000_000;
