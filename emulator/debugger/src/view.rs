//! The machine as expressions and triggers see it. It is either the chips engine, or the engine `isa` of the scout.

use gray1_machine::{ChipsEngine, Engine, IsaEngine, PlainEngine, Probe};

/// A machine whose state can be read.
pub(crate) trait View: Engine {
    /// The phase it is in.
    fn phase(&self) -> u8;
    /// The sequence number of the instruction of this cycle.
    fn running(&self) -> u16;
    /// A byte of RAM.
    fn ram(&self, address: u16) -> u8;
    /// The byte that a program would read at an address.
    fn reads(&self, address: u16) -> u8;
    /// The level of a net or a bus; `None` on the engine `isa`, which has none.
    fn net(&self, probe: &Probe) -> Option<u16>;
}

impl View for ChipsEngine {
    fn phase(&self) -> u8 {
        self.phase_number()
    }

    fn running(&self) -> u16 {
        PlainEngine::running(self)
    }

    fn ram(&self, address: u16) -> u8 {
        PlainEngine::ram(self, address)
    }

    fn reads(&self, address: u16) -> u8 {
        PlainEngine::reads(self, address)
    }

    fn net(&self, probe: &Probe) -> Option<u16> {
        Some(self.read(probe))
    }
}

/// The engine `isa` is always at the start of a cycle.
impl View for IsaEngine {
    fn phase(&self) -> u8 {
        0
    }

    fn running(&self) -> u16 {
        self.registers().pc
    }

    fn ram(&self, address: u16) -> u8 {
        IsaEngine::ram(self, address)
    }

    fn reads(&self, address: u16) -> u8 {
        IsaEngine::reads(self, address)
    }

    fn net(&self, _: &Probe) -> Option<u16> {
        None
    }
}
