//! An input, as a machine that begins with it: a state and an input script.

use crate::levels::{Example, Levels};
use crate::scene::Scene;
use crate::variables::{Origin, given};
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::{Inputs, Script, State};
use std::collections::BTreeMap;

/// The machine at an entry, with an input, and the cycle of interest.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The machine, at cycle 0.
    pub state: State,
    /// What pads and keys give.
    pub script: Script,
    /// The values of `PADCOL`, `PADROW` and `KEYS` that were read last before.
    pub before: [u8; 3],
    /// The bytes of RAM that matter.
    pub ram: BTreeMap<u16, u8>,
    /// The cycle at which something happens.
    pub cycle: u64,
}

impl Moment {
    /// The machine at an entry with the input of an example; what does not matter is 0.
    pub fn of<B: Levels>(scene: &Scene<B>, entry: u16, example: &Example, cycle: u64) -> Moment {
        let bits = scene.variables.bits_of(example);
        let (mut ram, mut before) = (BTreeMap::new(), [0; 3]);
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
                Origin::Unread(input) => before[input] = given(input, value),
                Origin::Second(_) | Origin::Read(..) | Origin::Invariant(..) => {}
            }
        }
        let mut inputs = Inputs::default();
        let mut changes: Vec<(u64, Inputs)> = Vec::new();
        for (at, input, given) in scene.inputs_of(example) {
            let bit = given.trailing_zeros() as u8 & 7;
            match (input, inputs.pad) {
                (0 | 1, _) if given == 0 => inputs.pad = None,
                (0, pad) => inputs.pad = Some((pad.map_or(0, |(row, _)| row), bit)),
                (1, pad) => inputs.pad = Some((bit, pad.map_or(0, |(_, column)| column))),
                _ => inputs.keys = given,
            }
            changes.push((at, inputs));
        }
        changes.sort_by_key(|&(at, _)| at);
        Moment { state, script: Script::of(changes), before, ram, cycle }
    }
}
