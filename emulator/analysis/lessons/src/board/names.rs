//! The names of switches and lamps, as sentences and formulas use them.

use crate::statement::{Fault, Statement};
use gray1_machine::board::Lines;
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_text::Formula;

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

/// A formula and its text.
#[derive(Clone, Debug)]
pub struct Condition {
    pub text: String,
    pub formula: Formula,
}

impl Names {
    /// Adds the nets of a line. A range has a name of its own: that of its nets without their numbers.
    pub fn add(&mut self, statement: &Statement, text: &str, is_switch: bool) -> Result<Vec<String>, Fault> {
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

    pub fn name(&self, name: usize) -> &str {
        &self.0[name].name
    }

    /// The names of the nets of a name.
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

    /// The names that together cover all nets: ranges, and nets that are in none.
    pub fn covering(&self, switches: bool) -> impl Iterator<Item = usize> {
        let is_part = move |name: &Name| {
            self.0.iter().any(|range| {
                range.nets.len() > 1 && name.nets.len() == 1 && range.nets.contains(&name.nets[0])
            })
        };
        (0..self.0.len()).filter(move |&name| self.0[name].is_switch == switches && !is_part(&self.0[name]))
    }
}
