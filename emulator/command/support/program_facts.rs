//! Facts about a program that are known before it runs. Programs cannot compute addresses, so their words show which
//! devices they use.

use crate::support::files::shown;
use crate::tell::tell;
use gray1_isa::memory_map::{GREEN, KEYS, OUT, PADCOL, PADROW};
use gray1_isa::{Image, Opcode, Operand, Word};
use std::path::Path;

/// Whether a program stores to the display.
pub fn draws(image: &Image) -> bool {
    image.words().iter().any(|word| word.opcode() == Opcode::Sta && (GREEN..OUT).contains(&word.x()))
}

/// Whether a program reads pads or keys.
pub fn listens(image: &Image) -> bool {
    image.words().iter().any(|word| {
        let is_address = word.opcode().row().operand == Operand::Value && !word.m();
        is_address && [PADCOL, PADROW, KEYS].contains(&word.x())
    })
}

/// Warns if a program does nothing, because on the screen that looks like a program that has finished.
pub fn tell_doubt(path: &Path, image: &Image) {
    if let Some(doubt) = doubt(image) {
        tell(format_args!("gray1: {}: {doubt}", shown(path)));
    }
}

/// Why a program does nothing, if its first words show that.
fn doubt(image: &Image) -> Option<String> {
    let words = image.words();
    let first = words[0];
    if words[1..].iter().all(|word| *word == first) {
        return Some(format!("all its words are {:04X}: this is not a program", first.0));
    }
    let is_halt = |(word, address): (&Word, u16)| *word == Word::jump(Opcode::Jmp, address);
    if words.iter().zip(0..).all(is_halt) {
        return Some("it consists only of a jump to itself: the machine halts at once".to_owned());
    }
    is_halt((&first, 0)).then(|| "it begins with a jump to itself: the machine halts at once".to_owned())
}
