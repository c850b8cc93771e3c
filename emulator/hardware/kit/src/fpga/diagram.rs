//! A table as a decision diagram, for logic without memory: each node tests a line and leads to one node if it is 1, to
//! another if it is 0. Nodes that several others lead to are stored once.
//!
//! This is a reduced ordered binary decision diagram with complemented edges. It works for any table, whatever the
//! table means. The order in which the lines are tested decides how large the diagram becomes; it is found by sifting,
//! separately for each data line.

use gray1_logic::{Diagrams, FALSE, Function, TRUE};
use gray1_machine::Truth;
use std::collections::HashSet;
use std::fmt::Write;

/// Maximum number of decisions for one data line. A larger diagram would need more logic than a memory.
const MAX_DECISIONS: usize = 2_048;

/// The data lines of a table, as functions of its address lines.
pub struct Diagram {
    diagrams: Diagrams,
    /// The functions of the data lines, lowest first. The variables are the address lines; each function has its order.
    roots: Vec<Function>,
}

impl Diagram {
    /// The diagram of a table with this number of data lines; `None` if the function of one of them is too large.
    pub fn new(table: &[u8], data_lines: usize) -> Option<Diagram> {
        let mut diagrams = Diagrams::new(usize::MAX);
        let roots = Truth::all(table, data_lines).into_iter().map(|truth| {
            let OrderedLine { lines, cells } = OrderedLine::new(truth)?;
            let lines = lines.into_iter().map(|line| line as u32);
            diagrams.of_levels(lines, cells.into_iter()).ok()
        });
        let roots = roots.collect::<Option<_>>()?;
        Some(Diagram { diagrams, roots })
    }

    /// A module of this name with the same function.
    pub fn module(&self, name: &str, address_lines: usize) -> String {
        let mut text = format!(
            "module {name} (input [{}:0] address, output [{}:0] data);\n",
            address_lines - 1,
            self.roots.len() - 1
        );
        for function in self.diagrams.all() {
            if let Some(decision) = self.decision(function) {
                let _ = writeln!(text, "    wire n{} = {decision};", function.node());
            }
        }
        let data: Vec<String> = self.roots.iter().rev().map(|&root| self.level(root)).collect();
        text + &format!("    assign data = {{{}}};\nendmodule\n\n", data.join(", "))
    }

    /// A node as a choice between two others, or simpler, as a gate; `None` if it is an address line itself.
    fn decision(&self, function: Function) -> Option<String> {
        let (line, low, high) = self.diagrams.split(function);
        let line = format!("address[{line}]");
        Some(match (high, low) {
            (TRUE, FALSE) => return None,
            (TRUE, _) => format!("{line} | {}", self.level(low)),
            (_, TRUE) => format!("~{line} | {}", self.level(high)),
            (_, FALSE) => format!("{line} & {}", self.level(high)),
            _ if low == !high => format!("~({line} ^ {})", self.level(high)),
            _ => format!("{line} ? {} : {}", self.level(high), self.level(low)),
        })
    }

    /// A function as an expression.
    fn level(&self, function: Function) -> String {
        let not = if function.is_inverted() { "~" } else { "" };
        match function {
            TRUE => "1'b1".to_owned(),
            FALSE => "1'b0".to_owned(),
            _ => match self.diagrams.asked(if function.is_inverted() { !function } else { function }) {
                Some(line) => format!("{not}address[{line}]"),
                None => format!("{not}n{}", function.node()),
            },
        }
    }
}

/// One data line of a table, in an order in which its lines are tested.
struct OrderedLine {
    /// The address lines that it depends on, in the order in which they are tested.
    lines: Vec<usize>,
    /// A value for each address of these lines, of which the first is the highest.
    cells: Vec<bool>,
}

impl OrderedLine {
    /// The function in an order that makes its diagram small; `None` if it is large to begin with. The highest line
    /// comes first at the beginning, since tables usually have enables and selectors there.
    fn new(truth: Truth) -> Option<OrderedLine> {
        let mut ordered = OrderedLine { lines: truth.lines.into_iter().rev().collect(), cells: truth.bits };
        ordered.sift().then_some(ordered)
    }

    /// Moves each line to where the diagram is smallest; false if it is large to begin with.
    fn sift(&mut self) -> bool {
        let mut best = self.decisions();
        if best > MAX_DECISIONS {
            return false;
        }
        for line in self.lines.clone() {
            let mut at = self.lines.iter().position(|&other| other == line).unwrap_or(0);
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
        true
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
