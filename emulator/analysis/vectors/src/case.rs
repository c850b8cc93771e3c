//! A test case for one instruction: a state of the machine, made from a seed, in which the instruction is about to run,
//! and the result of running it on the chips engine.

use crate::kind::{Access, Kind};
use crate::nets::{Signal, levels};
use gray1_isa::memory_map::{GREEN, INPUTS, KEYS, OUT, PADCOL, PADROW, RAM_BYTES, WORKING_RAM_END};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::{ChipsEngine, Engine, Inputs, PHASES, Random, Seen, State, Unsettled};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Operands near which carries, signs and the halves of the ALU change.
const BYTES: [u8; 10] = [0x00, 0x01, 0x0F, 0x10, 0x1F, 0x55, 0x7F, 0x80, 0xF0, 0xFF];
/// Sequence numbers near which the counter wraps around or carries from its low to its high half.
const PLACES: [u16; 8] = [0, 4095, 4094, 2047, 2048, 63, 64, 31];

/// An instruction, the machine before and after, and every net after each phase.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Case {
    /// Its kind and number, and the instruction as a line of source.
    pub name: String,
    /// The machine at the beginning of the cycle.
    pub initial: Before,
    /// The machine at the beginning of the next cycle.
    #[serde(rename = "final")]
    pub after: After,
    /// The bytes that were sent to the port.
    pub output: Vec<u8>,
    /// The rows of the display that were stored to, and their LEDs.
    pub display: Vec<(usize, u8)>,
    /// The levels of all nets when phases 0 to 3 and the next phase 0 have settled.
    pub phases: Vec<Vec<u16>>,
}

/// The state of the machine with its program and its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[allow(missing_docs)] // as in a state file
pub struct Before {
    pub pc: u16,
    pub a: u8,
    pub c: u8,
    pub target: u16,
    pub jumped: u8,
    pub padcol: u8,
    pub padrow: u8,
    pub keys: u8,
    /// The sequence numbers and words of the program; all others are a jump to themselves.
    pub rom: Vec<(u16, u16)>,
    /// Bytes of RAM; those that are not listed are 0.
    pub ram: Vec<(u16, u8)>,
}

/// The machine after a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[allow(missing_docs)] // as in a state file
pub struct After {
    pub pc: u16,
    pub a: u8,
    pub c: u8,
    pub target: u16,
    pub jumped: u8,
    pub halted: u8,
    pub ram: Vec<(u16, u8)>,
}

impl After {
    /// Takes the result from a state, with the bytes at these addresses.
    pub(crate) fn of(state: &State, addresses: impl Iterator<Item = u16>) -> After {
        After {
            pc: state.pc,
            a: state.a,
            c: state.c.into(),
            target: state.target,
            jumped: state.jumped.into(),
            halted: state.halted.into(),
            ram: addresses.map(|address| (address, state.ram[usize::from(address)])).collect(),
        }
    }
}

impl Before {
    /// The machine, its program and its inputs.
    pub fn machine(&self) -> (State, Image, Inputs) {
        let mut ram = Box::new([0; RAM_BYTES]);
        for &(address, byte) in &self.ram {
            ram[usize::from(address) % RAM_BYTES] = byte;
        }
        let mut image = Image::blank();
        for &(place, word) in &self.rom {
            image.set_word(place, Word(word));
        }
        let (row, column) = (self.padrow.trailing_zeros() as u8, self.padcol.trailing_zeros() as u8);
        let inputs = Inputs { pad: (self.padcol != 0).then_some((row, column)), keys: self.keys };
        let state = State {
            cycle: 0,
            pc: self.pc,
            a: self.a,
            c: self.c == 1,
            halted: false,
            target: self.target,
            jumped: self.jumped == 1,
            ram,
        };
        (state, image, inputs)
    }
}

impl Case {
    /// The case of this kind and number, run on a machine of any state.
    pub(crate) fn run(
        machine: &mut ChipsEngine,
        signals: &[Signal],
        kind: Kind,
        number: usize,
    ) -> Result<Case, Unsettled> {
        let initial = before(kind, number);
        let (state, image, inputs) = initial.machine();
        machine.change_program(&image);
        machine.press(inputs)?;
        machine.set_state(&state)?;
        let mut seen = Seen::default();
        let mut phases = vec![levels(signals, machine)];
        for _ in 0..PHASES {
            machine.phase(&mut seen)?;
            phases.push(levels(signals, machine));
        }
        Ok(Case {
            name: format!("{} {number}: {}", kind.name(), image.word(initial.pc)),
            after: After::of(&machine.state(), initial.ram.iter().map(|&(address, _)| address)),
            initial,
            output: seen.bytes(),
            display: seen.display.iter().map(|&(_, row, leds)| (row, leds)).collect(),
            phases,
        })
    }
}

/// A machine that is about to run an instruction of this kind.
fn before(kind: Kind, number: usize) -> Before {
    let stream = (kind.opcode as u64) << 8 | kind.access as u64;
    let mut random = Random::new(number as u64, stream);
    // The first cases are at the places where the counter carries.
    let pc = PLACES.get(number).copied().unwrap_or_else(|| place(&mut random));
    let mut a = byte(&mut random);
    let mut c = random.between(0, 1) as u8;
    let is_taken = kind.access != Access::NotTaken;
    match kind.opcode {
        Opcode::Jc => c = is_taken.into(),
        Opcode::Jz if is_taken => a = 0,
        Opcode::Jz => a = a.max(1),
        _ => {}
    }
    let word = word(kind, pc, &mut random);
    // The next instruction is random: its word is on the nets from phase 3 on.
    let next = match word.landing() {
        Some(landing) if is_taken => landing,
        _ => (pc + 1) % PROGRAM_WORDS as u16,
    };
    let mut rom = BTreeMap::from([(next, random.draw() as u16)]);
    rom.insert(pc, word.0);
    let mut ram = BTreeMap::new();
    for _ in 0..random.between(0, 3) {
        ram.insert(random.between(GREEN.into(), OUT.into()) as u16, byte(&mut random));
    }
    for word in rom.values() {
        ram.insert(word & 0xFFF, byte(&mut random));
    }
    let is_pressed = kind.access == Access::Input && random.between(0, 7) > 0;
    let mut press = |most| if is_pressed { random.between(0, most) as u8 } else { 0 };
    let inputs = Inputs { pad: is_pressed.then(|| (press(7), press(7))), keys: press(0x7F) };
    Before {
        pc,
        a,
        c,
        target: random.between(0, 0xFFF) as u16,
        jumped: random.between(0, 1) as u8,
        padcol: inputs.pad_column(),
        padrow: inputs.pad_row(),
        keys: inputs.keys,
        rom: rom.into_iter().collect(),
        ram: ram.into_iter().collect(),
    }
}

/// An instruction of this kind for this sequence number.
fn word(kind: Kind, pc: u16, random: &mut Random) -> Word {
    let opcode = kind.opcode;
    // STA ignores M, and so does a jump that is not taken.
    let any_m = random.between(0, 1) == 1;
    let m = any_m && opcode == Opcode::Sta;
    let mut address = |from: u16, end: u16| random.between(from.into(), u64::from(end) - 1) as u16;
    match kind.access {
        Access::Constant => {
            let ignored = address(0, 16) << 8;
            Word::new(opcode, true, ignored | u16::from(byte(random)))
        }
        Access::Ram if address(0, 8) == 0 => Word::new(opcode, m, address(OUT + 1, INPUTS)),
        Access::Ram => Word::new(opcode, m, address(0, WORKING_RAM_END)),
        Access::Display => Word::new(opcode, m, address(GREEN, OUT)),
        Access::Port => Word::new(opcode, m, OUT),
        Access::Input => {
            let places = [PADCOL, PADROW, KEYS, address(INPUTS, RAM_BYTES as u16)];
            Word::new(opcode, m, places[usize::from(address(0, 4))])
        }
        Access::Taken => Word::jump(opcode, elsewhere(pc, random)),
        Access::WrongParity => wrong(Word::jump(opcode, elsewhere(pc.wrapping_sub(1), random))),
        Access::NotTaken => {
            let word = Word::jump(opcode, place(random));
            if any_m { wrong(word) } else { word }
        }
        Access::Halt if any_m => wrong(Word::jump(opcode, pc.wrapping_sub(1))),
        Access::Halt => Word::jump(opcode, pc),
    }
}

/// The same jump with the other parity.
fn wrong(jump: Word) -> Word {
    Word::new(jump.opcode(), !jump.m(), jump.x())
}

/// Any sequence number except this one.
fn elsewhere(here: u16, random: &mut Random) -> u16 {
    let there = place(random);
    if there == here & 0xFFF { there ^ 1 } else { there }
}

fn place(random: &mut Random) -> u16 {
    match random.between(0, 3) {
        0 => PLACES[random.between(0, PLACES.len() as u64 - 1) as usize],
        _ => random.between(0, PROGRAM_WORDS as u64 - 1) as u16,
    }
}

fn byte(random: &mut Random) -> u8 {
    match random.between(0, 3) {
        0 => BYTES[random.between(0, BYTES.len() as u64 - 1) as usize],
        _ => random.draw() as u8,
    }
}
