//! Changes to the cells of a ROM, as text: one cell, several, or one data line of them.
//!
//! ```text
//!   ALUL:0x2AA=0x0B             a cell
//!   ALUL:0x2AA.R3=0             a data line of a cell
//!   ALUL:*.C4=0                 a data line of all cells: stuck
//!   RED3:%0xxxxxxxxxxxxxxxx=0   all cells whose address matches, the highest line first; x is any level
//!   ALUL:%xxxxxxxxxx001.R0=X0   a data line that follows an address line; `~X0` is its opposite
//! ```

use super::{Board, Chip};
use gray1_isa::Image;
use gray1_text::number;
use std::str::FromStr;
use thiserror::Error;

/// A change to the cells of a ROM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    chip: String,
    /// The change applies to addresses that agree with `value` in the lines of `mask`.
    mask: u32,
    value: u32,
    /// The number of digits, if the address is a pattern.
    digits: Option<usize>,
    /// The data line to change; `None` for all of them.
    line: Option<String>,
    to: NewValue,
}

/// The new value of a cell, or of a data line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NewValue {
    Number(u8),
    /// The level of an address line, or its opposite.
    Line {
        name: String,
        is_inverted: bool,
    },
}

/// The reason why a change cannot be made, or cannot be parsed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct ChangeError(String);

/// The syntax of a change, for error messages.
const USAGE: &str =
    "write CHIP:ADDRESS=VALUE, for instance `ALUL:0x2AA=0x0B`, `ALUL:*.C4=0` or `RED3:%0xxxxxxxxxxxxxxxx=0`";

impl FromStr for Change {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Change, ChangeError> {
        read(text).ok_or_else(|| match text {
            "" => ChangeError(USAGE.to_owned()),
            _ => ChangeError(format!("`{text}`: {USAGE}")),
        })
    }
}

fn read(text: &str) -> Option<Change> {
    let (chip, rest) = text.split_once(':')?;
    let (place, to) = rest.split_once('=')?;
    let (address, line) =
        place.split_once('.').map_or((place, None), |(address, line)| (address, Some(line)));
    let (mask, value, digits) = match address.strip_prefix('%') {
        _ if address == "*" => (0, 0, None),
        Some(pattern) if pattern.contains(['x', 'X']) && pattern.len() <= 20 => {
            let (mask, value) = pattern.chars().try_fold((0, 0), |(mask, value), digit| match digit {
                'x' | 'X' => Some((mask << 1, value << 1)),
                _ => Some((mask << 1 | 1, value << 1 | digit.to_digit(2)?)),
            })?;
            (mask, value, Some(pattern.len()))
        }
        _ => (u32::MAX, number(address)?, None),
    };
    let to = match number(to) {
        Some(number) => NewValue::Number(number.try_into().ok()?),
        None => {
            let name = to.strip_prefix('~');
            NewValue::Line { name: name.unwrap_or(to).to_owned(), is_inverted: name.is_some() }
        }
    };
    Some(Change { chip: chip.to_owned(), mask, value, digits, line: line.map(str::to_owned), to })
}

impl Board {
    /// Changes cells of a ROM. The program chips cannot be changed: the program is not part of the board.
    pub fn change(&mut self, change: &Change) -> Result<(), ChangeError> {
        let fault = |what: String| Err(ChangeError(what));
        let Change { chip: name, mask, value, digits, line, to } = change;
        let Some(chip) = self.chip(name) else {
            return fault(format!("the board has no chip {name}"));
        };
        let name = chip.name().to_owned();
        let Chip::Rom { burn, address, data, .. } = chip else {
            return fault(format!("{name} is a RAM: only cells of a ROM can be changed"));
        };
        if burn.program_byte().is_some() {
            return fault(format!("{name} holds the program: change its source"));
        }
        let lines = address.len();
        let is_there =
            if *mask == u32::MAX { value >> lines == 0 } else { digits.is_none_or(|count| count == lines) };
        if !is_there {
            return fault(format!(
                "{name} has {lines} address lines: an address is at most {:#x}, a pattern has {lines} digits",
                (1u32 << lines) - 1
            ));
        }
        let position = |line| data.names().iter().position(|net| net == line);
        let bit = line.as_ref().and_then(position);
        if let (Some(line), None) = (line, bit) {
            return fault(format!("{name} has no data line {line}: it has {}", data.names().join(" ")));
        }
        let all = ((1u16 << data.len()) - 1) as u8;
        let new: Box<dyn Fn(u32) -> u8> = match to {
            NewValue::Number(number) if *number > if bit.is_some() { 1 } else { all } => {
                return fault(format!(
                    "{number:#x} does not fit the data lines of {name} that are to be changed"
                ));
            }
            &NewValue::Number(number) => Box::new(move |_| number),
            NewValue::Line { name: from, is_inverted } => {
                let Some(from) = address.names().iter().position(|net| net == from).filter(|_| bit.is_some())
                else {
                    return fault(format!(
                        "`{from}` is not a number; for a data line it can also be an address line of {name}: {}",
                        address.names().join(" ")
                    ));
                };
                let is_inverted = *is_inverted;
                Box::new(move |address| (address >> from & 1) as u8 ^ u8::from(is_inverted))
            }
        };
        let cells = burn.wired(lines, data.len(), &Image::blank());
        self.burn(&name, |address| {
            let cell = cells[address as usize];
            match bit {
                _ if (address ^ value) & mask & ((1 << lines) - 1) != 0 => cell,
                None => new(address),
                Some(bit) => cell & !(1 << bit) | new(address) << bit,
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> Result<Board, ChangeError> {
        let mut board = Board::gray1();
        board.change(&text.parse()?)?;
        Ok(board)
    }

    #[test]
    fn cells_and_lines_are_changed_and_no_others() {
        type Expected = fn(u32, u8) -> u8;
        let cases: [(&str, &str, Expected); 6] = [
            ("alul:0x2AA=0x0B", "ALUL", |at, old| if at == 0x2AA { 0x0B } else { old }),
            ("ALUL:682.R3=0", "ALUL", |at, old| if at == 682 { old & !8 } else { old }),
            ("ALUL:*.C4=1", "ALUL", |_, old| old | 0x10),
            ("RED3:%0xxxxxxxxxxxxxxxx=0", "RED3", |at, old| if at >> 16 == 0 { 0 } else { old }),
            ("ALUL:%xxxxxxxxxx001.R1=X1", "ALUL", |at, old| match at & 7 {
                1 => old & !2 | ((at >> 8 & 1) as u8) << 1,
                _ => old,
            }),
            ("DEC:*.WEN=~PH1", "DEC", |at, old| old & 1 | ((!at >> 3 & 1) as u8) << 1),
        ];
        for (text, chip, expected) in cases {
            let (board, old) = (changed(text).unwrap(), Board::gray1());
            let id = old.netlist().chip(chip).unwrap();
            for (other, part) in old.netlist().chips.iter().enumerate() {
                let Some(cells) = old.netlist().table(other) else { continue };
                let new = board.netlist().table(other).unwrap();
                let is_right = |(at, (old, new)): (u32, (&u8, &u8))| {
                    *new == if other == id { expected(at, *old) } else { *old }
                };
                assert!((0..).zip(cells.iter().zip(new)).all(is_right), "{text}: {}", part.name);
            }
        }
    }

    #[test]
    fn what_cannot_be_changed_is_refused() {
        for (text, message) in [
            ("ALUL", "write CHIP:ADDRESS=VALUE"),
            ("ALUL:5", "write CHIP:ADDRESS=VALUE"),
            ("ALUL:%01y=1", "write CHIP:ADDRESS=VALUE"),
            ("ALUL:5=256", "write CHIP:ADDRESS=VALUE"),
            ("ALUX:5=1", "the board has no chip ALUX"),
            ("RAML:5=1", "RAML is a RAM"),
            ("PROGL:5=1", "PROGL holds the program"),
            ("ALUL:0x2000=1", "ALUL has 13 address lines: an address is at most 0x1fff"),
            ("ALUL:%0x=1", "a pattern has 13 digits"),
            ("ALUL:5.X0=1", "ALUL has no data line X0: it has R0 R1 R2 R3 C4 ZL"),
            ("ALUL:5=0x40", "0x40 does not fit the data lines of ALUL"),
            ("ALUL:5.R0=2", "0x2 does not fit the data lines of ALUL"),
            (
                "ALUL:5.R0=R1",
                "`R1` is not a number; for a data line it can also be an address line of ALUL: W13 W14",
            ),
            ("ALUL:5=X0", "`X0` is not a number"),
        ] {
            let error = changed(text).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
