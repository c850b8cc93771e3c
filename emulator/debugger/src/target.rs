//! The object of a search through the history: a target, and breakpoints.

use crate::breakpoint::Breakpoint;
use crate::error::DebugError;
use crate::instructions::InstructionSet;
use crate::position::Position;
use crate::source::Source;
use crate::trigger::{Direction, Hit, Resolution, Trigger, Watcher};
use crate::view::View;
use gray1_isa::Image;
use gray1_machine::ChipsEngine;

/// A position found by a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
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
    target: Option<Watcher<'a>>,
    breakpoints: Vec<(&'a Breakpoint, Watcher<'a>)>,
}

impl<'a> Search<'a> {
    pub fn new(target: Option<&'a Trigger>, breakpoints: &'a [Breakpoint], source: &'a Source) -> Search<'a> {
        let watcher = |breakpoint: &'a Breakpoint| {
            (breakpoint, Watcher::new(breakpoint.number, &breakpoint.trigger, source))
        };
        let target = target.map(|target| Watcher::new(0, target, source));
        Search { image: source.image(), target, breakpoints: breakpoints.iter().map(watcher).collect() }
    }

    fn watchers(&self) -> impl Iterator<Item = &Watcher<'a>> {
        self.target.iter().chain(self.breakpoints.iter().map(|(_, watcher)| watcher))
    }

    pub fn resolution(&self) -> Resolution {
        self.watchers().map(Watcher::resolution).fold(Resolution::nothing(), Resolution::and)
    }

    /// The program.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The instructions at which something may be found. `None` if the state of the machine at the start of a cycle is
    /// not enough to decide.
    pub fn places(&self, direction: Direction) -> Option<Box<InstructionSet>> {
        let places = self.watchers().map(|watcher| watcher.places(direction));
        match places.fold(Resolution::nothing(), Resolution::and) {
            Resolution::Instructions(set) => Some(set),
            Resolution::Cycles => Some(Box::new(InstructionSet::ALL)),
            Resolution::Phases => None,
        }
    }

    /// Whether something may be found at the start of this cycle or during it.
    pub fn may_find(&self, machine: &dyn View) -> bool {
        let may_hit = |(breakpoint, watcher): &(&Breakpoint, Watcher)| {
            watcher.may_hit(machine) && breakpoint.may_count(machine)
        };
        self.target.as_ref().is_some_and(|target| target.may_hit(machine))
            || self.breakpoints.iter().any(may_hit)
    }

    /// Starts a new search after this position; `None` if the first position of the run is to be checked too.
    pub fn start(&mut self, after: Option<&ChipsEngine>) {
        self.target.iter_mut().for_each(|target| target.start(after));
        self.breakpoints.iter_mut().for_each(|(_, watcher)| watcher.start(after));
    }

    /// Checks a position for a match. Positions must be checked in ascending order.
    pub fn check(&mut self, machine: &ChipsEngine) -> Result<Option<Match>, DebugError> {
        let mut hits = Vec::new();
        for (breakpoint, watcher) in &mut self.breakpoints {
            let Some(hit) = watcher.check(machine)? else { continue };
            let condition = breakpoint.condition_at(machine.running());
            if condition.map_or(Ok(true), |condition| condition.holds(machine))? {
                hits.push(hit);
            }
        }
        let is_target = match &mut self.target {
            Some(target) => target.check(machine)?.is_some(),
            None => false,
        };
        let position = Position::of(machine);
        let found = Match { position, sequence: machine.running(), is_target, hits };
        Ok((is_target || !found.hits.is_empty()).then_some(found))
    }

    /// Whether the next phase has to be examined, whatever the resolution.
    pub fn needs_next_phase(&self) -> bool {
        self.watchers().any(Watcher::needs_next_phase)
    }
}
