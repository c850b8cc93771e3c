//! What leaves the machine on a walk: the bytes sent and the stores to the display, in their order, for all inputs.

use crate::Obstacle;
use crate::levels::{Byte, Example, Levels, Outcome};
use crate::state::State;
use crate::walk::{Arrival, Exit, Going, Scene, Watch};
use gray1_isa::memory_map::{GREEN, OUT};
use std::ops::ControlFlow;

/// All stores that can be seen outside, by their numbers.
pub struct Outside<L> {
    /// For each number, the store.
    pub stores: Vec<Seen<L>>,
    /// The states in which the machine halts.
    pub halts: Vec<State<L>>,
    /// A loop in which control may stay for ever, and an input.
    pub stays: Option<(u16, Example)>,
    /// The most stores.
    most: usize,
}

/// The store of one number: on different ways, it may come from different instructions.
#[derive(Clone)]
pub struct Seen<L> {
    /// Where there is such a store.
    pub exists: L,
    /// The lowest bits of its address: 0..15 is the display, 16 the port.
    pub address: Byte<L>,
    /// What is stored.
    pub value: Byte<L>,
    /// The cycle.
    pub cycle: Vec<L>,
}

/// The bits of a cycle that are compared.
const CYCLE_BITS: usize = 40;
/// The most numbers that one store may have, on different ways.
const MOST_NUMBERS: u64 = 1 << 12;

impl<L: Copy + Eq> Outside<L> {
    /// Nothing has been seen yet.
    pub fn new(most: usize) -> Outside<L> {
        Outside { stores: Vec::new(), halts: Vec::new(), stays: None, most }
    }

    fn record<B: Levels<Level = L>>(
        &mut self,
        scene: &mut Scene<B>,
        number: usize,
        condition: L,
        address: u16,
        state: &State<L>,
    ) -> Outcome<()> {
        let never = scene.levels.constant(false);
        let empty =
            Seen { exists: never, address: [never; 8], value: [never; 8], cycle: vec![never; CYCLE_BITS] };
        if number >= self.stores.len() {
            self.stores.resize(number + 1, empty);
        }
        let cycle = state.cycles.bits(CYCLE_BITS, &mut scene.levels)?;
        let seen = &mut self.stores[number];
        let place = address - GREEN;
        let place: Byte<L> = std::array::from_fn(|bit| scene.levels.constant(place >> bit & 1 == 1));
        let new = place.into_iter().chain(state.a).chain(cycle);
        let bits = seen.address.iter_mut().chain(&mut seen.value).chain(&mut seen.cycle);
        for (bit, new) in bits.zip(new) {
            *bit = scene.levels.choose(condition, new, *bit)?;
        }
        seen.exists = scene.levels.or(seen.exists, condition)?;
        Ok(())
    }
}

impl<B: Levels> Watch<B> for Outside<B::Level> {
    fn arrive(&mut self, _: &mut Scene<B>, _: u16, _: &mut State<B::Level>) -> Outcome<Arrival> {
        Ok(Arrival::Goes)
    }

    fn store(&mut self, scene: &mut Scene<B>, _: u16, address: u16, state: &mut State<B::Level>) -> Going {
        if !(GREEN..=OUT).contains(&address) {
            return Ok(ControlFlow::Continue(()));
        }
        let numbers = state.stores.range();
        if numbers.end() - numbers.start() > MOST_NUMBERS {
            return Err(Obstacle::TooLong(MOST_NUMBERS));
        }
        for number in numbers {
            let here = state.stores.is(number, &mut scene.levels)?;
            let condition = scene.levels.and(state.condition, here)?;
            if scene.levels.is_possible(condition)? {
                if number as usize >= self.most {
                    return Err(Obstacle::TooLong(self.most as u64));
                }
                self.record(scene, number as usize, condition, address, state)?;
            }
        }
        state.stores.count();
        Ok(ControlFlow::Continue(()))
    }

    fn leave(&mut self, _: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Going {
        if let Exit::Halt(_) = exit {
            self.halts.push(state.clone());
        }
        Ok(ControlFlow::Continue(()))
    }

    fn stay(&mut self, scene: &mut Scene<B>, at: u16, state: &State<B::Level>) -> Going {
        if self.stays.is_none() {
            self.stays = scene.levels.example(state.condition)?.map(|example| (at, example));
        }
        Ok(ControlFlow::Continue(()))
    }
}
