//! Converts an image back to source.

use gray1_isa::memory_map::BUILT_IN_NAMES;
use gray1_isa::{Image, Opcode, Operand, PROGRAM_WORDS, Word};
use std::fmt::Write;

/// Source that assembles to the same image, whatever the contents of the image.
///
/// Jump targets become labels, constants and Gray codes are decoded. A word that cannot be written as an instruction
/// becomes `.word`; ranges of blank cells are omitted.
pub fn disassemble(image: &Image) -> String {
    let mut targets = vec![false; PROGRAM_WORDS];
    for (address, &word) in (0..).zip(image.words().iter()) {
        if let Some(target) = plain_target(word).filter(|_| !is_blank(word, address)) {
            targets[usize::from(target)] = true;
        }
    }
    let mut source = String::new();
    let mut skipped = false;
    let mut falls_in = true;
    for (address, &word) in (0..).zip(image.words().iter()) {
        let is_target = targets[usize::from(address)];
        if is_blank(word, address) && !is_target && !falls_in {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            let _ = writeln!(source, ".org  {address}");
        }
        let is_halt = is_blank(word, address);
        if is_target || is_halt {
            let _ = writeln!(source, "L{address:04}:");
        }
        let _ = writeln!(source, "      {}", statement(word));
        falls_in = word.opcode() != Opcode::Jmp;
    }
    source
}

/// Whether a cell counts as empty: it is a self-jump.
fn is_blank(word: Word, address: u16) -> bool {
    word == Word::jump(Opcode::Jmp, address)
}

/// The target of a jump, if the assembler would produce the same word for it.
fn plain_target(word: Word) -> Option<u16> {
    word.landing().filter(|&target| Word::jump(word.opcode(), target) == word)
}

fn statement(word: Word) -> String {
    let row = word.opcode().row();
    let mnemonic = format!("{:<4}", row.mnemonic.to_lowercase());
    match (row.operand, plain_target(word)) {
        (Operand::Target, Some(target)) => format!("{mnemonic} L{target:04}"),
        (Operand::Value, _) if word.m() && word.x() < 0x100 => format!("{mnemonic} #{}", word.x()),
        (Operand::Value | Operand::Address, _) if !word.m() => format!("{mnemonic} {}", address(word.x())),
        _ => format!(".word ${:04X}             ; {word}", word.0),
    }
}

/// An address by its built-in name, if it has one.
fn address(x: u16) -> String {
    match BUILT_IN_NAMES.iter().find(|&&(_, built_in)| built_in == x) {
        Some((name, _)) => (*name).to_owned(),
        None => format!("${x:03X}"),
    }
}
