//! Symbolic execution of a program, from an entry to all exits, for all inputs at once.

use crate::contracts::Obstacle;
use crate::contracts::access::input_of;
use crate::contracts::flow::Flow;
use crate::contracts::levels::{Assignment, Byte, CHECK_INTERVAL, Outcome};
use crate::contracts::repetition::Visit;
use crate::contracts::scene::{Read, Scene, UNKNOWN_NUMBERS};
use crate::contracts::state::State;
use crate::contracts::variables::{Origin, input_value};
use gray1_isa::{Domain, Image, Opcode, PROGRAM_WORDS, Word, step};
use gray1_machine::logic::{FALSE, Function, TRUE, constant, shifted_right};
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
pub type Remainder = Outcome<ControlFlow<(), Option<State>>>;

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
pub trait Observer {
    /// Control arrives at a word, where several paths may have been joined: the head of a loop, or another word.
    fn arrive(&mut self, scene: &mut Scene, at: u16, is_head: bool, state: &mut State) -> Outcome<Decision>;
    /// A is stored to RAM.
    fn store(&mut self, _: &mut Scene, _at: u16, _address: u16, _: &mut State) -> Progress {
        Ok(ControlFlow::Continue(()))
    }
    /// An input has been read.
    fn read(&mut self, _scene: &mut Scene, _state: &mut State) -> Outcome<()> {
        Ok(())
    }
    /// Control is about to arrive at a word. Returns the part of the state that continues there.
    fn end(&mut self, _: &mut Scene, _at: u16, state: State) -> Remainder {
        Ok(ControlFlow::Continue(Some(state)))
    }
    /// Control leaves the code.
    fn leave(&mut self, scene: &mut Scene, exit: Exit, state: &State) -> Progress;
    /// A loop repeats a state, so a run may stay in it for ever.
    fn stay(&mut self, _: &mut Scene, _at: u16, _: &State) -> Progress {
        Ok(ControlFlow::Continue(()))
    }
}

/// A symbolic execution.
pub struct SymbolicExecution<'a> {
    image: &'a Image,
    flow: Flow,
    /// The states that are still to be executed, by the positions of their words.
    waiting: BTreeMap<u32, State>,
    /// The remembered visits of loop heads.
    visits: BTreeMap<u16, Visit<State>>,
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

impl<'a> SymbolicExecution<'a> {
    /// Creates an execution of at most this many words.
    pub fn new(image: &'a Image, flow: Flow, max_words: u64) -> SymbolicExecution<'a> {
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
    pub fn run(&mut self, from: u16, state: State, scene: &mut Scene, watch: &mut dyn Observer) -> Progress {
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
    fn at(&mut self, at: u16, mut state: State, scene: &mut Scene, watch: &mut dyn Observer) -> Progress {
        let is_head = self.flow.is_head(at);
        if is_head {
            self.last_head = Some(at);
            scene.simplify(&mut state)?;
        }
        match watch.arrive(scene, at, is_head, &mut state)? {
            Decision::Continue => {}
            Decision::EndPath => return Ok(ControlFlow::Continue(())),
            Decision::EndAll => return Ok(ControlFlow::Break(())),
        }
        if self.detects_repetition && is_head && self.is_repeated(at, &state, scene)? {
            return watch.stay(scene, at, &state);
        }
        let word = self.image.word(at);
        let next = (at + 1) % PROGRAM_WORDS as u16;
        let before = state.condition;
        let (mut a, mut c) = (state.a, state.c);
        let mut access =
            Access { scene, watch, state: &mut state, word, at, going: ControlFlow::Continue(()) };
        let condition = step(word.opcode(), &mut a, &mut c, &mut access)?;
        if access.going.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        (state.a, state.c) = (a, c);
        let Some(taken) = condition else {
            if state.condition != before && state.condition == FALSE {
                return Ok(ControlFlow::Continue(()));
            }
            state.cycles.count();
            return self.go(scene, watch, Exit::To(next), state);
        };
        state.cycles.count();
        let landing = word.landing().unwrap_or(next);
        let exit = if landing == at { Exit::Halt(at) } else { Exit::To(landing) };
        for (condition, exit) in [(taken, exit), (!taken, Exit::To(next))] {
            let condition = scene.levels.and(state.condition, condition)?;
            if condition != FALSE {
                let state = State { condition, ..state.clone() };
                if self.go(scene, watch, exit, state)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn go(&mut self, scene: &mut Scene, watch: &mut dyn Observer, exit: Exit, state: State) -> Progress {
        let Exit::To(word) = exit else { return watch.leave(scene, exit, &state) };
        match watch.end(scene, word, state)? {
            ControlFlow::Continue(Some(state)) => self.wait(word, state, scene)?,
            ControlFlow::Continue(None) => {}
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Joins a state with the one that waits at a word, if any.
    fn wait(&mut self, word: u16, state: State, scene: &mut Scene) -> Outcome<()> {
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
    fn is_repeated(&mut self, at: u16, state: &State, scene: &mut Scene) -> Outcome<bool> {
        self.visits.retain(|&inner, _| !self.flow.is_within(inner, at));
        let Some(visit) = self.visits.get_mut(&at) else {
            self.visits.insert(at, Visit::new(state.clone()));
            return Ok(false);
        };
        // The value of A does not matter to a word that loads A.
        let ignores_a = self.image.word(at).opcode() == Opcode::Lda;
        if visit.kept.is_like(state, ignores_a, self.ignores_inputs) {
            let new = scene.levels.and(state.condition, !visit.kept.condition)?;
            if new == FALSE {
                return Ok(true);
            }
        }
        visit.count(|| state.clone());
        Ok(false)
    }
}

/// The memory as one word accesses it.
struct Access<'a, 's> {
    scene: &'a mut Scene<'s>,
    watch: &'a mut dyn Observer,
    state: &'a mut State,
    word: Word,
    at: u16,
    going: ControlFlow<()>,
}

impl Domain for Access<'_, '_> {
    type Byte = Byte;
    type Bit = Function;
    type Error = Obstacle;

    fn operand(&mut self) -> Outcome<Byte> {
        let Access { scene, watch, state, word, .. } = self;
        if word.m() {
            return Ok(std::array::from_fn(|bit| constant(word.x() >> bit & 1 == 1)));
        }
        if State::is_ram(word.x()) {
            return scene.byte(word.x(), state);
        }
        let Some(input) = input_of(*word) else {
            return Ok([FALSE; 8]);
        };
        let known = state.reads.known().and_then(|number| u32::try_from(number).ok());
        let number = known.unwrap_or(UNKNOWN_NUMBERS + scene.reads.len() as u32);
        state.reads.count();
        let byte = scene.variables.byte(Origin::Read(input, number), &mut scene.levels)?;
        let (condition, cycles) = (state.condition, state.cycles.clone());
        scene.reads.push(Read { number, input, condition, cycles });
        state.inputs[input] = Some(byte);
        watch.read(scene, state)?;
        Ok(byte)
    }

    fn store(&mut self, byte: Byte) -> Outcome<()> {
        let address = self.word.x();
        if State::is_ram(address) {
            self.state.ram.insert(address, byte);
            self.going = self.watch.store(self.scene, self.at, address, self.state)?;
        }
        Ok(())
    }

    fn add(&mut self, one: Byte, other: Byte) -> Outcome<(Byte, Function)> {
        self.scene.levels.with(|diagrams| diagrams.add(one, other))
    }

    fn nor(&mut self, one: Byte, other: Byte) -> Outcome<Byte> {
        self.scene.levels.with(|diagrams| diagrams.nor(one, other))
    }

    fn shift(&mut self, byte: Byte) -> (Byte, Function) {
        shifted_right(byte)
    }

    fn is_zero(&mut self, byte: Byte) -> Outcome<Function> {
        Ok(!self.scene.levels.any(&byte)?)
    }

    fn always(&self) -> Function {
        TRUE
    }
}

impl Scene<'_> {
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
