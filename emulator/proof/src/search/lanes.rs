//! Test states in parallel: an operation on [`Lanes`] is applied to all test states at once, by SIMD instructions.
//!
//! The choice of the test states only affects how soon a wrong sequence fails: a sequence that passes is run from every
//! possible state.

use crate::search::code::execute;
use crate::search::expression::Inputs;
use gray1_isa::Opcode;

/// The number of test states.
pub(crate) const TESTS: usize = 32;

/// One byte for each test state. As a set of states: 255 for its members, 0 for all others.
pub(crate) type Lanes = [u8; TESTS];

pub(crate) const NONE: Lanes = [0; TESTS];
pub(crate) const ALL: Lanes = [255; TESTS];

pub(crate) fn lanes(value: impl FnMut(usize) -> u8) -> Lanes {
    std::array::from_fn(value)
}

pub(crate) fn both(one: &Lanes, other: &Lanes) -> Lanes {
    lanes(|test| one[test] & other[test])
}

pub(crate) fn either(one: &Lanes, other: &Lanes) -> Lanes {
    lanes(|test| one[test] | other[test])
}

pub(crate) fn without(one: &Lanes, other: &Lanes) -> Lanes {
    lanes(|test| one[test] & !other[test])
}

/// Returns the states in which two bytes are equal.
pub(crate) fn same(one: &Lanes, other: &Lanes) -> Lanes {
    lanes(|test| if one[test] == other[test] { 255 } else { 0 })
}

pub(crate) fn is_empty(set: &Lanes) -> bool {
    set.iter().fold(0, |all, test| all | test) == 0
}

/// Whether a set contains another.
pub(crate) fn holds(set: &Lanes, other: &Lanes) -> bool {
    is_empty(&without(other, set))
}

/// Returns the first byte in the states of a set, and the second byte in the others.
pub(crate) fn choose(set: &Lanes, one: &Lanes, other: &Lanes) -> Lanes {
    lanes(|test| one[test] & set[test] | other[test] & !set[test])
}

pub(crate) fn apply(verb: Opcode, a: &Lanes, value: &Lanes) -> Lanes {
    lanes(|test| execute(verb, a[test], value[test]).0)
}

/// Returns the states in which this operation sets the carry.
pub(crate) fn carry(verb: Opcode, a: &Lanes, value: &Lanes) -> Lanes {
    lanes(|test| if execute(verb, a[test], value[test]).1 == Some(true) { 255 } else { 0 })
}

/// Returns states in which wrong sequences are likely to fail: bytes with one bit, bytes near a number, two equal bytes,
/// and states that differ in one bit of A, of x, of y or in the carry.
pub(crate) fn tests(numbers: &[u8]) -> [Inputs; TESTS] {
    let number = |index: usize| numbers.get(index % numbers.len().max(1)).copied().unwrap_or(0x80);
    let mut random = random();
    let [base, second] =
        [Inputs { a: 0x5B, x: 0xC6, y: 0x39, c: false }, Inputs { a: 0xE4, x: 0x1D, y: 0x72, c: true }];
    std::array::from_fn(|test| match test {
        0 => base,
        1..=8 => Inputs { a: base.a ^ 1 << (test - 1), ..base },
        9 => second,
        10..=17 => Inputs { x: second.x ^ 1 << (test - 10), ..second },
        18 => Inputs { a: 0, ..base },
        19 => Inputs { x: 0, ..second },
        20 => Inputs { a: 255, ..second },
        21 => Inputs { x: base.a, y: base.a, ..base },
        22 => Inputs { x: base.a.wrapping_add(1), ..base },
        23 => Inputs { x: base.a.wrapping_sub(1), ..base },
        24 => Inputs { a: number(0), ..base },
        25 => Inputs { a: number(0).wrapping_sub(1), ..base },
        26 => Inputs { a: number(1).wrapping_add(1), ..base },
        27 => Inputs { c: true, ..base },
        28 => Inputs { y: base.y ^ 0x80, ..base },
        29 => Inputs { a: 0x80, x: 0x7F, y: 0x80, c: false },
        30 => Inputs { a: 0x7F, x: 0x80, y: 0x81, c: true },
        _ => random.next().unwrap_or(base),
    })
}

/// Replaces some states if a condition is true in only a few states, or false in only a few, so that both cases occur.
pub(crate) fn balance(tests: &mut [Inputs; TESTS], condition: impl Fn(&Inputs) -> bool) {
    let few = 8;
    let times = tests.iter().filter(|test| condition(test)).count();
    let rare = times < few;
    if rare || times > TESTS - few {
        let others = random().take(1 << 16).filter(|inputs| condition(inputs) == rare);
        tests[10..10 + few].iter_mut().zip(others).for_each(|(test, other)| *test = other);
    }
}

/// Generates a fixed sequence of pseudo-random states.
fn random() -> impl Iterator<Item = Inputs> {
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    std::iter::from_fn(move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let [a, x, y, c, ..] = (random >> 16).to_le_bytes();
        Some(Inputs { a, x, y, c: c & 1 == 1 })
    })
}
