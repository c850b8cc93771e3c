//! What a contract says, checked on the way through the code that makes it.

use crate::levels::{Example, Levels, Outcome};
use crate::state::State;
use crate::variables::{Origin, Variables};
use crate::walk::{Arrival, Exit, Going, Scene, Watch};
use gray1_assembler::{Contract, Formula, Modifies, Term};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The part of a contract that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The `.ensures` of this number.
    Ensures(usize),
    /// The `.invariant` of this number.
    Invariant(usize),
    /// `.modifies`, because this byte of RAM has been changed.
    Byte(u16),
    /// `.modifies`, because of A.
    A,
    /// `.modifies`, because of C.
    C,
    /// `.within`.
    Within,
    /// The machine halts, where `.within` says that control comes back.
    Halts,
    /// The claim `halts`: control can stay for ever in the loop at this word.
    Endless(u16),
    /// The claim `noise`: the store of this number depends on what this byte of RAM held.
    Shown(usize, u16),
    /// The claim `noise`: whether the machine halts depends on what this byte of RAM held.
    HaltOfNoise(u16),
    /// The claim `noise`: a byte of RAM depends on what another held.
    Kept(u16, u16),
    /// The claim `same`: the stores of this number are not the same.
    Differs(usize),
}

/// A promise that is broken.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Which.
    pub part: Part,
    /// The sequence number at which it is broken.
    pub at: u16,
    /// The cycles until then.
    pub cycles: u64,
    /// The input.
    pub example: Example,
}

/// The promises of a contract, and what has been found out about them.
pub struct Promises<'a> {
    pub contract: &'a Contract,
    /// Bytes of RAM that no source can name, and that a contract cannot mention.
    pub hidden: &'a BTreeSet<u16>,
    /// Whether a walk ends at an invariant, and begins there anew.
    pub cuts: bool,
    /// Whether cycles are counted.
    pub counts: bool,
    /// Whether the next arrival at an invariant is the beginning of a walk from there.
    pub begins: bool,
    /// The places of invariants that were reached.
    pub reached: BTreeSet<u16>,
    pub broken: Option<Broken>,
    pub least: Option<(u64, Example)>,
    pub most: Option<(u64, Example)>,
    /// A loop in which control may stay for ever, and an input.
    pub stays: Option<(u16, Example)>,
}

/// Whether a formula is about what pads and keys give.
pub fn is_about_inputs(formula: &Formula) -> bool {
    formula.0.iter().any(|term| matches!(term, Term::Keys | Term::Pad))
}

impl Promises<'_> {
    /// Breaks a promise where a level is 1, if it can be.
    fn break_where<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        part: Part,
        at: u16,
        state: &State<B::Level>,
        level: B::Level,
    ) -> Outcome<bool> {
        let wrong = scene.levels.and(state.condition, level)?;
        let example = match scene.levels.known(wrong) {
            Some(false) => None,
            _ => scene.levels.example(wrong)?,
        };
        let Some(example) = example else { return Ok(false) };
        let cycles = state.cycles.value(&example, &scene.levels);
        self.broken = Some(Broken { part, at, cycles, example });
        Ok(true)
    }

    fn breaks<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        part: Part,
        formula: &Formula,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        let holds = scene.holds(formula, state, at)?;
        let fails = scene.levels.not(holds);
        self.break_where(scene, part, at, state, fails)
    }

    fn changes_too_much<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        modifies: &Modifies,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        for (&address, &now) in &state.ram {
            if modifies.bytes.contains(&address) || self.hidden.contains(&address) {
                continue;
            }
            let before = scene.entry.byte(address, &mut scene.variables, &mut scene.levels)?;
            if self.differs(scene, Part::Byte(address), at, state, &now, &before)? {
                return Ok(true);
            }
        }
        let Scene { entry, .. } = scene;
        let (a, c) = (entry.a, entry.c);
        Ok(!modifies.a && self.differs(scene, Part::A, at, state, &state.a, &a)?
            || !modifies.c && self.differs(scene, Part::C, at, state, &[state.c], &[c])?)
    }

    fn differs<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        part: Part,
        at: u16,
        state: &State<B::Level>,
        now: &[B::Level],
        before: &[B::Level],
    ) -> Outcome<bool> {
        for (&now, &before) in now.iter().zip(before) {
            let changed = scene.levels.differ(now, before)?;
            if self.break_where(scene, part, at, state, changed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn takes_too_long<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        let Some((most, _)) = self.contract.within.filter(|_| !self.cuts) else { return Ok(false) };
        let above = state.cycles.is_above(most, &mut scene.levels)?;
        self.break_where(scene, Part::Within, at, state, above)
    }
}

impl<B: Levels> Watch<B> for Promises<'_> {
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival> {
        if self.takes_too_long(scene, at, state)? {
            return Ok(Arrival::EndsAll);
        }
        let contract = self.contract;
        let here = contract.invariants.iter().enumerate().filter(|(_, (place, _))| *place == at);
        let mut is_invariant = false;
        let begins = std::mem::take(&mut self.begins);
        for (number, (_, promise)) in here {
            is_invariant = true;
            if !begins && self.breaks(scene, Part::Invariant(number), &promise.formula, at, state)? {
                return Ok(Arrival::EndsAll);
            }
        }
        if is_invariant && self.cuts && !begins {
            self.reached.insert(at);
            return Ok(Arrival::Ends);
        }
        Ok(Arrival::Goes)
    }

    fn store(&mut self, scene: &mut Scene<B>, at: u16, address: u16, state: &mut State<B::Level>) -> Going {
        let Some(modifies) = &self.contract.modifies else { return Ok(ControlFlow::Continue(())) };
        if address != gray1_isa::memory_map::OUT || modifies.bytes.contains(&address) {
            return Ok(ControlFlow::Continue(()));
        }
        // What is sent cannot be taken back.
        let always = scene.levels.constant(true);
        Ok(match self.break_where(scene, Part::Byte(address), at, state, always)? {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn read(&mut self, scene: &mut Scene<B>, state: &mut State<B::Level>) -> Outcome<()> {
        for promise in &self.contract.requires {
            if is_about_inputs(&promise.formula) {
                let holds = scene.holds(&promise.formula, state, 0)?;
                state.condition = scene.levels.and(state.condition, holds)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, scene: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Going {
        let contract = self.contract;
        let is_program = contract.subject == gray1_assembler::Subject::Program;
        let at = match exit {
            Exit::To(at) => at,
            Exit::Halt(at) => at,
        };
        let halts = matches!(exit, Exit::Halt(_)) && !is_program;
        let mut is_broken = if halts && contract.within.is_some() {
            let always = scene.levels.constant(true);
            self.break_where(scene, Part::Halts, at, state, always)?
        } else {
            self.takes_too_long(scene, at, state)?
        };
        if halts {
            return Ok(if is_broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        }
        for (number, promise) in contract.ensures.iter().enumerate() {
            is_broken =
                is_broken || self.breaks(scene, Part::Ensures(number), &promise.formula, at, state)?;
        }
        if let Some(modifies) = contract.modifies.as_ref().filter(|_| !is_broken) {
            is_broken = self.changes_too_much(scene, modifies, at, state)?;
        }
        if is_broken {
            return Ok(ControlFlow::Break(()));
        }
        if !self.counts {
            return Ok(ControlFlow::Continue(()));
        }
        let least = state.cycles.extreme(state.condition, false, &mut scene.levels)?;
        let most = state.cycles.extreme(state.condition, true, &mut scene.levels)?;
        let least = self.least.take().into_iter().chain(least);
        self.least = least.min_by_key(|&(cycles, _)| cycles);
        let most = most.into_iter().chain(self.most.take());
        self.most = most.max_by_key(|&(cycles, _)| cycles);
        Ok(ControlFlow::Continue(()))
    }

    fn stay(&mut self, scene: &mut Scene<B>, at: u16, state: &State<B::Level>) -> Going {
        if self.stays.is_none() {
            self.stays = scene.levels.example(state.condition)?.map(|example| (at, example));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Where control begins a walk from an invariant: nothing is known of what the code may change but the invariant.
pub fn state_of_invariant<B: Levels>(
    at: u16,
    changed: &BTreeSet<u16>,
    scene: &mut Scene<B>,
    contract: &Contract,
    condition: B::Level,
) -> Outcome<State<B::Level>> {
    let Scene { levels, variables, entry, .. } = scene;
    let mut state = entry.state(levels);
    let mut fresh =
        |address: u16, variables: &mut Variables| variables.byte(Origin::Invariant(at, address), levels);
    for &address in changed {
        state.ram.insert(address, fresh(address, variables)?);
    }
    state.a = fresh(A, variables)?;
    state.c = variables.bit(Origin::Invariant(at, C), 0, levels)?;
    state.condition = condition;
    for (_, promise) in contract.invariants.iter().filter(|(place, _)| *place == at) {
        let holds = scene.holds(&promise.formula, &state, at)?;
        state.condition = scene.levels.and(state.condition, holds)?;
    }
    Ok(state)
}

/// The places of A and C among the bytes of RAM, for [`Origin::Invariant`].
const A: u16 = gray1_isa::memory_map::RAM_BYTES as u16;
const C: u16 = A + 1;
