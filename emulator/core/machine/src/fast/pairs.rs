//! Runs two instructions at a time: an instruction that does not jump is decoded together with the next one, and both
//! run without a branch between them.
//!
//! A pair is decoded at every address of the program, so a jump may land anywhere. The last instruction of a run is
//! left to the engine, so that the state after it is computed in one place only.

use super::bytes::{BYTES, operand, stored_at};
use super::ways::Note;
use crate::engine::{Outside, Registers};
use gray1_isa::memory_map::WORKING_RAM_END;
use gray1_isa::{INSTRUCTIONS, Image, Opcode, PROGRAM_WORDS};

/// The program, decoded in pairs, and where a run may be stopped.
#[derive(Clone)]
pub(super) struct Pairs {
    pairs: Box<[Pair; PROGRAM_WORDS]>,
    is_stop: Box<[bool; PROGRAM_WORDS]>,
}

/// What pairs change in a machine.
pub(super) struct Machine<'a> {
    pub bytes: &'a mut [u8; BYTES],
    pub registers: &'a mut Registers,
    pub cycle: &'a mut u64,
    /// Pairs run, by code.
    pub runs: &'a mut [u64; CODES],
}

/// An instruction and, unless it jumps, the one after it.
#[derive(Clone, Copy)]
#[repr(align(8))]
struct Pair {
    /// The two actions, as [`Pairs::run`] numbers them.
    code: u8,
    /// Their operands: indices of bytes, or the target of a jump.
    first: u16,
    second: u16,
}

/// What to do with an operand; the first five never jump.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Action {
    Load,
    Store,
    Add,
    Nor,
    Shift,
    Jump,
    JumpIfCarry,
    JumpIfZero,
    /// A store to the display, the port, or an address where programs read inputs: never part of a pair.
    StoreOutside,
    /// Left to the engine: a jump that may land on itself, or an instruction where a run may be stopped.
    Wait,
}

/// The number of actions that can be the second of a pair.
const SECONDS: u8 = Action::StoreOutside as u8;
/// The code of a single action is this plus its number.
const SINGLE: u8 = Action::Jump as u8 * SECONDS;
const STORE_OUTSIDE: u8 = SINGLE + Action::StoreOutside as u8;
/// The number of codes. The last one is for instructions that the engine runs, and are counted there.
pub(super) const CODES: usize = SINGLE as usize + Action::Wait as usize + 1;

impl Pairs {
    pub fn decode(image: &Image, is_stop: &[bool; PROGRAM_WORDS]) -> Pairs {
        let mut pairs = Box::new([Pair { code: 0, first: 0, second: 0 }; PROGRAM_WORDS]);
        let action_at = |sequence: usize| match decode(image, sequence as u16) {
            (_, operand) if is_stop[sequence] => (Action::Wait, operand),
            decoded => decoded,
        };
        for (sequence, pair) in pairs.iter_mut().enumerate() {
            let (action, first) = action_at(sequence);
            let (next, second) = action_at((sequence + 1) % PROGRAM_WORDS);
            let is_pair = action < Action::Jump && next < Action::StoreOutside;
            let code = if is_pair { action as u8 * SECONDS + next as u8 } else { SINGLE + action as u8 };
            *pair = Pair { code, first, second };
        }
        Pairs { pairs, is_stop: Box::new(*is_stop) }
    }

    /// Whether a run may be stopped before this instruction.
    pub fn is_stop(&self, sequence: u16) -> bool {
        self.is_stop[usize::from(sequence) % PROGRAM_WORDS]
    }

    /// Runs up to `cycles` instructions, and stops before those that are left to the engine.
    #[inline(always)]
    #[allow(unused_assignments)] // the first action of a pair may set what the second sets again
    pub fn run(&self, machine: Machine, cycles: u64, outside: &mut dyn Outside, ways: &mut impl Note) {
        let Machine { bytes, registers, cycle, runs } = machine;
        let pairs = &*self.pairs;
        let mut pc = usize::from(registers.pc);
        let mut a = u32::from(registers.a);
        let mut c = u32::from(registers.c);
        let mut left = cycles;

        /// Runs one action and sets the next instruction: `$next`, unless it jumps.
        macro_rules! act {
            (Load $x:expr, $next:expr) => {{
                a = u32::from(bytes[usize::from($x) % BYTES]);
                pc = $next;
            }};
            (Store $x:expr, $next:expr) => {{
                bytes[usize::from($x) % BYTES] = a as u8;
                pc = $next;
            }};
            (Add $x:expr, $next:expr) => {{
                let sum = a + u32::from(bytes[usize::from($x) % BYTES]);
                (a, c) = (sum & 0xFF, sum >> 8);
                pc = $next;
            }};
            (Nor $x:expr, $next:expr) => {{
                a = (a | u32::from(bytes[usize::from($x) % BYTES])) ^ 0xFF;
                pc = $next;
            }};
            (Shift $x:expr, $next:expr) => {{
                let value = u32::from(bytes[usize::from($x) % BYTES]);
                (a, c) = (value >> 1, value & 1);
                pc = $next;
            }};
            (Jump $x:expr, $next:expr) => {
                pc = usize::from($x)
            };
            (JumpIfCarry $x:expr, $next:expr) => {{
                ways.note(c != 0);
                pc = if c != 0 { usize::from($x) } else { $next };
            }};
            (JumpIfZero $x:expr, $next:expr) => {{
                ways.note(a == 0);
                pc = if a == 0 { usize::from($x) } else { $next };
            }};
        }
        macro_rules! run {
            ($($first:ident { $($code:literal $second:ident)* })*; $($single:literal $action:ident)*) => {
                while left >= 2 {
                    let pair = pairs[pc % PROGRAM_WORDS];
                    runs[usize::from(pair.code)] += 1;
                    match pair.code {
                        $($($code => {
                            act!($first pair.first, pc);
                            act!($second pair.second, pc + 2);
                            left -= 2;
                        })*)*
                        $($single => {
                            act!($action pair.first, pc + 1);
                            left -= 1;
                        })*
                        STORE_OUTSIDE => {
                            bytes[stored_at(pair.first)] = a as u8;
                            outside.stored(*cycle + cycles - left, pair.first, a as u8);
                            pc += 1;
                            left -= 1;
                        }
                        _ => break,
                    }
                }
            };
        }
        run! {
            Load  {  0 Load  1 Store  2 Add  3 Nor  4 Shift  5 Jump  6 JumpIfCarry  7 JumpIfZero }
            Store {  8 Load  9 Store 10 Add 11 Nor 12 Shift 13 Jump 14 JumpIfCarry 15 JumpIfZero }
            Add   { 16 Load 17 Store 18 Add 19 Nor 20 Shift 21 Jump 22 JumpIfCarry 23 JumpIfZero }
            Nor   { 24 Load 25 Store 26 Add 27 Nor 28 Shift 29 Jump 30 JumpIfCarry 31 JumpIfZero }
            Shift { 32 Load 33 Store 34 Add 35 Nor 36 Shift 37 Jump 38 JumpIfCarry 39 JumpIfZero };
            40 Load 41 Store 42 Add 43 Nor 44 Shift 45 Jump 46 JumpIfCarry 47 JumpIfZero
        }
        registers.pc = (pc % PROGRAM_WORDS) as u16;
        (registers.a, registers.c) = (a as u8, c != 0);
        *cycle += cycles - left;
    }
}

fn decode(image: &Image, sequence: u16) -> (Action, u16) {
    let word = image.word(sequence);
    let action = match word.opcode() {
        _ if word.landing() == Some(sequence) => Action::Wait,
        Opcode::Sta if word.x() >= WORKING_RAM_END => Action::StoreOutside,
        opcode => action_of(opcode),
    };
    let place = if word.opcode() == Opcode::Sta { word.x() } else { operand(word) as u16 };
    (action, word.landing().unwrap_or(place))
}

fn action_of(opcode: Opcode) -> Action {
    match opcode {
        Opcode::Lda => Action::Load,
        Opcode::Sta => Action::Store,
        Opcode::Add => Action::Add,
        Opcode::Nor => Action::Nor,
        Opcode::Shr => Action::Shift,
        Opcode::Jmp => Action::Jump,
        Opcode::Jc => Action::JumpIfCarry,
        Opcode::Jz => Action::JumpIfZero,
    }
}

/// Adds up by opcode the actions that have run, given by code.
pub(super) fn count(runs: &[u64; CODES], executed: &mut [u64; 8]) {
    for (code, runs) in (0..).zip(runs) {
        for opcode in opcodes(code).into_iter().flatten() {
            executed[opcode as usize] += runs;
        }
    }
}

/// The instructions that a code stands for.
fn opcodes(code: u8) -> [Option<Opcode>; 2] {
    let opcode = |action| {
        let mut opcodes = INSTRUCTIONS.iter().map(|row| row.opcode);
        opcodes.find(|&opcode| action_of(opcode) as u8 == action)
    };
    match code {
        0..SINGLE => [opcode(code / SECONDS), opcode(code % SECONDS)],
        STORE_OUTSIDE => [Some(Opcode::Sta), None],
        _ => [opcode(code - SINGLE), None],
    }
}
