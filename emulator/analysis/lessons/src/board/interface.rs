//! What a board is to have: its switches and lamps, and how many chips it may have.

use super::names::Names;
use crate::Refusal;
use crate::statement::{Fault, Statement, between};
use gray1_machine::board::{Board, Chip};
use gray1_text::counted;

/// What a board is to have.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The nets that are set, among them the clock, and the nets that are looked at.
    pub switches: Vec<String>,
    pub lamps: Vec<String>,
    pub names: Names,
    most_chips: Option<usize>,
    most_bits: Option<usize>,
    most_lines: Option<usize>,
}

impl Given {
    /// Reads a line, if it is about what is given.
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
            self.most_lines = Some(statement.number(text)?);
        } else if let Some(text) = most("chip") {
            self.most_chips = Some(statement.number(text)?);
        } else if let Some(text) = most("address bit") {
            self.most_bits = Some(statement.number(text)?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether a board has what it is to have. Returns how many chips it has, and how many address bits.
    pub fn check(&self, board: &Board) -> Result<[usize; 2], Refusal> {
        if board.bench.is_none() {
            let missing = "This board has a CPU; here it is to have a `bench` with switches and lamps, as the one that you \
                           begin with.";
            return Err(missing.into());
        }
        let netlist = board.netlist();
        let inputs = || netlist.inputs.iter().cloned().flatten().map(|net| &netlist.nets[net].name);
        if let Some(name) = self.switches.iter().find(|name| !inputs().any(|input| input == *name)) {
            return Err(format!("Your board has no switch {name}: leave it among its `inputs`.").into());
        }
        if let Some(name) = inputs().find(|name| !self.switches.contains(name)) {
            return Err(
                format!("Your board has a switch {name}, which nobody would set: leave it out.").into()
            );
        }
        if let Some(name) = self.lamps.iter().find(|name| netlist.net(name).is_none()) {
            return Err(
                format!("Nothing drives the lamp {name}: a chip has to have it among its `data`.").into()
            );
        }
        let lines = |chip: &Chip| chip.address().len();
        if let Some(most) = self.most_lines
            && let Some(chip) = board.chips.iter().find(|chip| lines(chip) > most)
        {
            let (name, count) = (chip.name(), counted(lines(chip), "address line"));
            return Err(format!("{name} has {count}, but here a chip may have at most {most}.").into());
        }
        let score = [board.chips.len(), board.chips.iter().map(lines).sum()];
        let limits = [(score[0], self.most_chips, "chip"), (score[1], self.most_bits, "address bit")];
        for (count, most, unit) in limits {
            if let Some(most) = most.filter(|most| count > *most) {
                let (count, most) = (counted(count, unit), counted(most, unit));
                return Err(format!("Your board has {count}, but at most {most} may be used.").into());
            }
        }
        Ok(score)
    }
}
