//! The test states in the middle of a sequence.

use crate::search::code::{FIRST_OWN, Instruction, Label};
use crate::search::lanes::{Lanes, NONE, TESTS, apply, both, carry, choose, either, same, without};
use gray1_isa::Opcode;
use std::borrow::Cow;

/// The maximum length of sequences: longer ones would take too long to search.
pub const MAX_WORDS: usize = 9;

/// The test states in the middle of a sequence, and facts about its instructions so far.
#[derive(Clone)]
pub(crate) struct Trials {
    pub a: Lanes,
    pub carry: Lanes,
    /// The states in which the carry is known.
    pub known: Lanes,
    pub cells: [Lanes; 5],
    pub active: Lanes,
    /// The states that have jumped ahead, by the position where they continue.
    pub waiting: Option<Box<[Lanes; MAX_WORDS]>>,
    /// The later positions that are the target of a jump, one bit each, even if no state has taken it.
    pub labels: u16,
    /// Whether the last instruction is an unconditional jump.
    pub has_jumped: bool,
    /// The number of temporaries that have been written.
    pub written: usize,
    /// The cells that a later instruction has to read, one bit each: inputs on which the result depends, and
    /// temporaries that have been written.
    pub unread: u8,
    /// Set if a jump has to use the carry before the carry changes.
    pub needs_carry: bool,
    /// Whether the value of A matters: it has been loaded, or the goal depends on its initial value.
    pub loaded: bool,
    /// Whether A has not been used since it was written.
    pub fresh: bool,
    /// Whether A is the same constant in all states.
    pub constant: bool,
    /// The cell that the last instruction stored or loaded. The opposite operation on it would be redundant.
    pub touched: Option<usize>,
}

/// An instruction, and whether the carry that it sets is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub step: Instruction,
    pub forgets: bool,
}

impl Trials {
    /// Executes an instruction. The states that jump are no longer active.
    pub fn after(&self, next: Move) -> Trials {
        let mut after = self.clone();
        self.execute_into(next, &mut after);
        after
    }

    /// Executes an instruction, and overwrites `next` with the result. States are large, and this is called very often.
    pub fn execute_into(&self, Move { step, forgets }: Move, next: &mut Trials) {
        (next.a, next.carry, next.known) = (self.a, self.carry, self.known);
        (next.cells, next.active) = (self.cells, self.active);
        next.waiting.clone_from(&self.waiting);
        (next.labels, next.written, next.unread) = (self.labels, self.written, self.unread);
        (next.needs_carry, next.loaded, next.fresh) = (self.needs_carry, self.loaded, self.fresh);
        next.constant = self.constant;
        (next.touched, next.has_jumped) = (None, false);
        match step {
            Instruction::Constant(verb, value) => {
                next.calculate(verb, &[value; TESTS], forgets);
                next.constant = matches!(verb, Opcode::Lda | Opcode::Shr);
            }
            Instruction::Cell(verb, cell) => {
                next.calculate(verb, &self.cells[cell], forgets);
                next.constant = false;
                next.unread &= !(1 << cell);
                next.touched = (verb == Opcode::Lda).then_some(cell);
            }
            Instruction::Store(cell) => {
                next.cells[cell] = choose(&self.active, &self.a, &self.cells[cell]);
                next.written = next.written.max((cell + 1).saturating_sub(FIRST_OWN));
                next.unread |= u8::from(cell >= FIRST_OWN) << cell;
                next.fresh = false;
                next.touched = Some(cell);
            }
            Instruction::Jump(condition, label) => {
                let taken = self.taken(condition);
                if let Label::At(position) = label {
                    let waiting = next.waiting.get_or_insert_with(|| Box::new([NONE; MAX_WORDS]));
                    waiting[position] = either(&waiting[position], &taken);
                    next.labels |= 1 << position;
                }
                next.has_jumped = condition == Opcode::Jmp;
                next.constant = false; // the states that jump may have needed the constant
                next.active = without(&self.active, &taken);
                next.needs_carry &= condition != Opcode::Jc;
                next.fresh = false;
            }
        }
    }

    fn calculate(&mut self, verb: Opcode, value: &Lanes, forgets: bool) {
        let a = self.a;
        self.a = choose(&self.active, &apply(verb, &a, value), &a);
        if matches!(verb, Opcode::Add | Opcode::Shr) {
            let new = if forgets { NONE } else { carry(verb, &a, value) };
            self.carry = choose(&self.active, &new, &self.carry);
            self.known =
                if forgets { without(&self.known, &self.active) } else { either(&self.known, &self.active) };
            self.needs_carry = !forgets;
        }
        (self.fresh, self.loaded) = (true, true);
    }

    /// Returns the states in which a jump is taken.
    pub fn taken(&self, condition: Opcode) -> Lanes {
        match condition {
            Opcode::Jmp => self.active,
            Opcode::Jc => both(&self.active, &self.carry),
            _ => both(&self.active, &same(&self.a, &NONE)),
        }
    }

    /// Returns the states that wait for a position.
    pub fn waiting_at(&self, position: usize) -> Lanes {
        self.waiting.as_ref().map_or(NONE, |waiting| waiting[position])
    }

    /// Activates the states that wait for a position.
    pub fn joined(&self, position: usize) -> Cow<'_, Trials> {
        if self.labels >> position & 1 == 0 {
            return Cow::Borrowed(self);
        }
        let mut next = self.clone();
        next.labels &= !(1 << position);
        if let Some(waiting) = &mut next.waiting {
            next.active = either(&next.active, &waiting[position]);
            waiting[position] = NONE;
        }
        next.waiting = next.waiting.filter(|_| next.labels != 0);
        (next.fresh, next.constant, next.touched, next.has_jumped) = (false, false, None, false);
        Cow::Owned(next)
    }

    /// Returns a hash of the states and of everything that determines the next moves. With 128 bits, collisions are assumed
    /// not to occur.
    pub fn fingerprint(&self, at: usize, words: usize) -> u128 {
        let mut mix = Mix::default();
        [&self.a, &self.carry, &self.known, &self.active].into_iter().for_each(|lanes| mix.add(lanes));
        self.cells[..FIRST_OWN + self.written].iter().for_each(|cell| mix.add(cell));
        self.waiting.iter().flat_map(|waiting| &waiting[at..words]).for_each(|waiting| mix.add(waiting));
        let numbers = [at, self.written, self.unread.into(), self.touched.unwrap_or(7), self.labels.into()];
        let flags =
            [self.needs_carry, self.fresh, self.constant, self.has_jumped, self.loaded].map(usize::from);
        let flags = [flags.into_iter().fold(0, |all, flag| all << 1 | flag)];
        mix.end(numbers.into_iter().chain(flags).fold(0, |all, number| all << 9 | number as u64))
    }
}

#[derive(Default)]
struct Mix(u64, u64);

impl Mix {
    fn add(&mut self, lanes: &Lanes) {
        for bytes in lanes.chunks_exact(8) {
            let word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
            self.1 = (self.1.rotate_left(7) ^ word).wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31);
        }
    }

    fn end(self, flags: u64) -> u128 {
        let [one, other] = [self.0 ^ flags, self.1 ^ flags.rotate_left(17)].map(|half| {
            let half = (half ^ half >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            half ^ half >> 32
        });
        u128::from(one) << 64 | u128::from(other)
    }
}
