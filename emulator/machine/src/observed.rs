//! Decorators of engines.

use crate::engine::{Engine, Failure, OutputSink, Registers, Unsettled};
use crate::state::{Inputs, State};
use gray1_isa::Word;

/// A decorator of an engine: the same machine, with another way to run.
pub trait ObservedEngine {
    /// The inner engine.
    fn inner(&self) -> &dyn Engine;

    /// The inner engine, mutable.
    fn inner_mut(&mut self) -> &mut dyn Engine;

    /// Runs as [`Engine::run`] does.
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure>;

    /// Reacts to a change of the state from outside.
    fn has_jumped(&mut self) {}
}

impl<E: ObservedEngine> Engine for E {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        self.run_inner(cycles, outside)
    }

    fn cycle(&self) -> u64 {
        self.inner().cycle()
    }

    fn halted(&self) -> bool {
        self.inner().halted()
    }

    fn registers(&self) -> Registers {
        self.inner().registers()
    }

    fn word(&self) -> Word {
        self.inner().word()
    }

    fn executed(&self) -> [u64; 8] {
        self.inner().executed()
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        self.inner_mut().press(inputs)
    }

    fn state(&self) -> State {
        self.inner().state()
    }

    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        let set = self.inner_mut().set_state(state);
        self.has_jumped();
        set
    }
}
