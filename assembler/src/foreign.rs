//! Words of other machines and assemblers, and what to write here instead.

const INSTRUCTIONS: [(&[&str], &str); 8] = [
    (&["mov", "ld", "load", "store", "move"], "`lda` takes a byte into A, `sta` puts A into RAM"),
    (&["inc", "dec", "adc", "sbc", "subi", "addi"], "counting is `lda x`, `add #1` (or `add #-1`), `sta x`"),
    (
        &["sub", "and", "or", "xor", "eor", "not", "neg", "shl", "asl"],
        "the library has it: `.include` logic.g1 or arithmetic.g1",
    ),
    (
        &["cmp", "cp", "beq", "bne", "je", "jne", "jnz", "jlt", "jge"],
        "the library has comparing jumps: `.include` compare.g1",
    ),
    (&["mul", "div"], "the library has `multiply` and `divide`"),
    (&["hlt", "stop", "end"], "a jump to itself halts: `halt: jmp halt`"),
    (&["ret", "rts", "jsr", "gosub"], "there is no stack: see `.routine`, `call` and `return`"),
    (&["push", "pop", "nop"], "the Gray-1 has eight instructions: lda, sta, add, nor, shr, jmp, jc, jz"),
];

const DIRECTIVES: [(&[&str], &str); 3] = [
    (&[".equ", ".set", ".define", ".const", ".eq"], "a constant is `name = value`"),
    (
        &[".byte", ".db", ".data", ".res", ".ds", ".var"],
        "`.ram name, count` reserves bytes of RAM; programs fill them",
    ),
    (&[".def", ".func", ".proc", ".sub"], "there are `.macro` … `.endmacro` and `.routine` … `.endroutine`"),
];

/// What to write for a word that other machines have.
pub(crate) fn advice(word: &str) -> Option<&'static str> {
    let table = if word.starts_with('.') { &DIRECTIVES[..] } else { &INSTRUCTIONS[..] };
    let known = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    table.iter().find(|(words, _)| known(words)).map(|&(_, advice)| advice)
}
