//! Random programs, and what they should do: an interpreter of instructions, written from the description of the
//! machine and from nothing else.

use super::draw::Draw;

/// The state of a machine that programs can observe.
#[derive(Clone, PartialEq, Eq)]
pub struct World {
    pub ram: Vec<u8>,
    pub port: u8,
    pub rows: [u8; 16],
}

/// The levels of pads and keys.
#[derive(Clone, Copy, Default)]
pub struct Inputs {
    pub column: u8,
    pub row: u8,
    pub keys: u8,
}

/// The registers of the instruction set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Registers {
    pub pc: u16,
    pub a: u8,
    pub c: bool,
}

/// A program: its words by sequence number, and as they are burned, by address.
pub struct Program {
    pub words: Vec<u16>,
    pub burned: Vec<u16>,
}

impl Program {
    /// A random program, which stores, shows and sends often.
    pub fn random(draw: &mut Draw) -> Program {
        let places: Vec<usize> = (0..6).map(|_| draw.below(0xFE0)).collect();
        let words: Vec<u16> = (0..4096).map(|_| word(draw, &places)).collect();
        let mut burned = vec![0; 4096];
        for (number, &word) in words.iter().enumerate() {
            burned[number ^ number >> 1] = word;
        }
        Program { words, burned }
    }
}

fn word(draw: &mut Draw, places: &[usize]) -> u16 {
    let any = |draw: &mut Draw| match draw.below(12) {
        0..=6 => *draw.of_these(places),
        7 => 0xFE0 + draw.below(17),
        8 | 9 => 0xFF8 + draw.below(4),
        _ => draw.below(4096),
    };
    let (code, m, x) = match draw.below(20) {
        0..=2 => (1, draw.bit(), 0xFF0),
        3 | 4 => (1, draw.bit(), 0xFE0 + draw.below(16)),
        5..=7 => (1, draw.bit(), any(draw)),
        8..=10 => {
            let x = draw.below(4096);
            (5 + draw.below(3), (x.count_ones() % 2 == 1) != draw.percent(15), x)
        }
        _ => {
            let code = *draw.of_these(&[0, 0, 0, 2, 2, 3, 4]);
            if draw.percent(40) {
                let other = draw.below(256);
                let byte = *draw.of_these(&[0, 1, 0x80, 0xFF, other]);
                (code, true, draw.below(16) << 8 | byte)
            } else {
                (code, false, any(draw))
            }
        }
    };
    (code << 13 | usize::from(m) << 12 | x) as u16
}

/// The effect of an instruction besides its registers: a byte that it stores, with its address.
pub type Store = Option<(usize, u8)>;

impl Registers {
    /// Carries out the next instruction.
    pub fn step(&mut self, program: &Program, world: &World, inputs: Inputs) -> Store {
        let word = program.words[usize::from(self.pc)];
        let (code, m, x) = (word >> 13, word >> 12 & 1, word & 0xFFF);
        let value = match (m, x) {
            (1, _) => x as u8,
            (_, 0xFF8) => inputs.column,
            (_, 0xFF9) => inputs.row,
            (_, 0xFFA) => inputs.keys & 0x7F,
            (_, 0xFFB..) => 0,
            _ => world.ram[usize::from(x)],
        };
        let stored = self.a;
        let mut jumps = false;
        match code {
            0 => self.a = value,
            1 => {}
            2 => (self.a, self.c) = self.a.overflowing_add(value),
            3 => self.a = !(self.a | value),
            4 => (self.a, self.c) = (value >> 1, value & 1 == 1),
            5 => jumps = true,
            6 => jumps = self.c,
            _ => jumps = self.a == 0,
        }
        let mut target = x;
        for shift in [1, 2, 4, 8] {
            target ^= target >> shift;
        }
        let counts = !jumps || target & 1 != m;
        self.pc = (if jumps { target } else { self.pc } + u16::from(counts)) & 0xFFF;
        (code == 1).then_some((usize::from(x), stored))
    }

    /// Whether the next instruction looks at pads or keys.
    pub fn looks(&self, program: &Program) -> bool {
        let word = program.words[usize::from(self.pc)];
        word >> 12 & 1 == 0 && word & 0xFFF >= 0xFF8 && matches!(word >> 13, 0 | 2..=4)
    }
}

impl World {
    /// Carries out a store.
    pub fn store(&mut self, (address, byte): (usize, u8)) {
        match address {
            0xFE0..=0xFEF => self.rows[address - 0xFE0] = byte,
            0xFF0 => self.port = byte,
            _ => {}
        }
        self.ram[address] = byte;
    }
}
