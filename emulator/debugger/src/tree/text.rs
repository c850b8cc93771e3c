//! The tree as text, for terminals.

use super::nodes::{Fate, Node, NodeId, Tree};
use gray1_text::{counted, grouped};
use std::fmt::Write;

impl Tree<'_> {
    /// The outcomes of the nodes, as a sentence, and below it this many levels.
    pub fn text(&self, levels: usize) -> String {
        let mut text = self.summary();
        text.push('\n');
        let mut children = vec![Vec::new(); self.nodes().len()];
        let mut roots = Vec::new();
        for (id, node) in self.nodes().iter().enumerate() {
            match node.parent {
                Some(parent) => children[parent].push(id),
                None => roots.push(id),
            }
        }
        // The lines that remain to be written, the next one last: a node, the lines in front of it, and its depth.
        let mut open: Vec<(NodeId, String, usize)> = Vec::new();
        let push = |open: &mut Vec<_>, ids: &[NodeId], before: &str, depth| {
            for (index, id) in ids.iter().enumerate().rev() {
                let is_last = index + 1 == ids.len();
                let branch = if depth == 0 {
                    ""
                } else if is_last {
                    "└ "
                } else {
                    "├ "
                };
                open.push((*id, format!("{before}{branch}"), depth));
            }
        };
        push(&mut open, &roots, "", 0);
        while let Some((id, before, depth)) = open.pop() {
            let node = &self.nodes()[id];
            let _ = writeln!(text, "{before}{}", line(node));
            if depth + 1 < levels {
                let below = before.replace('├', "│").replace('└', " ");
                push(&mut open, &children[id], &below, depth + 1);
            }
        }
        text
    }

    /// The outcomes of the nodes, as a sentence.
    pub fn summary(&self) -> String {
        let mut summary = match self.nodes().len() {
            0 => "no nodes".to_owned(),
            count => counted(count, "node"),
        };
        for outcome in [Fate::Solution, Fate::DeadEnd, Fate::Cut, Fate::Open] {
            summary += &match (outcome, self.count(outcome)) {
                (_, 0) => continue,
                (Fate::Cut, count) => format!(", {} cut at once", grouped(count as u64)),
                (Fate::Open, count) => format!(", {} not finished", grouped(count as u64)),
                (outcome, count) => format!(", {}", counted(count, outcome.word())),
            };
        }
        if self.is_cut_short() {
            summary += "; there are more, which were left out";
        }
        summary
    }

    /// The levels that fit into this many lines.
    pub fn levels_in(&self, lines: usize) -> usize {
        let mut depths: Vec<usize> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        for node in self.nodes() {
            let depth = node.parent.map_or(0, |parent| depths[parent] + 1);
            depths.push(depth);
            counts.resize(counts.len().max(depth + 1), 0);
            counts[depth] += 1;
        }
        let sums = counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= lines).count().max(1)
    }
}

/// A node: its choice, when it begins, and its outcome.
pub(crate) fn line(node: &Node) -> String {
    let came = match node.outcome {
        Fate::Leads => counted(node.solutions as usize, "solution"),
        outcome => outcome.word().to_owned(),
    };
    let below = match node.below {
        0 => String::new(),
        below => format!(", {} below", grouped(below)),
    };
    format!("{}  cycle {}: {came}{below}", node.choice, grouped(node.cycle))
}
