//! The instructions that may come next. An instruction is pruned if the sequence would be equivalent to a shorter one, or
//! to another of the same length that is tried anyway.

use crate::search::code::{FIRST_OWN, Instruction, Label, OPERATIONS, execute};
use crate::search::goal::cells;
use crate::search::lanes::{ALL, Lanes, NONE, TESTS, apply, carry, holds, same};
use crate::search::sequences::{Postcondition, Search};
use crate::search::state::{Move, Trials};
use gray1_isa::Opcode;

impl Search<'_> {
    /// Returns the instructions that may come at a position if at least one more follows. Instructions with constants are
    /// returned separately, as verbs, each with whether it forgets its carry.
    pub(crate) fn moves(&self, state: &Trials, at: usize, words: usize) -> (Vec<Move>, Vec<(Opcode, bool)>) {
        let (ends, left) = (&self.ends, words - at);
        let (mut moves, mut constants) = (Vec::new(), Vec::new());
        let room = left - usize::from(!ends.may_read_last());
        let unread = state.unread.count_ones() as usize;
        if unread > room {
            return (moves, constants);
        }
        let must_read = unread == room;
        let together = state.labels == 0;
        let ways = |verb: Opcode| self.carry_uses(state, left, verb);
        if state.constant && state.fresh && together {
            // If A is a constant that has not been used, an operation on it could be replaced by one on the other
            // operand. So the constant can only be stored, or decide a jump. A store to a temporary is useful only if
            // another path stores another value there.
            let stores = (0..cells(self.temporaries)).filter(|&cell| {
                self.may_store(cell)
                    && !must_read
                    && (cell < FIRST_OWN || left >= 5 && self.may_write(state, cell))
            });
            moves.extend(stores.map(|cell| Move { step: Instruction::Store(cell), forgets: false }));
        } else {
            for verb in OPERATIONS {
                for cell in (0..cells(self.temporaries)).filter(|cell| self.is_readable(state, *cell)) {
                    let reads = !must_read || state.unread >> cell & 1 == 1;
                    if reads && !(verb == Opcode::Lda && state.touched == Some(cell)) {
                        moves.extend(
                            ways(verb).map(|forgets| Move { step: Instruction::Cell(verb, cell), forgets }),
                        );
                    }
                }
                // `shr` of a constant differs from `lda` only in the carry, which is useful only as a result, or if
                // another path has another carry; and in the value, if not all constants are tried.
                if !must_read {
                    let carries = ends.carry.is_some() || !together || left >= 5;
                    let is_all = self.constants.len() == 256;
                    let of_carry =
                        |forgets: &bool| verb != Opcode::Shr || if *forgets { !is_all } else { carries };
                    constants.extend(ways(verb).filter(of_carry).map(|forgets| (verb, forgets)));
                }
            }
            let stores = (0..cells(self.temporaries)).filter(|&cell| {
                // A stored value has to be read later, and the value that was stored there before must have been read.
                let is_unread = state.unread >> cell & 1 == 1;
                let reads = unread + usize::from(cell >= FIRST_OWN && !is_unread);
                let is_waste = cell >= FIRST_OWN && is_unread && together;
                let is_news = state.loaded && state.touched != Some(cell);
                self.may_write(state, cell) && is_news && reads < room && !is_waste
            });
            moves.extend(stores.map(|cell| Move { step: Instruction::Store(cell), forgets: false }));
        }
        if !must_read {
            self.jumps(state, at, words, &mut moves);
        }
        (moves, constants)
    }

    /// Returns the uses of the carry that an operation may have: whether its carry is forgotten. None if the operation
    /// is useless.
    fn carry_uses(&self, state: &Trials, left: usize, verb: Opcode) -> impl Iterator<Item = bool> + use<> {
        let (ends, together) = (&self.ends, state.labels == 0);
        // A carry that is no result is used only by a jump, and either an instruction follows that jump, or it leaves the
        // sequence.
        let may_need = ends.carry.is_some() || left >= if ends.jump.is_some() { 2 } else { 3 };
        let sets_carry = matches!(verb, Opcode::Add | Opcode::Shr);
        let overwrites = matches!(verb, Opcode::Lda | Opcode::Shr);
        let is_waste = overwrites && state.fresh && together && !state.needs_carry
            || sets_carry && state.needs_carry && together
            || !(overwrites || state.loaded || sets_carry && ends.carry.is_some());
        let uses = [(false, !sets_carry || may_need), (true, sets_carry)];
        uses.into_iter().filter(move |(_, may_be)| *may_be && !is_waste).map(|(forgets, _)| forgets)
    }

    /// Adds the jumps that may come at a position.
    fn jumps(&self, state: &Trials, at: usize, words: usize, moves: &mut Vec<Move>) {
        let (ends, together) = (&self.ends, state.labels == 0);
        for condition in [Opcode::Jmp, Opcode::Jc, Opcode::Jz] {
            let may_ask = match condition {
                // Otherwise no state would reach the next position.
                Opcode::Jmp => state.labels >> (at + 1) & 1 == 1,
                Opcode::Jc => holds(&state.known, &state.active),
                _ => state.loaded && !(state.constant && together),
            };
            let labels = (at + 2..words).map(Label::At).chain([Label::End]);
            let target = ends.jump.is_some().then_some(Label::Target);
            let labels = labels.chain(target).filter(|_| may_ask);
            moves.extend(
                labels.map(|label| Move { step: Instruction::Jump(condition, label), forgets: false }),
            );
        }
    }

    /// Calls `give` with the instructions that can complete the sequence. A constant is computed from the postcondition,
    /// not tried.
    pub(crate) fn last_moves(&self, state: &Trials, mut give: impl FnMut(Move)) {
        let ends = &self.ends;
        let mut push = |step| give(Move { step, forgets: false });
        if ends.jump.is_some() {
            for condition in [Opcode::Jmp, Opcode::Jc, Opcode::Jz] {
                if condition != Opcode::Jc || holds(&state.known, &state.active) {
                    push(Instruction::Jump(condition, Label::Target));
                }
            }
        }
        ends.cells
            .iter()
            .enumerate()
            .filter(|(_, end)| end.is_some())
            .for_each(|(cell, _)| push(Instruction::Store(cell)));
        if !ends.may_read_last() {
            return;
        }
        let completes = |verb: Opcode, value: &Lanes| {
            let is_right = |wanted: &Option<Lanes>, is: &dyn Fn() -> Lanes| {
                wanted.is_none_or(|wanted| holds(&same(&is(), &wanted), &state.active))
            };
            is_right(&ends.a, &|| apply(verb, &state.a, value))
                && is_right(&ends.carry, &|| match verb {
                    Opcode::Add | Opcode::Shr => carry(verb, &state.a, value),
                    _ => state.carry,
                })
        };
        for verb in OPERATIONS {
            let readable = (0..cells(self.temporaries)).filter(|cell| self.is_readable(state, *cell));
            let right = readable.filter(|cell| completes(verb, &state.cells[*cell]));
            right.for_each(|cell| push(Instruction::Cell(verb, cell)));
        }
        for (verb, value) in self.last_constants(state).into_iter().flatten() {
            if completes(verb, &[value; TESTS]) {
                push(Instruction::Constant(verb, value));
            }
        }
    }

    /// Returns for each verb the only constant with which it can complete the sequence, or one that is as good as any other
    /// on these states.
    fn last_constants(&self, state: &Trials) -> [Option<(Opcode, u8)>; 4] {
        let active = |test: &usize| state.active[*test] != 0;
        let first = (0..TESTS).find(active).unwrap_or(0);
        let Some(wanted) = &self.ends.a else {
            // The only result is the carry: the sum has to exceed 255 in some states, and must not in others.
            let Some(wanted) = &self.ends.carry else { return [None; 4] };
            let of =
                |carries: bool| (0..TESTS).filter(active).filter(move |test| (wanted[*test] != 0) == carries);
            let least =
                of(true).map(|test| 255 - state.a[test]).max().map_or(0, |most| most.saturating_add(1));
            let most = of(false).map(|test| 255 - state.a[test]).min().unwrap_or(255);
            let middle = least / 2 + most / 2 + (least & most & 1);
            return [Some((Opcode::Add, middle)), Some((Opcode::Shr, wanted[first] & 1)), None, None];
        };
        // The bits that are 0 both in A and in the result, where the constant of a NOR has to be 1.
        let zeros =
            (0..TESTS).fold(0, |bits, test| bits | state.active[test] & !wanted[test] & !state.a[test]);
        let sum = wanted[first].wrapping_sub(state.a[first]);
        let double = self.ends.carry.map(|carry| (Opcode::Shr, wanted[first] << 1 | carry[first] & 1));
        [Some((Opcode::Lda, wanted[first])), Some((Opcode::Add, sum)), Some((Opcode::Nor, zeros)), double]
    }

    fn is_readable(&self, state: &Trials, cell: usize) -> bool {
        if cell < FIRST_OWN { self.has_cell[cell] } else { cell < FIRST_OWN + state.written }
    }

    fn may_store(&self, cell: usize) -> bool {
        cell >= FIRST_OWN || self.may_store[cell]
    }

    /// Whether a cell may be written: temporaries are used in order.
    fn may_write(&self, state: &Trials, cell: usize) -> bool {
        self.may_store(cell) && cell <= FIRST_OWN + state.written
    }

    /// Calls `give` with the constants of the second to last instruction that some last instruction can complete in two
    /// of the states.
    pub(crate) fn last_but_one(&self, state: &Trials, verb: Opcode, forgets: bool, give: impl FnMut(u8)) {
        let constants = self.constants.iter().copied();
        let Some((one, other)) = self.two_states(state) else { return constants.for_each(give) };
        let [a, b] = [one, other].map(|test| of_all_constants(verb, state.a[test]));
        let pair = |end: &Option<Lanes>| end.map(|end| (end[one], end[other]));
        let ends = &self.ends;
        let is_unread = state.unread != 0;
        let readable = (0..cells(self.temporaries))
            .filter(|&cell| self.is_readable(state, cell) && (!is_unread || state.unread >> cell & 1 == 1))
            .map(|cell| (state.cells[cell][one], state.cells[cell][other]));
        // Each loop checks all 256 constants for one kind of last instruction, without branches.
        let mut right = [false; 256];
        if let Some((v, w)) = pair(&ends.jump) {
            let (v, w) = (v != 0, w != 0);
            let carry = |test: usize, value: u8| execute(verb, state.a[test], value).1 == Some(true);
            for (value, right) in (0u8..=255).zip(&mut right) {
                let by_carry = !forgets & (carry(one, value) == v) & (carry(other, value) == w);
                let at = usize::from(value);
                *right = by_carry | ((a[at] == 0) == v) & ((b[at] == 0) == w);
            }
        }
        for (v, w) in ends.cells.iter().filter_map(pair) {
            add_where(&mut right, &a, &b, |a, b| (a == v) & (b == w));
        }
        if let Some((v, w)) = pair(&ends.a) {
            if !is_unread {
                add_where(&mut right, &a, &b, |a, b| (a & v == 0) & (b & w == 0));
                // Two additions of constants could be one, unless a jump leads to the second.
                if verb != Opcode::Add || state.labels != 0 {
                    add_where(&mut right, &a, &b, |a, b| a.wrapping_sub(b) == v.wrapping_sub(w));
                }
            }
            for (m, n) in readable {
                add_where(&mut right, &a, &b, |a, b| {
                    (a.wrapping_add(m) == v) & (b.wrapping_add(n) == w) | (!(a | m) == v) & (!(b | n) == w)
                });
            }
        } else if let Some((v, w)) = pair(&ends.carry) {
            let (v, w) = (v != 0, w != 0);
            if !is_unread {
                // With some constant, the sum exceeds 255 in only one of the states if A is greater there.
                add_where(&mut right, &a, &b, |a, b| if v { a > b } else { a < b });
            }
            for (m, n) in readable {
                let by_shift = (m & 1 == 1) == v && (n & 1 == 1) == w;
                add_where(&mut right, &a, &b, |a, b| by_shift | ((a > !m) == v) & ((b > !n) == w));
            }
        }
        constants.filter(|value| right[usize::from(*value)]).for_each(give);
    }

    /// Returns the pairs of states that have to end differently, and that only A can distinguish after this instruction.
    pub(crate) fn open_pairs(&self, state: &Trials, verb: Opcode, forgets: bool) -> Vec<(usize, usize)> {
        let sets_carry = matches!(verb, Opcode::Add | Opcode::Shr);
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

    /// Returns two states that have to end differently, if there is only one result.
    fn two_states(&self, state: &Trials) -> Option<(usize, usize)> {
        let mut ends = self.ends.all().flatten();
        let (Some(end), None) = (ends.next(), ends.next()) else { return None };
        let is_active = |test: usize| state.active[test] != 0;
        let one = (0..TESTS).find(|test| is_active(*test))?;
        let other = (one + 1..TESTS).find(|test| is_active(*test) && end[*test] != end[one])?;
        Some((one, other))
    }

    /// Whether some last instruction gives the right results in these states, which jump to it.
    pub(crate) fn may_end_in_one(&self, state: &Trials, set: &Lanes) -> bool {
        let state = Trials { active: *set, labels: 0, waiting: None, ..state.clone() };
        let (mut after, mut may) = (state.clone(), false);
        self.last_moves(&state, |last| {
            may =
                may || self.execute(&state, last, &mut after) && self.may_leave(&after, &after.active, false);
        });
        may
    }

    /// Whether a set of states may leave the sequence here, by the jump of the whole sequence or by its end.
    pub(crate) fn may_leave(&self, state: &Trials, set: &Lanes, jumped: bool) -> bool {
        let Postcondition { a, cells, carry, jump } = &self.ends;
        let is = |end: &Option<Lanes>, lanes: &Lanes| end.is_none_or(|end| holds(&same(lanes, &end), set));
        is(a, &state.a)
            && cells.iter().zip(&state.cells).all(|(end, cell)| is(end, cell))
            && (carry.is_none() || holds(&state.known, set))
            && is(carry, &state.carry)
            && is(jump, if jumped { &ALL } else { &NONE })
    }

    /// Whether two states that have to end differently have become equal.
    pub(crate) fn is_confused(&self, state: &Trials) -> bool {
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

/// Returns the value of A after a verb with each constant.
fn of_all_constants(verb: Opcode, a: u8) -> [u8; 256] {
    std::array::from_fn(|value| execute(verb, a, value as u8).0)
}

/// Adds the constants for which a condition holds.
fn add_where(right: &mut [bool; 256], a: &[u8; 256], b: &[u8; 256], holds: impl Fn(u8, u8) -> bool) {
    for ((right, a), b) in right.iter_mut().zip(a).zip(b) {
        *right |= holds(*a, *b);
    }
}
