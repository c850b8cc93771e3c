//! The levels of all nets at one moment, packed so that many moments can be kept.

use gray1_machine::ChipsEngine;
use gray1_machine::netlist::NetId;

/// The number of nets in a word.
const WORD: usize = u64::BITS as usize;
/// A board has at most 64 chips and groups of inputs, of at most 8 nets each.
const WORDS: usize = 8;

/// The levels of all nets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels([u64; WORDS]);

impl Levels {
    /// Samples the levels of a machine.
    pub fn of(machine: &ChipsEngine) -> Levels {
        let mut levels = Levels::default();
        let netlist = machine.netlist();
        for net in netlist.inputs.iter().cloned().flatten() {
            levels.set(net, u64::from(machine.level(net)), 1);
        }
        for (id, chip) in netlist.chips.iter().enumerate() {
            levels.set(chip.data[0], u64::from(machine.gives(id)), chip.data.len());
        }
        levels
    }

    /// Returns the level of a net.
    pub fn level(&self, net: NetId) -> bool {
        self.0[net / WORD] >> (net % WORD) & 1 == 1
    }

    /// Returns the number on these nets, lowest bit first.
    pub fn number(&self, nets: &[NetId]) -> u32 {
        nets.iter().rev().fold(0, |number, &net| number << 1 | u32::from(self.level(net)))
    }

    /// Sets adjacent nets, which are 0, to a number.
    fn set(&mut self, first: NetId, number: u64, count: usize) {
        let (word, shift) = (first / WORD, first % WORD);
        self.0[word] |= number << shift;
        if shift + count > WORD {
            self.0[word + 1] |= number >> (WORD - shift);
        }
    }
}
