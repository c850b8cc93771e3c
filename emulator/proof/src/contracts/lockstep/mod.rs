//! Lockstep execution of two runs with the same inputs, from event to event: two runs of one program whose RAM differs at
//! power-up, or runs of two programs.
//!
//! An event is a read of an input or a visible store. A read gets the same value in both runs if it has the same number
//! in both. Visible stores have to be equal. If one run is before a store and the other before a read, the read comes
//! first. A pair of states that was explored before is not followed again: from equal states, with equal numbers of the
//! reads ahead, the runs make the same events. So endless runs are compared, too.
//!
//! ```text
//!   explored     the explored pairs
//!   differences  where stores and ends differ
//! ```

mod differences;
mod explored;

use crate::contracts::Obstacle;
use crate::contracts::access::{input_of, is_visible_store};
use crate::contracts::execution::SymbolicExecution;
use crate::contracts::flow::Flow;
use crate::contracts::levels::{Assignment, Outcome};
use crate::contracts::repetition::{Visit, Visits};
use crate::contracts::scene::{Scene, UNKNOWN_NUMBERS};
use crate::contracts::segment::{MAX_WORDS, Pause, Segment, WRITTEN};
use crate::contracts::state::{Counter, Entry, State};
use crate::contracts::trace::Stimulus;
use crate::contracts::variables::{Origin, input_value};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::logic::{FALSE, Function};
use std::collections::{BTreeMap, BTreeSet};

/// The cost of comparing an event, in executed words.
const WORDS_OF_AN_EVENT: u64 = 16;

/// States that depend on more reads than this are not compared with explored states.
const MAX_READS: usize = 8;

type Pauses = [Pause; 2];
type States = [State; 2];

/// The rules of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The runs are of one program, and RAM differs at power-up. Halts and final bytes of RAM are compared, too.
    Noise,
    /// The runs are of two programs, and RAM is the same at power-up.
    Same {
        /// Whether the stores have to be in the same cycles.
        cycles: bool,
    },
}

/// Runs that seem to differ.
pub struct Suspicion {
    /// The word at which a run is.
    pub at: u16,
    /// Whether the comparison ends here. Otherwise the runs differ only if one of them makes no further store.
    pub is_final: bool,
    /// The path condition of the runs.
    condition: Function,
    /// The cycles of both runs.
    cycles: [Counter; 2],
}

/// The comparison of two runs.
pub struct Lockstep<'a, 's> {
    pub scene: Scene<'s>,
    /// The entry of the second run.
    second: Entry,
    rule: Rule,
    images: [&'a Image; 2],
    flows: [Flow; 2],
    /// The words that may still be executed.
    left: u64,
    /// The pairs of states to be followed, by the position of the first run, or of the second if the first has ended.
    waiting: [BTreeMap<u32, BTreeMap<Pauses, States>>; 2],
    /// The remembered pairs of states, with their path conditions.
    explored: BTreeMap<Pauses, Visit<(Contents, Function)>>,
    /// The pairs of words at which one run waits for a store of the other, and was suspected to wait for ever.
    suspected: BTreeSet<Pauses>,
    reads: Vec<NumberedRead>,
}

/// The contents of a pair of states: the addresses of their bytes, and all bits.
type Contents = (Vec<u16>, Vec<Function>);

/// A read in one of the runs.
struct NumberedRead {
    /// The number in the origin of its variables.
    number: u32,
    input: usize,
    condition: Function,
    /// The number of reads before it in the run.
    count: Counter,
}

impl<'a, 's> Lockstep<'a, 's> {
    /// Creates a comparison of runs from a reset on.
    pub fn new(images: [&'a Image; 2], rule: Rule, scene: Scene<'s>) -> Lockstep<'a, 's> {
        let second = if rule == Rule::Noise { scene.entry.with_other_ram() } else { scene.entry.clone() };
        let flows = images.map(|image| Flow::new(image, 0, &|_| true));
        Lockstep {
            scene,
            second,
            rule,
            images,
            flows,
            left: MAX_WORDS,
            waiting: Default::default(),
            explored: BTreeMap::new(),
            suspected: BTreeSet::new(),
            reads: Vec::new(),
        }
    }

    /// Follows both runs from their start. Returns the first runs that seem to differ.
    pub fn start(&mut self) -> Outcome<Option<Suspicion>> {
        let mut state = self.scene.entry.state();
        if self.rule == Rule::Noise {
            let words = (0..PROGRAM_WORDS as u16).map(|at| self.images[0].word(at));
            let stored = words.filter(|word| word.opcode() == Opcode::Sta).map(Word::x);
            let stored = stored.filter(|&address| State::is_ram(address));
            state.ram.extend(stored.map(|address| (address + WRITTEN, [FALSE; 8])));
        }
        let both = [self.advance(0, 0, false, state.clone(), None)?, self.advance(1, 0, false, state, None)?];
        let found = self.meet(both)?;
        if found.is_some() { Ok(found) } else { self.resume() }
    }

    /// Follows both runs until no pair is left. Returns the first runs that seem to differ.
    pub fn resume(&mut self) -> Outcome<Option<Suspicion>> {
        while let Some((pauses, states)) = self.next() {
            self.scene.levels.check()?;
            self.spend(WORDS_OF_AN_EVENT)?;
            let found = self.step(pauses, states)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Chooses concrete runs that seem to differ, whose RAM differs as little as possible. Returns an assignment, the stimuli
    /// of both runs, and their cycles.
    pub fn concretise(&mut self, suspicion: &Suspicion) -> Outcome<Option<(Assignment, [Stimulus; 2], u64)>> {
        let mut condition = suspicion.condition;
        let mut addresses = BTreeSet::new();
        let is_noise = self.rule == Rule::Noise;
        let variables = &self.scene.variables;
        self.scene.levels.variables_of(&[condition], &mut |variable| match variables.origin(variable) {
            Origin::Ram(address) | Origin::SecondRam(address) if is_noise => _ = addresses.insert(address),
            _ => {}
        });
        for address in addresses {
            let [one, other] = [self.entry_byte(0, address)?, self.entry_byte(1, address)?];
            let differ = self.scene.levels.differ_anywhere(&one, &other)?;
            let narrower = self.scene.levels.and(condition, !differ)?;
            condition = if narrower == FALSE { condition } else { narrower };
        }
        let Some(assignment) = self.scene.levels.assignment(condition) else { return Ok(None) };
        let cycles = suspicion.cycles.iter().map(|count| count.value(&assignment, &self.scene.levels)).max();
        let stimuli = self.stimuli(&assignment);
        Ok(Some((assignment, stimuli, cycles.unwrap_or_default())))
    }

    /// Returns the stimuli of both runs for an assignment.
    fn stimuli(&self, assignment: &Assignment) -> [Stimulus; 2] {
        let bits = self.scene.variables.bits_of(assignment);
        let mut stimuli = [Stimulus::default(), Stimulus::default()];
        for (&origin, &byte) in &bits {
            let (address, runs) = match origin {
                Origin::Ram(address) => (address, [true, self.rule != Rule::Noise]),
                Origin::SecondRam(address) => (address, [false, true]),
                _ => continue,
            };
            for (stimulus, _) in stimuli.iter_mut().zip(runs).filter(|&(_, depends)| depends) {
                stimulus.ram.insert(address, byte);
            }
        }
        for read in self.reads.iter().filter(|read| self.scene.levels.value(read.condition, assignment)) {
            let bits = bits.get(&Origin::Read(read.input, read.number)).copied().unwrap_or_default();
            let number = read.count.value(assignment, &self.scene.levels);
            for stimulus in &mut stimuli {
                stimulus.reads.entry(number).or_default()[read.input] = input_value(read.input, bits);
            }
        }
        stimuli
    }

    /// Charges work that takes as long as some words.
    fn spend(&mut self, words: u64) -> Outcome<()> {
        self.left = self.left.checked_sub(words).ok_or(Obstacle::TooLong(MAX_WORDS))?;
        Ok(())
    }

    /// Removes the next pair: inner loops before their successors.
    fn next(&mut self) -> Option<(Pauses, States)> {
        for (flow, waiting) in self.flows.iter().zip(&mut self.waiting) {
            // The exits of a loop wait for its end, until a sixteenth of the words is spent.
            let waits = self.left > MAX_WORDS / 16 * 15;
            let position = if waits { flow.next(waiting) } else { waiting.keys().next_back().copied() };
            if let Some(position) = position {
                let pairs = waiting.get_mut(&position)?;
                let pair = pairs.pop_first();
                if pairs.is_empty() {
                    waiting.remove(&position);
                }
                return pair;
            }
        }
        None
    }

    /// Compares the events that are next in both runs, and executes them.
    fn step(&mut self, pauses: Pauses, mut states: States) -> Outcome<Option<Suspicion>> {
        let word = |side: usize| match pauses[side] {
            Pause::Before(at) => Some(self.images[side].word(at)),
            _ => None,
        };
        let words = [word(0), word(1)];
        let ends = words.contains(&None);
        let stores = words.map(|word| word.filter(|&word| is_visible_store(word)));
        if !ends && stores.contains(&None) && stores != [None; 2] && self.suspected.insert(pauses) {
            let waiting = Suspicion { is_final: false, ..suspicion(pauses, states[0].condition, &states) };
            self.wait(0, pauses, states)?;
            return Ok(Some(waiting));
        }
        let is_aligned = ends || states[0].reads == states[1].reads;
        let in_time =
            ends || self.rule != Rule::Same { cycles: true } || states[0].cycles == states[1].cycles;
        if is_aligned && in_time && self.is_explored(pauses, &mut states)? {
            // The other run has halted; this one repeats a read, so it may never halt.
            let halts = self.rule == Rule::Noise && pauses.contains(&Pause::Halted);
            return Ok(halts.then(|| suspicion(pauses, states[0].condition, &states)));
        }
        let differ = match stores {
            [Some(one), Some(other)] => self.differ_in_stores([one, other], &states)?,
            [None, None] => FALSE,
            _ if ends => states[0].condition,
            _ => FALSE,
        };
        if differ != FALSE {
            return Ok(Some(suspicion(pauses, differ, &states)));
        }
        let reads = words.map(|word| word.and_then(input_of));
        let stores = stores.map(|store| store.is_some());
        let acts = if stores == [true; 2] { stores } else { reads.map(|read| read.is_some()) };
        let fresh = UNKNOWN_NUMBERS + self.reads.len() as u32;
        let mut ends = [BTreeMap::new(), BTreeMap::new()];
        for (side, state) in states.into_iter().enumerate() {
            let (Pause::Before(at), true) = (pauses[side], acts[side]) else {
                ends[side].insert(pauses[side], state);
                continue;
            };
            let number = match (reads[side], state.reads.known()) {
                (None, _) => None,
                (Some(_), Some(known)) => Some(known as u32),
                (Some(_), None) if is_aligned => Some(fresh),
                (Some(_), None) => return Err(Obstacle::NotAligned),
            };
            if let (Some(input), Some(number)) = (reads[side], number) {
                let (condition, count) = (state.condition, state.reads.clone());
                self.reads.push(NumberedRead { number, input, condition, count });
            }
            ends[side] = self.advance(side, at, true, state, number)?;
        }
        self.meet(ends)
    }

    /// Executes one run from a word to its next pauses. If `starts_at_event`, the word is an event; a read has this number.
    fn advance(
        &mut self,
        side: usize,
        from: u16,
        starts_at_event: bool,
        mut state: State,
        number: Option<u32>,
    ) -> Outcome<BTreeMap<Pause, State>> {
        state.inputs = [None; 3];
        let mut reads = state.reads.clone();
        if let Some(number) = number {
            state.reads = Counter::new(number.into());
            reads.count();
        }
        let mut execution = SymbolicExecution::new(self.images[side], self.flows[side].clone(), MAX_WORDS);
        let mut segment = Segment {
            image: self.images[side],
            starts_at_event,
            left: &mut self.left,
            visits: Visits::default(),
            ends: BTreeMap::new(),
        };
        let known = self.scene.reads.len();
        if side == 1 {
            std::mem::swap(&mut self.scene.entry, &mut self.second);
        }
        let outcome = execution.run(from, state, &mut self.scene, &mut segment);
        let mut ends = segment.ends;
        if side == 1 {
            std::mem::swap(&mut self.scene.entry, &mut self.second);
            self.scene.reads.truncate(known);
        }
        let _ = outcome?;
        ends.values_mut().for_each(|state| state.reads = reads.clone());
        Ok(ends)
    }

    /// Combines the pauses of both runs to pairs that are to be followed. Returns runs that seem to differ at their end.
    fn meet(&mut self, ends: [BTreeMap<Pause, State>; 2]) -> Outcome<Option<Suspicion>> {
        for (&one, first) in &ends[0] {
            for (&other, second) in &ends[1] {
                let condition = self.scene.levels.and(first.condition, second.condition)?;
                if condition == FALSE {
                    continue;
                }
                let states = [first, second].map(|state| State { condition, ..state.clone() });
                let pauses = [one, other];
                match pauses.iter().position(|pause| matches!(pause, Pause::Before(_))) {
                    Some(leading) => self.wait(leading, pauses, states)?,
                    None if self.rule == Rule::Noise => {
                        let differ = self.differ_at_the_end(pauses, &states)?;
                        if differ != FALSE {
                            return Ok(Some(suspicion(pauses, differ, &states)));
                        }
                    }
                    None => {}
                }
            }
        }
        Ok(None)
    }

    /// Adds a pair that is to be followed, or joins it with the one at the same words.
    fn wait(&mut self, leading: usize, pauses: Pauses, states: States) -> Outcome<()> {
        let Pause::Before(at) = pauses[leading] else { return Ok(()) };
        let Some(position) = self.flows[leading].position(at) else { return Ok(()) };
        let known = self.waiting[leading].entry(position).or_default().remove(&pauses);
        let states = match known {
            None => states,
            Some([one, other]) => {
                let [new_one, new_other] = states;
                let Scene { levels, variables, entry, .. } = &mut self.scene;
                let one = one.join(new_one, entry, variables, levels)?;
                [one, other.join(new_other, &mut self.second, variables, levels)?]
            }
        };
        self.waiting[leading].entry(position).or_default().insert(pauses, states);
        Ok(())
    }
}

fn suspicion(pauses: Pauses, condition: Function, states: &States) -> Suspicion {
    let words = pauses.iter().map(|pause| if let Pause::Before(at) = pause { Some(*at) } else { None });
    let at = words.flatten().next().unwrap_or_default();
    Suspicion { at, is_final: true, condition, cycles: states.each_ref().map(|state| state.cycles.clone()) }
}
