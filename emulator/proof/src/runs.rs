//! Parts that runs of boards share: programs of random words, the bytes that leave the machine, and levels read as
//! numbers.

use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{Image, Operand, Word};
use gray1_machine::netlist::{NetId, Netlist};
use gray1_machine::{Noise, OutputSink};

/// Returns random words, every other of which concerns display, port, pads and keys, which purely random words would
/// rarely use.
pub(crate) fn random_program(seed: u64) -> Image {
    let noise = [Noise::Random(seed), Noise::Random(!seed)].map(Noise::ram);
    let words = noise[0].iter().zip(noise[1].iter()).enumerate().map(|(place, (&low, &high))| {
        let word = u16::from_le_bytes([low, high]);
        Word(if place % 2 == 0 { word | GREEN } else { word })
    });
    Image::from_words(words)
}

/// Returns the same words with instructions in the place of jumps.
pub(crate) fn without_jumps(image: &Image) -> Image {
    let words = image.words().map(|word| if word.landing().is_some() { Word(word.0 & 0x7FFF) } else { word });
    Image::from_words(words)
}

/// Whether an instruction reads the byte at its address.
pub(crate) fn reads(word: Word) -> bool {
    word.opcode().row().operand == Operand::Value && !word.m()
}

/// Returns the address of an outlet: the port, then the rows of the display.
pub(crate) fn outlet_address(outlet: usize) -> u16 {
    if outlet == 0 { OUT } else { GREEN + outlet as u16 - 1 }
}

/// The bytes that leave the machine, each with the index of its outlet.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Outlets(pub Vec<(usize, u8)>);

impl OutputSink for Outlets {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.0.push((0, byte));
    }

    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        self.0.push((row + 1, leds));
    }
}

/// Returns the number on some nets, lowest first.
pub(crate) fn number_on(nets: &[NetId], level: impl Fn(NetId) -> bool) -> u32 {
    nets.iter().rev().fold(0, |number, &net| number << 1 | u32::from(level(net)))
}

/// Returns the bytes that the port and the rows of the display show.
pub(crate) fn shown(netlist: &Netlist, level: impl Fn(NetId) -> bool) -> Vec<u8> {
    netlist.panel.outlets().map(|outlet| outlet.shown(number_on(&outlet.latch, &level) as u8)).collect()
}
