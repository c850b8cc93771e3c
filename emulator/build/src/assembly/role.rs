//! Which line of a memory chip is on a pin, by the name of the pin: the names are those of data sheets.

use gray1_machine::netlist::Chip;

/// The write pins of RAM chips, with two ports and with one.
const WRITE_PINS: [&str; 2] = ["WL", "WE#"];

/// What a pin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It drives this data line.
    Data(usize),
    /// The chip reads this line there.
    Line {
        /// Its number among all lines that it reads: the address, then for RAM the input and the write line.
        line: usize,
        /// Reading goes by it.
        reads: bool,
        /// Writing goes by it.
        writes: bool,
    },
}

impl Role {
    /// `D3` is a data line, `A3` an address line; a RAM with two ports reads by its right one and writes by its left one. On
    /// a write pin there may be the opposite of the line. A pin that has no line has no role.
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

    /// Whether this is the pin that writes a RAM.
    pub fn is_write(self, chip: &Chip) -> bool {
        let is_last = |line| line >= chip.address().len() && line + 1 == chip.reads.len();
        matches!(self, Role::Line { line, .. } if is_last(line))
    }
}
