//! The names of switches and lamps in the lines of an exercise.

use crate::statement::{Fault, Statement};
use gray1_machine::board::Lines;
use gray1_machine::netlist::{NetId, Netlist, number};
use gray1_text::Formula;

/// The names of single nets and of ranges of nets. Functions refer to a name by its index.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<Name>);

#[derive(Clone, Debug)]
struct Name {
    name: String,
    /// The nets, lowest first.
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
    /// Adds the nets of a line. A range also gets a name: the name of its first net without the number.
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

    /// Fails if a value has more bits than a name has nets.
    pub fn check_fit(&self, statement: &Statement, name: usize, value: u32) -> Result<(), Fault> {
        match value >> self.0[name].nets.len() {
            0 => Ok(()),
            _ => Err(statement.fault(format!("{value} does not fit {}", self.0[name].name))),
        }
    }

    pub fn formula(&self, statement: &Statement, text: &str) -> Result<Formula, Fault> {
        let names: Vec<&str> = self.0.iter().map(|name| name.name.as_str()).collect();
        statement.formula(text, &names)
    }

    pub fn condition(&self, statement: &Statement, text: &str) -> Result<Condition, Fault> {
        Ok(Condition { text: text.to_owned(), formula: self.formula(statement, text)? })
    }

    pub fn name(&self, name: usize) -> &str {
        &self.0[name].name
    }

    /// Returns the names of the nets.
    pub fn net_names(&self, name: usize) -> &[String] {
        &self.0[name].nets
    }

    /// Returns the nets of a name. The board must have them all.
    pub fn nets(&self, name: usize, netlist: &Netlist) -> Vec<NetId> {
        self.0[name].nets.iter().filter_map(|net| netlist.net(net)).collect()
    }

    /// Returns the value of each name.
    pub fn values(&self, netlist: &Netlist, levels: &[bool]) -> Vec<i64> {
        (0..self.0.len()).map(|name| i64::from(number(levels, &self.nets(name, netlist)))).collect()
    }

    /// Lists names so that each net occurs once: the ranges, and the nets that are in no range.
    pub fn disjoint(&self, switches: bool) -> impl Iterator<Item = usize> {
        let is_part = move |name: &Name| {
            self.0.iter().any(|range| {
                range.nets.len() > 1 && name.nets.len() == 1 && range.nets.contains(&name.nets[0])
            })
        };
        (0..self.0.len()).filter(move |&name| self.0[name].is_switch == switches && !is_part(&self.0[name]))
    }
}
