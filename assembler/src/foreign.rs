//! Advice on words of other machines and assemblers, and on names of the library if it is not included.

use crate::built_in::library_file;

const INSTRUCTIONS: [(&[&str], &str); 15] = [
    (&["mov", "ld", "load", "store", "move"], "`lda` loads A, `sta` stores A in RAM"),
    (&["subi", "addi"], "counting is `lda x`, `add #1` (or `add #-1`), `sta x`"),
    (&["adc", "sbc"], "there is no add with carry: lib/wide.g1 has `add16` and `sub16`, lib/long.g1 `add32`"),
    (&["clc", "sec"], "C is the carry of the last `add`, or the bit that `shr` dropped; `add #0` clears it"),
    (&["eor"], "lib/logic.g1 has `xor`"),
    (&["asl", "lsl"], "lib/arithmetic.g1 has `shl x`: A ← the byte x shifted left"),
    (&["lsr"], "`shr x` does it: A ← the byte x shifted right"),
    (&["cmp", "cp", "beq", "bne", "je"], "lib/compare.g1 has comparing jumps: `jeq`, `jne`, `jlt`, `jge`, …"),
    (&["bra", "goto"], "`jmp` goes to a label"),
    (&["bcc", "bcs"], "`jc` jumps if C is 1; lib/compare.g1 has `jnc`"),
    (&["djnz"], "counting down is `lda x`, `add #-1`, `sta x`, and `jnz` of lib/compare.g1"),
    (&["hlt", "halt", "stop", "end"], "a jump to itself halts: `halt: jmp halt`"),
    (&["ret", "rts", "jsr", "gosub"], "there is no stack: see `.routine`, `call` and `return`"),
    (&["mul", "div"], "lib/multiply.g1 has `multiply`, lib/divide.g1 `divide`"),
    (&["push", "pop", "nop"], "the Gray-1 has eight instructions: lda, sta, add, nor, shr, jmp, jc, jz"),
];

const DIRECTIVES: [(&[&str], &str); 8] = [
    (&[".end"], "a program ends with its last line: leave this out"),
    (&[".equ", ".set", ".define", ".const", ".eq"], "a constant is `name = value`"),
    (
        &[
            ".byte", ".db", ".dw", ".dc", ".defb", ".defw", ".data", ".ascii", ".text", ".string", ".res",
            ".ds", ".var",
        ],
        "`.ram name, count` reserves bytes of RAM, which programs fill; `.table name, 1, 2` has constants in code",
    ),
    (&[".unless", ".ifnot"], "`.when !(…)` is decided when the program runs, `.if !(…)` by the assembler"),
    (
        &[".until", ".do", ".loop", ".enddo", ".endloop"],
        "there are `.while` and `.repeat_until`, both with their condition first",
    ),
    (
        &[".scope", ".local", ".namespace"],
        "local labels, such as `.again:`, are private to the label before them",
    ),
    (
        &[".struct", ".enum", ".union"],
        "`x = 0`, `y = 1` are constants: with `.ram point, 2`, `point+y` is a byte",
    ),
    (&[".def", ".func", ".proc", ".sub"], "there are `.macro` … `.endmacro` and `.routine` … `.endroutine`"),
];

/// Finds the advice on a word of another machine, or on a macro of the library.
pub(crate) fn advice(word: &str) -> Option<String> {
    let table = if word.starts_with('.') { &DIRECTIVES[..] } else { &INSTRUCTIONS[..] };
    let known = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    let foreign = table.iter().find(|(words, _)| known(words)).map(|&(_, advice)| advice.to_owned());
    // In other assemblers, directives may lack the dot: `db "x"`.
    let dotted = || if word.starts_with('.') { None } else { advice(&format!(".{word}")) };
    let foreign = foreign.or_else(dotted);
    foreign.or_else(|| library_file(".macro", &word.to_ascii_lowercase()).map(included))
}

/// Finds the directive of contracts that corresponds to a word of another language.
pub(crate) fn of_contracts(directive: &str) -> Option<&'static str> {
    match directive {
        ".pre" | ".precondition" | ".assume" | ".assumes" => Some(".requires"),
        ".post" | ".postcondition" | ".promise" | ".promises" | ".returns" => Some(".ensures"),
        ".modify" | ".modified" | ".assigns" | ".changes" | ".clobbers" => Some(".modifies"),
        _ => None,
    }
}

/// Finds the advice on a RAM name of the library.
pub(crate) fn library_ram(name: &str) -> Option<String> {
    library_file(".ram", name).map(included)
}

fn included(file: &str) -> String {
    format!("the library has it: `.include \"lib/{file}\"` at the end of the program")
}
