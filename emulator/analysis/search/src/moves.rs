//! The instructions that may come next: all except those with which a sequence would be equivalent to a shorter one, or
//! to another of the same length that is tried anyway.

use crate::code::{Condition, FIRST_OWN, Label, Step, Verb};
use crate::expression::Name;
use crate::goal::{Result, cells};
use crate::lanes::{ALL, Lanes, TESTS, apply, holds, same};
use crate::search::Search;
use crate::state::{Move, State};

impl Search<'_> {
    /// The instructions that may come at a position when at least one more follows. Those with constants are given
    /// separately: their verbs, each with whether it forgets its carry.
    pub(crate) fn moves(&self, state: &State, at: usize, words: usize) -> (Vec<Move>, Vec<(Verb, bool)>) {
        let (goal, left) = (self.goal, words - at);
        let (mut moves, mut constants) = (Vec::new(), Vec::new());
        // The last instruction of a sequence that jumps is a jump, unless A has to be restored.
        let room = left - usize::from(goal.result == Result::Jump && self.wanted.is_none());
        let unread = state.unread.count_ones() as usize;
        if unread > room {
            return (moves, constants);
        }
        let must_read = unread == room;
        let together = state.labels == 0;
        // Only a jump uses a carry, and either an instruction follows that jump, or it leaves the sequence.
        let may_need = left >= if goal.result == Result::Jump { 2 } else { 3 };
        let ways = |verb: Verb| {
            let sets_carry = matches!(verb, Verb::Add | Verb::Shr);
            let overwrites = matches!(verb, Verb::Lda | Verb::Shr);
            let is_waste = overwrites && state.fresh && together && !state.needs_carry
                || sets_carry && state.needs_carry && together
                || !overwrites && !state.loaded;
            let ways = [(false, !sets_carry || may_need), (true, sets_carry)];
            ways.into_iter().filter(move |(_, may_be)| *may_be && !is_waste).map(|(forgets, _)| forgets)
        };
        if state.constant && together {
            // If A is a constant, an operation on it could be replaced by one on the other operand. So it is only
            // useful to store the constant, or to jump. Storing it in a temporary is useful only if another path stores
            // another value there.
            let stores = (0..cells(self.temporaries)).filter(|&cell| {
                self.may_store(cell)
                    && !must_read
                    && (cell < FIRST_OWN || left >= 5 && self.may_write(state, cell))
            });
            moves.extend(stores.map(|cell| Move { step: Step::Store(cell), forgets: false }));
        } else {
            for verb in Verb::ALL {
                for cell in (0..cells(self.temporaries)).filter(|cell| self.is_readable(state, *cell)) {
                    let reads = !must_read || state.unread >> cell & 1 == 1;
                    if reads && !(verb == Verb::Lda && state.touched == Some(cell)) {
                        moves
                            .extend(ways(verb).map(|forgets| Move { step: Step::Cell(verb, cell), forgets }));
                    }
                }
                // `shr` of a constant differs from `lda` only in the carry, which is useful only if another path has
                // another carry.
                if !must_read && (verb != Verb::Shr || !together || left >= 5) {
                    let of_carry = |forgets: &bool| verb != Verb::Shr || !forgets;
                    constants.extend(ways(verb).filter(of_carry).map(|forgets| (verb, forgets)));
                }
            }
            let stores = (0..cells(self.temporaries)).filter(|&cell| {
                // A stored value has to be read later, and so has the value that was stored there before.
                let is_unread = state.unread >> cell & 1 == 1;
                let reads = unread + usize::from(cell >= FIRST_OWN && !is_unread);
                let is_waste = cell >= FIRST_OWN && is_unread && together;
                let is_news = state.loaded && state.touched != Some(cell);
                self.may_write(state, cell) && is_news && reads < room && !is_waste
            });
            moves.extend(stores.map(|cell| Move { step: Step::Store(cell), forgets: false }));
        }
        if must_read || !state.loaded {
            return (moves, constants);
        }
        for condition in [Condition::Always, Condition::Carry, Condition::Zero] {
            let may_ask = match condition {
                // Otherwise no state would reach the next position.
                Condition::Always => state.labels >> (at + 1) & 1 == 1,
                Condition::Carry => holds(&state.known, &state.active),
                Condition::Zero => !(state.constant && together),
            };
            let labels = (at + 2..words).map(Label::At).chain([Label::End]);
            let target = (goal.result == Result::Jump).then_some(Label::Target);
            let labels = labels.chain(target).filter(|_| may_ask);
            moves.extend(labels.map(|label| Move { step: Step::Jump(condition, label), forgets: false }));
        }
        (moves, constants)
    }

    /// The instructions that can complete the sequence. A constant is computed from the wanted value, not tried.
    pub(crate) fn last_moves(&self, state: &State, mut give: impl FnMut(Move)) {
        let goal = self.goal;
        let mut push = |step| give(Move { step, forgets: false });
        match goal.result {
            Result::Jump => {
                for condition in [Condition::Always, Condition::Carry, Condition::Zero] {
                    if condition != Condition::Carry || holds(&state.known, &state.active) {
                        push(Step::Jump(condition, Label::Target));
                    }
                }
            }
            Result::Cell(cell) => push(Step::Store(cell)),
            Result::Accumulator => {}
        }
        let Some(wanted) = &self.wanted else { return };
        let completes =
            |verb, value: &Lanes| holds(&same(&apply(verb, &state.a, value), wanted), &state.active);
        for verb in Verb::ALL {
            let readable = (0..cells(self.temporaries)).filter(|cell| self.is_readable(state, *cell));
            let right = readable.filter(|cell| completes(verb, &state.cells[*cell]));
            right.for_each(|cell| push(Step::Cell(verb, cell)));
        }
        let first = state.active.iter().position(|is_in| *is_in != 0).unwrap_or(0);
        let sum = wanted[first].wrapping_sub(state.a[first]);
        // The bits that are 0 both in A and in the wanted value, so NOR needs a constant with a 1 there.
        let zeros =
            (0..TESTS).fold(0, |bits, test| bits | state.active[test] & !wanted[test] & !state.a[test]);
        for (verb, value) in [(Verb::Lda, wanted[first]), (Verb::Add, sum), (Verb::Nor, zeros)] {
            if completes(verb, &[value; TESTS]) {
                push(Step::Constant(verb, value));
            }
        }
    }

    fn is_readable(&self, state: &State, cell: usize) -> bool {
        if cell < FIRST_OWN { self.has_cell[cell] } else { cell < FIRST_OWN + state.written }
    }

    fn may_store(&self, cell: usize) -> bool {
        cell >= FIRST_OWN || self.may_store[cell]
    }

    /// Whether a cell may be written: temporaries are used in order.
    fn may_write(&self, state: &State, cell: usize) -> bool {
        self.may_store(cell) && cell <= FIRST_OWN + state.written
    }

    /// Calls `give` with the constants of the second to last instruction that some last instruction can complete in two
    /// of the states.
    pub(crate) fn last_but_one(&self, state: &State, verb: Verb, forgets: bool, give: impl FnMut(u8)) {
        let constants = self.constants.iter().copied();
        let Some((one, other)) = self.two_states(state) else { return constants.for_each(give) };
        let [a, b] = [one, other].map(|test| of_all_constants(verb, state.a[test]));
        let [v, w] = [self.value[one], self.value[other]];
        // Each loop checks all 256 constants for one kind of last instruction, without branches.
        let mut right = [false; 256];
        match self.goal.result {
            Result::Jump => {
                let [v, w] = [v != 0, w != 0];
                let carry = |test: usize, value: u8| verb.carry(state.a[test], value) == Some(true);
                for (value, right) in (0u8..=255).zip(&mut right) {
                    let by_carry = !forgets & (carry(one, value) == v) & (carry(other, value) == w);
                    let at = usize::from(value);
                    *right = by_carry | ((a[at] == 0) == v) & ((b[at] == 0) == w);
                }
            }
            Result::Cell(_) => either_way(&mut right, &a, &b, |a, b| (a == v) & (b == w)),
            Result::Accumulator => {
                let is_unread = state.unread != 0;
                if !is_unread {
                    either_way(&mut right, &a, &b, |a, b| (a & v == 0) & (b & w == 0));
                    // Two additions of constants could be one, so ADD is not followed by another.
                    if verb != Verb::Add {
                        either_way(&mut right, &a, &b, |a, b| a.wrapping_sub(b) == v.wrapping_sub(w));
                    }
                }
                let readable = (0..cells(self.temporaries)).filter(|&cell| {
                    self.is_readable(state, cell) && (!is_unread || state.unread >> cell & 1 == 1)
                });
                for cell in readable {
                    let [m, n] = [state.cells[cell][one], state.cells[cell][other]];
                    either_way(&mut right, &a, &b, |a, b| {
                        (a.wrapping_add(m) == v) & (b.wrapping_add(n) == w)
                            | (!(a | m) == v) & (!(b | n) == w)
                    });
                }
            }
        }
        constants.filter(|value| right[usize::from(*value)]).for_each(give);
    }

    /// The pairs of states that have to end differently and that only A can distinguish after this instruction.
    pub(crate) fn open_pairs(&self, state: &State, verb: Verb, forgets: bool) -> Vec<(usize, usize)> {
        let sets_carry = matches!(verb, Verb::Add | Verb::Shr);
        let cells = &state.cells[..FIRST_OWN + state.written];
        let is_open = |&(one, other): &(usize, usize)| {
            let carry = if sets_carry { forgets } else { state.carry[one] == state.carry[other] };
            carry && state.active[one] & state.active[other] != 0 && self.agree(cells, one, other)
        };
        self.pairs.iter().copied().filter(is_open).collect()
    }

    fn agree(&self, cells: &[Lanes], one: usize, other: usize) -> bool {
        let ignored = |cell: usize| cell < FIRST_OWN && !self.has_cell[cell];
        cells.iter().enumerate().all(|(cell, lanes)| lanes[one] == lanes[other] || ignored(cell))
    }

    /// Two states that have to end differently, if that is decided by the result alone.
    fn two_states(&self, state: &State) -> Option<(usize, usize)> {
        if self.goal.result != Result::Accumulator && self.wanted.is_some() || state.labels != 0 {
            return None;
        }
        let is_active = |test: usize| state.active[test] != 0;
        let one = (0..TESTS).find(|test| is_active(*test))?;
        let differs = |test: &usize| is_active(*test) && self.value[*test] != self.value[one];
        let other = (one + 1..TESTS).find(differs)?;
        Some((one, other))
    }

    /// Whether a set of states may leave the sequence here, by the jump of the whole sequence or by its end.
    pub(crate) fn may_leave(&self, state: &State, set: &Lanes, jumped: bool) -> bool {
        let goal = self.goal;
        let is_there = match goal.result {
            Result::Accumulator => same(&state.a, &self.value),
            Result::Cell(cell) => same(&state.cells[cell], &self.value),
            Result::Jump if jumped => self.value,
            Result::Jump => self.value.map(|jumps| !jumps),
        };
        let is_kept = |name: &Name| match name {
            Name::A => holds(&same(&state.a, &self.start.a), set),
            Name::X => !self.may_store(0) || holds(&same(&state.cells[0], &self.start.cells[0]), set),
            Name::Y => !self.may_store(1) || holds(&same(&state.cells[1], &self.start.cells[1]), set),
            Name::C => true,
        };
        holds(&is_there, set) && goal.keep.iter().all(is_kept)
    }

    /// Whether two states that have to end differently have become equal.
    pub(crate) fn is_confused(&self, state: &State) -> bool {
        let cells = &state.cells[..FIRST_OWN + state.written];
        let is_all = state.active == ALL;
        self.pairs.iter().any(|&(one, other)| {
            state.a[one] == state.a[other]
                && (is_all || state.active[one] & state.active[other] != 0)
                && state.carry[one] == state.carry[other]
                && self.agree(cells, one, other)
        })
    }
}

/// The value of A after a verb with each constant.
fn of_all_constants(verb: Verb, a: u8) -> [u8; 256] {
    let with = |value: usize| value as u8;
    match verb {
        Verb::Lda => std::array::from_fn(with),
        Verb::Add => std::array::from_fn(|value| a.wrapping_add(with(value))),
        Verb::Nor => std::array::from_fn(|value| !(a | with(value))),
        Verb::Shr => std::array::from_fn(|value| with(value) >> 1),
    }
}

/// Adds the constants for which a condition holds.
fn either_way(right: &mut [bool; 256], a: &[u8; 256], b: &[u8; 256], way: impl Fn(u8, u8) -> bool) {
    for ((right, a), b) in right.iter_mut().zip(a).zip(b) {
        *right |= way(*a, *b);
    }
}
