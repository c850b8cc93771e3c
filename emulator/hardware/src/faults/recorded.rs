//! Which faults explain what a logic analyser has recorded.

use crate::faults::circuit::Circuit;
use crate::faults::effect::Effect;
use crate::faults::fault::Fault;
use crate::faults::machine::Machine;
use crate::kit::capture::{Capture, Course, End, Start, explains};
use gray1_machine::wires::Bit;
use gray1_machine::{Noise, PHASES, Script};

/// A machine with a fault, whose nets an analyser records.
struct Recorded<'a> {
    machine: Machine<'a>,
    script: &'a Script,
    nets: Vec<Bit>,
    /// The levels of the nets after each phase so far.
    levels: Vec<u128>,
}

impl Circuit {
    /// Whether a machine with this fault, or a healthy one, explains a capture from one of these starts on.
    pub fn explains(
        &self,
        fault: Option<Fault>,
        (noise, script): (Noise, &Script),
        capture: &Capture,
        starts: &[Start],
    ) -> Result<bool, End> {
        let mut machine = Machine::new(self, fault.map_or_else(Vec::new, |fault| Effect::all(self, fault)));
        machine.power_up(noise, &mut ());
        let nets = capture.nets.iter().map(|&net| self.pack.nets[net]).collect();
        let mut recorded = Recorded { machine, script, nets, levels: Vec::new() };
        recorded.note();
        for start in starts {
            if explains(capture, &mut recorded, start)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Recorded<'_> {
    fn note(&mut self) {
        let level = |line: &Bit| u128::from(self.machine.state.levels[line.bank] >> line.bit & 1);
        self.levels.push(self.nets.iter().rev().fold(0, |all, line| all << 1 | level(line)));
    }
}

impl Course for Recorded<'_> {
    fn levels(&mut self, phases: usize) -> Result<u128, End> {
        while self.levels.len() <= phases {
            let phase = self.levels.len() - 1;
            if phase.is_multiple_of(PHASES) {
                let inputs = self.script.inputs_at((phase / PHASES) as u64);
                self.machine.press(inputs, &mut ());
            }
            self.machine.edge(&mut ());
            self.note();
        }
        Ok(self.levels[phases])
    }

    /// A machine with a fault may leave its loop, so it never counts as halted.
    fn has_halted(&self, _phase: usize) -> bool {
        false
    }
}
