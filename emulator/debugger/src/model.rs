//! The facts about a program and its machine that every front end shows: variables, LEDs, levels, chips, calls.

use crate::debugger::Debugger;
use crate::source::{Name, Source};
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN};
use gray1_machine::ChipsEngine;
use gray1_machine::netlist::ChipId;

/// Bytes of RAM with a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    /// The address of the first byte.
    pub address: u16,
    /// The number of bytes.
    pub size: u16,
    /// The name.
    pub name: String,
}

/// The rows of the LEDs: eight green, eight red; bit 0 is on the left.
pub fn leds(machine: &ChipsEngine) -> [u8; 2 * DISPLAY_SIZE] {
    std::array::from_fn(|row| machine.ram(GREEN + row as u16))
}

/// The level of each net.
pub fn levels(machine: &ChipsEngine) -> Vec<bool> {
    (0..machine.netlist().nets.len()).map(|net| machine.level(net)).collect()
}

impl Source {
    /// The names in RAM, in the order of their addresses.
    pub fn variables(&self) -> Vec<Variable> {
        let variables = self.names().filter_map(|(name, meaning)| match meaning {
            Name::Ram(address, size) => Some(Variable { address, size, name: name.to_owned() }),
            _ => None,
        });
        let mut variables: Vec<Variable> = variables.collect();
        variables.sort();
        variables
    }

    /// The label at an instruction, if it has one.
    pub fn label(&self, sequence: u16) -> Option<&str> {
        self.nearest_label(sequence).filter(|(_, offset)| *offset == 0).map(|(label, _)| label)
    }
}

impl Debugger {
    /// The line of each call that has not returned yet, and the routine that contains it, the innermost first.
    pub fn calls(&self) -> impl Iterator<Item = (usize, Option<&str>)> {
        let source = self.source();
        self.callers()
            .into_iter()
            .map(|jump| (source.frames(jump).last().map_or(0, |frame| frame.line), source.routine(jump)))
    }

    /// The address and the data of a chip in hexadecimal, with as many digits as its lines need.
    pub fn chip_values(&self, id: ChipId) -> [String; 2] {
        let chip = &self.board().chips[id];
        let (address, data) = self.machine().look_at(id);
        let digits = |value: u32, lines: usize| format!("{value:0digits$X}", digits = lines.div_ceil(4));
        [digits(address, chip.address().len()), digits(data.into(), chip.data().len())]
    }

    /// A row of the display: `.` dark, `g` green, `r` red, `a` amber (both).
    pub fn display_row(&self, row: usize) -> Option<String> {
        let leds = leds(self.machine());
        let (green, red) = (leds.get(row).filter(|_| row < DISPLAY_SIZE)?, leds[row + DISPLAY_SIZE]);
        let led = |column: usize| match (green >> column & 1, red >> column & 1) {
            (0, 0) => '.',
            (1, 0) => 'g',
            (0, _) => 'r',
            _ => 'a',
        };
        Some((0..DISPLAY_SIZE).map(led).collect())
    }
}
