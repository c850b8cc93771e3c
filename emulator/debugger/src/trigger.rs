//! The targets of a search: lines, the end of an expansion, conditions; and events: an instruction runs, a byte of
//! RAM is accessed, a net changes.
//!
//! An instruction runs, and reads RAM, at the start of its cycle; it writes RAM in phase 1. A net changes in the phase
//! at whose end it has another level. So each event has a position, which is the same forwards and backwards.
//!
//! The program is ROM and there is no indirect addressing, so the instructions that access a byte of RAM are known in
//! advance: watching ten bytes means watching the program counter, which costs almost nothing.

use crate::error::DebugError;
use crate::expression::Expression;
use crate::instructions::InstructionSet;
use crate::routines::CallStack;
use crate::source::{Frame, Source};
use crate::view::View;
use gray1_isa::{Opcode, Operand, Word};
use gray1_machine::netlist::ChipId;
use gray1_machine::{ChipsEngine, Probe};

/// A kind of access to a byte of RAM.
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

/// Forwards or backwards through the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the halt.
    Forward,
    /// Towards the beginning.
    Backward,
}

/// The number of levels of expansion that are distinguished; deeper levels belong to the line of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineDepth {
    /// All levels.
    Innermost,
    /// All levels outside the built-in library, whose lines count as parts of the line that uses them.
    Own,
    /// Loop iterations are distinguished, macros are not.
    Statement,
    /// This many levels, from the outermost. A loop iteration is always entered: its lines are in the source themselves.
    AtMost(usize),
}

/// Something that can be found in a run.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// The start of a line: its first cycle after another line, or after a jump back within the line.
    Line(LineDepth),
    /// The start of a line, unless a routine has been called in addition to this call stack.
    Over(LineDepth, CallStack),
    /// The first instruction outside of an expansion: the innermost one around an instruction, if only its outermost
    /// `depth` frames are considered. If there is none, the first one after the return of the innermost call.
    Leave {
        /// The sequence number of the instruction.
        sequence: u16,
        /// The number of its frames that are considered.
        depth: usize,
        /// The call stack at the instruction.
        level: CallStack,
    },
    /// An expression is not 0.
    Condition(Expression),
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
    pub change: Option<Transition>,
}

/// The change of a byte of RAM or of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The address of the byte; 0 for a net.
    pub address: u16,
    /// The value before.
    pub old: u16,
    /// The value now; for a read, the same.
    pub new: u16,
}

/// The positions at which a search has to examine the machine.
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
    source: &'a Source,
    /// The frames of the expansion that is to be left.
    within: &'a [Frame],
    /// The address and value of a byte about to be written; or 0 and the last value of a net, or the last instruction.
    before: Option<(u16, u16)>,
}

impl<'a> Watcher<'a> {
    pub fn new(breakpoint: usize, trigger: &'a Trigger, source: &'a Source) -> Watcher<'a> {
        let within = match trigger {
            Trigger::Leave { sequence, depth, .. } => {
                let frames = source.frames(*sequence);
                frames[..frames.len().min(*depth)].split_last().map_or(&[][..], |(_, within)| within)
            }
            _ => &[],
        };
        Watcher { breakpoint, trigger, source, within, before: None }
    }

    /// The positions at which a search has to examine the machine.
    pub fn resolution(&self) -> Resolution {
        let instructions = match self.trigger {
            Trigger::Condition(expression) if expression.looks_at_phases() => return Resolution::Phases,
            Trigger::Line(_) | Trigger::Over(..) | Trigger::Leave { .. } | Trigger::Condition(_) => {
                return Resolution::Cycles;
            }
            Trigger::Instructions(list) => list.iter().copied().collect(),
            Trigger::Ram(first, last, access) => self.accesses(*first, *last, *access),
            Trigger::Net(..) | Trigger::Cell(..) => return Resolution::Phases,
        };
        Resolution::Instructions(Box::new(instructions))
    }

    /// The instructions at which the trigger may be hit. A condition on RAM changes only when a byte is stored.
    /// Forwards, it may become true at the instruction after the store; backwards, the last place where it was true may
    /// be the store itself. [`Resolution::Phases`] if the state of the machine at the start of a cycle is not enough to
    /// decide: for nets and phases, and for lines, which depend on the cycle before as well.
    pub fn places(&self, direction: Direction) -> Resolution {
        let places = match self.trigger {
            Trigger::Line(_) | Trigger::Over(..) => return Resolution::Phases,
            Trigger::Leave { level, .. } => {
                let routine = |sequence| self.source.routine(sequence);
                let own = level.0.last().map_or(InstructionSet::NONE, |&jump| [jump].into_iter().collect());
                match self.within {
                    // After a return, the program is in the routine of the call again.
                    [] => InstructionSet::of(|sequence| {
                        own.has(sequence)
                            || level.0.last().is_some_and(|&jump| routine(sequence) == routine(jump))
                    }),
                    _ => InstructionSet::of(|sequence| self.leaves(sequence)),
                }
            }
            Trigger::Condition(expression) => {
                let Some(addresses) = expression.stored_bytes() else { return self.resolution() };
                let mut stores = InstructionSet::NONE;
                for address in addresses {
                    stores.extend(&self.accesses(address, address, Access::Write));
                }
                if direction == Direction::Forward { stores.followers() } else { stores }
            }
            _ => return self.resolution(),
        };
        Resolution::Instructions(Box::new(places))
    }

    /// The instructions that access bytes in this range.
    fn accesses(&self, first: u16, last: u16, access: Access) -> InstructionSet {
        InstructionSet::of(|sequence| {
            accessed(self.source.image().word(sequence), access).is_some_and(|x| (first..=last).contains(&x))
        })
    }

    /// Whether an instruction is outside of the expansion that is to be left.
    fn leaves(&self, sequence: u16) -> bool {
        !self.source.frames(sequence).starts_with(self.within)
    }

    /// Whether the expansion has been left, or, if there is none, the routine.
    fn is_outside(&self, machine: &dyn View, level: &CallStack) -> bool {
        let now = || self.source.routines().call_stack(machine);
        match self.within {
            [] => now().is_outside(level),
            _ => self.leaves(machine.running()) && now().is_within(level),
        }
    }

    /// Starts again after this position; `None` if the first position of the run is to be checked too.
    pub fn start(&mut self, after: Option<&ChipsEngine>) {
        self.before = None;
        match (self.trigger, after) {
            (Trigger::Line(LineDepth::Own), Some(machine)) => {
                // Within the library, the instruction before is the call that led there.
                let calls = self.source.routines().call_stack(machine).0;
                let stack = calls.iter().copied().chain([machine.running()]);
                let own = stack.rev().find(|&sequence| !self.source.is_in_library(sequence));
                self.before = Some((0, own.unwrap_or(machine.running())));
            }
            (Trigger::Line(_), Some(machine)) => self.before = Some((0, machine.running())),
            (Trigger::Over(_, level), Some(machine)) => {
                // Within a call, the instruction before is the one that has made it.
                let now = self.source.routines().call_stack(machine);
                let call = now.0.get(level.0.len()).copied().filter(|_| level.is_within(&now));
                self.before = Some((0, call.unwrap_or(machine.running())));
            }
            (Trigger::Ram(..) | Trigger::Net(..), Some(machine)) => drop(self.check(machine)),
            _ => {}
        }
    }

    /// Whether the trigger is hit at this position. Positions must be checked in ascending order.
    pub fn check(&mut self, machine: &ChipsEngine) -> Result<Option<Hit>, DebugError> {
        let phase = machine.phase_number();
        let is_hit = match self.trigger {
            Trigger::Line(depth) if phase == 0 => self.begins_line(*depth, machine.running()),
            Trigger::Over(depth, level) if phase == 0 => {
                let is_over = self.source.routines().call_stack(machine).is_within(level);
                is_over && self.begins_line(*depth, machine.running())
            }
            Trigger::Leave { level, .. } => phase == 0 && self.is_outside(machine, level),
            Trigger::Condition(expression) if phase == 0 || expression.looks_at_phases() => {
                expression.holds(machine)?
            }
            Trigger::Line(_) | Trigger::Over(..) | Trigger::Condition(_) => false,
            Trigger::Cell(chip, address) => machine.look_at(*chip).0 == *address,
            Trigger::Instructions(_) => self.may_hit(machine),
            Trigger::Ram(..) | Trigger::Net(..) => {
                return Ok(self.change(machine).map(|it| self.hit(Some(it))));
            }
        };
        Ok(is_hit.then(|| self.hit(None)))
    }

    /// Whether an instruction begins another line than the last one.
    fn begins_line(&mut self, depth: LineDepth, now: u16) -> bool {
        if depth == LineDepth::Own && self.source.is_in_library(now) {
            return false;
        }
        let before = self.before.replace((0, now));
        before.is_none_or(|(_, before)| is_new_line(self.source, depth, before, now))
    }

    fn hit(&self, change: Option<Transition>) -> Hit {
        Hit { breakpoint: self.breakpoint, change }
    }

    /// The change or the access of a byte or a net at this position, if there is one.
    fn change(&mut self, machine: &ChipsEngine) -> Option<Transition> {
        if let Trigger::Net(_, probe) = self.trigger {
            let new = machine.read(probe);
            let (address, old) = self.before.replace((0, new))?;
            return (old != new).then_some(Transition { address, old, new });
        }
        if machine.phase_number() > 0 {
            let (address, old) = self.before.take().filter(|_| machine.phase_number() == 1)?;
            return Some(Transition { address, old, new: u16::from(machine.ram(address)) });
        }
        let address = self.address(machine).filter(|_| self.may_hit(machine));
        if matches!(self.trigger, Trigger::Ram(.., Access::Read)) {
            let value = u16::from(machine.reads(address?));
            return Some(Transition { address: address?, old: value, new: value });
        }
        self.before = address.map(|address| (address, u16::from(machine.ram(address))));
        None
    }

    /// Whether the trigger may be hit at the start of this cycle or during it. For lines, nets and cells more would have
    /// to be examined, so the answer is always yes.
    pub fn may_hit(&self, machine: &dyn View) -> bool {
        let is_running = machine.phase() == 0 && !machine.halted();
        match self.trigger {
            Trigger::Line(_) | Trigger::Over(..) => true,
            Trigger::Leave { level, .. } => self.is_outside(machine, level),
            Trigger::Condition(expression) => expression.holds(machine).unwrap_or(true),
            Trigger::Instructions(list) => is_running && list.contains(&machine.running()),
            Trigger::Ram(.., access) => self.address(machine).filter(|_| is_running).is_some_and(|address| {
                let (old, new) = (machine.ram(address), machine.registers().a);
                match access {
                    Access::Change => old != new,
                    Access::Set(bits) => new & bits & !old != 0,
                    Access::Read | Access::Write => true,
                }
            }),
            Trigger::Net(..) | Trigger::Cell(..) => is_running,
        }
    }

    /// The byte that the instruction of this cycle accesses, if it is being watched.
    fn address(&self, machine: &dyn View) -> Option<u16> {
        let Trigger::Ram(first, last, access) = self.trigger else { return None };
        let word = self.source.image().word(machine.running());
        accessed(word, *access).filter(|address| (*first..=*last).contains(address))
    }

    /// Whether the next phase has to be examined, because a watched byte is being written.
    pub fn needs_next_phase(&self) -> bool {
        matches!(self.trigger, Trigger::Ram(..)) && self.before.is_some()
    }
}

/// Whether `now`, when it runs after `before`, begins a line.
fn is_new_line(source: &Source, depth: LineDepth, before: u16, now: u16) -> bool {
    let line = |sequence| match depth {
        LineDepth::Innermost => source.frames(sequence),
        LineDepth::Own => source.own_frames(sequence),
        LineDepth::Statement => source.statement(sequence),
        LineDepth::AtMost(depth) => {
            let frames = source.frames(sequence);
            let iterations =
                frames.iter().skip(depth.saturating_sub(1)).take_while(|frame| frame.is_iteration());
            &frames[..frames.len().min(depth + iterations.count())]
        }
    };
    if line(now).is_empty() || line(now) != line(before) {
        return true;
    }
    // Within the same line, only a jump back to its first word begins it again.
    now <= before && source.begins_line(now, line(now).len() - 1)
}
