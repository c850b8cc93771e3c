//! One attempt to prove a contract: a walk from its entry, and from each invariant at which it is cut.

use crate::extent::Ends;
use crate::flow::Flow;
use crate::levels::{Levels, Outcome};
use crate::witness::Moment;
use crate::violation::Part;
use crate::promises::{Broken, Promises};
use crate::proof::{Cycles, Doubt, Proof, Vacuity, Verdict};
use crate::prover::{Prover, cycle_of_endless};
use crate::scene::Scene;
use crate::state::{Entry, State};
use crate::variables::{Origin, Variables};
use crate::execution::{Walk, Watch};
use gray1_assembler::{Contract, Subject, Term};
use gray1_isa::Opcode;
use std::collections::BTreeSet;

/// The settings of a walk.
#[derive(Clone, Copy)]
pub struct Mode {
    /// The most words that are carried out.
    pub words: u64,
    /// Whether walks end and begin at invariants.
    pub cuts: bool,
    /// Whether cycles are counted.
    pub counts: bool,
    /// Whether repeated states are noticed.
    pub remembers: bool,
}

/// One attempt to prove a contract.
pub struct Attempt<'a, B: Levels> {
    prover: &'a Prover<'a>,
    contract: &'a Contract,
    ends: &'a Ends,
    pub scene: Scene<B>,
    pub last_head: Option<u16>,
    /// Whether an input satisfies `.requires`.
    has_input: bool,
    /// The words that control may come to.
    words: BTreeSet<u16>,
    /// Whether control came to words where a run usually has ended.
    strays: bool,
}

impl<'a, B: Levels> Attempt<'a, B> {
    /// Starts with an unknown entry, or with that of a reset.
    pub fn begin(
        prover: &'a Prover,
        contract: &'a Contract,
        ends: &'a Ends,
        mut levels: B,
    ) -> Outcome<Attempt<'a, B>> {
        let mut variables = Variables::new(prover.weights.clone());
        let machine = match contract.subject {
            // After a reset.
            Subject::Program => Entry::new([levels.constant(false); 8], levels.constant(false)),
            _ => {
                let a = variables.byte(Origin::A, &mut levels)?;
                Entry::new(a, variables.bit(Origin::C, 0, &mut levels)?)
            }
        };
        let scene = Scene { levels, variables, entry: machine, reads: Vec::new() };
        Ok(Attempt {
            prover,
            contract,
            ends,
            scene,
            last_head: None,
            has_input: false,
            words: BTreeSet::new(),
            strays: false,
        })
    }

    pub fn walk(&mut self, promises: &mut Promises, mode: Mode) -> Outcome<Verdict> {
        let Attempt { contract, ends, .. } = *self;
        let mut state = self.scene.entry.state(&self.scene.levels);
        let requires = contract.requires.iter().map(|promise| &promise.formula);
        for formula in requires.chain(&ends.requires) {
            let holds = self.scene.holds(formula, &state, ends.entry)?;
            state.condition = self.scene.levels.and(state.condition, holds)?;
        }
        let condition = state.condition;
        if !self.scene.levels.is_possible(condition)? {
            return Ok(Verdict::Proved);
        }
        // A byte that is required to be a number is that number from here on.
        for term in contract.requires.iter().flat_map(|promise| &promise.formula.0) {
            if let Term::Byte { address, .. } = *term {
                let byte = self.scene.byte(address, &state)?;
                state.ram.insert(address, byte);
            }
        }
        self.scene.simplify(&mut state)?;
        self.has_input = true;
        if ends.is_empty {
            let _ = promises.end(&mut self.scene, ends.entry, state)?;
        } else {
            self.walk_from(ends.entry, state, promises, mode)?;
        }
        if let Some(Broken { part, cycles, example, .. }) = &promises.broken {
            let moment = Moment::of(&self.scene, ends.entry, example, *cycles);
            return Ok(match self.prover.confirms(contract, *part, &moment) {
                true => Verdict::Refuted(*part, moment),
                false => Verdict::Undecided(Doubt::NotConfirmed(*part)),
            });
        }
        if let (Some((at, example)), Some(_)) = (&promises.stays, contract.within) {
            let moment = Moment::of(&self.scene, ends.entry, example, cycle_of_endless(contract));
            return Ok(match self.prover.confirms(contract, Part::Within, &moment) {
                true => Verdict::Refuted(Part::Within, moment),
                false => Verdict::Undecided(Doubt::Endless(*at)),
            });
        }
        let mut done = BTreeSet::new();
        while let Some(at) = promises.cuts.reached.difference(&done).next().copied() {
            done.insert(at);
            let (changed, strayed) = (self.changed(), self.strays);
            let state = promises.state_at_cut(at, &changed, &mut self.scene, condition)?;
            (promises.begins, promises.cut) = (true, Some(at));
            self.walk_from(at, state, promises, mode)?;
            if let Some(Broken { part, .. }) = promises.broken {
                return Ok(Verdict::Undecided(Doubt::Invariant(part, at)));
            }
            // More may be changed than was forgotten so far.
            if self.strays != strayed {
                done.clear();
            }
        }
        // Other cuts forget the value of a variant, so these must not lead back there.
        let is_unknown = match contract.within {
            _ if done.is_empty() => false,
            Some((most, _)) => promises.cuts.bound(contract).is_none_or(|bound| bound > most),
            None => !contract.variants.is_empty() && promises.cuts.order().is_none(),
        };
        Ok(if is_unknown { Verdict::Undecided(Doubt::Unbounded) } else { Verdict::Proved })
    }

    fn walk_from(
        &mut self,
        at: u16,
        state: State<B::Level>,
        promises: &mut Promises,
        mode: Mode,
    ) -> Outcome<()> {
        let ends = &self.ends.words;
        let is_end =
            |word| ends.iter().any(|(end, goes_on)| *end == word && (goes_on.is_none() || !self.strays));
        let flow = Flow::new(&self.prover.program.image, at, &|word| word == at || !is_end(word));
        let mut walk = Walk::new(&self.prover.program.image, flow, mode.words);
        walk.remembers = mode.remembers;
        walk.ignores_inputs = !promises.are_about_inputs();
        let outcome = walk.run(at, state, &mut self.scene, promises);
        self.last_head = walk.last_head;
        self.strays |= walk.strayed;
        self.words.extend(walk.words());
        outcome.map(drop)
    }

    /// The bytes of RAM that the code may change.
    fn changed(&self) -> BTreeSet<u16> {
        let words = self.words.iter().map(|&at| self.prover.program.image.word(at));
        let stores = words.filter(|word| word.opcode() == Opcode::Sta).map(|word| word.x());
        stores.filter(|&address| State::<B::Level>::is_ram(address)).collect()
    }

    pub fn proof(&self, verdict: Verdict, promises: Promises) -> Proof {
        let entry = self.ends.entry;
        let moment = |(cycles, example)| (cycles, Moment::of(&self.scene, entry, &example, cycles));
        let endless = promises.stays.map(|(at, example)| {
            (at, Moment::of(&self.scene, entry, &example, cycle_of_endless(self.contract)))
        });
        let is_proved = matches!(verdict, Verdict::Proved);
        let vacuous = match self.has_input {
            _ if !is_proved || promises.ends_somewhere => None,
            false => Some(Vacuity::NoInput),
            true => Some(Vacuity::NoEnd),
        };
        let is_known = is_proved && promises.cuts.reached.is_empty() && vacuous.is_none();
        let cycles = is_known.then(|| Cycles {
            least: promises.least.map(moment),
            most: promises.most.filter(|_| endless.is_none()).map(moment),
        });
        let broken_at = promises.broken.map(|broken| broken.at);
        Proof { cycles, endless, broken_at, vacuous, ..Proof::of(verdict) }
    }
}
