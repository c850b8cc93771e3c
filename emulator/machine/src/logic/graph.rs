//! Strongly connected components.

/// Returns the strongly connected components of a graph, each after those to which it leads. `leads[node]` has the
/// successors of a node.
pub fn components(leads: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let visits = vec![None; leads.len()];
    let mut search = Tarjan { leads, visits, path: Vec::new(), count: 0, components: Vec::new() };
    for node in 0..leads.len() {
        if search.visits[node].is_none() {
            search.visit(node);
        }
    }
    search.components
}

/// The state of Tarjan's algorithm.
struct Tarjan<'a> {
    leads: &'a [Vec<usize>],
    /// The number of the visit of each node; `usize::MAX` if its component is complete.
    visits: Vec<Option<usize>>,
    path: Vec<usize>,
    count: usize,
    components: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    /// Visits a node. Returns the earliest visit on the path to which it leads back.
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
    fn components_are_found() {
        // 0 and 1 lead to each other; 2 holds itself; 3 leads to both and to 4, which leads back; 5 leads nowhere.
        let leads = [vec![1], vec![0, 1], vec![2], vec![0, 2, 4], vec![3], vec![]];
        let mut found = components(&leads);
        found.iter_mut().for_each(|nodes| nodes.sort_unstable());
        assert_eq!(found, [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
    }
}
