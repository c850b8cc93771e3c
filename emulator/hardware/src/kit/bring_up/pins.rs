//! The pins of chips in the assembly: which pin a line of the netlist is on, and the net on that pin. The net is not
//! always the line itself: RAM is written while its pin is low, and there are filters between pins and nets.

use crate::kit::assembly::{Assembly, Item, Pin, Role};
use gray1_machine::netlist::{ChipId, NetId, Netlist};

/// Looks up pins, and describes measurements on them.
pub struct Pins<'a> {
    pub netlist: &'a Netlist,
    pub assembly: &'a Assembly,
}

impl Pins<'_> {
    /// The pin on which a chip reads a line, and the level of that pin while the line has this level.
    pub fn reading(&self, chip: ChipId, line: usize, level: bool) -> (String, bool) {
        let (parts, role) = (&self.netlist.chips[chip], Role::Line(line));
        // Real RAM chips are written while a pin is low: the net on it is the opposite of the line.
        (self.text(chip, role, parts.reads[line]), level != role.is_write(parts))
    }

    /// The names of these chips, with the buffers that are inserted with them.
    pub fn inserted(&self, chips: &[ChipId]) -> Vec<String> {
        self.assembly.with_buffers(chips.iter().map(|&chip| self.netlist.chips[chip].name.as_str()))
    }

    /// The pin on which a chip drives a line.
    pub fn giving(&self, chip: ChipId, line: usize) -> String {
        self.text(chip, Role::Data(line), self.netlist.chips[chip].data[line])
    }

    /// The pin of the chip that drives a net, without the net.
    pub fn of(&self, net: NetId) -> String {
        let Some(pin) = self.netlist.nets[net].driver else { return String::new() };
        match self.find(pin.chip, Role::Data(pin.line)) {
            Some((item, pin)) => format!("{} pin {}", item.reference, pin.number),
            None => self.netlist.chips[pin.chip].name.clone(),
        }
    }

    fn find(&self, chip: ChipId, role: Role) -> Option<(&Item, &Pin)> {
        let mut pins = self.assembly.pins_of(&self.netlist.chips[chip]);
        pins.find_map(|(item, pin, its)| (its == role).then_some((item, pin)))
    }

    /// A pin and the net on it; the line if it has no pin.
    fn text(&self, chip: ChipId, role: Role, line: NetId) -> String {
        let name = &self.netlist.nets[line].name;
        match self.find(chip, role) {
            Some((item, pin)) => {
                format!("{} pin {} ({})", item.reference, pin.number, pin.net.as_ref().unwrap_or(name))
            }
            None => format!("{} ({name})", self.netlist.chips[chip].name),
        }
    }
}
