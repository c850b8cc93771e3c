//! Locations in the program and bytes of RAM, as a user names them.

use crate::error::{DebugError, ensure, require};
use crate::expression::Parser;
use crate::scanner::Scanner;
use crate::source::{Name, sequence_number};
use crate::trigger::{Access, Trigger};
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, RED};
use gray1_isa::{Register, Word};
use gray1_machine::netlist::ChipId;

impl Parser<'_> {
    /// Parses a location in the program: a line (`12`, `lib.g1:12`), a label (`loop+2`), or `at` and a sequence number.
    /// Returns the sequence numbers; a line in a macro has one for each expansion.
    pub fn location(&self, scanner: &mut Scanner) -> Result<Vec<u16>, DebugError> {
        let offset = scanner.offset();
        let source = self.source;
        let word = scanner.rest().split_whitespace().next().unwrap_or("").to_owned();
        if let Some((file, line)) = source.written_line(&word) {
            let unknown =
                "the program has no such source file; `at N` is the instruction with sequence number N";
            let file = require(file, offset, unknown)?;
            let none = format!("line {line} of {file} generates no instruction, nor does any after it");
            let line = require(source.line_from(file, line), offset, none)?;
            let starts = source.line_starts(file, line);
            scanner.take(&word);
            return Ok(starts);
        }
        let is_number = scanner.take_word("at");
        let name = scanner.clone().name();
        let value = self.expression(scanner)?.value(self.machine)?;
        // The value of any other name, such as the byte `n`, is hardly meant as a sequence number.
        let is_location = |name| name == "pc" || matches!(self.meaning(name), Some(Name::Label(_)));
        let named = name.filter(|_| !is_number).is_none_or(is_location);
        let constant = name.filter(|name| matches!(self.meaning(name), Some(Name::Constant(_))));
        let hint = constant.map_or(String::new(), |name| {
            format!("; `{name}` is a constant: `at {name}` is the instruction with this sequence number")
        });
        let expected = format!("expected a line, a label, or `at` and a sequence number{hint}");
        ensure(named, offset, expected)?;
        let invalid = format!("{value} is not a sequence number: they are 0 to 4095");
        Ok(vec![require(sequence_number(value), offset, invalid)?])
    }

    /// Parses what an instruction can read or write: a register, or bytes of RAM; for reads also a cell of a chip, as
    /// in `PCL:2A`.
    pub(crate) fn accessed(&self, scanner: &mut Scanner, access: Access) -> Result<Trigger, DebugError> {
        let is_read = access == Access::Read;
        if let Some((chip, cell)) = self.cell(scanner)?.filter(|_| is_read) {
            return Ok(Trigger::Cell(chip, cell));
        }
        let name = scanner.clone().name().unwrap_or("");
        let register = [("a", Register::A), ("c", Register::C)].into_iter().find(|(other, _)| *other == name);
        let Some((_, register)) = register.filter(|_| self.source.name(name).is_none()) else {
            let (first, last) = self.range(scanner)?;
            return Ok(Trigger::Ram(first, last, access));
        };
        scanner.name();
        let accesses = |word: &Word| match is_read {
            true => word.opcode().reads(register),
            false => word.opcode().writes(register),
        };
        let words = (0..).zip(self.source.image().words());
        Ok(Trigger::Instructions(
            words.filter(|(_, word)| accesses(word)).map(|(sequence, _)| sequence).collect(),
        ))
    }

    /// Parses a cell of a chip, such as `PCL:2A`, if that comes next.
    pub(crate) fn cell(&self, scanner: &mut Scanner) -> Result<Option<(ChipId, u32)>, DebugError> {
        let mut ahead = scanner.clone();
        let name = ahead.name().unwrap_or("");
        let Some(chip) = self.chip(name).filter(|_| ahead.take(":")) else { return Ok(None) };
        let (offset, lines) = (ahead.offset(), self.machine.netlist().chips[chip].address().len());
        let digits = ahead.rest().split_whitespace().next().unwrap_or("");
        let cell = u32::from_str_radix(digits, 16).ok().filter(|cell| cell >> lines == 0);
        let expected = format!("expected an address of {name}, in hexadecimal, of at most {lines} bits");
        let cell = require(cell, offset, expected)?;
        ahead.take(digits);
        *scanner = ahead;
        Ok(Some((chip, cell)))
    }

    /// The chip with this name.
    fn chip(&self, name: &str) -> Option<ChipId> {
        self.machine.netlist().chips.iter().position(|chip| chip.name.eq_ignore_ascii_case(name))
    }

    /// Parses something that can change: a register, a net, the output of a chip, or bytes of RAM.
    pub fn changing(&self, scanner: &mut Scanner) -> Result<Trigger, DebugError> {
        let name = scanner.clone().name().unwrap_or("");
        // Each register is a chip, whose output is the bus of this name.
        let net = match name {
            "a" => "A",
            "c" => "C",
            "pc" => "PC",
            _ => name.strip_prefix("net.").unwrap_or(name),
        };
        let is_free = self.source.name(name).is_none();
        let chip = || self.chip(net).map(|chip| self.machine.probe_chip(chip));
        let probe = self.machine.probe(net).or_else(chip).filter(|_| is_free);
        let Some(probe) = probe else {
            let (first, last) = self.range(scanner)?;
            return Ok(Trigger::Ram(first, last, Access::Change));
        };
        scanner.take(name);
        Ok(Trigger::Net(net.to_owned(), probe))
    }

    /// Parses an LED, `red 3,5`, with row and column from the top left; the event is that it is lit.
    pub(crate) fn led(&self, scanner: &mut Scanner) -> Result<Trigger, DebugError> {
        let offset = scanner.offset();
        let first = [("red", RED), ("green", GREEN)].into_iter().find(|(color, _)| scanner.take_word(color));
        let (_, first) = require(first, offset, "expected `red` or `green`, then a row and a column")?;
        let mut coordinate = || {
            let offset = scanner.offset();
            let number = scanner.count()?.filter(|&number| number < DISPLAY_SIZE as u64);
            scanner.take(",");
            require(number.map(|number| number as u16), offset, "expected a row and a column, 0 to 7")
        };
        let (row, column) = (first + coordinate()?, coordinate()?);
        Ok(Trigger::Ram(row, row, Access::Set(1 << column)))
    }

    /// Parses bytes of RAM: a name for all of its bytes, an address, or the first and the last with `..` between them.
    pub fn range(&self, scanner: &mut Scanner) -> Result<(u16, u16), DebugError> {
        let mut name_only = scanner.clone();
        let name = name_only.name().and_then(|name| self.source.name(name));
        let first = self.address(scanner)?;
        if scanner.take("..") {
            let offset = scanner.offset();
            let last = self.address(scanner)?;
            let range = (first <= last).then_some((first, last));
            return require(range, offset, "the last byte comes before the first");
        }
        match name {
            Some(Name::Ram(_, size)) if name_only.offset() == scanner.offset() => {
                Ok((first, first + size - 1))
            }
            _ => Ok((first, first)),
        }
    }
}
