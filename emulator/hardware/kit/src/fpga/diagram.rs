//! A table as a decision diagram, for logic without memory: each node tests a line and leads to one node if it is 1, to
//! another if it is 0. Nodes that several others lead to are stored once.
//!
//! This is a reduced ordered binary decision diagram with complemented edges. It works for any table, whatever the
//! table means. The order in which the lines are tested decides how large the diagram becomes; it is found by sifting,
//! separately for each data line.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Maximum number of decisions for one data line. A larger diagram would need more logic than a memory.
const MOST_DECISIONS: usize = 2_048;
/// The node that stands for 1.
const ONE: usize = 0;

/// The data lines of a table, as functions of its address lines.
pub struct Diagram {
    /// The first node stands for 1. Each node comes after those that it leads to.
    nodes: Vec<Node>,
    /// The edge to the first node of each data line, lowest first.
    roots: Vec<Edge>,
    numbers: HashMap<Node, usize>,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The address line that is tested.
    line: usize,
    /// The next node if it is 1; this edge is never inverted.
    high: usize,
    /// The edge to the next node if it is 0.
    low: Edge,
}

/// An edge to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    node: usize,
    inverted: bool,
}

impl Edge {
    fn constant(value: bool) -> Edge {
        Edge { node: ONE, inverted: !value }
    }

    fn inverted_if(self, inverted: bool) -> Edge {
        Edge { inverted: self.inverted != inverted, ..self }
    }
}

impl Diagram {
    /// The diagram of a table with this number of data lines; `None` if the function of one of them is too large.
    pub fn new(table: &[u8], data_lines: usize) -> Option<Diagram> {
        let one = Node { line: usize::MAX, high: ONE, low: Edge::constant(true) };
        let mut diagram = Diagram { nodes: vec![one], roots: Vec::new(), numbers: HashMap::new() };
        for bit in 0..data_lines {
            let cells = table.iter().map(|cell| cell >> bit & 1 == 1).collect();
            let function = Function::new(cells).ordered()?;
            let root = diagram.add(&function);
            diagram.roots.push(root);
        }
        Some(diagram)
    }

    /// Adds the node of a function and all nodes that it leads to, from the last line to the first.
    fn add(&mut self, function: &Function) -> Edge {
        let mut edges: Vec<Edge> = function.cells.iter().map(|&cell| Edge::constant(cell)).collect();
        for &line in function.lines.iter().rev() {
            edges = edges.chunks(2).map(|pair| self.node(line, pair[1], pair[0])).collect();
        }
        edges[0]
    }

    fn node(&mut self, line: usize, high: Edge, low: Edge) -> Edge {
        if high == low {
            return high;
        }
        let node = Node { line, high: high.node, low: low.inverted_if(high.inverted) };
        let next = self.nodes.len();
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        Edge { node: number, inverted: high.inverted }
    }

    /// A module of this name with the same function.
    pub fn module(&self, name: &str, address_lines: usize) -> String {
        let mut text = format!(
            "module {name} (input [{}:0] address, output [{}:0] data);\n",
            address_lines - 1,
            self.roots.len() - 1
        );
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            if let Some(decision) = decision(node) {
                let decision = decision.map_or_else(|| self.choice(node), |word| self.shorter(node, word));
                let _ = writeln!(text, "    wire n{number} = {decision};");
            }
        }
        let data: Vec<String> = self.roots.iter().rev().map(|&root| self.level(root)).collect();
        text + &format!("    assign data = {{{}}};\nendmodule\n\n", data.join(", "))
    }

    /// A node as a choice between two others.
    fn choice(&self, node: &Node) -> String {
        let high = self.level(Edge { node: node.high, inverted: false });
        format!("address[{}] ? {high} : {}", node.line, self.level(node.low))
    }

    /// A node that can be written as a gate.
    fn shorter(&self, node: &Node, gate: Gate) -> String {
        let line = format!("address[{}]", node.line);
        let high = || self.level(Edge { node: node.high, inverted: false });
        match gate {
            Gate::Or => format!("{line} | {}", self.level(node.low)),
            Gate::OrNot => format!("~{line} | {}", high()),
            Gate::And => format!("{line} & {}", high()),
            Gate::Equal => format!("~({line} ^ {})", high()),
        }
    }

    /// The function at the end of an edge, as an expression.
    fn level(&self, edge: Edge) -> String {
        let not = if edge.inverted { "~" } else { "" };
        match (edge.node, decision(&self.nodes[edge.node])) {
            (ONE, _) => if edge.inverted { "1'b0" } else { "1'b1" }.to_owned(),
            (node, Some(_)) => format!("{not}n{node}"),
            (node, None) => format!("{not}address[{}]", self.nodes[node].line),
        }
    }
}

/// A decision that is simpler than a choice between two others.
#[derive(Clone, Copy)]
enum Gate {
    Or,
    OrNot,
    And,
    Equal,
}

/// What a node needs: `None` if it is an address line itself, otherwise a choice or, simpler, a gate.
fn decision(node: &Node) -> Option<Option<Gate>> {
    let (zero, one) = (Edge::constant(false), Edge::constant(true));
    match node {
        Node { high: ONE, low, .. } if *low == zero => None,
        Node { high: ONE, .. } => Some(Some(Gate::Or)),
        Node { low, .. } if *low == one => Some(Some(Gate::OrNot)),
        Node { low, .. } if *low == zero => Some(Some(Gate::And)),
        Node { low, high, .. } if low.node == *high => Some(Some(Gate::Equal)),
        _ => Some(None),
    }
}

/// One data line of a table.
struct Function {
    /// The address lines that it depends on, in the order in which they are tested.
    lines: Vec<usize>,
    /// A value for each address of these lines, of which the first is the highest.
    cells: Vec<bool>,
}

impl Function {
    /// The function of all address lines except those that make no difference. The highest comes first, since tables
    /// usually have enables and selectors there.
    fn new(mut cells: Vec<bool>) -> Function {
        let all = cells.len().trailing_zeros() as usize;
        let mut lines = Vec::new();
        for line in (0..all).rev() {
            let half = 1 << line;
            // Lines below `half` are still to be checked, those above have been removed or kept.
            if cells.chunks(2 * half).all(|pair| pair[..half] == pair[half..]) {
                cells = cells.chunks(2 * half).flat_map(|pair| pair[..half].to_vec()).collect();
            } else {
                lines.push(line);
            }
        }
        Function { lines, cells }
    }

    /// The same function in an order that makes its diagram small; `None` if it is large to begin with.
    fn ordered(mut self) -> Option<Function> {
        let mut best = self.decisions();
        if best > MOST_DECISIONS {
            return None;
        }
        for line in self.lines.clone() {
            let mut at = self.lines.iter().position(|&other| other == line)?;
            let mut place = at;
            // Move the line to the front, then to the back, then to its best place.
            let (front, back) = ((0..at).rev(), 1..self.lines.len());
            for to in front.chain(back) {
                at = self.go(at, to);
                let count = self.decisions();
                if count < best {
                    (best, place) = (count, to);
                }
            }
            while at != place {
                at = self.go(at, if place < at { at - 1 } else { at + 1 });
            }
        }
        Some(self)
    }

    /// Moves a line by one place, and returns its new place.
    fn go(&mut self, from: usize, to: usize) -> usize {
        let first = from.min(to);
        self.lines.swap(first, first + 1);
        // Swapping two lines swaps the two middle ones of every four neighbouring blocks.
        let block = self.cells.len() >> (first + 2);
        for four in self.cells.chunks_mut(4 * block) {
            let (left, right) = four.split_at_mut(2 * block);
            left[block..].swap_with_slice(&mut right[..block]);
        }
        to
    }

    /// The number of decisions in this order.
    fn decisions(&self) -> usize {
        let mut count = 0;
        let mut functions: HashSet<&[bool]> = HashSet::from([self.cells.as_slice()]);
        for _ in &self.lines {
            let mut next = HashSet::new();
            for function in functions {
                let (low, high) = function.split_at(function.len() / 2);
                count += usize::from(low != high);
                next.extend([low, high]);
            }
            functions = next;
        }
        count
    }
}
