//! Variables, and the containers that they are in.
//!
//! A reference to a container encodes which one it is. No state is kept for it, so it never becomes stale.

use super::program::Program;
use crate::dap::message::Refusal;
use gray1_debugger::{Name, Variable as Bytes};
use gray1_isa::memory_map::{DISPLAY_SIZE, RAM_BYTES};
use gray1_machine::board::Chip;
use serde_json::{Value, json};

/// The scopes, in the order of their references, which are counted from 1.
pub(super) const SCOPES: [&str; 5] = ["Registers", "RAM", "Display", "Nets", "Chips"];

/// A variable to be shown.
#[derive(Default)]
pub(super) struct Variable {
    pub name: String,
    value: String,
    kind: &'static str,
    /// The expression that evaluates to it.
    pub expression: Option<String>,
    /// The reference if it is a container, and the number of its elements.
    reference: i64,
    indexed: usize,
}

const REGISTERS: [&str; 6] = ["pc", "a", "c", "cycle", "phase", "halted"];
/// The registers that can be changed.
pub(super) const CHANGEABLE: [&str; 3] = ["pc", "a", "c"];
/// The first references of the bytes of names, and of chips.
pub(super) const BYTES: i64 = 0x1_0000;
pub(super) const CHIPS: i64 = 0x2_0000;
/// The first reference of the parameters and counters of frames, the outermost first.
pub(super) const LOCALS: i64 = 0x3_0000;
/// Maximum number of bytes shown beside a name.
const SUMMARY: u16 = 16;
/// The name of the variable for all of RAM.
pub(super) const ALL: &str = "ram";

impl Program {
    /// The value of an expression: the bytes for a name of several bytes, otherwise a number.
    pub(super) fn value_of(&self, text: &str, frame: Option<usize>) -> Result<Variable, Refusal> {
        let debugger = self.debugger();
        let all = self.all_bytes();
        if let Some(index) = all.iter().position(|bytes| bytes.name == text.trim() && bytes.size > 1) {
            return Ok(self.bytes(index, &all[index]));
        }
        let (expression, machine) = (self.parser(frame).whole(text)?, debugger.machine());
        let hint = expression.hint(debugger.source(), machine);
        let value = number(expression.value(machine)?);
        let value = hint.map_or(value.clone(), |hint| format!("{value}; {hint}"));
        let (name, kind) = (text.trim().to_owned(), "number");
        Ok(Variable { value, kind, name, ..Variable::default() })
    }

    /// The variables in the container with this reference.
    pub(super) fn variables(&self, reference: i64) -> Result<Vec<Variable>, Refusal> {
        let index = |first: i64| usize::try_from(reference - first).unwrap_or(usize::MAX);
        let all = self.all_bytes();
        let found = match reference {
            1 => Some(REGISTERS.iter().filter_map(|name| self.register(name)).collect()),
            2 => {
                let bytes = (0..).zip(&all).map(|(index, bytes)| self.bytes(index, bytes));
                let mut bytes: Vec<Variable> = bytes.collect();
                // Names come first, since users view them more often than RAM as a whole.
                bytes.rotate_left(1);
                Some(bytes)
            }
            3 => Some((0..DISPLAY_SIZE).filter_map(|row| self.row(row)).collect()),
            4 => {
                let mut names: Vec<&str> = self.debugger().machine().netlist().names().collect();
                names.sort_unstable();
                Some(names.into_iter().filter_map(|name| self.net(name)).collect())
            }
            5 => Some((0..).zip(self.chips()).map(|(index, chip)| self.chip(index, chip)).collect()),
            BYTES..CHIPS => all
                .get(index(BYTES))
                .map(|bytes| (0..bytes.size).map(|index| self.byte(bytes, index)).collect()),
            LOCALS.. => Some(index(LOCALS))
                .filter(|&frame| frame < self.frames().len() + self.debugger().callers().len())
                .map(|frame| self.locals(frame)),
            CHIPS.. => self
                .chips()
                .get(index(CHIPS))
                .map(|chip| nets_of(chip).filter_map(|net| self.net(net)).collect()),
            _ => None,
        };
        Ok(found.ok_or("there is nothing with this `variablesReference`")?)
    }

    /// All of RAM, followed by the names in the order of their addresses.
    fn all_bytes(&self) -> Vec<Bytes> {
        let mut all = self.debugger().source().variables();
        all.insert(0, Bytes { name: ALL.to_owned(), address: 0, size: RAM_BYTES as u16 });
        all
    }

    fn register(&self, name: &str) -> Option<Variable> {
        let mut variable = self.value_of(name, None).ok()?;
        variable.kind = "register";
        variable.expression = Some(name.to_owned());
        if name == "pc" {
            variable.value = format!("{}, {}", variable.value, self.location_name(self.sequence()));
        }
        Some(variable)
    }

    /// A name of RAM, with its byte or the first of its bytes.
    fn bytes(&self, index: usize, bytes: &Bytes) -> Variable {
        let machine = self.debugger().machine();
        let Bytes { name, address: first, size } = bytes;
        let expression = Some(name.clone()).filter(|name| name != ALL);
        if *size <= 1 {
            let value = number(i64::from(machine.reads(*first)));
            let (name, kind) = (name.clone(), "byte");
            return Variable { name, value, kind, expression, ..Variable::default() };
        }
        let shown = (*first..first + SUMMARY.min(*size)).map(|at| format!("{:02X}", machine.reads(at)));
        let more = if *size > SUMMARY { " …" } else { "" };
        Variable {
            name: name.clone(),
            value: shown.collect::<Vec<_>>().join(" ") + more,
            kind: "bytes",
            expression,
            reference: BYTES + index as i64,
            indexed: usize::from(*size),
        }
    }

    fn byte(&self, bytes: &Bytes, index: u16) -> Variable {
        let name = if bytes.name == ALL { format!("[${index:03X}]") } else { format!("[{index}]") };
        Variable {
            value: number(i64::from(self.debugger().machine().reads(bytes.address + index))),
            kind: "byte",
            expression: Some(format!("{}{name}", bytes.name)),
            name,
            ..Variable::default()
        }
    }

    /// The parameters and counters of a frame; a name that hides another one comes first.
    fn locals(&self, frame: usize) -> Vec<Variable> {
        let mut shown: Vec<Variable> = Vec::new();
        let (sequence, own) = self.frame_at(frame);
        for (name, meaning) in self.debugger().source().locals(sequence, own) {
            if shown.iter().any(|known| known.name == name) {
                continue;
            }
            let Ok(mut variable) = self.value_of(&name, Some(frame)) else { continue };
            match meaning {
                Name::Label(sequence) => {
                    (variable.kind, variable.value) = ("label", self.location_name(sequence));
                }
                Name::Address(first) => {
                    variable.kind = "byte";
                    variable.value += &format!(", {}", self.debugger().source().ram_name(first));
                }
                _ => variable.kind = "constant",
            }
            variable.expression = Some(name);
            shown.push(variable);
        }
        shown
    }

    /// A row of LEDs: dark, green, red, or amber.
    fn row(&self, row: usize) -> Option<Variable> {
        let value = self.debugger().display_row(row)?;
        Some(Variable { name: format!("row {row}"), value, kind: "LEDs", ..Variable::default() })
    }

    fn net(&self, name: &str) -> Option<Variable> {
        let value = number(i64::from(self.debugger().machine().net(name)?));
        let (name, expression) = (name.to_owned(), Some(format!("net.{name}")));
        Some(Variable { name, value, kind: "net", expression, ..Variable::default() })
    }

    fn chips(&self) -> &[Chip] {
        &self.debugger().board().chips
    }

    /// A chip: the address that it sees, and the data it gives.
    fn chip(&self, index: usize, chip: &Chip) -> Variable {
        Variable {
            name: chip.name().to_owned(),
            value: self.debugger().chip_values(index).join(" -> "),
            kind: "chip",
            reference: CHIPS + index as i64,
            ..Variable::default()
        }
    }
}

/// The nets that a chip reads, followed by the nets that it only drives.
fn nets_of(chip: &Chip) -> impl Iterator<Item = &String> {
    let drives = chip.data().names().iter();
    chip.reads().chain(drives.filter(|net| !chip.reads().any(|read| read == *net)))
}

impl Variable {
    /// An element of a list of variables.
    pub(super) fn shown(self) -> Value {
        let mut shown = self.result("value");
        shown["name"] = self.name.into();
        let can_change = |expression: &str| self.kind.starts_with("byte") || CHANGEABLE.contains(&expression);
        if !self.expression.as_deref().is_some_and(can_change) {
            shown["presentationHint"] = json!({ "attributes": ["readOnly"] });
        }
        if let Some(expression) = self.expression {
            shown["evaluateName"] = expression.into();
        }
        shown
    }

    /// The result of a request, with the value under this key.
    pub(super) fn result(&self, key: &str) -> Value {
        let mut shown = json!({ key: self.value, "type": self.kind, "variablesReference": self.reference });
        if self.indexed > 0 {
            shown["indexedVariables"] = self.indexed.into();
        }
        shown
    }
}

/// A number as text: `7`, `50 ($32)`.
fn number(value: i64) -> String {
    match value {
        10.. => format!("{value} (${value:02X})"),
        _ => value.to_string(),
    }
}
