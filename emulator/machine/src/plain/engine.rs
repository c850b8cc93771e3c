//! The plain engine as every engine is used: registers and RAM are read from its nets and cells, and a state is loaded
//! through the board itself.

use super::PlainEngine;
use crate::engine::{Engine, Failure, LAST_PHASE, OutputSink, Registers, Unsettled};
use crate::state::{Inputs, State};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Word, from_gray, gray, parity};
use std::sync::Arc;

impl Engine for PlainEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted {
            self.phase(outside)?;
        }
        if self.halted && self.cycle > start {
            self.check_halt()?;
        }
        Ok(self.cycle - start)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn registers(&self) -> Registers {
        Registers {
            pc: from_gray(self.pack.panel.counter.read(&self.levels)),
            a: self.pack.panel.accumulator.read(&self.levels) as u8,
            c: self.pack.panel.carry.read(&self.levels) == 1,
        }
    }

    fn executed(&self) -> [u64; 8] {
        self.executed
    }

    fn word(&self) -> Word {
        Word(self.pack.panel.word.read(&self.levels))
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        let pack = Arc::clone(&self.pack);
        let panel = &pack.panel;
        let mut dirty = 0;
        for (port, value) in panel.pressed(inputs) {
            port.force(&mut self.levels, u16::from(value));
            dirty = port.bits().iter().fold(dirty, |dirty, &bit| dirty | pack.readers(bit));
        }
        self.settle(dirty)
    }

    fn state(&self) -> State {
        let registers = self.registers();
        let mut ram = Box::new([0; RAM_BYTES]);
        for (address, byte) in (0..).zip(ram.iter_mut()) {
            *byte = self.ram(address);
        }
        State {
            cycle: self.cycle,
            pc: registers.pc,
            a: registers.a,
            c: registers.c,
            halted: self.halted,
            target: self.pack.panel.target.read(&self.levels),
            jumped: self.pack.panel.jump_master.read(&self.levels) == 1,
            ram,
        }
    }

    /// Lets the board itself take the state: its masters are set as if the last phase of a jump were about to
    /// begin, and the slaves and the counter take it from them.
    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        let pack = Arc::clone(&self.pack);
        let panel = &pack.panel;
        let counter = gray(state.pc);
        for (port, value) in [
            (&panel.oscillator, 1),
            (&panel.reset, 0),
            (&panel.sequence, LAST_PHASE),
            (&panel.accumulator_master, u16::from(state.a)),
            (&panel.carry_master, u16::from(state.c)),
            (&panel.tick_master, u16::from(parity(counter))),
            (&panel.jump_master, 1),
            (&panel.target, counter),
        ] {
            port.force(&mut self.levels, value);
        }
        self.settle(self.pack.all_chips())?;
        self.edge()?;
        panel.jump_master.force(&mut self.levels, u16::from(state.jumped));
        panel.target.force(&mut self.levels, state.target);
        self.force_outlets(&state.ram);
        self.fill_ram(&state.ram);
        (self.phase, self.cycle, self.halted) = (0, state.cycle, state.halted);
        self.settle(self.pack.all_chips())?;
        // The counter of a broken board may be elsewhere.
        self.counter_before = panel.counter.read(&self.levels);
        Ok(())
    }
}
