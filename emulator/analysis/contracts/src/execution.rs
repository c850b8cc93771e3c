//! Symbolic execution of a program, from an entry to all exits, for all inputs at once.

use crate::Obstacle;
use crate::flow::Flow;
use crate::levels::{Assignment, Byte, CHECK_INTERVAL, Levels, Outcome};
use crate::repetition::Visit;
use crate::scene::{Read, Scene, UNKNOWN_NUMBERS};
use crate::state::State;
use crate::variables::{Origin, input_value};
use gray1_isa::{Image, Opcode, Operand, PROGRAM_WORDS, Word};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The way in which control leaves a word, and with it perhaps the executed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Control continues at this word.
    To(u16),
    /// The machine halts at this word.
    Halt(u16),
}

/// Whether the execution continues.
pub type Progress = Outcome<ControlFlow<()>>;

/// The remainder of a state, unless the whole execution ends.
pub type Remainder<B> = Outcome<ControlFlow<(), Option<State<<B as Levels>::Level>>>>;

/// An observer's decision about a state that arrives at a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The path continues.
    Continue,
    /// The path ends here.
    EndPath,
    /// The whole execution ends.
    EndAll,
}

/// Observes an execution, and decides how far it goes.
pub trait Observer<B: Levels> {
    /// Control arrives at a word, where several paths may have been joined.
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Decision>;
    /// A is stored to RAM.
    fn store(&mut self, _: &mut Scene<B>, _at: u16, _address: u16, _: &mut State<B::Level>) -> Progress {
        Ok(ControlFlow::Continue(()))
    }
    /// An input has been read.
    fn read(&mut self, _scene: &mut Scene<B>, _state: &mut State<B::Level>) -> Outcome<()> {
        Ok(())
    }
    /// Control is about to arrive at a word. Returns the part of the state that continues there.
    fn end(&mut self, _: &mut Scene<B>, _at: u16, state: State<B::Level>) -> Remainder<B> {
        Ok(ControlFlow::Continue(Some(state)))
    }
    /// Control leaves the code.
    fn leave(&mut self, scene: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Progress;
    /// A loop repeats a state, so a run may stay in it for ever.
    fn stay(&mut self, _: &mut Scene<B>, _at: u16, _: &State<B::Level>) -> Progress {
        Ok(ControlFlow::Continue(()))
    }
}

/// A symbolic execution.
pub struct SymbolicExecution<'a, B: Levels> {
    image: &'a Image,
    flow: Flow,
    /// The states that are still to be executed, by the positions of their words.
    waiting: BTreeMap<u32, State<B::Level>>,
    /// The remembered visits of loop heads.
    visits: BTreeMap<u16, Visit<State<B::Level>>>,
    /// The words that may still be executed.
    left: u64,
    max_words: u64,
    /// The word at which the execution began.
    from: u16,
    /// Whether loops end when they repeat a state.
    pub detects_repetition: bool,
    /// Whether states count as equal whatever was read last.
    pub ignores_inputs: bool,
    /// The loop head that was executed last.
    pub last_head: Option<u16>,
    /// Whether control came to a word outside of the flow, which contains all words of the program since then.
    pub strayed: bool,
}

impl<'a, B: Levels> SymbolicExecution<'a, B> {
    /// Creates an execution of at most this many words.
    pub fn new(image: &'a Image, flow: Flow, max_words: u64) -> SymbolicExecution<'a, B> {
        SymbolicExecution {
            image,
            flow,
            waiting: BTreeMap::new(),
            visits: BTreeMap::new(),
            left: max_words,
            max_words,
            from: 0,
            detects_repetition: false,
            ignores_inputs: false,
            last_head: None,
            strayed: false,
        }
    }

    /// Executes from a word on, until all paths have ended or `watch` ends the execution.
    pub fn run(
        &mut self,
        from: u16,
        state: State<B::Level>,
        scene: &mut Scene<B>,
        watch: &mut dyn Observer<B>,
    ) -> Progress {
        self.from = from;
        self.wait(from, state, scene)?;
        let mut going = ControlFlow::Continue(());
        while let ControlFlow::Continue(()) = going {
            let Some(position) = self.flow.next(&self.waiting) else { break };
            let Some(state) = self.waiting.remove(&position) else { break };
            self.left = self.left.checked_sub(1).ok_or(Obstacle::TooLong(self.max_words))?;
            if self.left.is_multiple_of(CHECK_INTERVAL) {
                scene.levels.check()?;
            }
            going = self.at(self.flow.word(position), state, scene, watch)?;
        }
        Ok(going)
    }

    /// Executes the word at which control is.
    fn at(
        &mut self,
        at: u16,
        mut state: State<B::Level>,
        scene: &mut Scene<B>,
        watch: &mut dyn Observer<B>,
    ) -> Progress {
        if self.flow.is_head(at) {
            self.last_head = Some(at);
            scene.simplify(&mut state)?;
        }
        match watch.arrive(scene, at, &mut state)? {
            Decision::Continue => {}
            Decision::EndPath => return Ok(ControlFlow::Continue(())),
            Decision::EndAll => return Ok(ControlFlow::Break(())),
        }
        if self.detects_repetition && self.flow.is_head(at) && self.is_repeated(at, &state, scene)? {
            return watch.stay(scene, at, &state);
        }
        let word = self.image.word(at);
        let next = (at + 1) % PROGRAM_WORDS as u16;
        let taken = match word.opcode() {
            Opcode::Jmp => scene.levels.constant(true),
            Opcode::Jc => state.c,
            Opcode::Jz => {
                let any = scene.levels.any(&state.a)?;
                scene.levels.not(any)
            }
            _ => {
                let before = state.condition;
                if scene.carry_out(word, at, &mut state, watch)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                if state.condition != before && !scene.levels.is_possible(state.condition)? {
                    return Ok(ControlFlow::Continue(()));
                }
                state.cycles.count();
                return self.go(scene, watch, Exit::To(next), state);
            }
        };
        state.cycles.count();
        let landing = word.landing().unwrap_or(next);
        let exit = if landing == at { Exit::Halt(at) } else { Exit::To(landing) };
        let not_taken = scene.levels.not(taken);
        for (condition, exit) in [(taken, exit), (not_taken, Exit::To(next))] {
            let condition = scene.levels.and(state.condition, condition)?;
            if scene.levels.is_possible(condition)? {
                let state = State { condition, ..state.clone() };
                if self.go(scene, watch, exit, state)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn go(
        &mut self,
        scene: &mut Scene<B>,
        watch: &mut dyn Observer<B>,
        exit: Exit,
        state: State<B::Level>,
    ) -> Progress {
        let Exit::To(word) = exit else { return watch.leave(scene, exit, &state) };
        match watch.end(scene, word, state)? {
            ControlFlow::Continue(Some(state)) => self.wait(word, state, scene)?,
            ControlFlow::Continue(None) => {}
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Joins a state with the one that waits at a word, if any.
    fn wait(&mut self, word: u16, state: State<B::Level>, scene: &mut Scene<B>) -> Outcome<()> {
        if self.flow.position(word).is_none() {
            let flow = Flow::new(self.image, self.from, &|_| true);
            let waiting = std::mem::take(&mut self.waiting).into_iter();
            let moved = waiting.filter_map(|(at, state)| Some((flow.position(self.flow.word(at))?, state)));
            self.waiting = moved.collect();
            (self.flow, self.strayed) = (flow, true);
        }
        let position = self.flow.position(word).ok_or(Obstacle::TooLong(self.max_words))?;
        let state = match self.waiting.remove(&position) {
            Some(other) => scene.join(other, state)?,
            None => state,
        };
        self.waiting.insert(position, state);
        Ok(())
    }

    /// Returns the words that control may come to.
    pub fn words(&self) -> &[u16] {
        self.flow.words()
    }

    /// Whether each run at this head was there before in the same state. The visits of inner loops are forgotten.
    fn is_repeated(&mut self, at: u16, state: &State<B::Level>, scene: &mut Scene<B>) -> Outcome<bool> {
        self.visits.retain(|&inner, _| !self.flow.is_within(inner, at));
        let Some(visit) = self.visits.get_mut(&at) else {
            self.visits.insert(at, Visit::new(state.clone()));
            return Ok(false);
        };
        // The value of A does not matter to a word that loads A.
        let ignores_a = self.image.word(at).opcode() == Opcode::Lda;
        if visit.kept.is_like(state, ignores_a, self.ignores_inputs) {
            let not_before = scene.levels.not(visit.kept.condition);
            let new = scene.levels.and(state.condition, not_before)?;
            if !scene.levels.is_possible(new)? {
                return Ok(true);
            }
        }
        visit.count(|| state.clone());
        Ok(false)
    }
}

impl<B: Levels> Scene<B> {
    /// Reads an operand.
    fn operand(
        &mut self,
        word: Word,
        state: &mut State<B::Level>,
        watch: &mut dyn Observer<B>,
    ) -> Outcome<Byte<B::Level>> {
        if word.m() {
            return Ok(std::array::from_fn(|bit| self.levels.constant(word.x() >> bit & 1 == 1)));
        }
        if State::<B::Level>::is_ram(word.x()) {
            return self.byte(word.x(), state);
        }
        let Some(input) = State::<B::Level>::input_at(word.x()) else {
            return Ok([self.levels.constant(false); 8]);
        };
        let known = state.reads.known().and_then(|number| u32::try_from(number).ok());
        let number = known.unwrap_or(UNKNOWN_NUMBERS + self.reads.len() as u32);
        state.reads.count();
        let byte = self.variables.byte(Origin::Read(input, number), &mut self.levels)?;
        let (condition, cycles) = (state.condition, state.cycles.clone());
        self.reads.push(Read { number, input, condition, cycles });
        state.inputs[input] = Some(byte);
        watch.read(self, state)?;
        Ok(byte)
    }

    /// Executes a word that is not a jump.
    fn carry_out(
        &mut self,
        word: Word,
        at: u16,
        state: &mut State<B::Level>,
        watch: &mut dyn Observer<B>,
    ) -> Progress {
        if word.opcode().row().operand == Operand::Address {
            let address = word.x();
            if State::<B::Level>::is_ram(address) {
                state.ram.insert(address, state.a);
                return watch.store(self, at, address, state);
            }
            return Ok(ControlFlow::Continue(()));
        }
        let value = self.operand(word, state, watch)?;
        match word.opcode() {
            Opcode::Add => {
                let mut carry = self.levels.constant(false);
                for (a, value) in state.a.iter_mut().zip(value) {
                    let half = self.levels.differ(*a, value)?;
                    let sum = self.levels.differ(half, carry)?;
                    carry = self.levels.choose(half, carry, *a)?;
                    *a = sum;
                }
                state.c = carry;
            }
            Opcode::Nor => {
                for (a, value) in state.a.iter_mut().zip(value) {
                    let either = self.levels.or(*a, value)?;
                    *a = self.levels.not(either);
                }
            }
            Opcode::Shr => {
                state.c = value[0];
                state.a[..7].copy_from_slice(&value[1..]);
                state.a[7] = self.levels.constant(false);
            }
            _ => state.a = value,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the reads on the path of an assignment: cycle, input and value.
    pub fn inputs_of(&self, assignment: &Assignment) -> Vec<(u64, usize, u8)> {
        let bits = self.variables.bits_of(assignment);
        let mut inputs = Vec::new();
        for read in &self.reads {
            if self.levels.value(read.condition, assignment) {
                let bits = bits.get(&Origin::Read(read.input, read.number)).copied().unwrap_or_default();
                let value = input_value(read.input, bits);
                inputs.push((read.cycles.value(assignment, &self.levels), read.input, value));
            }
        }
        inputs
    }
}
