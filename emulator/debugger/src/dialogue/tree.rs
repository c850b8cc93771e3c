//! `tree` and `goto node`: the search tree of the program, and the machine's place in it.

use super::state::{Dialogue, Result};
use crate::error::{DebugError, require};
use crate::position::Position;
use crate::scanner::Scanner;
use crate::tree::{Fate, Node, Tree};
use gray1_text::grouped;
use std::sync::atomic::AtomicBool;

/// At most this many nodes are kept.
const MAX_NODES: usize = 1 << 20;

pub(super) fn tree(dialogue: &mut Dialogue, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result {
    scanner.end()?;
    let now = dialogue.debugger.position().cycle;
    let lines = dialogue.with_tree(interrupt, |tree| {
        let mut lines = vec![format!("{} so far", tree.summary())];
        for id in tree.path_at(now) {
            let Node { level, choice, cycle, outcome, .. } = &tree.nodes()[id];
            let came = if *outcome == Fate::Solution { ": a solution" } else { "" };
            lines.push(format!(
                "  node {id}: level {level}, choice {choice}, from cycle {}{came}",
                grouped(*cycle)
            ));
        }
        lines
    })?;
    lines.into_iter().for_each(|line| dialogue.say(line));
    Ok(())
}

impl Dialogue {
    /// The position where a node begins.
    pub(super) fn node(&mut self, scanner: &mut Scanner, interrupt: &AtomicBool) -> Result<Position> {
        let offset = scanner.offset();
        let number = scanner.count()?.and_then(|number| usize::try_from(number).ok());
        let number = require(number, offset, "expected the number of a node")?;
        let cycle = self.with_tree(interrupt, |tree| {
            tree.nodes().get(number).map(|node| node.cycle).ok_or(tree.nodes().len())
        })?;
        let missing = |count| {
            format!("no node has this number: the run has reached {count} nodes so far, counted from 0")
        };
        cycle.map(Position::start_of).map_err(|count| DebugError::input(offset, missing(count)))
    }

    /// Builds the tree of the run up to the latest position reached.
    fn with_tree<T>(&mut self, interrupt: &AtomicBool, look: impl FnOnce(&Tree) -> T) -> Result<T> {
        let markers = self.debugger.source().markers();
        let markers = markers.map_err(|error| DebugError::input(0, error.to_string()))?;
        let end = self.debugger.history().end();
        // One cycle more, because the instruction at the current position counts.
        let end = Position::start_of(end.cycle + 1);
        let (tree, _) = self.debugger.tree(&markers, end, MAX_NODES, interrupt)?;
        Ok(look(&tree))
    }
}
