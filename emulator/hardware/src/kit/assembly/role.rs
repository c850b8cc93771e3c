//! Finds the line of a memory chip that a pin carries by the name of the pin, which is that of the data sheet.

use gray1_machine::netlist::Chip;

/// The write pin of a RAM chip.
const WRITE_PIN: &str = "WE#";

/// The function of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The chip drives this data line with it.
    Data(usize),
    /// The chip reads this line on it, numbered among all lines that it reads: the address, then for RAM the input and
    /// the write line.
    Line(usize),
}

impl Role {
    /// The role of a pin, by its name: `D3` is a data line, `A3` an address line. A write pin may carry the opposite of the
    /// line. A pin without a line has no role.
    pub fn of(chip: &Chip, pin: &str) -> Option<Role> {
        let address = chip.address().len();
        if chip.reads.len() > address && pin == WRITE_PIN {
            return Some(Role::Line(chip.reads.len() - 1));
        }
        let number: usize = pin.get(1..)?.parse().ok()?;
        match pin.as_bytes()[0] {
            b'A' if number < address => Some(Role::Line(number)),
            b'D' if number < chip.data.len() => Some(Role::Data(number)),
            _ => None,
        }
    }

    /// The role of a pin of the buffer beside a RAM: its address is what is written.
    pub fn of_buffer(ram: &Chip, pin: &str) -> Option<Role> {
        let number: usize = pin.strip_prefix('A')?.parse().ok()?;
        let line = ram.address().len() + number;
        (line + 1 < ram.reads.len()).then_some(Role::Line(line))
    }

    /// Whether this is the pin that writes a RAM.
    pub fn is_write(self, chip: &Chip) -> bool {
        let is_last = |line| line >= chip.address().len() && line + 1 == chip.reads.len();
        matches!(self, Role::Line(line) if is_last(line))
    }
}
