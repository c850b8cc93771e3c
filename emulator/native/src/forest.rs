//! Finds the entries of a graph of cycles, and divides it into trees of straight-line code that begin there.
//!
//! ```text
//!   entry ──> cycle ──> cycle ──> fork ──> cycle ──> cycle ──> next entry
//!                                  └──> cycle ──> fork ──> cycle ──> next entry
//!                                                  └──> next entry
//! ```
//!
//! A trace follows one side of a fork. If the fork is the only way to its other side, another trace of the same tree
//! begins there. All traces end before the next entry, so no cycle is in two traces.

use gray1_machine::evaluated::{Branch, Graph, Next};

/// Maximum number of cycles on a way through a tree. If fewer cycles are left than the longest way has, the rest of a
/// run is left to others.
const MAX_STEPS: usize = 127;

/// Straight-line code of the program.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The nodes, in the order in which they run unless a fork leaves the trace.
    pub steps: Vec<u32>,
    /// The node at which the run continues after the last one.
    pub next: u32,
    /// Number of cycles between the entry of the tree and this trace: 0 for the trace that begins at the entry.
    pub before: usize,
}

/// All trees of a program.
pub struct Forest {
    pub traces: Vec<Trace>,
    /// For each node, the index of the trace that begins with it.
    places: Vec<Option<u32>>,
}

/// The successors of a cycle: the next node, and another one if the deciding byte is not 0, or is 0.
pub fn follow(next: &Next) -> (u32, Option<(bool, Branch)>) {
    match *next {
        Next::Always(node) => (node, None),
        Next::Fork(_, [zero, other]) if zero.has_halted => (other.node, Some((false, zero))),
        Next::Fork(_, [zero, other]) => (zero.node, Some((true, other))),
    }
}

impl Forest {
    /// The trace that begins with a node.
    fn trace(&self, at: u32) -> Option<&Trace> {
        self.places[at as usize].map(|place| &self.traces[place as usize])
    }

    /// The trace that begins with a node inside a tree.
    pub fn branch(&self, at: u32) -> Option<&Trace> {
        self.trace(at).filter(|trace| trace.before != 0)
    }

    /// The traces that begin a tree.
    pub fn roots(&self) -> impl Iterator<Item = &Trace> {
        self.traces.iter().filter(|trace| trace.before == 0)
    }
}

/// Cuts a graph into trees. One begins at the first node.
pub fn forest(graph: &Graph) -> Forest {
    let is_entry = (0..).zip(ways(graph)).map(|(node, ways)| ways > 1 || node == 0).collect();
    let is_covered = vec![false; graph.nodes.len()];
    let mut search = Search { graph, is_entry, is_covered, traces: Vec::new() };
    search.follow();
    // Loops that cannot be reached from any entry.
    for (at, node) in (0..).zip(&graph.nodes) {
        let Some(node) = node else { continue };
        let (next, side) = follow(&node.next);
        for to in [Some(next), side.map(|side| side.1.node)].into_iter().flatten() {
            if to < at && search.is_node(to) && !search.is_covered[to as usize] {
                search.is_entry[to as usize] = true;
                search.follow();
            }
        }
    }
    let mut traces = search.traces;
    traces.sort_by_key(|trace| trace.steps[0]);
    let mut places = vec![None; graph.nodes.len()];
    for (place, trace) in (0..).zip(&traces) {
        places[trace.steps[0] as usize] = Some(place);
    }
    Forest { traces, places }
}

/// In how many ways each node can be reached.
fn ways(graph: &Graph) -> Vec<u32> {
    let mut ways = vec![0; graph.nodes.len()];
    for node in graph.nodes.iter().flatten() {
        let (next, side) = follow(&node.next);
        ways[next as usize] += 1;
        if let Some((_, to)) = side
            && !to.has_halted
        {
            ways[to.node as usize] += 1;
        }
    }
    ways
}

struct Search<'a> {
    graph: &'a Graph<'a>,
    is_entry: Vec<bool>,
    is_covered: Vec<bool>,
    traces: Vec<Trace>,
}

impl Search<'_> {
    /// Whether this node can be run.
    fn is_node(&self, at: u32) -> bool {
        self.graph.nodes[at as usize].is_some()
    }

    /// Makes the trees of all entries that have none yet.
    fn follow(&mut self) {
        let mut at = 0;
        while at < self.is_entry.len() {
            let mut next = at + 1;
            if self.is_entry[at] && !self.is_covered[at] && self.is_node(at as u32) {
                let mut open = vec![(at as u32, 0)];
                while let Some((first, before)) = open.pop() {
                    // If a long way was cut, the new entry may be before this one.
                    next = self.trace(first, before, &mut open).map_or(next, |cut| next.min(cut as usize));
                }
            }
            at = next;
        }
    }

    /// Follows one trace, and adds the traces that begin at its forks to `open`. Returns the first new entry if a way
    /// was cut because it was too long.
    fn trace(&mut self, first: u32, before: usize, open: &mut Vec<(u32, usize)>) -> Option<u32> {
        let (mut steps, mut at, mut cut) = (Vec::new(), first, None);
        let mut end = |is_entry: &mut [bool], at: u32| {
            is_entry[at as usize] = true;
            cut = Some(cut.map_or(at, |cut: u32| cut.min(at)));
        };
        while let Some(node) = &self.graph.nodes[at as usize] {
            steps.push(at);
            self.is_covered[at as usize] = true;
            let is_last = before + steps.len() == MAX_STEPS;
            let (next, side) = follow(&node.next);
            // A node that is not an entry can be reached in one way only, so no other trace contains it.
            if let Some((_, to)) = side
                && !to.has_halted
                && self.is_node(to.node)
                && !self.is_entry[to.node as usize]
            {
                match is_last {
                    true => end(&mut self.is_entry, to.node),
                    false => open.push((to.node, before + steps.len())),
                }
            }
            at = next;
            if self.is_entry[at as usize] {
                break;
            }
            if is_last {
                end(&mut self.is_entry, at);
                break;
            }
        }
        self.traces.push(Trace { steps, next: at, before });
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
    use gray1_machine::evaluated::{Function, Functions, Node};

    /// The cycle of a word, without its changes. A jump that always leads to itself is none.
    fn node((at, word): (u32, &Word)) -> Option<Node> {
        let following = (at + 1) % PROGRAM_WORDS as u32;
        let next = match word.landing().map(u32::from) {
            None => Next::Always(following),
            Some(to) if word.opcode() != Opcode::Jmp => {
                let there = Branch { node: to, has_halted: to == at };
                Next::Fork(Function::Copy(0), [Branch { node: following, has_halted: false }, there])
            }
            Some(to) if to == at => return None,
            Some(to) => Next::Always(to),
        };
        Some(Node { opcode: word.opcode() as u8, changes: Vec::new(), outlets: Vec::new(), next })
    }

    fn cut(image: &Image) -> Forest {
        let nodes = (0..).zip(image.words()).map(node).collect();
        forest(&Graph { functions: &Functions::default(), nodes, homes: [0, 1] })
    }

    /// For each trace: the number of cycles of its tree before it, its own nodes, and where it continues.
    fn traced(words: &[Word]) -> Vec<(usize, Vec<u32>, u32)> {
        let forest = cut(&Image::from_words(words.iter().copied()));
        forest.traces.iter().map(|trace| (trace.before, trace.steps.clone(), trace.next)).collect()
    }

    const NEXT: Word = Word::constant(Opcode::Lda, 1);

    fn jump(opcode: Opcode, to: u16) -> Word {
        Word::jump(opcode, to)
    }

    #[test]
    fn a_trace_ends_where_ways_meet_and_before_a_halt() {
        let words = [NEXT, jump(Opcode::Jz, 3), NEXT, NEXT, jump(Opcode::Jmp, 4)];
        assert_eq!(traced(&words), [(0, vec![0, 1, 2], 3), (0, vec![3], 4)]);
    }

    #[test]
    fn a_jump_that_is_the_only_way_is_followed() {
        let words = [NEXT, jump(Opcode::Jmp, 4), NEXT, jump(Opcode::Jmp, 3), NEXT, jump(Opcode::Jmp, 5)];
        assert_eq!(traced(&words), [(0, vec![0, 1, 4], 5)]);
    }

    #[test]
    fn a_fork_that_is_the_only_way_is_a_branch_of_the_tree() {
        let again = jump(Opcode::Jmp, 0);
        let words = [jump(Opcode::Jz, 3), NEXT, again, NEXT, jump(Opcode::Jc, 6), again, NEXT, again];
        let expected = [(0, vec![0, 1, 2], 0), (1, vec![3, 4, 5], 0), (3, vec![6, 7], 0)];
        assert_eq!(traced(&words)[..3], expected);
    }

    #[test]
    fn a_tree_is_cut_where_it_becomes_deep() {
        // Each jump leads a hundred words further, and is the only way there.
        let mut image = Image::from_words([jump(Opcode::Jmp, 0); PROGRAM_WORDS]);
        for first in [0, 200, 400, 600] {
            (first..first + 99).for_each(|at| image.set_word(at, NEXT));
            image.set_word(first + 99, jump(Opcode::Jz, first + 200));
        }
        let forest = cut(&image);
        assert!(forest.traces.iter().all(|trace| trace.before + trace.steps.len() <= MAX_STEPS));
        let all = forest.traces.iter().flat_map(|trace| &trace.steps);
        assert!([0, 299, 300, 499, 699].iter().all(|at| all.clone().any(|step| step == at)));
    }

    #[test]
    fn a_loop_that_nothing_leads_to_has_a_trace() {
        let to = |place| jump(Opcode::Jmp, place);
        assert_eq!(traced(&[to(0), to(1), to(4), to(3), NEXT, to(2)]), [(0, vec![2, 4, 5], 2)]);
    }

    #[test]
    fn no_entry_is_forgotten_where_a_long_trace_is_cut() {
        let mut image = Image::blank();
        for at in (0..1_300).chain(3_000..3_200) {
            image.set_word(at, NEXT);
        }
        let jumps =
            [(0, Opcode::Jmp, 1_000), (1, Opcode::Jc, 20), (2, Opcode::Jc, 10), (10, Opcode::Jmp, 3_000)];
        for (at, opcode, to) in jumps.into_iter().chain([(999, Opcode::Jmp, 1_200), (1_299, Opcode::Jc, 1)]) {
            image.set_word(at, jump(opcode, to));
        }
        let forest = cut(&image);
        assert!([0, 1, 10, 20, 1_200].into_iter().all(|at| forest.trace(at).is_some()));
        let all = forest.traces.iter().flat_map(|trace| &trace.steps);
        assert!((20..999).all(|at| all.clone().any(|step| *step == at)));
    }

    #[test]
    fn the_last_word_runs_on_at_word_0_and_long_ways_are_cut() {
        let traces = traced(&[NEXT; PROGRAM_WORDS]);
        assert_eq!(traces.len(), PROGRAM_WORDS.div_ceil(MAX_STEPS));
        assert!(traces.iter().rev().skip(1).all(|(_, steps, _)| steps.len() == MAX_STEPS));
        assert_eq!(traces[traces.len() - 1].2, 0);
    }
}
