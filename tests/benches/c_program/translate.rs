//! Makes programs in C to compare with: translated instruction by instruction, or with an interpreter.

use gray1_isa::memory_map::{GREEN, INPUTS, OUT};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS};
use std::fmt::Write;

/// The code around both. RAM and the list of stores belong to the caller, which may read them, so the compiler must keep
/// every store.
const MAIN: &str = include_str!("main.c");

/// Each word becomes a statement, each target of a jump a label. Cycles are counted as in the native engine: a label adds
/// those up to the next one, and a jump that is taken in between subtracts the rest.
pub fn translated(image: &Image) -> String {
    let mut is_label = [false; PROGRAM_WORDS];
    is_label[0] = true;
    for at in 0..PROGRAM_WORDS as u16 {
        let word = image.word(at);
        if let Some(landing) = word.landing() {
            is_label[usize::from(landing)] = true;
            // The word after an unconditional jump is reached only by another jump.
            is_label[(usize::from(at) + 1) % PROGRAM_WORDS] |= word.opcode() == Opcode::Jmp;
        }
    }
    let mut body =
        String::from("uint64_t run(struct machine *restrict m, uint8_t *restrict ram, uint64_t start) {\n");
    body += "    uint64_t left = start;\n    unsigned a = 0, c = 0;\n";
    for at in 0..PROGRAM_WORDS {
        let length = 1 + (at + 1..PROGRAM_WORDS).take_while(|&next| !is_label[next]).count();
        if is_label[at] {
            let _ =
                writeln!(body, "L{at}:\n    if (left < {length}) {{ LEAVE({at}); }}\n    left -= {length};");
        }
        statement(&mut body, image, at as u16, length);
    }
    body += "    goto L0;\n}\n";
    MAIN.replace("/* run */", &body)
}

/// Translates a word. `length` is the number of cycles from here on that were already counted.
fn statement(body: &mut String, image: &Image, at: u16, length: usize) {
    let word = image.word(at);
    let x = word.x();
    let value = if word.m() { (x & 0xFF).to_string() } else { format!("ram[{x}]") };
    let jump = word.landing().map(|landing| match landing == at {
        true => format!("{{ left += {}; LEAVE({at}); }}", length - 1),
        false => format!("{{ left += {}; goto L{landing}; }}", length - 1),
    });
    let jump = jump.unwrap_or_default();
    let _ = match word.opcode() {
        Opcode::Lda => writeln!(body, "    a = {value};"),
        Opcode::Add => writeln!(body, "    a += {value}; c = a >> 8; a &= 255;"),
        Opcode::Nor => writeln!(body, "    a = (a | {value}) ^ 255;"),
        Opcode::Shr => writeln!(body, "    c = {value} & 1; a = {value} >> 1;"),
        Opcode::Sta if x >= INPUTS => writeln!(body, "    m->behind_inputs[{}] = a;", x - INPUTS),
        Opcode::Sta if (GREEN..=OUT).contains(&x) => {
            writeln!(body, "    STORE(start - left - {length}, {x}); ram[{x}] = a;")
        }
        Opcode::Sta => writeln!(body, "    ram[{x}] = a;"),
        Opcode::Jmp => writeln!(body, "    {jump}"),
        Opcode::Jc => writeln!(body, "    if (c) {jump}"),
        Opcode::Jz => writeln!(body, "    if (!a) {jump}"),
    };
}
