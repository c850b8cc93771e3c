//! Handwritten attacks, each with its verdict by the definition. The judge has to agree.

/// Contracts: the code before `halt: jmp halt`, the code after it, and the verdicts. `x` is at 0, `y` at 1, `t` at 2.
pub const CONTRACTS: [(&str, &str, &str); 36] = [
    // A clause about inputs means RAM as it is at the entry, and holds at the entry and at each read.
    (
        "call r",
        ".requires x == 1 && keys < 128\n.ensures y == 9\n lda #2\n sta x\n lda KEYS\n sta y",
        "r: Ensures(0)",
    ),
    ("call r", ".requires keys == 3\n.ensures keys == 3\n lda #1", "r: 2 to 2"),
    ("call r", ".requires a == keys\n.ensures y == keys\n sta y", "r: 2 to 2"),
    (
        "call r",
        ".requires keys < 4\n.ensures x < 4 && y < 4\n lda KEYS\n sta x\n lda KEYS\n sta y",
        "r: 5 to 5",
    ),
    ("call r", ".requires keys < 4\n.ensures x < 3\n lda KEYS\n lda KEYS\n sta x", "r: Ensures(0)"),
    ("call r", ".ensures x == keys\n sta x", "r: Ensures(0)"),
    // A routine ends at the word after its call, wherever it was before.
    (
        "call r\n jmp halt\nout: lda #2\n sta x\n jmp back",
        ".ensures x == 1\n lda #1\n sta x\n jmp out\nback: sta y",
        "r: Ensures(0)",
    ),
    (
        "call r\n jmp halt\nout: lda #2\n sta x\n jmp back",
        ".ensures x == 2\n lda #1\n sta x\n jmp out\nback: sta y",
        "r: 8 to 8",
    ),
    ("call r\nafter: lda x", ".ensures x == 1\n lda #1\n sta x\n jmp after\n lda y", "r: 3 to 3"),
    // Called twice, it always goes to the word after its first call.
    ("call r\nafter: call r", ".ensures x == old(x)\n.modifies a, c\n jmp after", "r: 1 to None"),
    ("call r\nafter: call r", ".within 100\n jmp after", "r: Within"),
    ("call r\n call r", ".within 5\n jz halt", "r: Halts"),
    ("call r\n call r", ".ensures a < 2\n.requires a > 0\n jz halt", "r: 3 to 4"),
    ("call r\n call r", ".requires a > 0\n.within 3\n jz halt", "r: Within"),
    ("call r\n lda y", ".ensures x == 1\n jz halt\n lda #1\n sta x", "r: 4 to 4"),
    // Only the assembler's own bytes may always be changed.
    ("call r", ".modifies a\n lda #1\n sta $200", "r: Byte(512)"),
    ("call r", ".modifies\n sta t+40", "r: Byte(42)"),
    ("place = $345\n call r", ".modifies\n sta place", "r: Byte(837)"),
    ("call r", ".modifies\n .word $2201", "r: Byte(513)"),
    ("call r", ".modifies a\n lda OUT\n sta OUT", "r: Byte(4080)"),
    (
        "call r\n call r",
        ".modifies a, c\n call q\n call q\n.endroutine\n.routine q\n lda x\n sta x",
        "r: 17 to 18",
    ),
    ("call r", ".modifies a\n lda x\n sta y\n sta $FFF\n sta x\n lda y", "r: Byte(1)"),
    // A macro ends after its words, or at a label that it was given.
    (
        ".macro m\n.ensures x == 1\n lda #1\n sta x\n jmp out\n.endmacro\n m\nafter: jmp halt\nout: lda #2\n sta x\n jmp after",
        "",
        "m: Ensures(0)",
    ),
    (
        ".macro m to\n.ensures x == 1\n lda #1\n sta x\n jmp to\n.endmacro\n m out\n jmp halt\nout: lda #2\n sta x",
        "",
        "m: 3 to 3",
    ),
    (
        ".macro m to\n.ensures x == 1 || at(to)\n jz to\n lda #1\n sta x\n.endmacro\n m out\nout: lda #2",
        "",
        "m: 1 to 3",
    ),
    (".macro m\n lda #1\n sta x\n.invariant x == 2\n.endmacro\n m", "", "m: Invariant(0)"),
    (".macro m\n.modifies x, a\n lda #1\n sta x\n.invariant x == 1\n.endmacro\n m", "", "m: 2 to 2"),
    // Checks forget nothing.
    (
        ".macro m\n.ensures y == old(y)\n lda #1\n.check a == 1\n lda x\n.check a == 1\n.endmacro\n m",
        "",
        "m: Check(1)",
    ),
    (
        "call r",
        ".requires x < 200\n.ensures y == x\n lda x\n sta y\n.check y == x && a < 200\n lda #0",
        "r: 4 to 4",
    ),
    // Vacuous contracts are not simply proved.
    ("call r", ".requires x != x\n.ensures x == 9\n lda #1", "r: vacuous"),
    ("call r", ".ensures x == 9\nl: lda x\n jmp l", "r: vacuous"),
    ("call r\n lda y", ".ensures x == 9\n jmp halt", "r: vacuous"),
    // Inputs, and addresses that read 0.
    (
        "call r",
        ".ensures a == 0 && x < 128 && (y & y - 1) == 0\n lda KEYS\n sta x\n lda PADROW\n sta y\n lda $FFC",
        "r: 6 to 6",
    ),
    ("call r", ".ensures x != 64\n lda PADCOL\n sta x", "r: Ensures(0)"),
    // A jump whose parity is wrong lands one further.
    (".ensures x == 7\n.within 4\n lda #7\n .word $B003\n sta y\n sta x", "", "program: 4 to 4"),
    (".ensures x == 7\n.within 3\n lda #7\n .word $B003\n sta y\n sta x", "", "program: Within"),
];

/// Claims: the program before `halt: jmp halt`, another program, the truth, and whether the prover shows it.
pub const CLAIMS: [(&str, &str, bool, bool); 24] = [
    // Noise decides how often, what or whether something is sent.
    ("noise", " lda x\n jz one\nl: lda #1\n sta OUT\n jmp l\none: lda #1\n sta OUT", false, true),
    ("noise", " lda x\n jz b\n lda KEYS\nb: lda KEYS\n sta OUT", false, true),
    ("noise", "l: lda #1\n sta OUT\n lda y\n jz l\n lda #0\n sta y\n lda #2\n sta OUT\n jmp l", false, true),
    ("noise", " lda x\n jz halt\nl: lda #0\n jz l", false, true),
    ("noise", " lda x\n jz b\n lda #0\nb: sta RED", true, true),
    ("noise", " lda x\n sta y\n lda #0\n sta y\nl: lda y\n sta OUT\n jmp l", true, true),
    (
        "noise",
        " lda #3\n sta x\nl: lda KEYS\n sta OUT\n lda x\n add #-1\n sta x\n jz halt\n jmp l",
        true,
        true,
    ),
    ("noise", " lda x\n jz halt\n lda #1\n sta y", false, true),
    // A poll with and without a bound.
    ("halts", "l: lda KEYS\n jz halt\n jmp l", false, true),
    (
        "halts",
        " lda #9\n sta x\nl: lda KEYS\n jz s\n jmp halt\ns: lda x\n add #-1\n sta x\n jz halt\n jmp l",
        true,
        true,
    ),
    (
        "halts",
        " lda #2\n sta x\no: lda #2\n sta y\ni: lda KEYS\n jz s\n jmp halt\ns: lda y\n add #-1\n sta y\n jz n\n jmp i\nn: lda x\n add #-1\n sta x\n jz halt\n jmp o",
        true,
        true,
    ),
    ("halts", "l: lda x\n add #2\n sta x\n jz halt\n jmp l", false, true),
    ("halts", "l: lda KEYS\n add x\n sta x\n jc halt\n jmp l", false, true),
    ("halts", " lda KEYS\n sta x\nl: lda x\n jz halt\n add #-1\n sta x\n jmp l", true, true),
    // The program itself, with unequal numbers of reads.
    (
        "same: lda KEYS\n jz b\n lda KEYS\nb: lda KEYS\n sta OUT",
        " lda KEYS\n jz b\n lda KEYS\nb: lda KEYS\n sta OUT",
        true,
        true,
    ),
    ("same:l: lda KEYS\n sta OUT\n jmp l", "l: lda KEYS\n sta OUT\n lda KEYS\n sta OUT\n jmp l", true, true),
    ("same:l: lda KEYS\n sta OUT\n jmp l", "l: lda KEYS\n sta OUT\n lda KEYS\n jmp l", false, true),
    ("same:l: lda #1\n sta OUT\n jmp l", " lda #1\n sta OUT\n sta OUT\n sta OUT", false, true),
    ("same:l: lda #1\n sta OUT\n jmp l", "l: lda #1\n sta OUT\n sta OUT\n jmp l", true, true),
    ("same: lda #1\n sta OUT\nl: lda #0\n jz l", " lda #1\n sta OUT", true, true),
    (
        "same: lda #101\n sta x\nl: lda #1\n sta OUT\n lda x\n add #-1\n sta x\n jz halt\n jmp l",
        " lda #102\n sta x\nl: lda #1\n sta OUT\n lda x\n add #-1\n sta x\n jz halt\n jmp l",
        false,
        true,
    ),
    ("same: lda KEYS\n sta OUT", " lda KEYS\n nor #0\n nor #0\n sta OUT", true, true),
    ("same, cycles: lda KEYS\n sta OUT", " lda KEYS\n nor #0\n nor #0\n sta OUT", false, true),
    ("same: lda x\n sta OUT", " lda y\n sta OUT", false, true),
];
