//! Short programs that show faults which programs of random words rarely meet: RAM that ignores an address line, a store
//! that opens a second latch for some bytes, a counter that does not wrap.

use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};

/// The programs, and the cycles of each.
pub fn probes() -> [(Image, u64); 3] {
    [(Image::from_words(aliases()), 200), (Image::from_words(rows()), 11_000), (wrap(), 64)]
}

/// Stores a byte at each of some addresses, of which many pairs differ in one line, and then sends all of them.
fn aliases() -> Vec<Word> {
    let near = |base: u16| std::iter::once(base).chain((0..12).map(move |line| base ^ 1 << line));
    let addresses = || (1..).zip([0x000, 0x555].into_iter().flat_map(near));
    let store = addresses()
        .flat_map(|(byte, address)| [Word::constant(Opcode::Lda, byte), Word::ram(Opcode::Sta, address)]);
    let send =
        addresses().flat_map(|(_, address)| [Word::ram(Opcode::Lda, address), Word::ram(Opcode::Sta, OUT)]);
    store.chain(send).collect()
}

/// Stores each byte in all latches, one after the other, upwards and then downwards.
fn rows() -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let upwards: Vec<u16> = (GREEN..=OUT).collect();
    for addresses in [upwards.clone(), upwards.into_iter().rev().collect()] {
        let begin = words.len() as u16;
        words.extend(addresses.into_iter().map(|address| Word::ram(Opcode::Sta, address)));
        let end = words.len() as u16;
        words.extend([
            Word::constant(Opcode::Add, 1),
            Word::jump(Opcode::Jc, end + 3),
            Word::jump(Opcode::Jmp, begin),
        ]);
    }
    words
}

/// Jumps to the end of the program and goes on at its beginning. Every other word sends a byte, so that it shows if the
/// counter is elsewhere.
fn wrap() -> Image {
    let word = |place: usize| match place {
        0 => Word::jump(Opcode::Jmp, PROGRAM_WORDS as u16 - 8),
        _ if place.is_multiple_of(2) => Word::constant(Opcode::Lda, ((place * 0x9E37) >> 8) as u8),
        _ => Word::ram(Opcode::Sta, OUT),
    };
    Image::from_words((0..PROGRAM_WORDS).map(word))
}
