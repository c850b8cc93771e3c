//! The claim `noise` for programs that never end, or whose inputs are too many to follow: which bytes may depend on
//! what RAM held at power-up, however the program runs.
//!
//! ```text
//!   the beginning   is walked, up to the first read of an input, or for long enough: by then, most programs have
//!                   written what they use
//!   the rest        for each way to a word, a set of bytes that may depend on noise there (`ways.rs`)
//! ```
//!
//! A way that depends on noise, or a store of something that does, has no verdict here: it may or may not be seen.

use crate::levels::{Levels, Outcome};
use crate::scene::Scene;
use crate::state::State;
use crate::variables::Origin;
use crate::execution::{Arrival, Exit, Going, Watch};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Operand, Word};
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
pub const BEGINNING: u64 = 1_500_000;

/// Which of [`State::inputs`] a word reads, if it reads one.
pub fn input_of(word: Word) -> Option<usize> {
    State::<bool>::input_at(word.x()).filter(|_| reads(word))
}

/// Whether a word reads the byte at an address.
pub fn reads(word: Word) -> bool {
    word.opcode().row().operand == Operand::Value && !word.m()
}

impl<B: Levels> Watch<B> for Beginning<'_, B> {
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival> {
        let is_certain = scene.levels.known(state.condition) == Some(true);
        self.left = self.left.saturating_sub(1);
        if is_certain && input_of(self.image.word(at)).is_none() && self.left > 0 {
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
pub struct Bytes([u64; RAM_BYTES / 64 + 1]);

/// The place of A, after those of RAM.
pub const A: usize = RAM_BYTES;
/// The place of C.
pub const C: usize = RAM_BYTES + 1;

impl Bytes {
    pub fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub fn set(&mut self, place: usize, is_in: bool) {
        let bit = 1 << (place % 64);
        self.0[place / 64] = if is_in { self.0[place / 64] | bit } else { self.0[place / 64] & !bit };
    }

    /// Adds another set; returns whether that makes it larger.
    pub fn add(&mut self, other: &Bytes) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
        *self != before
    }
}

/// The bytes of a state that depend on noise.
pub fn noisy<B: Levels>(state: &State<B::Level>, scene: &Scene<B>) -> Bytes {
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
