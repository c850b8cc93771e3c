//! Records the search tree of a program, which is described by markers in its source.

use super::{MarkerError, Markers, Tree};
use crate::debugger::Debugger;
use crate::error::DebugError;
use crate::instructions::InstructionSet;
use crate::position::Position;
use crate::source::Source;
use crate::view::View;
use std::sync::atomic::AtomicBool;

impl Source {
    /// The markers of the program.
    pub fn markers(&self) -> Result<Markers, MarkerError> {
        Markers::read(self.names())
    }
}

impl Debugger {
    /// The tree of the run up to a position, with at most `limit` nodes, and the position where recording ended: that
    /// position, the halt, or where another node would exceed the limit. The machine stays where it is.
    pub fn tree<'a>(
        &mut self,
        markers: &'a Markers,
        end: Position,
        limit: usize,
        interrupt: &AtomicBool,
    ) -> Result<(Tree<'a>, Position), DebugError> {
        let marked: InstructionSet = markers.places().collect();
        let mut tree = Tree::new(markers, limit);
        let (mut left, mut has_halted) = (Position::default(), false);
        self.history.repeated(|history| {
            let mut reach = |machine: &dyn View| {
                let place = machine.running();
                // Where the machine has halted, the instruction that halts has been counted already.
                let is_reached = marked.has(place) && machine.cycle() < end.cycle && !machine.halted();
                is_reached && !tree.reach(place, machine.cycle(), |address| machine.reads(address))
            };
            if !reach(history.machine()) {
                history.run_past(&marked, end.cycle, interrupt, reach)?;
            }
            (left, has_halted) = (history.position(), history.is_halted());
            Ok::<(), DebugError>(())
        })?;
        tree.end(left.cycle, has_halted && !tree.is_cut_short());
        Ok((tree, left))
    }
}
