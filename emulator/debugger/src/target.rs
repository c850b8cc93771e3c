//! Targets: what a search through the history looks for.

use crate::breakpoint::Breakpoint;
use crate::error::DebugError;
use crate::expression::Expression;
use crate::instructions::InstructionSet;
use crate::position::Position;
use crate::source::{Frame, Source};
use crate::trigger::{Access, Hit, Resolution, Trigger, Watcher};
use crate::view::View;
use gray1_isa::Image;
use gray1_machine::ChipsEngine;

/// Forwards or backwards through the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the halt.
    Forward,
    /// Towards the beginning.
    Backward,
}

/// What to look for. Breakpoints on the way count too.
#[derive(Clone, Debug)]
pub enum Target {
    /// The start of a line: its first cycle after another line, or after a jump back within the line.
    Line(LineDepth),
    /// The first instruction outside of an expansion: the innermost one around an instruction, if only its outermost
    /// `depth` frames are considered. If there is none, the start of a line.
    Leave {
        /// The sequence number of the instruction.
        sequence: u16,
        /// How many of its frames are considered.
        depth: usize,
    },
    /// An expression that is not 0.
    Condition(Expression),
    /// An event.
    Trigger(Trigger),
    /// Nothing; only breakpoints count.
    Breakpoints,
}

/// How many levels of expansion are distinguished; deeper levels belong to the line of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineDepth {
    /// All levels.
    Innermost,
    /// Loop iterations are distinguished, macros are not.
    Statement,
    /// This many levels, from the outermost.
    AtMost(usize),
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its position.
    pub position: Position,
    /// The sequence number of the instruction that runs there.
    pub sequence: u16,
    /// Whether the target is there.
    pub is_target: bool,
    /// The breakpoints that were hit there.
    pub hits: Vec<Hit>,
}

/// A target and breakpoints, with the state that is needed to detect changes from one position to the next.
pub(crate) struct Search<'a> {
    image: &'a Image,
    goal: Goal<'a>,
    breakpoints: Vec<(&'a Breakpoint, Watcher<'a>)>,
}

enum Goal<'a> {
    Line { source: &'a Source, depth: LineDepth, before: Option<u16> },
    Leave { source: &'a Source, within: &'a [Frame] },
    Condition(&'a Expression),
    Trigger(Watcher<'a>),
    Nothing,
}

impl<'a> Search<'a> {
    pub fn new(target: &'a Target, breakpoints: &'a [Breakpoint], source: &'a Source) -> Search<'a> {
        let goal = match target {
            Target::Line(depth) => Goal::Line { source, depth: *depth, before: None },
            Target::Leave { sequence, depth } => {
                let frames = source.frames(*sequence);
                match frames[..frames.len().min(*depth)].split_last() {
                    Some((_, within)) if !within.is_empty() => Goal::Leave { source, within },
                    _ => Goal::Line { source, depth: LineDepth::Innermost, before: None },
                }
            }
            Target::Condition(expression) => Goal::Condition(expression),
            Target::Trigger(trigger) => Goal::Trigger(Watcher::new(0, trigger, source.image())),
            Target::Breakpoints => Goal::Nothing,
        };
        let watcher =
            |breakpoint: &'a Breakpoint| Watcher::new(breakpoint.number, &breakpoint.trigger, source.image());
        let breakpoints = breakpoints.iter().map(|breakpoint| (breakpoint, watcher(breakpoint))).collect();
        Search { image: source.image(), goal, breakpoints }
    }

    pub fn resolution(&self) -> Resolution {
        let goal = match &self.goal {
            Goal::Line { .. } | Goal::Leave { .. } => Resolution::Cycles,
            Goal::Condition(expression) if expression.looks_at_phases() => Resolution::Phases,
            Goal::Condition(_) => Resolution::Cycles,
            Goal::Trigger(_) | Goal::Nothing => Resolution::nothing(),
        };
        goal.and(self.resolution_of_events())
    }

    fn resolution_of_events(&self) -> Resolution {
        let goal = if let Goal::Trigger(watcher) = &self.goal { Some(watcher) } else { None };
        let watchers = goal.into_iter().chain(self.breakpoints.iter().map(|(_, watcher)| watcher));
        watchers.map(Watcher::resolution).fold(Resolution::nothing(), Resolution::and)
    }

    /// The program.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The instructions at which something may be found. A condition on RAM changes only when a byte is stored.
    /// Forwards, it may become true at the instruction after the store; backwards, the last place where it was true may
    /// be the store itself. `None` if the state of the machine at the start of a cycle is not enough to decide: for
    /// nets and phases, and for lines, which depend on the cycle before as well.
    pub fn places(&self, direction: Direction) -> Option<Box<InstructionSet>> {
        let goal = match &self.goal {
            Goal::Line { .. } => return None,
            Goal::Leave { source, within } => {
                let is_outside = |place| !source.frames(place).starts_with(within);
                Resolution::Instructions(Box::new(InstructionSet::of(is_outside)))
            }
            Goal::Condition(expression) => match expression.stored_bytes() {
                Some(addresses) => self.stores_to(&addresses, direction),
                None => self.resolution(),
            },
            Goal::Trigger(_) | Goal::Nothing => Resolution::nothing(),
        };
        match goal.and(self.resolution_of_events()) {
            Resolution::Instructions(set) => Some(set),
            Resolution::Cycles => Some(Box::new(InstructionSet::ALL)),
            Resolution::Phases => None,
        }
    }

    /// The instructions that store to some bytes; forwards, the instructions after these.
    fn stores_to(&self, addresses: &[u16], direction: Direction) -> Resolution {
        let stores = addresses.iter().fold(Resolution::nothing(), |all, &address| {
            let is_stored = Trigger::Ram(address, address, Access::Write);
            all.and(Watcher::new(0, &is_stored, self.image).resolution())
        });
        match (stores, direction) {
            (Resolution::Instructions(set), Direction::Forward) => {
                Resolution::Instructions(Box::new(set.followers()))
            }
            (stores, _) => stores,
        }
    }

    /// Whether something may be found at the start of this cycle or during it.
    pub fn may_find(&self, machine: &dyn View) -> bool {
        let by_goal = match &self.goal {
            Goal::Condition(expression) => expression.holds(machine).unwrap_or(true),
            Goal::Trigger(watcher) => watcher.may_hit(machine),
            Goal::Nothing => false,
            Goal::Leave { source, within } => !source.frames(machine.running()).starts_with(within),
            Goal::Line { .. } => true,
        };
        by_goal
            || self
                .breakpoints
                .iter()
                .any(|(breakpoint, watcher)| watcher.may_hit(machine) && breakpoint.may_count(machine))
    }

    /// Starts a new search after this position; `None` if the first position of the run is to be checked too.
    pub fn start(&mut self, after: Option<&ChipsEngine>) {
        match &mut self.goal {
            Goal::Line { before, .. } => *before = after.map(ChipsEngine::running),
            Goal::Trigger(watcher) => watcher.start(after),
            Goal::Leave { .. } | Goal::Condition(_) | Goal::Nothing => {}
        }
        self.breakpoints.iter_mut().for_each(|(_, watcher)| watcher.start(after));
    }

    /// What is found at this position, if anything. Positions must be checked in ascending order.
    pub fn check(&mut self, machine: &ChipsEngine) -> Result<Option<Found>, DebugError> {
        let mut hits = Vec::new();
        for (breakpoint, watcher) in &mut self.breakpoints {
            let Some(hit) = watcher.check(machine) else { continue };
            if breakpoint.condition.as_ref().map_or(Ok(true), |condition| condition.holds(machine))? {
                hits.push(hit);
            }
        }
        let is_target = self.goal.check(machine)?;
        let position = Position::of(machine);
        let found = Found { position, sequence: machine.running(), is_target, hits };
        Ok((is_target || !found.hits.is_empty()).then_some(found))
    }

    /// Whether the next phase has to be examined, whatever the resolution.
    pub fn needs_next_phase(&self) -> bool {
        let by_goal = matches!(&self.goal, Goal::Trigger(watcher) if watcher.needs_next_phase());
        by_goal || self.breakpoints.iter().any(|(_, watcher)| watcher.needs_next_phase())
    }
}

impl Goal<'_> {
    fn check(&mut self, machine: &ChipsEngine) -> Result<bool, DebugError> {
        let is_cycle = machine.phase_number() == 0;
        match self {
            Goal::Line { source, depth, before } if is_cycle => {
                let now = machine.running();
                let before = before.replace(now);
                Ok(before.is_none_or(|before| is_new_line(source, *depth, before, now)))
            }
            Goal::Leave { source, within } if is_cycle => {
                Ok(!source.frames(machine.running()).starts_with(within))
            }
            Goal::Condition(expression) if is_cycle || expression.looks_at_phases() => {
                expression.holds(machine)
            }
            Goal::Trigger(watcher) => Ok(watcher.check(machine).is_some()),
            _ => Ok(false),
        }
    }
}

/// Whether `now`, when it runs after `before`, begins a line.
fn is_new_line(source: &Source, depth: LineDepth, before: u16, now: u16) -> bool {
    let line = |sequence| match depth {
        LineDepth::Innermost => source.frames(sequence),
        LineDepth::Statement => source.statement(sequence),
        LineDepth::AtMost(depth) => {
            let frames = source.frames(sequence);
            &frames[..frames.len().min(depth)]
        }
    };
    if line(now).is_empty() || line(now) != line(before) {
        return true;
    }
    // Within the same line, only a jump back to its first word begins it again.
    now <= before && source.begins_line(now, line(now).len() - 1)
}
