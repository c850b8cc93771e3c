//! What a board is to have: its switches and lamps, and how many chips it may have.

use super::wanted::Condition;
use crate::Refusal;
use crate::statement::{Fault, Statement, between};
use gray1_machine::board::{Board, Chip, Lines};
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_text::{Formula, counted};

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

/// The names that sentences and formulas use: of single nets, and of ranges of them.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<Name>);

#[derive(Clone, Debug)]
struct Name {
    name: String,
    /// Lowest first.
    nets: Vec<String>,
    is_switch: bool,
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

impl Names {
    /// Adds the nets of a line. A range has a name of its own: that of its nets without their numbers.
    fn add(&mut self, statement: &Statement, text: &str, is_switch: bool) -> Result<Vec<String>, Fault> {
        let mut all = Vec::new();
        for word in text.split_whitespace() {
            let lines = Lines::try_from(word.to_owned()).map_err(|message| statement.fault(message))?;
            let nets = lines.names().to_vec();
            if let [first, _, ..] = &nets[..] {
                let stem = first.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
                self.0.push(Name { name: stem, nets: nets.clone(), is_switch });
            }
            self.0.extend(nets.iter().map(|net| Name {
                name: net.clone(),
                nets: vec![net.clone()],
                is_switch,
            }));
            all.extend(nets);
        }
        Ok(all)
    }

    fn find(&self, statement: &Statement, name: &str, is_switch: bool) -> Result<usize, Fault> {
        let found = self.0.iter().position(|known| known.name == name && known.is_switch == is_switch);
        let kind = if is_switch { "switch" } else { "lamp" };
        found.ok_or_else(|| statement.fault(format!("`{name}` is not a {kind} of this board")))
    }

    pub fn switch(&self, statement: &Statement, name: &str) -> Result<usize, Fault> {
        self.find(statement, name, true)
    }

    pub fn lamp(&self, statement: &Statement, name: &str) -> Result<usize, Fault> {
        self.find(statement, name, false)
    }

    /// A name with a value that fits its nets.
    pub fn fits(&self, statement: &Statement, name: usize, value: u32) -> Result<(usize, u32), Fault> {
        match value >> self.0[name].nets.len() {
            0 => Ok((name, value)),
            _ => Err(statement.fault(format!("{value} does not fit {}", self.0[name].name))),
        }
    }

    pub fn formula(&self, statement: &Statement, text: &str) -> Result<Formula, Fault> {
        let names: Vec<&str> = self.0.iter().map(|name| name.name.as_str()).collect();
        Formula::parse(text, &names).map_err(|error| statement.fault(format!("`{text}`: {error}")))
    }

    pub fn condition(&self, statement: &Statement, text: &str) -> Result<Condition, Fault> {
        Ok(Condition { text: text.to_owned(), formula: self.formula(statement, text)? })
    }

    /// What a name is called.
    pub fn name(&self, name: usize) -> &str {
        &self.0[name].name
    }

    /// The nets of a name, as they are called.
    pub fn of(&self, name: usize) -> &[String] {
        &self.0[name].nets
    }

    /// The nets of a name, on a board that has them all.
    pub fn nets(&self, name: usize, netlist: &Netlist) -> Vec<NetId> {
        self.0[name].nets.iter().filter_map(|net| netlist.net(net)).collect()
    }

    /// The value of each name.
    pub fn values(&self, netlist: &Netlist, levels: &[bool]) -> Vec<i64> {
        (0..self.0.len()).map(|name| i64::from(number(levels, &self.nets(name, netlist)))).collect()
    }

    /// The names that tell everything: ranges, and nets that are in none.
    pub fn told(&self, switches: bool) -> impl Iterator<Item = usize> {
        let is_part = move |name: &Name| {
            self.0.iter().any(|range| {
                range.nets.len() > 1 && name.nets.len() == 1 && range.nets.contains(&name.nets[0])
            })
        };
        (0..self.0.len()).filter(move |&name| self.0[name].is_switch == switches && !is_part(&self.0[name]))
    }
}
