//! A program that exercises the longest paths of the board, to verify the computed frequency by simulation.
//!
//! It runs through the whole program memory. Every 64 words the upper half of the counter takes a step, which has the
//! longest path. There, a jump with a wrong parity goes to a store just before its target, so that the counter takes
//! that step in phase 0. Next comes an instruction with the longest path through the rest of the board: a shift of an
//! input byte, whose carry is tested next. In between are random instructions.

use gray1_isa::memory_map::{GREEN, OUT, PADROW, RED};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::{Inputs, Random};

/// Words between two steps of the counter's upper half.
const BLOCK: u16 = 64;
/// Random instructions in each block.
const MIXED: usize = 24;

/// The program, and the inputs that have to be held while it runs.
pub fn stress() -> (Image, Inputs) {
    let mut random = Random::new(1, 0);
    let mut words = Vec::with_capacity(PROGRAM_WORDS);
    for first in (0..PROGRAM_WORDS as u16).step_by(usize::from(BLOCK)) {
        // The carry is 0 here. The row of the pressed pad is 1, so the carry becomes 1; otherwise the program would
        // take a wrong path.
        words.push(Word::new(Opcode::Shr, false, PADROW));
        words.push(Word::jump(Opcode::Jc, first + 4));
        words.push(Word::constant(Opcode::Lda, 0xEE));
        words.push(Word::new(Opcode::Sta, false, OUT));
        words.extend((0..MIXED).map(|_| mixed(&mut random)));
        // Clears the carry. The last address before the jump has no line in common with that of the pads.
        words.push(Word::constant(Opcode::Lda, 0));
        words.push(Word::constant(Opcode::Add, 0));
        // With the wrong parity this jump lands on the next block; the store before it, its target, never runs.
        let store = first + BLOCK - 1;
        words.push(Word(Word::jump(Opcode::Jmp, store).0 ^ 1 << 12));
        words.resize(usize::from(store), Word(0));
        words.push(Word::new(Opcode::Sta, false, random.between(0, 255) as u16));
    }
    (Image::from_words(words), Inputs { pad: Some((0, 1)), keys: 0 })
}

/// A random instruction other than a jump, with an address that some chip decodes.
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
