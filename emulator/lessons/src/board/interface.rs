//! The interface that an exercise requires of a board, and the limits on its size.

use super::names::Names;
use crate::Refusal;
use crate::refusal::refuse;
use crate::statement::{Fault, Statement, between};
use gray1_machine::board::{Board, Chip};
use gray1_text::counted;

/// The switches and lamps of a board, and its maximum size.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// The nets that are inputs, including the clock.
    pub switches: Vec<String>,
    /// The nets that are outputs.
    pub lamps: Vec<String>,
    pub names: Names,
    max_chips: Option<usize>,
    /// The maximum number of address lines of all chips together.
    max_bits: Option<usize>,
    /// The maximum number of address lines of each chip.
    max_lines: Option<usize>,
}

impl Interface {
    /// Parses a line about the interface. Returns false for any other line.
    pub fn read(&mut self, statement: &Statement, line: &str) -> Result<bool, Fault> {
        let most = |unit: &str| {
            let plural = format!(" {unit}s");
            let text = between(line, "at most ", &plural);
            text.or_else(|| between(line, "at most ", &plural[..plural.len() - 1]))
        };
        if let Some(text) = line.strip_prefix("switches ").or_else(|| line.strip_prefix("clock ")) {
            let nets = self.names.add(statement, text, true)?;
            self.switches.extend(nets);
        } else if let Some(text) = line.strip_prefix("lamps ") {
            let nets = self.names.add(statement, text, false)?;
            self.lamps.extend(nets);
        } else if let Some(text) = between(line, "each chip at most ", " address lines") {
            self.max_lines = Some(statement.number(text)?);
        } else if let Some(text) = most("chip") {
            self.max_chips = Some(statement.number(text)?);
        } else if let Some(text) = most("address bit") {
            self.max_bits = Some(statement.number(text)?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Checks the interface and the size of a board. Returns the number of its chips and of its address bits.
    pub fn check(&self, board: &Board) -> Result<[usize; 2], Refusal> {
        if board.bench.is_none() {
            let missing = "This board has a CPU; the level needs a `bench` with switches and lamps, as in the initial text.";
            return Err(missing.into());
        }
        let netlist = board.netlist();
        let inputs = || netlist.inputs.iter().cloned().flatten().map(|net| &netlist.nets[net].name);
        if let Some(name) = self.switches.iter().find(|name| !inputs().any(|input| input == *name)) {
            refuse!("Your board has no switch {name}: leave it among its `inputs`.");
        }
        if let Some(name) = inputs().find(|name| !self.switches.contains(name)) {
            refuse!("Your board has a switch {name}, which the level does not use: leave it out.");
        }
        if let Some(name) = self.lamps.iter().find(|name| netlist.net(name).is_none()) {
            refuse!("Nothing drives the lamp {name}: a chip must have it among its `data`.");
        }
        let lines = |chip: &Chip| chip.address().len();
        if let Some(most) = self.max_lines
            && let Some(chip) = board.chips.iter().find(|chip| lines(chip) > most)
        {
            let (name, count) = (chip.name(), counted(lines(chip), "address line"));
            refuse!("{name} has {count}, but a chip may have at most {most} here.");
        }
        let score = [board.chips.len(), board.chips.iter().map(lines).sum()];
        let limits = [(score[0], self.max_chips, "chip"), (score[1], self.max_bits, "address bit")];
        for (count, most, unit) in limits {
            if let Some(most) = most.filter(|most| count > *most) {
                let (count, most) = (counted(count, unit), counted(most, unit));
                refuse!("Your board has {count}, but at most {most} may be used.");
            }
        }
        Ok(score)
    }
}
