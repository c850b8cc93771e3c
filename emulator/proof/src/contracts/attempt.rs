//! One attempt to prove a contract: symbolic execution from its entry, and from each invariant at which it is cut.

use crate::contracts::execution::{Observer, SymbolicExecution};
use crate::contracts::extent::Extent;
use crate::contracts::flow::Flow;
use crate::contracts::levels::{Assignment, Levels, Outcome};
use crate::contracts::promises::{Promises, Refutation};
use crate::contracts::proof::{Doubt, Proof, Vacuity, Verdict};
use crate::contracts::prover::{Prover, cycle_of_endless};
use crate::contracts::scene::Scene;
use crate::contracts::state::{Entry, State};
use crate::contracts::variables::{Origin, Variables};
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
use gray1_assembler::{Contract, Subject, Term};
use gray1_isa::Opcode;
use gray1_machine::logic::{FALSE, Function};
use std::collections::BTreeSet;

/// The settings of an attempt.
#[derive(Clone, Copy)]
pub struct Mode {
    /// The maximum number of executed words.
    pub max_words: u64,
    /// Whether executions end and begin at invariants.
    pub cuts: bool,
    /// Whether loops end when they repeat a state.
    pub detects_repetition: bool,
}

/// One attempt to prove a contract.
pub struct Attempt<'a> {
    prover: &'a Prover<'a>,
    contract: &'a Contract,
    extent: &'a Extent,
    pub scene: Scene<'a>,
    pub last_head: Option<u16>,
    /// Whether an input satisfies `.requires`.
    has_input: bool,
    /// The words that control may come to.
    words: BTreeSet<u16>,
    /// Whether control came to a word outside of the flow.
    strayed: bool,
}

impl<'a> Attempt<'a> {
    /// Creates an attempt with an unknown entry, or with the entry after a reset.
    pub fn new(
        prover: &'a Prover,
        contract: &'a Contract,
        extent: &'a Extent,
        mut levels: Levels<'a>,
    ) -> Outcome<Attempt<'a>> {
        let mut variables = Variables::new(prover.weights.clone());
        let entry = match contract.subject {
            // After a reset.
            Subject::Program => Entry::new([FALSE; 8], FALSE),
            _ => {
                let a = variables.byte(Origin::A, &mut levels)?;
                Entry::new(a, variables.bit(Origin::C, 0, &mut levels)?)
            }
        };
        let scene = Scene { levels, variables, entry, reads: Vec::new() };
        Ok(Attempt {
            prover,
            contract,
            extent,
            scene,
            last_head: None,
            has_input: false,
            words: BTreeSet::new(),
            strayed: false,
        })
    }

    /// Judges the contract.
    pub fn judge(&mut self, promises: &mut Promises, mode: Mode) -> Outcome<Verdict> {
        let entry = self.extent.entry;
        let state = self.initial_state()?;
        let condition = state.condition;
        if condition == FALSE {
            return Ok(Verdict::Proved);
        }
        let state = self.with_required_bytes(state)?;
        self.has_input = true;
        if self.extent.is_empty {
            let _ = promises.end(&mut self.scene, entry, state)?;
        } else {
            self.execute(entry, state, promises, mode)?;
        }
        if let Some(Refutation { violation, cycles, assignment, .. }) = &promises.broken {
            return Ok(self.confirmed(*violation, assignment, *cycles, Doubt::NotConfirmed(*violation)));
        }
        if let (Some((at, assignment)), Some(_)) = (&promises.endless, self.contract.within) {
            let cycle = cycle_of_endless(self.contract);
            return Ok(self.confirmed(Violation::Within, assignment, cycle, Doubt::Endless(*at)));
        }
        self.judge_from_cuts(condition, promises, mode)
    }

    /// Refutes the contract if the concrete run of an assignment breaks it.
    fn confirmed(&self, violation: Violation, assignment: &Assignment, cycle: u64, doubt: Doubt) -> Verdict {
        let witness = Witness::new(&self.scene, self.extent.entry, assignment, cycle);
        match self.prover.confirms(self.contract, violation, &witness) {
            true => Verdict::Refuted(violation, witness),
            false => Verdict::Undecided(doubt),
        }
    }

    /// Returns the state at the entry, for the inputs that satisfy `.requires`.
    fn initial_state(&mut self) -> Outcome<State> {
        let mut state = self.scene.entry.state();
        let requires = self.contract.requires.iter().map(|promise| &promise.formula);
        for formula in requires.chain(&self.extent.requires) {
            let holds = self.scene.holds(formula, &state, self.extent.entry)?;
            state.condition = self.scene.levels.and(state.condition, holds)?;
        }
        Ok(state)
    }

    /// Adds the bytes in `.requires` to a state, so that a byte that is required to be a constant is one from here on.
    fn with_required_bytes(&mut self, mut state: State) -> Outcome<State> {
        for term in self.contract.requires.iter().flat_map(|promise| &promise.formula.0) {
            if let Term::Byte { address, .. } = *term {
                let byte = self.scene.byte(address, &state)?;
                state.ram.insert(address, byte);
            }
        }
        self.scene.simplify(&mut state)?;
        Ok(state)
    }

    /// Judges what the contract promises from each cut point on that was reached.
    fn judge_from_cuts(
        &mut self,
        condition: Function,
        promises: &mut Promises,
        mode: Mode,
    ) -> Outcome<Verdict> {
        let mut done = BTreeSet::new();
        while let Some(at) = promises.cut_points.reached.difference(&done).next().copied() {
            done.insert(at);
            let (changed, strayed) = (self.changed(), self.strayed);
            let state = promises.state_at_cut(at, &changed, &mut self.scene, condition)?;
            (promises.begins_at_cut, promises.cut) = (true, Some(at));
            self.execute(at, state, promises, mode)?;
            if let Some(Refutation { violation, .. }) = promises.broken {
                return Ok(Verdict::Undecided(Doubt::Invariant(violation, at)));
            }
            // More bytes may be changed than have been forgotten so far.
            if self.strayed != strayed {
                done.clear();
            }
        }
        // Other cut points forget the value of a variant, so none of them may lead back to it.
        let is_unknown = match self.contract.within {
            _ if done.is_empty() => false,
            Some((most, _)) => promises.cut_points.bound(self.contract).is_none_or(|bound| bound > most),
            None => !self.contract.variants.is_empty() && promises.cut_points.order().is_none(),
        };
        Ok(if is_unknown { Verdict::Undecided(Doubt::Unbounded) } else { Verdict::Proved })
    }

    /// Executes all words from `at` to the exits.
    fn execute(&mut self, at: u16, state: State, promises: &mut Promises, mode: Mode) -> Outcome<()> {
        let exits = &self.extent.exits;
        let is_exit = |word| {
            exits.iter().any(|(exit, condition)| *exit == word && (condition.is_none() || !self.strayed))
        };
        let flow = Flow::new(&self.prover.program.image, at, &|word| word == at || !is_exit(word));
        let mut execution = SymbolicExecution::new(&self.prover.program.image, flow, mode.max_words);
        execution.detects_repetition = mode.detects_repetition;
        execution.ignores_inputs = !promises.are_about_inputs();
        let outcome = execution.run(at, state, &mut self.scene, promises);
        self.last_head = execution.last_head;
        self.strayed |= execution.strayed;
        self.words.extend(execution.words());
        outcome.map(drop)
    }

    /// Returns the bytes of RAM that the code may change.
    fn changed(&self) -> BTreeSet<u16> {
        let words = self.words.iter().map(|&at| self.prover.program.image.word(at));
        let stores = words.filter(|word| word.opcode() == Opcode::Sta).map(|word| word.x());
        stores.filter(|&address| State::is_ram(address)).collect()
    }

    /// Adds the evidence to a verdict.
    pub fn proof(&self, verdict: Verdict, promises: Promises) -> Proof {
        let entry = self.extent.entry;
        let endless = promises.endless.map(|(at, assignment)| {
            (at, Witness::new(&self.scene, entry, &assignment, cycle_of_endless(self.contract)))
        });
        let is_proved = matches!(verdict, Verdict::Proved);
        let vacuous = match self.has_input {
            _ if !is_proved || promises.has_end => None,
            false => Some(Vacuity::NoInput),
            true => Some(Vacuity::NoEnd),
        };
        let is_known = is_proved && promises.cut_points.reached.is_empty() && vacuous.is_none();
        let cycles = is_known.then(|| {
            let mut cycles = promises.cycles.with_witnesses(&self.scene, entry);
            cycles.most = cycles.most.filter(|_| endless.is_none());
            cycles
        });
        let broken_at = promises.broken.map(|broken| broken.at);
        Proof { cycles, endless, broken_at, vacuous, ..Proof::new(verdict) }
    }
}
