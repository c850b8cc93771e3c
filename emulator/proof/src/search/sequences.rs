//! Builds the sequences that may reach a goal, instruction by instruction, and runs them on the test states.
//!
//! A beginning is pruned
//!
//! - if two states that have to end differently have become equal, because no instruction can distinguish them any more;
//! - if a state has left the sequence, or jumped, with a wrong result;
//! - if more cells have to be read than instructions are left.
//!
//! A carry is either used by a later jump or forgotten, and both are tried. So beginnings that differ only in an unused
//! carry are equal. The constant of the last instruction is computed, not tried.

use crate::search::code::{FIRST_OWN, Instruction, Label, execute};
use crate::search::expression::{Inputs, Name};
use crate::search::goal::{CELL_NAMES, Cycles, Destination, Goal};
use crate::search::lanes::{ALL, Lanes, NONE, TESTS, balance, both, lanes, same, tests};
use crate::search::state::{Move, Trials};
use gray1_isa::Opcode;
use serde::{Deserialize, Serialize};

/// The maximum number of temporaries: there are no names for more.
pub const MAX_TEMPORARIES: usize = 3;
/// The maximum number of test states that are replaced by states in which sequences have failed.
const MAX_LEARNED: usize = 14;

/// The constants to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    /// All 256.
    All,
    /// Likely constants: the numbers of the formula, their negatives and complements, the numbers next to them, and a
    /// few more.
    Few,
    /// The few, and powers of two and masks, with their complements and negatives.
    Likely,
}

impl Constants {
    /// Returns the constants for a goal, in ascending order.
    pub fn of(self, goal: &Goal) -> Vec<u8> {
        match self {
            Constants::All => (0..=255).collect(),
            Constants::Few => goal.few_constants(),
            Constants::Likely => goal.likely_constants(),
        }
    }
}

/// The required values at the end, for all test states; `None` where any value will do.
pub(crate) struct Postcondition {
    pub a: Option<Lanes>,
    pub cells: [Option<Lanes>; FIRST_OWN],
    /// The states that end with a carry.
    pub carry: Option<Lanes>,
    /// The states that jump.
    pub jump: Option<Lanes>,
}

/// A sequence that reaches the goal from every state. Faster ones come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sequence {
    most: u32,
    least: u32,
    code: Vec<String>,
}

impl Sequence {
    pub(crate) fn new([least, most]: Cycles, code: Vec<String>) -> Sequence {
        Sequence { most, least, code }
    }

    /// Returns the least and the most cycles.
    pub fn cycles(&self) -> Cycles {
        [self.least, self.most]
    }

    /// Returns the instructions, one per line, with labels before them.
    pub fn code(&self) -> &[String] {
        &self.code
    }
}

impl Postcondition {
    pub(crate) fn all(&self) -> impl Iterator<Item = &Option<Lanes>> {
        self.cells.iter().chain([&self.a, &self.carry, &self.jump])
    }

    /// Whether the last instruction may read a value. Otherwise it is a store or a jump.
    pub(crate) fn may_read_last(&self) -> bool {
        self.a.is_some() || self.carry.is_some()
    }
}

/// The sequences that may reach a goal.
pub struct Search<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) temporaries: usize,
    /// The constants to try. The constant of the last instruction is computed instead.
    pub(crate) constants: Vec<u8>,
    tests: [Inputs; TESTS],
    learned: usize,
    pub(crate) start: Trials,
    pub(crate) ends: Postcondition,
    /// Whether x and y hold a value, and whether they may be written.
    pub(crate) has_cell: [bool; FIRST_OWN],
    pub(crate) may_store: [bool; FIRST_OWN],
    /// Pairs of test states that have to end differently, but might become equal.
    pub(crate) pairs: Vec<(usize, usize)>,
}

impl<'a> Search<'a> {
    /// Creates a search with this many temporaries.
    pub fn new(goal: &'a Goal, temporaries: usize, constants: Constants) -> Search<'a> {
        let constants = constants.of(goal);
        let mut tests = tests(&goal.numbers());
        let condition = goal.result(Destination::Jump).or(goal.result(Destination::Name(Name::C)));
        if let Some(condition) = condition {
            balance(&mut tests, |inputs| condition.value(inputs) != 0);
        }
        Search::with_tests(goal, temporaries.min(MAX_TEMPORARIES), constants, tests, 0)
    }

    /// Creates the same search with additional test states. Returns `None` if there is no room for more.
    pub(crate) fn learn(&self, failures: &[Inputs]) -> Option<Search<'a>> {
        let (mut tests, mut learned) = (self.tests, self.learned);
        for failure in failures {
            if learned == MAX_LEARNED {
                return None;
            }
            learned += 1;
            tests[TESTS - learned] = *failure;
        }
        Some(Search::with_tests(self.goal, self.temporaries, self.constants.clone(), tests, learned))
    }

    fn with_tests(
        goal: &'a Goal,
        temporaries: usize,
        constants: Vec<u8>,
        tests: [Inputs; TESTS],
        learned: usize,
    ) -> Search<'a> {
        let of = |value: fn(&Inputs) -> u8| lanes(|test| value(&tests[test]));
        let value = |place| goal.result(place).map(|formula| lanes(|test| formula.value(&tests[test])));
        let set = |place| value(place).map(|value| same(&value, &NONE).map(|is_zero| !is_zero));
        let kept_a = goal.keeps(Name::A).then(|| of(|inputs| inputs.a));
        let ends = Postcondition {
            a: value(Destination::Name(Name::A)).or(kept_a),
            cells: CELL_NAMES.map(|name| value(Destination::Name(name))),
            carry: set(Destination::Name(Name::C)),
            jump: set(Destination::Jump),
        };
        let fixed = |cell: usize| goal.has_cell(cell) && !goal.may_store(cell);
        let must_differ = |&(one, other): &(usize, usize)| {
            let differs = |end: &Option<Lanes>| end.is_some_and(|end| end[one] != end[other]);
            let [p, q] = [one, other].map(|test| &tests[test]);
            // Cells that are never written distinguish states for ever.
            let apart = fixed(0) && p.x != q.x || fixed(1) && p.y != q.y;
            ends.all().any(differs) && !apart
        };
        let pairs = (0..TESTS).flat_map(|one| (0..one).map(move |other| (one, other))).filter(must_differ);
        let known = if goal.uses(Name::C) { ALL } else { NONE };
        let start = Trials {
            a: of(|inputs| inputs.a),
            carry: both(&of(|inputs| if inputs.c { 255 } else { 0 }), &known),
            known,
            cells: [of(|inputs| inputs.x), of(|inputs| inputs.y), NONE, NONE, NONE],
            active: ALL,
            waiting: None,
            labels: 0,
            has_jumped: false,
            written: 0,
            unread: (0..FIRST_OWN).fold(0, |cells, cell| cells | u8::from(goal.must_read(cell)) << cell),
            needs_carry: false,
            loaded: goal.uses(Name::A) || goal.keeps(Name::A),
            fresh: false,
            constant: false,
            touched: None,
        };
        let has_cell = [0, 1].map(|cell| goal.has_cell(cell));
        let may_store = [0, 1].map(|cell| goal.may_store(cell));
        Search {
            goal,
            temporaries,
            has_cell,
            may_store,
            constants,
            tests,
            learned,
            start,
            pairs: pairs.collect(),
            ends,
        }
    }

    /// Calls `take` with every possible next instruction and the state after it, if the instruction is not the last one.
    pub(crate) fn for_each_move(
        &self,
        state: &Trials,
        at: usize,
        words: usize,
        mut take: impl FnMut(Move, &Trials),
    ) {
        let state = &*state.joined(at);
        let left = words - at - 1;
        if state.has_jumped {
            return; // no state reaches this position
        }
        let mut after = state.clone();
        let mut give = |next: Move| {
            let leads_to_last = matches!(next.step, Instruction::Jump(_, Label::At(at)) if at + 1 == words);
            if self.execute(state, next, &mut after)
                && !(left >= 1 && self.is_confused(&after))
                && (!leads_to_last || self.may_end_in_one(&after, &after.waiting_at(words - 1)))
            {
                take(next, &after);
            }
        };
        let (moves, constants) = self.moves(state, at, words);
        // Constants come first: of two equivalent beginnings the first one is kept, and a constant is easier to read.
        for (verb, forgets) in constants {
            // `shr` of a constant is `lda` of half of it, if that is tried.
            let is_lda = |value: u8| verb == Opcode::Shr && forgets && self.constants.contains(&(value >> 1));
            let mut give = |value: u8| {
                if !is_lda(value) {
                    give(Move { step: Instruction::Constant(verb, value), forgets });
                }
            };
            if left == 1 {
                self.last_but_one(state, verb, forgets, give);
            } else {
                let open = self.open_pairs(state, verb, forgets);
                let is_clear = |value: &u8| {
                    let a = |test: usize| execute(verb, state.a[test], *value).0;
                    open.iter().all(|&(one, other)| a(one) != a(other))
                };
                self.constants.iter().copied().filter(is_clear).for_each(&mut give);
            }
        }
        moves.into_iter().for_each(&mut give);
    }

    /// Executes an instruction. Returns false if a state leaves the sequence with a wrong result.
    pub(crate) fn execute(&self, state: &Trials, next: Move, after: &mut Trials) -> bool {
        if let Instruction::Jump(condition, label) = next.step
            && let Some(jumped) = label.leaves()
            && !self.may_leave(state, &state.taken(condition), jumped)
        {
            return false;
        }
        state.execute_into(next, after);
        true
    }
}
