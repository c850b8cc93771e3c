//! An engine that is profiled while it runs.

use crate::layout::Layout;
use crate::recorder::Recorder;
use gray1_machine::{Engine, EngineAround, Failure, FastEngine, Outside};
use std::sync::Arc;

/// After so many cycles the recorder takes the ways of the engine `isa`.
const CHUNK: u64 = 1 << 16;

/// An engine, and the recorder of its run.
pub struct ProfiledEngine<'a> {
    machine: Machine<'a>,
    recorder: Recorder,
}

enum Machine<'a> {
    /// It tells which ways its jumps go.
    Isa(&'a mut FastEngine),
    /// Its program counter is read after each cycle.
    Any(&'a mut dyn Engine),
}

impl<'a> ProfiledEngine<'a> {
    /// Profiles the engine `isa`, which takes little more time than without.
    pub fn isa(machine: &'a mut FastEngine, layout: Arc<Layout>) -> ProfiledEngine<'a> {
        let recorder = Recorder::new(layout, machine.cycle(), machine.registers().pc);
        machine.record_ways();
        ProfiledEngine { machine: Machine::Isa(machine), recorder }
    }

    /// Profiles any engine, cycle by cycle.
    pub fn any(machine: &'a mut dyn Engine, layout: Arc<Layout>) -> ProfiledEngine<'a> {
        let recorder = Recorder::new(layout, machine.cycle(), machine.registers().pc);
        ProfiledEngine { machine: Machine::Any(machine), recorder }
    }

    /// The counts so far.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}

impl EngineAround for ProfiledEngine<'_> {
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Failure> {
        let mut ran = 0;
        while ran < cycles {
            let done = match &mut self.machine {
                Machine::Isa(machine) => {
                    let done = machine.run(CHUNK.min(cycles - ran), outside)?;
                    self.recorder.follow(done, &machine.take_ways());
                    done
                }
                Machine::Any(machine) => {
                    let done = machine.run(1, outside)?;
                    if done > 0 {
                        self.recorder.step(machine.registers().pc);
                    }
                    done
                }
            };
            ran += done;
            if done == 0 || self.inner().halted() {
                break;
            }
        }
        Ok(ran)
    }

    fn inner(&self) -> &dyn Engine {
        match &self.machine {
            Machine::Isa(machine) => &**machine,
            Machine::Any(machine) => &**machine,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Engine {
        match &mut self.machine {
            Machine::Isa(machine) => &mut **machine,
            Machine::Any(machine) => &mut **machine,
        }
    }

    fn has_jumped(&mut self) {
        self.recorder.jump(self.inner().registers().pc);
    }
}
