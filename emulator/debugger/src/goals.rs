//! What one goes to: the next line, the way out of a macro, a place, whatever an expression says.

use crate::expression::Expression;
use crate::fault::Fault;
use crate::hunt::{Pace, Places, Prey};
use crate::points::Patrol;
use crate::source::{Frame, Source};
use gray1_isa::PROGRAM_WORDS;
use gray1_machine::{ChipsEngine, Engine};

/// Where a line begins: its first cycle after another line, or after a jump back within the line.
pub struct LineStart<'a> {
    source: &'a Source,
    depth: Depth,
    before: Option<u16>,
}

/// How much of a nest of calls of macros and rounds of loops is looked into: what is deeper is one line with that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All of it.
    Words,
    /// Rounds, but not macros: lines as the source has them.
    Statements,
    /// So many lines, the outermost first.
    Lines(usize),
}

/// The first cycle in other lines than these, which are the outermost of a nest.
pub struct Leave<'a> {
    source: &'a Source,
    within: &'a [Frame],
}

/// The beginning of any of these instructions.
pub struct Reach(Box<Places>);

/// Where an expression is not 0.
pub struct Holds<'a>(pub &'a Expression);

/// A goal, and points on the way.
pub struct OnTheWay<'a, 'b> {
    goal: &'a mut dyn Prey,
    /// The points; who of them has been met is said there.
    pub patrol: Patrol<'b>,
    /// Whether the goal is here.
    pub arrived: bool,
}

impl<'a> LineStart<'a> {
    /// Where lines begin.
    pub fn new(source: &'a Source, depth: Depth) -> LineStart<'a> {
        LineStart { source, depth, before: None }
    }

    fn line(&self, place: u16) -> &[Frame] {
        let frames = self.source.frames(place);
        match self.depth {
            Depth::Words => frames,
            Depth::Statements => self.source.statement(place),
            Depth::Lines(depth) => &frames[..frames.len().min(depth)],
        }
    }
}

impl Prey for LineStart<'_> {
    fn pace(&self) -> Pace {
        Pace::Cycles
    }

    fn set_out(&mut self, machine: Option<&ChipsEngine>) {
        self.before = machine.map(ChipsEngine::running);
    }

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        if machine.phase_number() != 0 {
            return Ok(false);
        }
        let now = machine.running();
        let Some(before) = self.before.replace(now) else { return Ok(true) };
        let (line, line_before) = (self.line(now), self.line(before));
        if line.is_empty() || line != line_before {
            return Ok(true);
        }
        // A jump back within what is one line here does not begin it anew.
        Ok(now <= before && self.source.begins(now, line.len() - 1))
    }
}

impl<'a> Leave<'a> {
    /// The way out of the innermost call that a place is in, or of the one that is so many lines deep; `None` if it
    /// is in none.
    pub fn of(source: &'a Source, place: u16, depth: usize) -> Option<Leave<'a>> {
        let frames = source.frames(place);
        let (_, within) = frames[..frames.len().min(depth)].split_last()?;
        (!within.is_empty()).then_some(Leave { source, within })
    }
}

impl Prey for Leave<'_> {
    fn pace(&self) -> Pace {
        Pace::Cycles
    }

    fn set_out(&mut self, _: Option<&ChipsEngine>) {}

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        let is_cycle = machine.phase_number() == 0;
        Ok(is_cycle && !self.source.frames(machine.running()).starts_with(self.within))
    }
}

impl Reach {
    /// These instructions.
    pub fn new(list: &[u16]) -> Reach {
        let mut places = Box::new([false; PROGRAM_WORDS]);
        list.iter().for_each(|&place| places[usize::from(place) % PROGRAM_WORDS] = true);
        Reach(places)
    }
}

impl Prey for Reach {
    fn pace(&self) -> Pace {
        Pace::Instructions(self.0.clone())
    }

    fn set_out(&mut self, _: Option<&ChipsEngine>) {}

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        let runs = machine.phase_number() == 0 && !machine.halted();
        Ok(runs && self.0[usize::from(machine.running()) % PROGRAM_WORDS])
    }
}

impl Prey for Holds<'_> {
    fn pace(&self) -> Pace {
        if self.0.looks_at_phases() { Pace::Phases } else { Pace::Cycles }
    }

    fn set_out(&mut self, _: Option<&ChipsEngine>) {}

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        let counts = machine.phase_number() == 0 || self.0.looks_at_phases();
        Ok(counts && self.0.value(machine)? != 0)
    }
}

impl<'a, 'b> OnTheWay<'a, 'b> {
    /// A goal, and points on the way to it.
    pub fn new(goal: &'a mut dyn Prey, patrol: Patrol<'b>) -> OnTheWay<'a, 'b> {
        OnTheWay { goal, patrol, arrived: false }
    }
}

impl Prey for OnTheWay<'_, '_> {
    fn pace(&self) -> Pace {
        match (self.goal.pace(), self.patrol.pace()) {
            (Pace::Phases, _) | (_, Pace::Phases) => Pace::Phases,
            (Pace::Cycles, _) | (_, Pace::Cycles) => Pace::Cycles,
            (Pace::Instructions(mut some), Pace::Instructions(others)) => {
                some.iter_mut().zip(others.iter()).for_each(|(some, other)| *some |= other);
                Pace::Instructions(some)
            }
        }
    }

    fn set_out(&mut self, machine: Option<&ChipsEngine>) {
        self.goal.set_out(machine);
        self.patrol.set_out(machine);
    }

    fn is_here(&mut self, machine: &ChipsEngine) -> Result<bool, Fault> {
        let met = self.patrol.is_here(machine)?;
        self.arrived = self.goal.is_here(machine)?;
        Ok(met || self.arrived)
    }

    fn waits(&self) -> bool {
        self.goal.waits() || self.patrol.waits()
    }
}
