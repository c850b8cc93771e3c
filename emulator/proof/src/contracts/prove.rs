//! From a contract to its proof.

use crate::contracts::Obstacle;
use crate::contracts::attempt::{Attempt, Mode};
use crate::contracts::levels::{Levels, Outcome, Stop};
use crate::contracts::promises::Promises;
use crate::contracts::proof::{Doubt, Proof, Verdict};
use crate::contracts::prover::{Prover, cycle_of_endless};
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
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
            let proof = self.attempt(contract, mode, stop)?;
            match proof.verdict {
                Verdict::Undecided(Doubt::Endless(_)) => {
                    self.attempt(contract, Mode { detects_repetition: false, ..mode }, stop)
                }
                _ => Ok(proof),
            }
        };
        let max_words = match contract.subject {
            Subject::Program => self.limits.words_of_program,
            _ => self.limits.words,
        };
        let mode = Mode { max_words, cuts: false, detects_repetition: true };
        if contract.invariants.is_empty() && contract.variants.is_empty() {
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

    fn attempt(&self, contract: &Contract, mode: Mode, stop: Stop) -> Outcome<Proof> {
        let extent = self.extent(contract);
        let mut promises = Promises::new(contract, &extent, &self.program.temporaries, mode.cuts);
        let mut attempt = Attempt::new(self, contract, &extent, Levels::new(self.limits.nodes, stop))?;
        promises.define_ghosts(&mut attempt.scene);
        match attempt.judge(&mut promises, mode) {
            Ok(verdict) => Ok(attempt.proof(verdict, promises)),
            Err(Obstacle::Stopped) => Err(Obstacle::Stopped),
            Err(obstacle) => Ok(Proof::undecided(Doubt::Limit(obstacle, attempt.last_head))),
        }
    }
}
