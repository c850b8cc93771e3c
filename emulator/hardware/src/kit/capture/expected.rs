//! The expected levels: runs the machine on the chips engine phase by phase, on demand.

use gray1_machine::netlist::NetId;
use gray1_machine::{ChipsEngine, Engine, PHASES, Script, Unsettled};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// The levels of some nets in a run, phase by phase.
pub trait Course {
    /// The levels after this many phases.
    fn levels(&mut self, phases: usize) -> Result<u128, End>;
    /// Whether the machine has halted before a phase, so that every cycle is like the one before.
    fn has_halted(&self, phase: usize) -> bool;
}

/// A run whose phases are remembered.
pub struct Expected<'a> {
    engine: ChipsEngine,
    script: &'a Script,
    nets: Vec<NetId>,
    /// The settled levels of the nets: where the run begins, and after each phase in which any has moved.
    levels: Vec<(usize, u128)>,
    /// The number of phases that were run.
    phases: usize,
    /// The instruction of each cycle, by its sequence number.
    running: Vec<u16>,
    first_cycle: u64,
    /// The phase at which the machine halted.
    halted_at: Option<usize>,
    stop: &'a AtomicBool,
}

/// Why the run has no further levels.
#[derive(Debug, Error)]
pub enum End {
    /// The board does not settle.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl<'a> Expected<'a> {
    /// A run that begins with this machine, at the beginning of a cycle.
    pub fn new(
        engine: ChipsEngine,
        script: &'a Script,
        nets: &[NetId],
        stop: &'a AtomicBool,
    ) -> Expected<'a> {
        let first_cycle = engine.cycle();
        let nets = nets.to_vec();
        let mut expected = Expected {
            engine,
            script,
            nets,
            levels: vec![],
            phases: 0,
            running: vec![],
            first_cycle,
            halted_at: None,
            stop,
        };
        expected.note();
        expected
    }

    /// Fails if the run is to be stopped.
    pub fn check(&self) -> Result<(), End> {
        if self.stop.load(Ordering::Relaxed) { Err(End::Interrupted) } else { Ok(()) }
    }

    /// The cycle and the phase after this many phases.
    pub fn position(&self, phases: usize) -> (u64, u8) {
        (self.first_cycle + (phases / PHASES) as u64, (phases % PHASES) as u8)
    }

    /// The instruction that runs in the cycle to which a phase belongs; phase 0 ends a cycle.
    pub fn instruction(&self, phases: usize) -> u16 {
        self.running.get(phases.saturating_sub(1) / PHASES).copied().unwrap_or_default()
    }

    fn note(&mut self) {
        let nets = self.nets.iter().enumerate();
        let levels = nets.fold(0, |all, (bit, &net)| all | u128::from(self.engine.level(net)) << bit);
        if self.levels.last().is_none_or(|(_, last)| *last != levels) {
            self.levels.push((self.phases, levels));
        }
    }
}

impl Course for Expected<'_> {
    fn levels(&mut self, phases: usize) -> Result<u128, End> {
        while self.phases < phases {
            if self.engine.phase_number() == 0 {
                self.check()?;
                let cycle = self.first_cycle + self.running.len() as u64;
                let inputs = self.script.inputs_at(cycle);
                self.engine.press(inputs)?;
                self.running.push(self.engine.running());
            }
            self.engine.phase(&mut ())?;
            self.phases += 1;
            self.note();
            if self.engine.halted() {
                self.halted_at.get_or_insert(self.phases);
            }
        }
        let changes = self.levels.partition_point(|(at, _)| *at <= phases);
        Ok(self.levels[changes - 1].1)
    }

    fn has_halted(&self, phase: usize) -> bool {
        self.halted_at.is_some_and(|at| phase >= at)
    }
}
