//! The walk through a program, from an entry to all exits, for all inputs at once.

use crate::Obstacle;
use crate::flow::Flow;
use crate::levels::{Byte, Example, LOOK_EVERY, Levels, Outcome};
use crate::repetition::Visit;
use crate::scene::{Read, Scene, UNKNOWN_NUMBERS};
use crate::state::State;
use crate::variables::{Origin, given};
use gray1_isa::{Image, Opcode, Operand, PROGRAM_WORDS, Word};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How control leaves the code that is walked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It goes on at this word.
    To(u16),
    /// The machine halts at this word.
    Halt(u16),
}

/// Whether to go on.
pub type Going = Outcome<ControlFlow<()>>;

/// What is left of a state, unless the whole walk ends.
pub type Rest<B> = Outcome<ControlFlow<(), Option<State<<B as Levels>::Level>>>>;

/// What becomes of control that comes to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It goes on.
    Goes,
    /// This way is not followed any further.
    Ends,
    /// The whole walk ends.
    EndsAll,
}

/// Whoever wants to know what is met on a walk.
pub trait Watch<B: Levels> {
    /// Control comes to a word, at which several ways may have come together.
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival>;
    /// A byte is stored in A's place; an address that is no RAM is left out.
    fn store(&mut self, _: &mut Scene<B>, _at: u16, _address: u16, _: &mut State<B::Level>) -> Going {
        Ok(ControlFlow::Continue(()))
    }
    /// An input has been read.
    fn read(&mut self, _scene: &mut Scene<B>, _state: &mut State<B::Level>) -> Outcome<()> {
        Ok(())
    }
    /// Control is about to come to a word: returns the part of its state that goes on there.
    fn end(&mut self, _: &mut Scene<B>, _at: u16, state: State<B::Level>) -> Rest<B> {
        Ok(ControlFlow::Continue(Some(state)))
    }
    /// Control leaves.
    fn leave(&mut self, scene: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Going;
    /// A loop comes back to a state in which it has been before, so a run may stay in it.
    fn stay(&mut self, scene: &mut Scene<B>, at: u16, state: &State<B::Level>) -> Going;
}

/// A walk.
pub struct Walk<'a, B: Levels> {
    image: &'a Image,
    flow: Flow,
    /// The states from which the walk goes on, by the position of their words.
    waiting: BTreeMap<u32, State<B::Level>>,
    /// States in which control came to the head of a loop.
    been: BTreeMap<u16, Visit<State<B::Level>>>,
    /// The words that may still be carried out.
    left: u64,
    most: u64,
    /// The word at which it began.
    from: u16,
    /// Whether to notice that a loop comes back to a state.
    pub remembers: bool,
    /// Whether it makes no difference what was read last.
    pub ignores_inputs: bool,
    /// The head of a loop at which the walk was last.
    pub last_head: Option<u16>,
    /// Whether control came to a word outside of the flow, which has all words of the program since then.
    pub strayed: bool,
}

impl<'a, B: Levels> Walk<'a, B> {
    /// A walk that begins in this state; at most this many words are carried out.
    pub fn new(image: &'a Image, flow: Flow, most: u64) -> Walk<'a, B> {
        Walk {
            image,
            flow,
            waiting: BTreeMap::new(),
            been: BTreeMap::new(),
            left: most,
            most,
            from: 0,
            remembers: true,
            ignores_inputs: false,
            last_head: None,
            strayed: false,
        }
    }

    /// Walks on from where control waits, until it has left everywhere or `watch` ends it.
    pub fn run(
        &mut self,
        from: u16,
        state: State<B::Level>,
        scene: &mut Scene<B>,
        watch: &mut dyn Watch<B>,
    ) -> Going {
        self.from = from;
        self.wait(from, state, scene)?;
        let mut going = ControlFlow::Continue(());
        while let ControlFlow::Continue(()) = going {
            let Some(position) = self.flow.next(&self.waiting) else { break };
            let Some(state) = self.waiting.remove(&position) else { break };
            self.left = self.left.checked_sub(1).ok_or(Obstacle::TooLong(self.most))?;
            if self.left.is_multiple_of(LOOK_EVERY) {
                scene.levels.check()?;
            }
            going = self.at(self.flow.word(position), state, scene, watch)?;
        }
        Ok(going)
    }

    /// Carries out the word at which control is.
    fn at(
        &mut self,
        at: u16,
        mut state: State<B::Level>,
        scene: &mut Scene<B>,
        watch: &mut dyn Watch<B>,
    ) -> Going {
        if self.flow.is_head(at) {
            self.last_head = Some(at);
            scene.simplify(&mut state)?;
        }
        match watch.arrive(scene, at, &mut state)? {
            Arrival::Goes => {}
            Arrival::Ends => return Ok(ControlFlow::Continue(())),
            Arrival::EndsAll => return Ok(ControlFlow::Break(())),
        }
        if self.remembers && self.flow.is_head(at) && self.has_been(at, &state, scene)? {
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
        watch: &mut dyn Watch<B>,
        exit: Exit,
        state: State<B::Level>,
    ) -> Going {
        let Exit::To(word) = exit else { return watch.leave(scene, exit, &state) };
        match watch.end(scene, word, state)? {
            ControlFlow::Continue(Some(state)) => self.wait(word, state, scene)?,
            ControlFlow::Continue(None) => {}
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Adds a state to those that wait at a word.
    fn wait(&mut self, word: u16, state: State<B::Level>, scene: &mut Scene<B>) -> Outcome<()> {
        if self.flow.position(word).is_none() {
            let flow = Flow::new(self.image, self.from, &|_| true);
            let waiting = std::mem::take(&mut self.waiting).into_iter();
            let moved = waiting.filter_map(|(at, state)| Some((flow.position(self.flow.word(at))?, state)));
            self.waiting = moved.collect();
            (self.flow, self.strayed) = (flow, true);
        }
        let position = self.flow.position(word).ok_or(Obstacle::TooLong(self.most))?;
        let state = match self.waiting.remove(&position) {
            Some(other) => scene.join(other, state)?,
            None => state,
        };
        self.waiting.insert(position, state);
        Ok(())
    }

    /// The words that control may come to.
    pub fn words(&self) -> &[u16] {
        self.flow.words()
    }

    /// Whether each run that is at this head now was there before in the same state. A loop inside begins anew.
    fn has_been(&mut self, at: u16, state: &State<B::Level>, scene: &mut Scene<B>) -> Outcome<bool> {
        self.been.retain(|&inside, _| !self.flow.is_within(inside, at));
        let Some(been) = self.been.get_mut(&at) else {
            self.been.insert(at, Visit::new(state.clone()));
            return Ok(false);
        };
        // What is in A makes no difference to a word that loads A.
        let ignores_a = self.image.word(at).opcode() == Opcode::Lda;
        if been.kept.is_like(state, ignores_a, self.ignores_inputs) {
            let not_before = scene.levels.not(been.kept.condition);
            let new = scene.levels.and(state.condition, not_before)?;
            if !scene.levels.is_possible(new)? {
                return Ok(true);
            }
        }
        been.count(|| state.clone());
        Ok(false)
    }
}

impl<B: Levels> Scene<B> {
    /// What an operand is.
    fn operand(
        &mut self,
        word: Word,
        state: &mut State<B::Level>,
        watch: &mut dyn Watch<B>,
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

    /// Carries out a word that is no jump.
    fn carry_out(
        &mut self,
        word: Word,
        at: u16,
        state: &mut State<B::Level>,
        watch: &mut dyn Watch<B>,
    ) -> Going {
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

    /// What pads and keys gave on the way of an example, by the cycles of the reads.
    pub fn inputs_of(&self, example: &Example) -> Vec<(u64, usize, u8)> {
        let bits = self.variables.bits_of(example);
        let mut inputs = Vec::new();
        for read in &self.reads {
            if self.levels.value(read.condition, example) {
                let bits = bits.get(&Origin::Read(read.input, read.number)).copied().unwrap_or_default();
                let given = given(read.input, bits);
                inputs.push((read.cycles.value(example, &self.levels), read.input, given));
            }
        }
        inputs
    }
}
