//! The points pane: breakpoints, watchpoints and logpoints.

use gray1_debugger::{Breakpoint, Trigger};

#[derive(Default)]
pub struct PointsPane {
    pub list: Vec<Breakpoint>,
    /// The first row that is visible.
    pub top: usize,
}

/// A breakpoint found at some instructions.
pub struct BreakpointAt {
    pub number: usize,
    /// Whether it stops at all of these instructions.
    pub is_complete: bool,
}

impl PointsPane {
    /// A breakpoint at all of these instructions, or else one at some of them.
    pub fn breakpoint_at(&self, sequences: &[u16]) -> Option<BreakpointAt> {
        if sequences.is_empty() {
            return None;
        }
        let stops_at = |point: &Breakpoint, at: &u16| match &point.trigger {
            Trigger::Instructions(known) => known.contains(at),
            _ => false,
        };
        let covers = |point: &&Breakpoint| sequences.iter().all(|at| stops_at(point, at));
        let touches = |point: &&Breakpoint| sequences.iter().any(|at| stops_at(point, at));
        let found =
            |is_complete| move |point: &Breakpoint| BreakpointAt { number: point.number, is_complete };
        let complete = self.list.iter().find(covers).map(found(true));
        complete.or_else(|| self.list.iter().find(touches).map(found(false)))
    }
}
