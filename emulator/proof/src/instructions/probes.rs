//! Short programs that show faults which programs of random words rarely meet: RAM that ignores an address line, a store
//! that opens a second latch for some bytes, a counter that does not wrap.

use gray1_isa::memory_map::{GREEN, OUT};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};

/// Returns the programs, and the cycles of each.
pub fn probes() -> [(Image, u64); 3] {
    [(Image::from_words(aliases()), 200), (Image::from_words(rows()), 11_000), (wrap(), 64)]
}

/// Stores a byte, then its complement at each address that differs in one line, and sends the first byte each time.
fn aliases() -> Vec<Word> {
    let bases = [0x000, 0x555].into_iter().flat_map(|base| [(base, 0x00), (base, 0xFF)]);
    let words = bases.flat_map(|(base, byte): (u16, u8)| {
        let store = |address, byte| [Word::constant(Opcode::Lda, byte), Word::ram(Opcode::Sta, address)];
        let send = [Word::ram(Opcode::Lda, base), Word::ram(Opcode::Sta, OUT)];
        let near = (0..12).flat_map(move |line| store(base ^ 1 << line, !byte).into_iter().chain(send));
        store(base, byte).into_iter().chain(near)
    });
    words.collect()
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
