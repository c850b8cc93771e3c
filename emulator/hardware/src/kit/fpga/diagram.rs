//! A table as a decision diagram, for logic without memory: each node tests a line and leads to one node if it is 1, to
//! another if it is 0. Nodes that several others lead to are stored once.
//!
//! This is a reduced ordered binary decision diagram with complemented edges. It works for any table, whatever the
//! table means. The highest line is tested first, since tables usually have enables and selectors there.

use gray1_machine::Truth;
use gray1_machine::logic::{Diagrams, FALSE, Function, TRUE};
use std::fmt::Write;

/// Maximum number of nodes of a table. A larger diagram would need more logic than a memory.
const MAX_NODES: usize = 8_192;

/// The data lines of a table, as functions of its address lines.
pub struct Diagram {
    diagrams: Diagrams,
    /// The functions of the data lines, lowest first. The variables are the address lines.
    roots: Vec<Function>,
}

impl Diagram {
    /// The diagram of a table with this number of data lines; `None` if it is too large.
    pub fn new(table: &[u8], data_lines: usize) -> Option<Diagram> {
        let mut diagrams = Diagrams::new(MAX_NODES);
        let roots = Truth::all(table, data_lines).into_iter().map(|Truth { lines, bits }| {
            diagrams.of_levels(lines.into_iter().rev().map(|line| line as u32), bits.into_iter()).ok()
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
