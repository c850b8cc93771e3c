//! Finds the line of a memory chip that a pin carries by the name of the pin, which is that of the data sheet.

use gray1_machine::netlist::Chip;

/// The write pins of RAM chips, with two ports and with one.
const WRITE_PINS: [&str; 2] = ["WL", "WE#"];

/// The function of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The chip drives this data line with it.
    Data(usize),
    /// The chip reads this line on it.
    Line {
        /// Its number among all lines that the chip reads: the address, then for RAM the input and the write line.
        line: usize,
        /// Whether a read depends on it.
        reads: bool,
        /// Whether a write depends on it.
        writes: bool,
    },
}

impl Role {
    /// The role of a pin, by its name: `D3` is a data line, `A3` an address line. A RAM with two ports reads through
    /// its right one and writes through its left one. A write pin may carry the opposite of the line. A pin without a
    /// line has no role.
    pub fn of(chip: &Chip, pin: &str) -> Option<Role> {
        let address = chip.address().len();
        if chip.reads.len() > address && WRITE_PINS.contains(&pin) {
            return Some(Role::Line { line: chip.reads.len() - 1, reads: true, writes: true });
        }
        let mut letters = pin.chars();
        let kind = letters.next()?;
        let side = letters.next_back().filter(char::is_ascii_alphabetic);
        let digits = &pin[kind.len_utf8()..pin.len() - usize::from(side.is_some())];
        let number: usize = digits.parse().ok()?;
        match (kind, side) {
            ('A', side) if number < address => {
                Some(Role::Line { line: number, reads: side != Some('L'), writes: side != Some('R') })
            }
            ('D', Some('L')) if address + number + 1 < chip.reads.len() => {
                Some(Role::Line { line: address + number, reads: true, writes: true })
            }
            ('D', side) if side != Some('L') && number < chip.data.len() => Some(Role::Data(number)),
            _ => None,
        }
    }

    /// The role of a pin of the buffer beside a RAM: its address is what is written.
    pub fn of_buffer(ram: &Chip, pin: &str) -> Option<Role> {
        let number: usize = pin.strip_prefix('A')?.parse().ok()?;
        let line = ram.address().len() + number;
        (line + 1 < ram.reads.len()).then_some(Role::Line { line, reads: true, writes: true })
    }

    /// Whether this is the pin that writes a RAM.
    pub fn is_write(self, chip: &Chip) -> bool {
        let is_last = |line| line >= chip.address().len() && line + 1 == chip.reads.len();
        matches!(self, Role::Line { line, .. } if is_last(line))
    }
}
