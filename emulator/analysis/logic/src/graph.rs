//! The loops of a graph.

/// The strongly connected components of a graph: nodes of which each leads to all others. Each component comes after
/// those that it leads to. `leads[node]` has the nodes to which a node has an edge.
pub fn components(leads: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let visits = vec![None; leads.len()];
    let mut walk = Walk { leads, visits, path: Vec::new(), count: 0, components: Vec::new() };
    for node in 0..leads.len() {
        if walk.visits[node].is_none() {
            walk.visit(node);
        }
    }
    walk.components
}

/// Tarjan's algorithm.
struct Walk<'a> {
    leads: &'a [Vec<usize>],
    /// When each node was visited; `usize::MAX` once its component is complete.
    visits: Vec<Option<usize>>,
    path: Vec<usize>,
    count: usize,
    components: Vec<Vec<usize>>,
}

impl Walk<'_> {
    /// Visits a node. Returns the earliest visit on the path that it leads back to.
    fn visit(&mut self, node: usize) -> usize {
        let visit = self.count;
        self.count += 1;
        self.visits[node] = Some(visit);
        let start = self.path.len();
        self.path.push(node);
        let mut earliest = visit;
        for &next in &self.leads[node] {
            let back = self.visits[next].unwrap_or_else(|| self.visit(next));
            earliest = earliest.min(back);
        }
        if earliest == visit {
            let nodes = self.path.split_off(start);
            nodes.iter().for_each(|&node| self.visits[node] = Some(usize::MAX));
            self.components.push(nodes);
        }
        earliest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_together_that_lead_to_each_other() {
        // 0 and 1 lead to each other; 2 holds itself; 3 leads to both and to 4, which leads back; 5 leads nowhere.
        let leads = [vec![1], vec![0, 1], vec![2], vec![0, 2, 4], vec![3], vec![]];
        let mut found = components(&leads);
        found.iter_mut().for_each(|nodes| nodes.sort_unstable());
        assert_eq!(found, [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
    }
}
