//! A program that drives the board down its longest ways, to measure what has been computed.
//!
//! It goes round the whole program memory. Every 64 words the counter's upper half takes a step, which is its longest;
//! there a jump with a wrong parity lands one word short, on a store, so that the step comes in phase 0, and what
//! follows is an instruction that needs all of the board: a shift of an input byte, whose carry is looked at next.
//! Between those places stand instructions of all kinds.

use crate::random::Random;
use gray1_isa::memory_map::{GREEN, OUT, PADROW, RED};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::Inputs;

/// Words between two steps of the counter's upper half.
const BLOCK: u16 = 64;
/// Instructions of all kinds in each block.
const MIXED: u16 = 24;

/// The program, and the fingers that have to be on the pads while it runs.
pub fn stress() -> (Image, Inputs) {
    let mut random = Random::new(1, 0);
    let mut words = vec![Word(0); PROGRAM_WORDS];
    let blocks = PROGRAM_WORDS as u16 / BLOCK;
    for block in 0..blocks {
        let first = block * BLOCK;
        let next = (first + BLOCK) % PROGRAM_WORDS as u16;
        let mut place = first;
        let mut put = |word: Word| {
            words[usize::from(place)] = word;
            place += 1;
        };
        // The carry is 0 here; the pressed pad's row is 1: the carry becomes 1. If it does not, the ways part.
        put(Word::new(Opcode::Shr, false, PADROW));
        put(Word::jump(Opcode::Jc, first + 4));
        put(Word::constant(Opcode::Lda, 0xEE));
        put(Word::new(Opcode::Sta, false, OUT));
        for _ in 0..MIXED {
            put(mixed(&mut random));
        }
        // Carry 0, and the last address before the jump shares no line with the pads'.
        put(Word::constant(Opcode::Lda, 0));
        put(Word::constant(Opcode::Add, 0));
        // A wrong parity lands on `next`, from the store before it, which is never run.
        put(Word(Word::jump(Opcode::Jmp, next.wrapping_sub(1) % PROGRAM_WORDS as u16).0 ^ 1 << 12));
        words[usize::from(first + BLOCK - 1)] = Word::new(Opcode::Sta, false, random.between(0, 255) as u16);
    }
    (Image::from_words(words), Inputs { pad: Some((0, 1)), keys: 0 })
}

/// Any instruction that is no jump, at an address that something depends on.
fn mixed(random: &mut Random) -> Word {
    let address = match random.between(0, 3) {
        0 => random.between(u64::from(GREEN), u64::from(RED) + 8) as u16,
        1 => PADROW - 1 + random.between(0, 3) as u16,
        _ => random.between(0, 31) as u16 * 0x81,
    };
    let opcode =
        [Opcode::Lda, Opcode::Sta, Opcode::Add, Opcode::Nor, Opcode::Shr][random.between(0, 4) as usize];
    if random.between(0, 2) == 0 && opcode != Opcode::Sta {
        Word::constant(opcode, random.draw() as u8)
    } else {
        Word::new(opcode, false, address)
    }
}
