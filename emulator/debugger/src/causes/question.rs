//! The subject of a question about causes: a net or a bus, bytes of RAM, or an LED.

use crate::error::{DebugError, ensure};
use crate::expression::Parser;
use crate::scanner::Scanner;
use crate::trigger::{Access, Trigger};
use crate::why::Effect;
use gray1_isa::memory_map::{DISPLAY_SIZE, GREEN, INPUTS, KEYS, PADCOL, PADROW};

/// The bits that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The subject as the user has written it.
    pub title: String,
    /// The bits, lowest first.
    pub effects: Vec<Effect>,
    /// Whether it is an LED, whose level is described as lit or dark.
    pub is_led: bool,
    /// Whether it is bytes of RAM, 8 bits each.
    pub is_ram: bool,
    /// Whether the bytes are the rows of the LEDs.
    pub has_leds: bool,
}

impl Parser<'_> {
    /// Parses a question: `A3`, `net.OUT`, `pc`; `n`, `list[2]`, `ram[$012]`; `red 3,5`.
    pub fn question(&self, scanner: &mut Scanner) -> Result<Question, DebugError> {
        let start = scanner.offset();
        let expected = "expected a net, a byte of RAM, or `red` or `green` with a row and a column";
        ensure(!scanner.is_at_end(), start, expected)?;
        let names_led = ["LED", "led", "leds", "LEDs"].iter().any(|word| scanner.clone().take_word(word));
        ensure(!names_led, start, "an LED is `red 3,5` or `green 3,5`: its colour, row and column")?;
        let is_led = ["red", "green"].iter().any(|color| {
            let mut next = scanner.clone();
            next.take_word(color) && matches!(next.count(), Ok(Some(_)))
        });
        let trigger = if is_led { self.led(scanner)? } else { self.changing(scanner)? };
        let netlist = self.machine.netlist();
        let effects = match &trigger {
            Trigger::Net(name, _) => {
                let chip = || netlist.chips.iter().find(|chip| chip.name.eq_ignore_ascii_case(name));
                let nets = netlist.bus(name).or_else(|| Some(chip()?.data.clone()));
                nets.unwrap_or_default().into_iter().map(Effect::Net).collect()
            }
            Trigger::Ram(row, _, Access::Set(column)) if is_led => {
                let outlet = &netlist.panel.display[usize::from(row - GREEN) % (2 * DISPLAY_SIZE)];
                vec![Effect::Net(outlet.latch[column.trailing_zeros() as usize])]
            }
            Trigger::Ram(first, last, _) => (*first..=*last).flat_map(|address| self.byte(address)).collect(),
            _ => Vec::new(),
        };
        ensure(!effects.is_empty(), start, "there is no RAM at this address: a program reads 00")?;
        let leds = GREEN..GREEN + 2 * DISPLAY_SIZE as u16;
        Ok(Question {
            has_leds: !is_led && matches!(trigger, Trigger::Ram(first, ..) if leds.contains(&first)),
            title: scanner.since(start).to_owned(),
            effects,
            is_led,
            is_ram: matches!(trigger, Trigger::Ram(..)),
        })
    }

    /// The bits that a program reads at an address; for an input, its nets.
    fn byte(&self, address: u16) -> Vec<Effect> {
        let netlist = self.machine.netlist();
        let panel = &netlist.panel;
        let input = match address {
            PADCOL => Some(&panel.pad_column),
            PADROW => Some(&panel.pad_row),
            KEYS => Some(&panel.keys),
            _ => None,
        };
        match input {
            Some(nets) => nets.iter().map(|&net| Effect::Net(net)).collect(),
            None if address >= INPUTS => Vec::new(),
            None => {
                let lines = panel
                    .memory
                    .iter()
                    .flat_map(|&chip| (0..netlist.chips[chip].data.len()).map(move |line| (chip, line)));
                lines.map(|(chip, line)| Effect::Cell(chip, u32::from(address), line)).collect()
            }
        }
    }
}
