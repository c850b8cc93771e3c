//! An input of interest, as a machine can run it: a state and an input script.

use crate::contracts::levels::Assignment;
use crate::contracts::scene::Scene;
use crate::contracts::variables::{Origin, input_value};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::{Inputs, Script, State};
use std::collections::BTreeMap;

/// An input of a contract or claim, and the cycle of interest.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The machine at the entry, at cycle 0.
    pub state: State,
    /// The presses of pads and keys.
    pub script: Script,
    /// The values of `PADCOL`, `PADROW` and `KEYS` that were read last before the entry.
    pub prior_reads: [u8; 3],
    /// The bytes of RAM that matter.
    pub ram: BTreeMap<u16, u8>,
    /// The cycle of interest, such as the one at which a promise is broken.
    pub cycle: u64,
}

impl Witness {
    /// Creates the witness of an assignment. Bytes that do not matter are 0.
    pub fn new(scene: &Scene, entry: u16, assignment: &Assignment, cycle: u64) -> Witness {
        let bits = scene.variables.bits_of(assignment);
        let (mut ram, mut prior_reads) = (BTreeMap::new(), [0; 3]);
        let mut state = State {
            cycle: 0,
            pc: entry,
            a: 0,
            c: false,
            halted: false,
            target: 0,
            jumped: false,
            ram: Box::new([0; RAM_BYTES]),
        };
        for (origin, value) in bits {
            match origin {
                Origin::A => state.a = value,
                Origin::C => state.c = value == 1,
                Origin::Ram(address) => {
                    state.ram[address as usize] = value;
                    ram.insert(address, value);
                }
                Origin::PriorRead(input) => prior_reads[input] = input_value(input, value),
                Origin::SecondRam(_) | Origin::Read(..) | Origin::Havoc(..) => {}
            }
        }
        let mut inputs = Inputs::default();
        let mut changes: Vec<(u64, Inputs)> = Vec::new();
        for (at, input, value) in scene.inputs_of(assignment) {
            let bit = value.trailing_zeros() as u8 & 7;
            match (input, inputs.pad) {
                (0 | 1, _) if value == 0 => inputs.pad = None,
                (0, pad) => inputs.pad = Some((pad.map_or(0, |(row, _)| row), bit)),
                (1, pad) => inputs.pad = Some((bit, pad.map_or(0, |(_, column)| column))),
                _ => inputs.keys = value,
            }
            changes.push((at, inputs));
        }
        changes.sort_by_key(|&(at, _)| at);
        Witness { state, script: Script::of(changes), prior_reads, ram, cycle }
    }
}
