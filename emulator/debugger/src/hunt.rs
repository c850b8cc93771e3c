//! Looking for a position, forwards or backwards.
//!
//! What is looked for is a [`Prey`]. It says how closely one must look: after every phase, at the beginning of every
//! cycle, or only where certain instructions are run. The last is nearly free. A program is ROM and knows no
//! indirect addressing, so which instructions touch a byte of RAM is known before it runs: watching ten bytes is
//! looking at the program counter.
//!
//! Backwards, the run is repeated from snapshot to snapshot, the latest first, and the last find counts.

use crate::fault::Fault;
use crate::history::History;
use crate::position::Position;
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::{ChipsEngine, Engine};
use std::sync::atomic::{AtomicBool, Ordering};

/// A set of places in the program.
pub type Places = [bool; PROGRAM_WORDS];

/// How closely one must look.
#[derive(Clone)]
pub enum Pace {
    /// After every phase.
    Phases,
    /// At the beginning of every cycle.
    Cycles,
    /// At the beginning of cycles that run one of these instructions, and, where [`Prey::waits`], a phase later.
    Instructions(Box<Places>),
}

/// Something that is at some positions of a run.
pub trait Prey {
    /// How closely one must look.
    fn pace(&self) -> Pace;

    /// A look at where the hunt begins, which is not part of it; `None` where nothing comes before.
    fn set_out(&mut self, machine: Option<&ChipsEngine>);

    /// Whether it is at this position. Each look is later than the one before.
    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault>;

    /// Whether, after a look at the beginning of a cycle, it may be at phase 1 of it.
    fn waits(&self) -> bool {
        false
    }
}

/// A position of this machine.
pub fn position_of(machine: &ChipsEngine) -> Position {
    Position { cycle: machine.cycle(), phase: machine.phase_number() }
}

impl History {
    /// Runs until the prey is there, the machine halts, or `end` is reached; says whether the prey is there.
    pub fn forward(
        &mut self,
        prey: &mut dyn Prey,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<bool, Fault> {
        prey.set_out(Some(self.machine()));
        let pace = prey.pace();
        self.look_on(prey, &pace, end, interrupt)
    }

    /// Goes back to where the prey was last before this position. If it never was, the machine stays where it is.
    pub fn backward(&mut self, prey: &mut dyn Prey, interrupt: &AtomicBool) -> Result<bool, Fault> {
        let now = self.position();
        let result = self.last_before(prey, now, interrupt);
        // Also after an interruption: then going back to where one was must not be interrupted again.
        let to = result.as_ref().ok().copied().flatten().unwrap_or(now);
        self.go(to, &AtomicBool::new(false))?;
        result.map(|found| found.is_some())
    }

    /// Looks at this position once more, so that the prey knows what it has found here.
    pub fn look_again(&mut self, prey: &mut dyn Prey) -> Result<bool, Fault> {
        let here = self.position();
        if here == self.start() {
            prey.set_out(None);
            return prey.is_here(self.machine());
        }
        let never = AtomicBool::new(false);
        let before = match here.phase {
            0 => Position::start_of(here.cycle - 1),
            _ => Position::start_of(here.cycle),
        };
        self.go(before, &never)?;
        prey.set_out(Some(self.machine()));
        let mut is_here = false;
        while self.position() < here {
            self.phase()?;
            is_here = prey.is_here(self.machine())?;
        }
        Ok(is_here)
    }

    /// The last position before `limit` that the prey is at; the machine is left somewhere.
    pub fn last_before(
        &mut self,
        prey: &mut dyn Prey,
        limit: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<Position>, Fault> {
        let pace = prey.pace();
        let mut end = limit;
        let marks = (1..self.marks()).take_while(|&mark| self.mark_cycle(mark) < limit.cycle).count();
        for mark in (0..=marks).rev() {
            self.return_to(mark);
            let mut last = None;
            if mark == 0 {
                prey.set_out(None);
                if self.position() < limit && prey.is_here(self.machine())? {
                    last = Some(self.position());
                }
            } else {
                prey.set_out(Some(self.machine()));
            }
            while self.look_on(prey, &pace, end, interrupt)? && self.position() < limit {
                last = Some(self.position());
            }
            if last.is_some() {
                return Ok(last);
            }
            end = Position::start_of(self.mark_cycle(mark));
        }
        Ok(None)
    }

    /// Runs on until the prey is there; it has seen this position.
    fn look_on(
        &mut self,
        prey: &mut dyn Prey,
        pace: &Pace,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<bool, Fault> {
        match pace {
            Pace::Phases => {
                while self.position() < end && !self.is_halted() {
                    let is_slice = self.position().cycle.is_multiple_of(1024);
                    if is_slice && interrupt.load(Ordering::Relaxed) {
                        return Err(Fault::Interrupted);
                    }
                    self.phase()?;
                    if prey.is_here(self.machine())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pace::Cycles => self.look_at_cycles(prey, None, end, interrupt),
            Pace::Instructions(places) => self.look_at_cycles(prey, Some(places), end, interrupt),
        }
    }

    /// Looks at the beginnings of cycles, all or those that run certain instructions, and, where the prey waits, at
    /// the phase that follows.
    fn look_at_cycles(
        &mut self,
        prey: &mut dyn Prey,
        places: Option<&Places>,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<bool, Fault> {
        while self.position() < end && !self.is_halted() {
            if self.position().phase == 0 && prey.waits() {
                self.phase()?;
                if prey.is_here(self.machine())? {
                    return Ok(true);
                }
                continue;
            }
            let mut result = Ok(false);
            let stopped = self.run(end.cycle, interrupt, |machine| {
                if places.is_some_and(|places| !places[usize::from(machine.running()) % PROGRAM_WORDS]) {
                    return false;
                }
                result = prey.is_here(machine);
                result != Ok(false) || prey.waits()
            })?;
            if result? {
                return Ok(true);
            }
            if !stopped {
                break;
            }
        }
        Ok(false)
    }
}
