//! An engine that is profiled while it runs.

use crate::profile::layout::Layout;
use crate::profile::recorder::Recorder;
use gray1_machine::{Engine, Failure, ObservedEngine, OutputSink};
use std::sync::Arc;

/// An engine, and the recorder of its run, which reads the program counter after each cycle.
pub struct ProfiledEngine<'a> {
    machine: &'a mut dyn Engine,
    recorder: Recorder,
}

impl<'a> ProfiledEngine<'a> {
    /// Profiles an engine from where it is.
    pub fn new(machine: &'a mut dyn Engine, layout: Arc<Layout>) -> ProfiledEngine<'a> {
        let recorder = Recorder::new(layout, machine.cycle(), machine.registers().pc);
        ProfiledEngine { machine, recorder }
    }

    /// The counts so far.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }
}

impl ObservedEngine for ProfiledEngine<'_> {
    fn run_inner(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        for ran in 0..cycles {
            if self.machine.run(1, outside)? == 0 {
                return Ok(ran);
            }
            self.recorder.step(self.machine.registers().pc);
        }
        Ok(cycles)
    }

    fn inner(&self) -> &dyn Engine {
        self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Engine {
        self.machine
    }

    fn has_jumped(&mut self) {
        self.recorder.jump(self.machine.registers().pc);
    }
}
