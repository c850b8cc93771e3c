//! The longest paths of a graph.

/// Returns the length of the longest path to each node; `None` if there is a cycle.
pub fn longest_paths(nodes: usize, edges: &[(usize, usize)]) -> Option<Vec<u64>> {
    let mut left = vec![0; nodes];
    let mut first = vec![0; nodes + 1];
    for &(from, to) in edges {
        left[to] += 1;
        first[from + 1] += 1;
    }
    for node in 0..nodes {
        first[node + 1] += first[node];
    }
    let mut targets = vec![0; edges.len()];
    let mut place = first.clone();
    for &(from, to) in edges {
        targets[place[from]] = to;
        place[from] += 1;
    }
    let mut longest = vec![0; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|&node| left[node] == 0).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &to in &targets[first[node]..first[node + 1]] {
            longest[to] = longest[to].max(longest[node] + 1);
            left[to] -= 1;
            if left[to] == 0 {
                ready.push(to);
            }
        }
    }
    (done == nodes).then_some(longest)
}
