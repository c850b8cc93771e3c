//! The points pane: breakpoints, watchpoints and logpoints.

use gray1_debugger::{Breakpoint, Trigger};

#[derive(Default)]
pub struct PointsPane {
    pub list: Vec<PointRow>,
    /// The first row that is visible.
    pub top: usize,
}

pub struct PointRow {
    pub number: usize,
    pub title: String,
    /// The sequence numbers where it stops, if it is a breakpoint.
    sequences: Vec<u16>,
    pub hits: u64,
}

/// A breakpoint found at some instructions.
pub struct BreakpointAt {
    pub number: usize,
    /// Whether it stops at all of these instructions.
    pub is_complete: bool,
}

impl PointsPane {
    /// Takes the points as they are now.
    pub fn update(&mut self, points: &[Breakpoint]) {
        let rows = points.iter().map(|point| PointRow {
            number: point.number,
            title: point.title.clone(),
            sequences: match &point.trigger {
                Trigger::Instructions(sequences) => sequences.clone(),
                _ => Vec::new(),
            },
            hits: point.hits,
        });
        self.list = rows.collect();
    }

    /// A breakpoint at all of these instructions, or else one at some of them.
    pub fn breakpoint_at(&self, sequences: &[u16]) -> Option<BreakpointAt> {
        if sequences.is_empty() {
            return None;
        }
        let covers = |point: &&PointRow| sequences.iter().all(|at| point.sequences.contains(at));
        let touches = |point: &&PointRow| sequences.iter().any(|at| point.sequences.contains(at));
        let found = |is_complete| move |point: &PointRow| BreakpointAt { number: point.number, is_complete };
        let complete = self.list.iter().find(covers).map(found(true));
        complete.or_else(|| self.list.iter().find(touches).map(found(false)))
    }
}
