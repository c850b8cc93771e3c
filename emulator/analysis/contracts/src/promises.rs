//! What a contract says, checked on the way through the code that makes it.
//!
//! Two kinds of bytes are no RAM, but are kept in states like RAM. [`SENT`] says whether a byte was sent to `OUT`. A
//! variant has two: whether control has arrived at its word, and its value at the last arrival.

use crate::cut_points::Cuts;
use crate::extent::Ends;
use crate::levels::{Byte, Example, Levels, Outcome};
use crate::violation::Part;
use crate::scene::Scene;
use crate::state::State;
use crate::execution::{Arrival, Exit, Going, Rest, Watch};
use gray1_assembler::{Contract, Formula, Subject, Term};
use gray1_isa::memory_map::{OUT, RAM_BYTES};
use gray1_text::{OPERATORS, Operator};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A promise that is broken.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The promise.
    pub part: Part,
    /// The sequence number at which it is broken.
    pub at: u16,
    /// The cycles until then.
    pub cycles: u64,
    /// The input.
    pub example: Example,
}

/// The byte that says whether a byte was sent.
const SENT: u16 = RAM_BYTES as u16;
/// The first byte of the first variant.
const VARIANTS: u16 = SENT + 1;

/// The promises of a contract, and what has been found out about them.
pub struct Promises<'a> {
    pub contract: &'a Contract,
    pub ends: &'a Ends,
    /// Bytes of RAM that the assembler has allocated for itself.
    pub temporaries: &'a BTreeSet<u16>,
    /// Each `.requires` that is about inputs, with RAM, A and C as they are at the entry.
    about_inputs: Vec<Formula>,
    /// For each `.variant`: whether its value is from 0 to 255, and smaller than at the last arrival.
    decreases: Vec<Formula>,
    /// Whether a walk ends at an invariant, and begins there anew.
    is_cutting: bool,
    /// Whether cycles are counted.
    pub counts: bool,
    /// The word with an invariant at which this walk began; none if it began at the entry.
    pub cut: Option<u16>,
    /// Whether control is at the beginning of a walk from an invariant, which holds there.
    pub begins: bool,
    pub cuts: Cuts,
    pub broken: Option<Broken>,
    /// Whether a run ends.
    pub ends_somewhere: bool,
    pub least: Option<(u64, Example)>,
    pub most: Option<(u64, Example)>,
    /// A loop in which control may stay for ever, and an input.
    pub stays: Option<(u16, Example)>,
}

impl<'a> Promises<'a> {
    /// The promises of a contract, of which nothing is known yet.
    pub fn new(
        contract: &'a Contract,
        ends: &'a Ends,
        temporaries: &'a BTreeSet<u16>,
        is_cutting: bool,
        counts: bool,
    ) -> Promises<'a> {
        let requires = contract.requires.iter().map(|promise| &promise.formula);
        let about_inputs = requires.filter(|formula| is_about_inputs(formula)).map(at_entry).collect();
        let variants = (VARIANTS..).step_by(2).zip(&contract.variants);
        let decreases = variants.map(|(ghost, (_, promise))| decreases(&promise.formula, ghost)).collect();
        Promises {
            contract,
            ends,
            temporaries,
            about_inputs,
            decreases,
            is_cutting,
            counts,
            cut: None,
            begins: false,
            cuts: Cuts::default(),
            broken: None,
            ends_somewhere: false,
            least: None,
            most: None,
            stays: None,
        }
    }

    /// Gives the bytes that are no RAM their values at the entry.
    pub fn define<B: Levels>(&self, scene: &mut Scene<B>) {
        let zero = [scene.levels.constant(false); 8];
        let count = 1 + 2 * self.contract.variants.len() as u16;
        (SENT..SENT + count).for_each(|address| scene.entry.define(address, zero));
    }

    /// Whether any formula is about what was read last.
    pub fn are_about_inputs(&self) -> bool {
        let Contract { requires, ensures, invariants, checks, variants, .. } = self.contract;
        let at_words = invariants.iter().chain(checks).chain(variants).map(|(_, promise)| promise);
        requires.iter().chain(ensures).chain(at_words).any(|promise| is_about_inputs(&promise.formula))
    }

    /// Whether a walk ends and begins at a word.
    fn is_cut(&self, at: u16) -> bool {
        let Contract { invariants, variants, .. } = self.contract;
        self.is_cutting && invariants.iter().chain(variants).any(|(place, _)| *place == at)
    }

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

    /// Breaks what is promised of each arrival at a word.
    fn breaks_here<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        let Contract { invariants, checks, variants, .. } = self.contract;
        let formulas = [(invariants, Part::Invariant as fn(usize) -> Part), (checks, Part::Check)];
        for (promises, part) in formulas {
            for (number, (place, promise)) in promises.iter().enumerate() {
                if *place == at && self.breaks(scene, part(number), &promise.formula, at, state)? {
                    return Ok(true);
                }
            }
        }
        for (number, (place, _)) in variants.iter().enumerate() {
            if *place == at {
                let formula = self.decreases[number].clone();
                if self.breaks(scene, Part::Variant(number), &formula, at, state)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Breaks `.modifies`, if too much is changed.
    fn changes_too_much<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        let Some(modifies) = &self.contract.modifies else { return Ok(false) };
        for (&address, &now) in &state.ram {
            let named = if address == SENT { OUT } else { address };
            if address > SENT || modifies.bytes.contains(&named) || self.temporaries.contains(&address) {
                continue;
            }
            let before = scene.entry.byte(address, &mut scene.variables, &mut scene.levels)?;
            if self.differs(scene, Part::Byte(named), at, state, &now, &before)? {
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

    /// Breaks `.within`, if more cycles were taken. In a walk from a cut, nothing is known of those before.
    fn takes_too_long<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        at: u16,
        state: &State<B::Level>,
    ) -> Outcome<bool> {
        let Some((most, _)) = self.contract.within.filter(|_| self.cut.is_none()) else { return Ok(false) };
        let above = state.cycles.is_above(most, &mut scene.levels)?;
        self.break_where(scene, Part::Within, at, state, above)
    }

    /// Notes the most cycles from the last cut to another, or to the end of a run.
    fn step<B: Levels>(
        &mut self,
        scene: &mut Scene<B>,
        to: Option<u16>,
        state: &State<B::Level>,
    ) -> Outcome<()> {
        if self.is_cutting
            && self.counts
            && let Some((most, _)) = state.cycles.extreme(state.condition, true, &mut scene.levels)?
        {
            self.cuts.note(self.cut, to, most);
        }
        Ok(())
    }

    /// Checks what is promised of the end of a run.
    pub fn finish<B: Levels>(&mut self, scene: &mut Scene<B>, at: u16, state: &State<B::Level>) -> Going {
        self.ends_somewhere = true;
        let contract = self.contract;
        let mut is_broken = self.takes_too_long(scene, at, state)?;
        for (number, promise) in contract.ensures.iter().enumerate() {
            is_broken =
                is_broken || self.breaks(scene, Part::Ensures(number), &promise.formula, at, state)?;
        }
        if is_broken || self.changes_too_much(scene, at, state)? {
            return Ok(ControlFlow::Break(()));
        }
        self.step(scene, None, state)?;
        if self.counts {
            let least = state.cycles.extreme(state.condition, false, &mut scene.levels)?;
            let most = state.cycles.extreme(state.condition, true, &mut scene.levels)?;
            let least = self.least.take().into_iter().chain(least);
            self.least = least.min_by_key(|&(cycles, _)| cycles);
            let most = most.into_iter().chain(self.most.take());
            self.most = most.max_by_key(|&(cycles, _)| cycles);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Where control begins a walk from an invariant: nothing is known of what the code may change but the invariant.
    pub fn state_at_cut<B: Levels>(
        &self,
        at: u16,
        changed: &BTreeSet<u16>,
        scene: &mut Scene<B>,
        condition: B::Level,
    ) -> Outcome<State<B::Level>> {
        use crate::variables::Origin::Invariant;
        let mut state = scene.entry.state(&scene.levels);
        let sent = changed.contains(&OUT).then_some(SENT);
        for address in changed.iter().copied().chain(sent) {
            let byte = scene.variables.byte(Invariant(at, address), &mut scene.levels)?;
            state.ram.insert(address, byte);
        }
        state.a = scene.variables.byte(Invariant(at, A), &mut scene.levels)?;
        state.c = scene.variables.bit(Invariant(at, C), 0, &mut scene.levels)?;
        state.condition = condition;
        for (_, promise) in self.contract.invariants.iter().filter(|(place, _)| *place == at) {
            let holds = scene.holds(&promise.formula, &state, at)?;
            state.condition = scene.levels.and(state.condition, holds)?;
        }
        Ok(state)
    }
}

impl<B: Levels> Watch<B> for Promises<'_> {
    fn end(&mut self, scene: &mut Scene<B>, at: u16, state: State<B::Level>) -> Rest<B> {
        let Some((_, formula)) = self.ends.words.iter().find(|(word, _)| *word == at) else {
            return Ok(ControlFlow::Continue(Some(state)));
        };
        let is_here = match formula {
            Some(formula) => scene.holds(formula, &state, at)?,
            None => scene.levels.constant(true),
        };
        let condition = scene.levels.and(state.condition, is_here)?;
        if scene.levels.is_possible(condition)? {
            let ending = State { condition, ..state.clone() };
            if self.breaks_here(scene, at, &ending)? || self.finish(scene, at, &ending)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let goes_on = scene.levels.not(is_here);
        let condition = scene.levels.and(state.condition, goes_on)?;
        let is_left =
            scene.levels.known(condition) != Some(false) && scene.levels.example(condition)?.is_some();
        Ok(ControlFlow::Continue(is_left.then_some(State { condition, ..state })))
    }

    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival> {
        let begins = std::mem::take(&mut self.begins);
        if self.takes_too_long(scene, at, state)? || !begins && self.breaks_here(scene, at, state)? {
            return Ok(Arrival::EndsAll);
        }
        if !begins && self.is_cut(at) {
            self.cuts.reached.insert(at);
            self.step(scene, Some(at), state)?;
            return Ok(Arrival::Ends);
        }
        for (ghost, (_, promise)) in
            (VARIANTS..).step_by(2).zip(&self.contract.variants).filter(|(_, (place, _))| *place == at)
        {
            let value = scene.value_of(&promise.formula, state, at)?.number.bits(8);
            let mut arrived: Byte<B::Level> = [scene.levels.constant(false); 8];
            arrived[0] = scene.levels.constant(true);
            state.ram.insert(ghost, arrived);
            state.ram.insert(ghost + 1, std::array::from_fn(|bit| value[bit]));
        }
        Ok(Arrival::Goes)
    }

    fn store(&mut self, scene: &mut Scene<B>, _: u16, address: u16, state: &mut State<B::Level>) -> Going {
        if address == OUT {
            // What is sent cannot be taken back.
            let mut sent = [scene.levels.constant(false); 8];
            sent[0] = scene.levels.constant(true);
            state.ram.insert(SENT, sent);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn read(&mut self, scene: &mut Scene<B>, state: &mut State<B::Level>) -> Outcome<()> {
        for formula in &self.about_inputs {
            let holds = scene.holds(formula, state, self.ends.entry)?;
            state.condition = scene.levels.and(state.condition, holds)?;
        }
        Ok(())
    }

    fn leave(&mut self, scene: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Going {
        let (Exit::To(at) | Exit::Halt(at)) = exit;
        if self.contract.subject == Subject::Program {
            return self.finish(scene, at, state);
        }
        self.cuts.is_unbounded |= self.cut.is_some();
        let is_promised = self.contract.within.is_some() && self.cut.is_none();
        let always = scene.levels.constant(true);
        Ok(match is_promised && self.break_where(scene, Part::Halts, at, state, always)? {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn stay(&mut self, scene: &mut Scene<B>, at: u16, state: &State<B::Level>) -> Going {
        self.cuts.is_unbounded |= self.cut.is_some();
        if self.stays.is_none() && self.cut.is_none() {
            self.stays = scene.levels.example(state.condition)?.map(|example| (at, example));
        }
        // A run that never ends breaks `.within`.
        Ok(match self.contract.within {
            Some(_) if self.cut.is_none() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }
}

/// Whether a formula is about what pads and keys give.
fn is_about_inputs(formula: &Formula) -> bool {
    formula.0.iter().any(|term| matches!(term, Term::Keys | Term::Pad))
}

/// The formula with RAM, A and C as they are at the entry.
fn at_entry(formula: &Formula) -> Formula {
    let before = |term: &Term| match *term {
        Term::Byte { address, .. } => Term::Byte { address, before: true },
        Term::A { .. } => Term::A { before: true },
        Term::C { .. } => Term::C { before: true },
        other => other,
    };
    Formula(formula.0.iter().map(before).collect())
}

/// Whether a variant is from 0 to 255, and smaller than at the last arrival, if there was one.
fn decreases(Formula(variant): &Formula, ghost: u16) -> Formula {
    let [least, most, zero] = [0, 255, 0].map(Term::Number);
    let [arrived, last] = [ghost, ghost + 1].map(|address| Term::Byte { address, before: false });
    let [at_least, at_most, same, less, or, and] =
        [">=", "<=", "==", "<", "||", "&&"].map(|sign| Term::Infix(infix(sign)));
    let range = [&variant[..], &[least, at_least], variant, &[most, at_most, and]].concat();
    let smaller = [&[arrived, zero, same], &variant[..], &[last, less, or, and]].concat();
    Formula([range, smaller].concat())
}

/// The operator of a sign.
pub fn infix(sign: &str) -> &'static Operator {
    OPERATORS.iter().find(|operator| operator.sign == sign).unwrap_or(&OPERATORS[0])
}

/// The places of A and C among the bytes that are forgotten at a cut.
const A: u16 = u16::MAX;
const C: u16 = A - 1;
