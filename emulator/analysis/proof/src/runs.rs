//! What runs of boards have in common: programs of random words, and levels read as numbers.

use gray1_isa::memory_map::GREEN;
use gray1_isa::{Image, Word};
use gray1_machine::Noise;
use gray1_machine::netlist::{NetId, Netlist};

/// Random words, every other of which concerns display, port, pads and keys, which purely random words would rarely
/// use.
pub(crate) fn random_program(seed: u64) -> Image {
    let noise = [Noise::Random(seed), Noise::Random(!seed)].map(Noise::ram);
    let words = noise[0].iter().zip(noise[1].iter()).enumerate().map(|(place, (&low, &high))| {
        let word = u16::from_le_bytes([low, high]);
        Word(if place % 2 == 0 { word | GREEN } else { word })
    });
    Image::from_words(words)
}

/// The number on some nets, lowest first.
pub(crate) fn number_on(nets: &[NetId], level: impl Fn(NetId) -> bool) -> u32 {
    nets.iter().rev().fold(0, |number, &net| number << 1 | u32::from(level(net)))
}

/// The bytes that the port and the rows of the display show.
pub(crate) fn shown(netlist: &Netlist, level: impl Fn(NetId) -> bool) -> Vec<u8> {
    netlist.panel.outlets().map(|outlet| outlet.shown(number_on(&outlet.latch, &level) as u8)).collect()
}
