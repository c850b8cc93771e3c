//! Benches: programs that include the library and can be started at any label with any bytes in RAM.

use gray1_assembler::Program;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, IsaEngine, Noise, State};
use std::collections::HashMap;
use test_support::engines::Sent;
use test_support::library::program;

/// The limit on the cycles of an idiom.
const MAX_CYCLES: u64 = 10_000;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub state: State,
    /// Not counting the jump to itself.
    pub cycles: u64,
    pub sent: Vec<u8>,
}

/// A program that can be started again and again.
pub struct Bench {
    addresses: HashMap<String, u16>,
    image: Image,
    engine: IsaEngine,
    pub state: State,
}

impl Bench {
    pub fn new(source: &str) -> Bench {
        Bench::of(program(source, "all.g1").0)
    }

    pub fn of(program: Program) -> Bench {
        let addresses =
            program.symbols.iter().map(|symbol| (symbol.name.clone(), symbol.value as u16)).collect();
        let engine = IsaEngine::power_up(&program.image, Noise::Random(1));
        let state = State::after_reset(Noise::Random(1));
        Bench { addresses, image: program.image, engine, state }
    }

    /// The value of a name.
    pub fn address(&self, name: &str) -> u16 {
        *self.addresses.get(name).unwrap_or_else(|| panic!("no name {name}"))
    }

    pub fn set(&mut self, name: &str, byte: u8) {
        let address = self.address(name);
        self.state.ram[usize::from(address)] = byte;
    }

    pub fn set_wide(&mut self, name: &str, value: u16) {
        let address = usize::from(self.address(name));
        self.state.ram[address..address + 2].copy_from_slice(&value.to_le_bytes());
    }

    pub fn set_long(&mut self, name: &str, value: u32) {
        let address = usize::from(self.address(name));
        self.state.ram[address..address + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub fn byte(&self, outcome: &Outcome, name: &str) -> u8 {
        outcome.state.ram[usize::from(self.address(name))]
    }

    pub fn wide(&self, outcome: &Outcome, name: &str) -> u16 {
        let address = usize::from(self.address(name));
        u16::from_le_bytes([outcome.state.ram[address], outcome.state.ram[address + 1]])
    }

    pub fn long(&self, outcome: &Outcome, name: &str) -> u32 {
        let address = usize::from(self.address(name));
        u32::from_le_bytes(std::array::from_fn(|k| outcome.state.ram[address + k]))
    }

    /// Runs from the current state until the program halts.
    pub fn run(&mut self) -> Outcome {
        run(&mut self.engine, &self.state)
    }

    /// Like [`Bench::run`], but on the chips engine.
    pub fn on_chips(&self) -> impl FnMut(&State) -> Outcome + use<> {
        let mut chips =
            ChipsEngine::power_up(&Board::gray1(), &self.image, Noise::Random(1)).expect("the board settles");
        move |state| run(&mut chips, state)
    }
}

fn run(engine: &mut dyn Engine, state: &State) -> Outcome {
    let mut sent = Sent::default();
    engine.set_state(state).expect("the board settles");
    engine.run(MAX_CYCLES, &mut sent).expect("the board settles");
    assert!(engine.halted(), "no end after {MAX_CYCLES} cycles");
    Outcome { state: engine.state(), cycles: engine.cycle() - state.cycle - 1, sent: sent.0 }
}

/// A pseudo-random number, determined by the seed.
pub fn scatter(seed: u32) -> u32 {
    let mixed = seed.wrapping_mul(0x9E37_79B9) ^ 0x5BD1_E995;
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85EB_CA6B);
    mixed ^ (mixed >> 13)
}

/// Numbers of 16 bits: edge cases, and some random ones.
pub fn wide_numbers() -> Vec<u16> {
    let edges = [0u16, 1, 2, 9, 10, 99, 100, 127, 128, 254, 255, 256, 257, 511, 512, 999, 1000, 9999, 10_000];
    let negative = edges.iter().map(|edge| edge.wrapping_neg());
    let halves = [0x7FFF, 0x8000, 0x8001, 0x00FF, 0xFF00, 0xFEFF, 0x0100, 59_999];
    edges.into_iter().chain(negative).chain(halves).chain((0..200).map(|seed| scatter(seed) as u16)).collect()
}

/// Pairs of numbers of 32 bits: edge cases, and very many random ones that agree in some of their bytes, so that every
/// pattern of carries occurs.
pub fn long_pairs() -> Vec<(u32, u32)> {
    let powers = (0..10).map(|k| 10u32.pow(k)).chain((0..32).map(|k| 1 << k));
    let near = powers.flat_map(|power| [power.wrapping_sub(1), power, power + 1]);
    let mut edges: Vec<u32> = near.chain([0, 0x00FF_00FF, 0xFF00_FF00, 3_999_999_997, u32::MAX]).collect();
    edges.extend(edges.clone().iter().map(|edge| edge.wrapping_neg()));
    edges.sort_unstable();
    edges.dedup();
    let mut pairs: Vec<(u32, u32)> =
        edges.iter().flat_map(|&one| edges.iter().map(move |&other| (one, other))).collect();
    for seed in 0..30_000u32 {
        let one = scatter(3 * seed).to_le_bytes();
        let (other, choices) = (scatter(3 * seed + 1).to_le_bytes(), scatter(3 * seed + 2).to_le_bytes());
        let choose = |k: usize| match choices[k] % 6 {
            0 => one[k],
            1 => !one[k],
            2 => 0,
            3 => 255,
            4 => one[k].wrapping_add(1),
            _ => other[k],
        };
        pairs.push((u32::from_le_bytes(one), u32::from_le_bytes(std::array::from_fn(choose))));
    }
    pairs
}
