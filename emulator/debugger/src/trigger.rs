//! Events of a run that can be watched: an instruction runs, a byte of RAM is accessed, a net changes.
//!
//! An instruction runs, and reads RAM, at the start of its cycle; it writes RAM in phase 1. A net changes in the phase
//! at whose end it has another level. So each event has a position, which is the same forwards and backwards.
//!
//! The program is ROM and there is no indirect addressing, so the instructions that access a byte of RAM are known in
//! advance: watching ten bytes means watching the program counter, which costs almost nothing.

use crate::instructions::InstructionSet;
use crate::view::View;
use gray1_isa::{Image, Opcode, Operand, Word};
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Probe};

/// How a byte of RAM is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// An instruction reads it.
    Read,
    /// An instruction stores to it.
    Write,
    /// An instruction stores a value that differs from the previous one.
    Change,
    /// An instruction sets one of these bits, which was clear before.
    Set(u8),
}

/// An event that can be watched.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// One of these instructions, given by their sequence numbers, is run.
    Instructions(Vec<u16>),
    /// A byte of RAM (including display, output port and inputs) in this range is accessed; both ends are included.
    Ram(u16, u16, Access),
    /// A net, a bus or the output of a chip, with its name, changes.
    Net(String, Probe),
    /// A chip looks up this cell.
    Cell(ChipId, u32),
}

/// A trigger that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the breakpoint.
    pub breakpoint: usize,
    /// The change, if the trigger is about RAM or a net.
    pub change: Option<Change>,
}

/// The change of a byte of RAM or of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The address of the byte; 0 for a net.
    pub address: u16,
    /// The value before.
    pub old: u16,
    /// The value now; for a read, the same.
    pub new: u16,
}

/// How often a search has to examine the machine.
pub(crate) enum Resolution {
    /// After every phase.
    Phases,
    /// At the start of every cycle.
    Cycles,
    /// At the start of cycles that run one of these instructions, and one phase later if needed.
    Instructions(Box<InstructionSet>),
}

impl Resolution {
    /// No position is examined.
    pub fn nothing() -> Resolution {
        Resolution::Instructions(Box::new(InstructionSet::NONE))
    }

    /// The positions that at least one of the two needs.
    pub fn and(self, other: Resolution) -> Resolution {
        match (self, other) {
            (Resolution::Phases, _) | (_, Resolution::Phases) => Resolution::Phases,
            (Resolution::Cycles, _) | (_, Resolution::Cycles) => Resolution::Cycles,
            (Resolution::Instructions(mut set), Resolution::Instructions(other)) => {
                set.extend(&other);
                Resolution::Instructions(set)
            }
        }
    }
}

/// The byte of RAM that an instruction accesses in this way; for [`Access::Change`], that it may change.
fn accessed(word: Word, access: Access) -> Option<u16> {
    let is_access = match (word.opcode().row().operand, access) {
        (Operand::Value, Access::Read) => !word.m(),
        (Operand::Address, Access::Write | Access::Change | Access::Set(_)) => word.opcode() == Opcode::Sta,
        _ => false,
    };
    is_access.then(|| word.x())
}

/// Watches a run for a trigger.
pub(crate) struct Watcher<'a> {
    breakpoint: usize,
    trigger: &'a Trigger,
    image: &'a Image,
    /// The address and value of a byte about to be written; or 0 and the last value of a net.
    before: Option<(u16, u16)>,
}

impl<'a> Watcher<'a> {
    pub fn new(breakpoint: usize, trigger: &'a Trigger, image: &'a Image) -> Watcher<'a> {
        Watcher { breakpoint, trigger, image, before: None }
    }

    pub fn resolution(&self) -> Resolution {
        Resolution::Instructions(Box::new(match self.trigger {
            Trigger::Instructions(list) => list.iter().copied().collect(),
            Trigger::Ram(first, last, access) => InstructionSet::of(|sequence| {
                accessed(self.image.word(sequence), *access).is_some_and(|x| (*first..=*last).contains(&x))
            }),
            Trigger::Net(..) | Trigger::Cell(..) => return Resolution::Phases,
        }))
    }

    /// Starts again after this position; `None` if the first position of the run is to be checked too.
    pub fn start(&mut self, after: Option<&ChipsEngine>) {
        self.before = None;
        after.and_then(|machine| self.check(machine));
    }

    /// Whether the trigger is hit at this position. Positions must be checked in ascending order.
    pub fn check(&mut self, machine: &ChipsEngine) -> Option<Hit> {
        let phase = machine.phase_number();
        let hit = |change| Hit { breakpoint: self.breakpoint, change };
        match self.trigger {
            Trigger::Cell(chip, address) => (machine.look_at(*chip).0 == *address).then_some(hit(None)),
            Trigger::Instructions(_) => self.may_hit(machine).then_some(hit(None)),
            Trigger::Ram(.., access) => {
                if phase > 0 {
                    let (address, old) = self.before.take().filter(|_| phase == 1)?;
                    let new = u16::from(machine.ram(address));
                    return Some(hit(Some(Change { address, old, new })));
                }
                let address = self.address(machine).filter(|_| self.may_hit(machine));
                if *access == Access::Read {
                    let value = u16::from(machine.reads(address?));
                    return Some(hit(Some(Change { address: address?, old: value, new: value })));
                }
                self.before = address.map(|address| (address, u16::from(machine.ram(address))));
                None
            }
            Trigger::Net(_, probe) => {
                let new = machine.read(probe);
                let (address, old) = self.before.replace((0, new))?;
                (old != new).then_some(hit(Some(Change { address, old, new })))
            }
        }
    }

    /// Whether the trigger may be hit in the cycle that begins here. For nets and cells the phases would have to be
    /// examined, so the answer is always yes.
    pub fn may_hit(&self, machine: &dyn View) -> bool {
        if machine.phase() > 0 || machine.halted() {
            return false;
        }
        match self.trigger {
            Trigger::Instructions(list) => list.contains(&machine.running()),
            Trigger::Ram(.., access) => self.address(machine).is_some_and(|address| {
                let (old, new) = (machine.ram(address), machine.registers().a);
                match access {
                    Access::Change => old != new,
                    Access::Set(bits) => new & bits & !old != 0,
                    Access::Read | Access::Write => true,
                }
            }),
            Trigger::Net(..) | Trigger::Cell(..) => true,
        }
    }

    /// The byte that the instruction of this cycle accesses, if it is being watched.
    fn address(&self, machine: &dyn View) -> Option<u16> {
        let Trigger::Ram(first, last, access) = self.trigger else { return None };
        let word = self.image.word(machine.running());
        accessed(word, *access).filter(|address| (*first..=*last).contains(address))
    }

    /// Whether the next phase has to be examined, because a watched byte is being written.
    pub fn needs_next_phase(&self) -> bool {
        matches!(self.trigger, Trigger::Ram(..)) && self.before.is_some()
    }
}
