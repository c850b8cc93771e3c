//! Static analysis of a program. Programs cannot compute addresses, so their words show which devices they use.

use crate::support::files::shown;
use crate::support::message::print_note;
use gray1_isa::memory_map::{GREEN, KEYS, OUT, PADCOL, PADROW};
use gray1_isa::{Image, Opcode, Operand, Word};
use std::path::Path;

/// Whether a program stores to the display.
pub fn uses_display(image: &Image) -> bool {
    image.words().iter().any(|word| word.opcode() == Opcode::Sta && (GREEN..OUT).contains(&word.x()))
}

/// Whether a program reads pads or keys.
pub fn reads_inputs(image: &Image) -> bool {
    image.words().iter().any(|word| {
        let is_address = word.opcode().row().operand == Operand::Value && !word.m();
        is_address && [PADCOL, PADROW, KEYS].contains(&word.x())
    })
}

/// Warns if a program does nothing, since the display cannot tell such a program from a finished one.
pub fn warn_if_idle(path: &Path, image: &Image) {
    if let Some(fault) = idle_reason(image) {
        print_note(format_args!("gray1: {}: {fault}", shown(path)));
    }
}

/// Describes why a program does nothing, if its words show that.
fn idle_reason(image: &Image) -> Option<String> {
    let words = image.words();
    let first = words[0];
    if words[1..].iter().all(|word| *word == first) {
        return Some(format!("all its words are {:04X}: this is not a program", first.0));
    }
    let is_halt = |(word, address): (&Word, u16)| *word == Word::jump(Opcode::Jmp, address);
    if words.iter().zip(0..).all(is_halt) {
        return Some("the program is a single self-jump: the machine halts at once".to_owned());
    }
    is_halt((&first, 0)).then(|| "the program begins with a self-jump: the machine halts at once".to_owned())
}
