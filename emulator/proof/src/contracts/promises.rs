//! The promises of a contract, checked during the execution of its code.
//!
//! States contain ghost bytes, at addresses past RAM. [`SENT`] says whether a byte was sent to `OUT`. A variant has two:
//! whether control has arrived at its word, and its value at the last arrival.

use crate::contracts::clauses::{at_entry, decreases, is_about_inputs};
use crate::contracts::cut_points::CutPoints;
use crate::contracts::cycles::CycleRange;
use crate::contracts::execution::{Decision, Exit, Observer, Progress, Remainder};
use crate::contracts::extent::Extent;
use crate::contracts::levels::{Assignment, Byte, Outcome};
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use crate::contracts::variables::Origin;
use crate::contracts::violation::Violation;
use gray1_assembler::{Contract, Formula, Subject};
use gray1_isa::memory_map::{OUT, RAM_BYTES};
use gray1_machine::logic::{FALSE, Function, TRUE};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A promise that is broken.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The promise.
    pub violation: Violation,
    /// The sequence number at which the promise is broken.
    pub at: u16,
    /// The cycles before.
    pub cycles: u64,
    /// The input.
    pub assignment: Assignment,
}

/// The ghost byte that says whether a byte was sent.
const SENT: u16 = RAM_BYTES as u16;
/// The first ghost byte of the first variant.
const VARIANTS: u16 = SENT + 1;

/// Observes whether an execution keeps the promises of a contract.
pub struct Promises<'a> {
    pub contract: &'a Contract,
    pub extent: &'a Extent,
    /// The bytes of RAM that the assembler has allocated for itself.
    pub temporaries: &'a BTreeSet<u16>,
    /// The `.requires` clauses about inputs, with RAM, A and C as at the entry.
    about_inputs: Vec<Formula>,
    /// For each `.variant`, the condition that it is a byte, and smaller than at the last arrival.
    decreases: Vec<Formula>,
    /// Whether executions end and begin at invariants.
    is_cutting: bool,
    /// The cut point at which this execution began; `None` if it began at the entry.
    pub cut: Option<u16>,
    /// Whether control is at the beginning of an execution from a cut point, where the invariant is assumed.
    pub begins_at_cut: bool,
    pub cut_points: CutPoints,
    pub broken: Option<Refutation>,
    /// Whether some run ends.
    pub has_end: bool,
    /// The cycles of the runs that have ended.
    pub cycles: CycleRange,
    /// A loop in which control may stay for ever, and an input.
    pub endless: Option<(u16, Assignment)>,
}

impl<'a> Promises<'a> {
    /// Creates an observer for a contract.
    pub fn new(
        contract: &'a Contract,
        extent: &'a Extent,
        temporaries: &'a BTreeSet<u16>,
        is_cutting: bool,
    ) -> Promises<'a> {
        let requires = contract.requires.iter().map(|promise| &promise.formula);
        let about_inputs = requires.filter(|formula| is_about_inputs(formula)).map(at_entry).collect();
        let variants = (VARIANTS..).step_by(2).zip(&contract.variants);
        let decreases = variants.map(|(ghost, (_, promise))| decreases(&promise.formula, ghost)).collect();
        Promises {
            contract,
            extent,
            temporaries,
            about_inputs,
            decreases,
            is_cutting,
            cut: None,
            begins_at_cut: false,
            cut_points: CutPoints::default(),
            broken: None,
            has_end: false,
            cycles: CycleRange::default(),
            endless: None,
        }
    }

    /// Sets the ghost bytes at the entry to 0.
    pub fn define_ghosts(&self, scene: &mut Scene) {
        let count = 1 + 2 * self.contract.variants.len() as u16;
        (SENT..SENT + count).for_each(|address| scene.entry.define(address, [FALSE; 8]));
    }

    /// Whether any formula is about the inputs read last.
    pub fn are_about_inputs(&self) -> bool {
        let Contract { requires, ensures, invariants, checks, variants, .. } = self.contract;
        let at_words = invariants.iter().chain(checks).chain(variants).map(|(_, promise)| promise);
        requires.iter().chain(ensures).chain(at_words).any(|promise| is_about_inputs(&promise.formula))
    }

    /// Whether executions end and begin at a word.
    fn is_cut(&self, at: u16) -> bool {
        let Contract { invariants, variants, .. } = self.contract;
        self.is_cutting && invariants.iter().chain(variants).any(|(place, _)| *place == at)
    }

    /// Refutes a promise if a level can be 1. Returns whether it can.
    fn break_where(
        &mut self,
        scene: &mut Scene,
        violation: Violation,
        at: u16,
        state: &State,
        level: Function,
    ) -> Outcome<bool> {
        let wrong = scene.levels.and(state.condition, level)?;
        let Some(assignment) = scene.levels.assignment(wrong) else { return Ok(false) };
        let cycles = state.cycles.value(&assignment, &scene.levels);
        self.broken = Some(Refutation { violation, at, cycles, assignment });
        Ok(true)
    }

    /// Refutes a promise if its formula can fail. Returns whether it can.
    fn breaks(
        &mut self,
        scene: &mut Scene,
        violation: Violation,
        formula: &Formula,
        at: u16,
        state: &State,
    ) -> Outcome<bool> {
        let holds = scene.holds(formula, state, at)?;
        self.break_where(scene, violation, at, state, !holds)
    }

    /// Checks the promises about each arrival at a word. Returns whether one is broken.
    fn breaks_at_arrival(&mut self, scene: &mut Scene, at: u16, state: &State) -> Outcome<bool> {
        let Contract { invariants, checks, variants, .. } = self.contract;
        let formulas =
            [(invariants, Violation::Invariant as fn(usize) -> Violation), (checks, Violation::Check)];
        for (promises, violation) in formulas {
            for (number, (place, promise)) in promises.iter().enumerate() {
                if *place == at && self.breaks(scene, violation(number), &promise.formula, at, state)? {
                    return Ok(true);
                }
            }
        }
        for (number, (place, _)) in variants.iter().enumerate() {
            if *place == at {
                let formula = self.decreases[number].clone();
                if self.breaks(scene, Violation::Variant(number), &formula, at, state)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Checks `.modifies`. Returns whether it is broken.
    fn changes_too_much(&mut self, scene: &mut Scene, at: u16, state: &State) -> Outcome<bool> {
        let Some(modifies) = &self.contract.modifies else { return Ok(false) };
        for (&address, &now) in &state.ram {
            let named = if address == SENT { OUT } else { address };
            if address > SENT || modifies.bytes.contains(&named) || self.temporaries.contains(&address) {
                continue;
            }
            let before = scene.entry.byte(address, &mut scene.variables, &mut scene.levels)?;
            if self.differs(scene, Violation::Byte(named), at, state, &now, &before)? {
                return Ok(true);
            }
        }
        let Scene { entry, .. } = scene;
        let (a, c) = (entry.a, entry.c);
        Ok(!modifies.a && self.differs(scene, Violation::A, at, state, &state.a, &a)?
            || !modifies.c && self.differs(scene, Violation::C, at, state, &[state.c], &[c])?)
    }

    /// Refutes a promise if some bits can have changed. Returns whether they can.
    fn differs(
        &mut self,
        scene: &mut Scene,
        violation: Violation,
        at: u16,
        state: &State,
        now: &[Function],
        before: &[Function],
    ) -> Outcome<bool> {
        for (&now, &before) in now.iter().zip(before) {
            let changed = scene.levels.differ(now, before)?;
            if self.break_where(scene, violation, at, state, changed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Checks `.within`. Returns whether it is broken. In an execution from a cut point, the cycles before are unknown.
    fn takes_too_long(&mut self, scene: &mut Scene, at: u16, state: &State) -> Outcome<bool> {
        let Some((most, _)) = self.contract.within.filter(|_| self.cut.is_none()) else { return Ok(false) };
        let above = state.cycles.is_above(most, &mut scene.levels)?;
        self.break_where(scene, Violation::Within, at, state, above)
    }

    /// Notes the most cycles from the last cut point to another, or to the end of a run.
    fn note_step(&mut self, scene: &mut Scene, to: Option<u16>, state: &State) -> Outcome<()> {
        if self.is_cutting
            && let Some((most, _)) = state.cycles.extreme(state.condition, true, &mut scene.levels)?
        {
            self.cut_points.note(self.cut, to, most);
        }
        Ok(())
    }

    /// Checks the promises about the end of a run.
    fn finish(&mut self, scene: &mut Scene, at: u16, state: &State) -> Progress {
        self.has_end = true;
        let contract = self.contract;
        let mut is_broken = self.takes_too_long(scene, at, state)?;
        for (number, promise) in contract.ensures.iter().enumerate() {
            is_broken =
                is_broken || self.breaks(scene, Violation::Ensures(number), &promise.formula, at, state)?;
        }
        if is_broken || self.changes_too_much(scene, at, state)? {
            return Ok(ControlFlow::Break(()));
        }
        self.note_step(scene, None, state)?;
        self.cycles.extend(state, &mut scene.levels)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the state at a cut point: of the bytes that the code may change, only the invariant is known.
    pub fn state_at_cut(
        &self,
        at: u16,
        changed: &BTreeSet<u16>,
        scene: &mut Scene,
        condition: Function,
    ) -> Outcome<State> {
        let mut state = scene.entry.state();
        let sent = changed.contains(&OUT).then_some(SENT);
        for address in changed.iter().copied().chain(sent) {
            let byte = scene.variables.byte(Origin::Havoc(at, address), &mut scene.levels)?;
            state.ram.insert(address, byte);
        }
        state.a = scene.variables.byte(Origin::Havoc(at, A), &mut scene.levels)?;
        state.c = scene.variables.bit(Origin::Havoc(at, C), 0, &mut scene.levels)?;
        state.condition = condition;
        for (_, promise) in self.contract.invariants.iter().filter(|(place, _)| *place == at) {
            let holds = scene.holds(&promise.formula, &state, at)?;
            state.condition = scene.levels.and(state.condition, holds)?;
        }
        Ok(state)
    }
}

impl Observer for Promises<'_> {
    fn end(&mut self, scene: &mut Scene, at: u16, state: State) -> Remainder {
        let Some((_, formula)) = self.extent.exits.iter().find(|(word, _)| *word == at) else {
            return Ok(ControlFlow::Continue(Some(state)));
        };
        let is_here = match formula {
            Some(formula) => scene.holds(formula, &state, at)?,
            None => TRUE,
        };
        let condition = scene.levels.and(state.condition, is_here)?;
        if condition != FALSE {
            let ending = State { condition, ..state.clone() };
            if self.breaks_at_arrival(scene, at, &ending)? || self.finish(scene, at, &ending)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let condition = scene.levels.and(state.condition, !is_here)?;
        Ok(ControlFlow::Continue((condition != FALSE).then_some(State { condition, ..state })))
    }

    fn arrive(&mut self, scene: &mut Scene, at: u16, _: bool, state: &mut State) -> Outcome<Decision> {
        let begins = std::mem::take(&mut self.begins_at_cut);
        if self.takes_too_long(scene, at, state)? || !begins && self.breaks_at_arrival(scene, at, state)? {
            return Ok(Decision::EndAll);
        }
        if !begins && self.is_cut(at) {
            self.cut_points.reached.insert(at);
            self.note_step(scene, Some(at), state)?;
            return Ok(Decision::EndPath);
        }
        for (ghost, (_, promise)) in
            (VARIANTS..).step_by(2).zip(&self.contract.variants).filter(|(_, (place, _))| *place == at)
        {
            let value = scene.value_of(&promise.formula, state, at)?.number.bits(8);
            state.ram.insert(ghost, ONE);
            state.ram.insert(ghost + 1, std::array::from_fn(|bit| value[bit]));
        }
        Ok(Decision::Continue)
    }

    fn store(&mut self, _: &mut Scene, _: u16, address: u16, state: &mut State) -> Progress {
        if address == OUT {
            state.ram.insert(SENT, ONE);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn read(&mut self, scene: &mut Scene, state: &mut State) -> Outcome<()> {
        for formula in &self.about_inputs {
            let holds = scene.holds(formula, state, self.extent.entry)?;
            state.condition = scene.levels.and(state.condition, holds)?;
        }
        Ok(())
    }

    fn leave(&mut self, scene: &mut Scene, exit: Exit, state: &State) -> Progress {
        let (Exit::To(at) | Exit::Halt(at)) = exit;
        if self.contract.subject == Subject::Program {
            return self.finish(scene, at, state);
        }
        self.cut_points.is_unbounded |= self.cut.is_some();
        let is_promised = self.contract.within.is_some() && self.cut.is_none();
        Ok(match is_promised && self.break_where(scene, Violation::Halts, at, state, TRUE)? {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn stay(&mut self, scene: &mut Scene, at: u16, state: &State) -> Progress {
        self.cut_points.is_unbounded |= self.cut.is_some();
        if self.endless.is_none() && self.cut.is_none() {
            self.endless = scene.levels.assignment(state.condition).map(|assignment| (at, assignment));
        }
        // An endless run breaks `.within`.
        Ok(match self.contract.within {
            Some(_) if self.cut.is_none() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }
}

/// The addresses of A and C in [`Origin::Havoc`].
const A: u16 = u16::MAX;
const C: u16 = A - 1;
/// The value of a ghost byte that is set.
const ONE: Byte = [TRUE, FALSE, FALSE, FALSE, FALSE, FALSE, FALSE, FALSE];
