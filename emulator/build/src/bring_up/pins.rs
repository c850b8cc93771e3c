//! The pins of chips, as the assembly has them: which pin a line of the netlist is on, and the net that is there. That is
//! not always the line itself: RAM is written while its pin is low, and filters stand between pins and nets.

use super::bench::Port;
use crate::assembly::{Assembly, Pin};
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// Looks pins up.
pub struct Pins<'a> {
    pub netlist: &'a Netlist,
    pub assembly: &'a Assembly,
}

impl Pins<'_> {
    /// The ports on which a chip reads a line.
    pub fn ports(&self, chip: ChipId, line: usize) -> &'static [Port] {
        let is_there = |port| self.find(chip, &self.reading_names(chip, line, port)).is_some();
        let is_address = line < self.netlist.chips[chip].address().len();
        if is_address && is_there(Port::Writing) && is_there(Port::Reading) {
            &[Port::Writing, Port::Reading]
        } else {
            &[Port::Only]
        }
    }

    /// The pin on which a chip reads a line, and its level while the line has this one.
    pub fn reading(&self, chip: ChipId, line: usize, port: Port, level: bool) -> (String, bool) {
        let parts = &self.netlist.chips[chip];
        // RAM chips that are sold are written while a pin is low: the net on it is the opposite of the line.
        let is_write = line >= parts.address().len() && line + 1 == parts.reads.len();
        (self.text(chip, &self.reading_names(chip, line, port), parts.reads[line]), level != is_write)
    }

    /// The pin on which a chip drives a line.
    pub fn giving(&self, chip: ChipId, line: usize) -> String {
        self.text(chip, &giving_names(line), self.netlist.chips[chip].data[line])
    }

    /// The pin of the chip that drives a net, without the net.
    pub fn of(&self, net: NetId) -> String {
        let Some(pin) = self.netlist.nets[net].driver else { return String::new() };
        let reference = &self.netlist.chips[pin.chip].name;
        match self.find(pin.chip, &giving_names(pin.line)) {
            Some(pin) => format!("{reference} pin {}", pin.number),
            None => reference.clone(),
        }
    }

    fn reading_names(&self, chip: ChipId, line: usize, port: Port) -> Vec<String> {
        let parts = &self.netlist.chips[chip];
        match (line.checked_sub(parts.address().len()), port) {
            (None, Port::Only) => vec![format!("A{line}")],
            (None, Port::Writing) => vec![format!("A{line}L")],
            (None, Port::Reading) => vec![format!("A{line}R")],
            (Some(data), _) if line + 1 < parts.reads.len() => vec![format!("D{data}"), format!("D{data}L")],
            (Some(_), _) => vec!["WE#".to_owned(), "WL".to_owned()],
        }
    }

    fn find(&self, chip: ChipId, names: &[String]) -> Option<&Pin> {
        let reference = &self.netlist.chips[chip].name;
        let item = self.assembly.items.iter().find(|item| item.reference == *reference)?;
        item.pins.iter().find(|pin| names.contains(&pin.name))
    }

    /// A pin and the net on it; without a pin, the line.
    fn text(&self, chip: ChipId, names: &[String], line: NetId) -> String {
        let (reference, name) = (&self.netlist.chips[chip].name, &self.netlist.nets[line].name);
        match self.find(chip, names) {
            Some(pin) => format!("{reference} pin {} ({})", pin.number, pin.net.as_ref().unwrap_or(name)),
            None => format!("{reference} ({name})"),
        }
    }
}

fn giving_names(line: usize) -> [String; 2] {
    [format!("D{line}"), format!("D{line}R")]
}
