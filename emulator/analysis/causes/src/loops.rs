//! Finds the loops of a graph that depend on nothing outside themselves.

/// The strongly connected components without edges to other nodes. `leads[node]` has the nodes to which a node has an
/// edge; a number with `None` is not a node.
pub fn loops_of(leads: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
    let visits = vec![None; leads.len()];
    let mut walk = Walk { leads, visits, path: Vec::new(), count: 0, loops: Vec::new() };
    for (node, leads) in leads.iter().enumerate() {
        if leads.is_some() && walk.visits[node].is_none() {
            walk.visit(node);
        }
    }
    walk.loops
}

/// Tarjan's algorithm.
struct Walk<'a> {
    leads: &'a [Option<Vec<usize>>],
    /// When each node was visited; `usize::MAX` once its component is complete.
    visits: Vec<Option<usize>>,
    path: Vec<usize>,
    count: usize,
    loops: Vec<Vec<usize>>,
}

impl Walk<'_> {
    /// Visits a node. Returns the earliest visit on the path that it leads back to, and whether it leads to no
    /// completed component.
    fn visit(&mut self, node: usize) -> (usize, bool) {
        let visit = self.count;
        self.count += 1;
        self.visits[node] = Some(visit);
        let start = self.path.len();
        self.path.push(node);
        let (mut earliest, mut is_closed) = (visit, true);
        for &next in self.leads[node].iter().flatten() {
            match self.visits[next] {
                Some(usize::MAX) => is_closed = false,
                Some(other) => earliest = earliest.min(other),
                None => {
                    let (other, is_rest_closed) = self.visit(next);
                    is_closed &= is_rest_closed && self.visits[next] != Some(usize::MAX);
                    earliest = earliest.min(other);
                }
            }
        }
        if earliest == visit {
            let nodes = self.path.split_off(start);
            nodes.iter().for_each(|&node| self.visits[node] = Some(usize::MAX));
            if is_closed {
                self.loops.push(nodes);
            }
        }
        (earliest, is_closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found_that_listen_to_no_other() {
        // 0 and 1 lead to each other; 2 holds itself; 3 leads to both and to 4, which leads back; 5 is not a node.
        let leads =
            [Some(vec![1]), Some(vec![0, 1]), Some(vec![2]), Some(vec![0, 2, 4]), Some(vec![3]), None];
        let mut found = loops_of(&leads);
        found.iter_mut().for_each(|nodes| nodes.sort_unstable());
        found.sort();
        assert_eq!(found, [vec![0, 1], vec![2]]);
    }
}
