//! The pins of chips in the assembly: which pin a line of the netlist is on, and the net on that pin. The net is not
//! always the line itself: RAM is written while its pin is low, and there are filters between pins and nets.

use super::bench::Port;
use crate::assembly::{Assembly, Pin, Role};
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// Looks up pins.
pub struct Pins<'a> {
    pub netlist: &'a Netlist,
    pub assembly: &'a Assembly,
}

impl Pins<'_> {
    /// The ports on which a chip reads a line.
    pub fn ports(&self, chip: ChipId, line: usize) -> &'static [Port] {
        let is_there = |port| self.find(chip, reading(line, port)).is_some();
        if is_there(Port::Writing) && is_there(Port::Reading) {
            &[Port::Writing, Port::Reading]
        } else {
            &[Port::Only]
        }
    }

    /// The pin on which a chip reads a line, and its level while the line has this one.
    pub fn reading(&self, chip: ChipId, line: usize, port: Port, level: bool) -> (String, bool) {
        let (parts, mut role) = (&self.netlist.chips[chip], reading(line, port));
        let input = line.checked_sub(parts.address().len()).filter(|_| !role.is_write(parts));
        if let (None, Some(input)) = (self.find(chip, role), input) {
            // A RAM with one port takes its input on the pins that it drives.
            role = Role::Data(input);
        }
        // Real RAM chips are written while a pin is low: the net on it is the opposite of the line.
        (self.text(chip, role, parts.reads[line]), level != role.is_write(parts))
    }

    /// The pin on which a chip drives a line.
    pub fn giving(&self, chip: ChipId, line: usize) -> String {
        self.text(chip, Role::Data(line), self.netlist.chips[chip].data[line])
    }

    /// The pin of the chip that drives a net, without the net.
    pub fn of(&self, net: NetId) -> String {
        let Some(pin) = self.netlist.nets[net].driver else { return String::new() };
        let reference = &self.netlist.chips[pin.chip].name;
        match self.find(pin.chip, Role::Data(pin.line)) {
            Some(pin) => format!("{reference} pin {}", pin.number),
            None => reference.clone(),
        }
    }

    fn find(&self, chip: ChipId, role: Role) -> Option<&Pin> {
        let chip = &self.netlist.chips[chip];
        let item = self.assembly.items.iter().find(|item| item.reference == chip.name)?;
        item.pins.iter().find(|pin| Role::of(chip, &pin.name) == Some(role))
    }

    /// A pin and the net on it; the line if it has no pin.
    fn text(&self, chip: ChipId, role: Role, line: NetId) -> String {
        let (reference, name) = (&self.netlist.chips[chip].name, &self.netlist.nets[line].name);
        match self.find(chip, role) {
            Some(pin) => format!("{reference} pin {} ({})", pin.number, pin.net.as_ref().unwrap_or(name)),
            None => format!("{reference} ({name})"),
        }
    }
}

fn reading(line: usize, port: Port) -> Role {
    Role::Line { line, reads: port != Port::Writing, writes: port != Port::Reading }
}
