//! The claim `noise` for programs that never end, or whose inputs are too many to follow: which bytes may depend on
//! what RAM held at power-up, however the program runs.
//!
//! ```text
//!   the beginning   is walked, up to the first read of an input, or for long enough: by then, most programs have
//!                   written what they use
//!   the rest        for each word, a set of bytes that may depend on noise there; sets only grow, until none does
//! ```
//!
//! A way that depends on noise, or a store of something that does, has no verdict here: it may or may not be seen.

use crate::flow::next_words;
use crate::levels::{Levels, Outcome};
use crate::state::State;
use crate::variables::Origin;
use crate::walk::{Arrival, Exit, Going, Scene, Watch};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_isa::{Image, Opcode, Word};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Walks the beginning of a program, up to the first read of an input.
pub struct Beginning<'a, B: Levels> {
    pub image: &'a Image,
    /// Where it ends if the machine does not halt before, and the state there if the way to it does not depend on noise.
    pub end: Option<(u16, Option<State<B::Level>>)>,
    /// The words that it may have.
    pub left: u64,
    /// Where something was stored that depends on noise.
    pub stored: Option<u16>,
}

/// The words that the beginning of a program may have.
pub const BEGINNING: u64 = 300_000;

/// Whether a word reads what is pressed.
fn reads_input(word: Word) -> bool {
    let takes_value = matches!(word.opcode(), Opcode::Lda | Opcode::Add | Opcode::Nor | Opcode::Shr);
    takes_value && !word.m() && word.x() >= INPUTS
}

impl<B: Levels> Watch<B> for Beginning<'_, B> {
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival> {
        let is_certain = scene.levels.known(state.condition) == Some(true);
        self.left = self.left.saturating_sub(1);
        if is_certain && !reads_input(self.image.word(at)) && self.left > 0 {
            return Ok(Arrival::Goes);
        }
        self.end = Some((at, is_certain.then(|| state.clone())));
        Ok(Arrival::EndsAll)
    }

    fn store(&mut self, scene: &mut Scene<B>, at: u16, _: u16, state: &mut State<B::Level>) -> Going {
        if !depends(&state.a, scene) {
            return Ok(ControlFlow::Continue(()));
        }
        self.stored = Some(at);
        Ok(ControlFlow::Break(()))
    }

    fn leave(&mut self, _: &mut Scene<B>, _: Exit, _: &State<B::Level>) -> Going {
        Ok(ControlFlow::Continue(()))
    }

    fn stay(&mut self, _: &mut Scene<B>, _: u16, _: &State<B::Level>) -> Going {
        Ok(ControlFlow::Continue(()))
    }
}

/// A set of bytes of RAM and of the registers.
#[derive(Clone, PartialEq)]
struct Bytes([u64; RAM_BYTES / 64 + 1]);

/// The places of A and C after those of RAM.
const A: usize = RAM_BYTES;
const C: usize = RAM_BYTES + 1;

impl Bytes {
    fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    fn set(&mut self, place: usize, is_in: bool) {
        let bit = 1 << (place % 64);
        self.0[place / 64] = if is_in { self.0[place / 64] | bit } else { self.0[place / 64] & !bit };
    }

    /// Adds another set; returns whether that makes it larger.
    fn add(&mut self, other: &Bytes) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        *self != before
    }
}

/// A word from this one on at which something is stored, or a way is chosen, that may depend on noise.
pub fn noisy_word<B: Levels>(
    image: &Image,
    from: u16,
    state: &State<B::Level>,
    scene: &Scene<B>,
) -> Option<u16> {
    let mut sets: BTreeMap<u16, Bytes> = BTreeMap::from([(from, noisy(state, scene))]);
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        let mut set = sets[&at].clone();
        let word = image.word(at);
        let operand = !word.m() && word.x() < INPUTS && set.has(word.x() as usize);
        match word.opcode() {
            Opcode::Lda => set.set(A, operand),
            Opcode::Nor => set.set(A, operand || set.has(A)),
            Opcode::Add => {
                let either = operand || set.has(A);
                [A, C].into_iter().for_each(|place| set.set(place, either));
            }
            Opcode::Shr => [A, C].into_iter().for_each(|place| set.set(place, operand)),
            Opcode::Sta if word.x() >= INPUTS => {}
            Opcode::Sta if set.has(A) => return Some(at),
            Opcode::Sta => set.set(word.x() as usize, false),
            Opcode::Jc if set.has(C) => return Some(at),
            Opcode::Jz if set.has(A) => return Some(at),
            Opcode::Jmp | Opcode::Jc | Opcode::Jz => {}
        }
        for next in next_words(image, at) {
            let grows = match sets.get_mut(&next) {
                Some(known) => known.add(&set),
                None => sets.insert(next, set.clone()).is_none(),
            };
            if grows {
                left.push(next);
            }
        }
    }
    None
}

/// The bytes of a state that depend on noise.
fn noisy<B: Levels>(state: &State<B::Level>, scene: &Scene<B>) -> Bytes {
    let mut set = Bytes([u64::MAX; RAM_BYTES / 64 + 1]);
    for (&address, byte) in &state.ram {
        set.set(address as usize, depends(byte, scene));
    }
    set.set(A, depends(&state.a, scene));
    set.set(C, depends(&[state.c], scene));
    set
}

/// Whether some bits depend on noise.
fn depends<B: Levels>(bits: &[B::Level], scene: &Scene<B>) -> bool {
    let mut depends = false;
    scene.levels.variables_of(bits, &mut |variable| {
        depends |= matches!(scene.variables.origin(variable), Origin::Ram(_));
    });
    depends
}
