//! A table of small programs with effects that were worked out by hand. All engines are tested against it.

use gray1_isa::Opcode::{Add, Jc, Jmp, Jz, Lda, Nor, Shr, Sta};
use gray1_isa::{Image, Word};
use gray1_machine::{Noise, Registers, Script};
use test_support::engines::{Seen, engines};
use test_support::say;

/// A constant operand, a RAM operand, a jump.
fn k(opcode: gray1_isa::Opcode, value: u8) -> Word {
    Word::constant(opcode, value)
}
fn m(opcode: gray1_isa::Opcode, address: u16) -> Word {
    Word::ram(opcode, address)
}
fn j(opcode: gray1_isa::Opcode, target: u16) -> Word {
    Word::jump(opcode, target)
}
/// A jump whose M is not the parity of its target.
fn wrong(opcode: gray1_isa::Opcode, target: u16) -> Word {
    Word(Word::jump(opcode, target).0 ^ 0x1000)
}

struct Case {
    name: &'static str,
    /// Words, with the sequence number where they begin.
    program: Vec<(u16, Vec<Word>)>,
    input: &'static str,
    /// Cycles until the halt, the halting jump included.
    cycles: u64,
    /// At the halt.
    pc: u16,
    a: u8,
    c: bool,
    /// Bytes of RAM at the halt.
    ram: Vec<(u16, u8)>,
    output: &'static [u8],
    display: Vec<(u64, usize, u8)>,
}

impl Case {
    fn new(name: &'static str, program: Vec<Word>, cycles: u64, (pc, a, c): (u16, u8, bool)) -> Case {
        Case {
            name,
            program: vec![(0, program)],
            input: "[]",
            cycles,
            pc,
            a,
            c,
            ram: Vec::new(),
            output: b"",
            display: Vec::new(),
        }
    }
}

fn cases() -> Vec<Case> {
    vec![
        Case::new("a jump to itself halts at once", vec![j(Jmp, 0)], 1, (0, 0, false)),
        Case::new("an unused cell halts", vec![k(Lda, 7)], 2, (1, 7, false)),
        Case::new("LDA leaves C alone", vec![k(Shr, 3), k(Lda, 9), j(Jmp, 2)], 3, (2, 9, true)),
        Case::new("ADD without carry", vec![k(Lda, 0x7F), k(Add, 0x80), j(Jmp, 2)], 3, (2, 0xFF, false)),
        Case::new("ADD with carry", vec![k(Lda, 0xFF), k(Add, 1), j(Jmp, 2)], 3, (2, 0, true)),
        Case::new(
            "a carry between the halves is no carry out",
            vec![k(Lda, 0x0F), k(Add, 1)],
            3,
            (2, 0x10, false),
        ),
        Case::new("ADD clears an old carry", vec![k(Shr, 1), k(Add, 0), j(Jmp, 2)], 3, (2, 0, false)),
        Case::new("ADD does not add the carry", vec![k(Shr, 1), k(Add, 5), j(Jmp, 2)], 3, (2, 5, false)),
        Case::new("NOR leaves C alone", vec![k(Shr, 1), k(Nor, 0x5A), j(Jmp, 2)], 3, (2, 0xA5, true)),
        Case::new(
            "SHR shifts its operand, not A",
            vec![k(Lda, 0xF0), k(Shr, 0x81), j(Jmp, 2)],
            3,
            (2, 0x40, true),
        ),
        Case::new("SHR moves bit 4 across the halves", vec![k(Shr, 0x10), j(Jmp, 1)], 2, (1, 0x08, false)),
        Case {
            ram: vec![(0x123, 0xAA)],
            ..Case::new(
                "STA ignores M",
                vec![k(Lda, 0xAA), Word::new(Sta, true, 0x123), j(Jmp, 2)],
                3,
                (2, 0xAA, false),
            )
        },
        Case {
            ram: vec![(0xFDF, 0x0E)],
            ..Case::new(
                "RAM operands",
                vec![
                    k(Lda, 7),
                    m(Sta, 0xFDF),
                    m(Add, 0xFDF),
                    m(Sta, 0xFDF),
                    m(Shr, 0xFDF),
                    m(Nor, 0xFDF),
                    j(Jmp, 6),
                ],
                7,
                (6, 0xF0, false),
            )
        },
        Case::new(
            "constants ignore X[11:8]",
            vec![Word(0x1000 | 0xF00 | 0x42), Word(0x5000 | 0xA00 | 0x01), j(Jmp, 2)],
            3,
            (2, 0x43, false),
        ),
        Case::new("JMP skips", vec![j(Jmp, 2), k(Lda, 1), j(Jmp, 2)], 2, (2, 0, false)),
        Case::new("JZ taken", vec![j(Jz, 2), k(Lda, 1), j(Jmp, 2)], 2, (2, 0, false)),
        Case::new("JZ not taken, lower half", vec![k(Lda, 0x01), j(Jz, 0), j(Jmp, 2)], 3, (2, 1, false)),
        Case::new("JZ not taken, upper half", vec![k(Lda, 0x10), j(Jz, 0), j(Jmp, 2)], 3, (2, 0x10, false)),
        Case::new("JC taken", vec![k(Shr, 1), j(Jc, 3), k(Lda, 9), j(Jmp, 3)], 3, (3, 0, true)),
        Case::new("JC not taken", vec![k(Shr, 2), j(Jc, 0), j(Jmp, 2)], 3, (2, 1, false)),
        Case::new("JC on itself, not taken, goes on", vec![j(Jc, 0), j(Jmp, 1)], 2, (1, 0, false)),
        Case::new("JC on itself, taken, halts", vec![k(Shr, 1), j(Jc, 1), k(Lda, 1)], 2, (1, 0, true)),
        Case::new("JZ on itself, taken, halts", vec![j(Jz, 0), k(Lda, 1)], 1, (0, 0, false)),
        Case::new(
            "wrong parity lands one further",
            vec![wrong(Jmp, 1), k(Lda, 1), j(Jmp, 2)],
            2,
            (2, 0, false),
        ),
        Case::new("wrong parity can halt", vec![k(Lda, 3), wrong(Jmp, 0)], 2, (1, 3, false)),
        Case::new(
            "wrong parity onto itself goes on",
            vec![wrong(Jmp, 0), k(Lda, 5), j(Jmp, 2)],
            3,
            (2, 5, false),
        ),
        Case {
            program: vec![(0, vec![j(Jmp, 4095)]), (4095, vec![k(Add, 1)])],
            ..Case::new("after 4095 comes 0", vec![], 0, (0, 0, false))
        }
        .never_halts(),
        Case {
            program: vec![(0, vec![j(Jc, 2), wrong(Jmp, 4095), j(Jmp, 2)]), (4095, vec![j(Jmp, 4095)])],
            ..Case::new("wrong parity wraps", vec![], 0, (0, 0, false))
        }
        .never_halts(),
        Case {
            output: b"Hi\n",
            ram: vec![(0xFF0, b'\n')],
            ..Case::new(
                "the output port",
                vec![
                    k(Lda, b'H'),
                    m(Sta, 0xFF0),
                    k(Lda, b'i'),
                    m(Sta, 0xFF0),
                    k(Lda, b'\n'),
                    m(Sta, 0xFF0),
                    m(Lda, 0xFF0),
                    j(Jmp, 7),
                ],
                8,
                (7, b'\n', false),
            )
        },
        Case {
            display: vec![(1, 0, 0x81), (2, 15, 0x81), (4, 7, 0x40)],
            ram: vec![(0xFE0, 0x81), (0xFEF, 0x81), (0xFE7, 0x40)],
            ..Case::new(
                "the display, and it reads back",
                vec![
                    k(Lda, 0x81),
                    m(Sta, 0xFE0),
                    m(Sta, 0xFEF),
                    m(Shr, 0xFEF),
                    m(Sta, 0xFE7),
                    m(Lda, 0xFE0),
                    j(Jmp, 6),
                ],
                7,
                (6, 0x81, true),
            )
        },
        Case {
            input: r#"[(at: 2, pad: Some((row: 2, col: 3))), (at: 6, pad: None), (at: 6, keys: ["left", "start"])]"#,
            ram: vec![(0, 0), (1, 0x08), (2, 0x04), (3, 0x41)],
            ..Case::new(
                "inputs are read at their cycle",
                vec![
                    m(Lda, 0xFF8), // cycle 0: nothing is pressed
                    m(Sta, 0),
                    m(Lda, 0xFF8), // cycle 2: column 3
                    m(Sta, 1),
                    m(Lda, 0xFF9), // cycle 4: row 2
                    m(Sta, 2),
                    m(Lda, 0xFFA), // cycle 6: keys
                    m(Sta, 3),
                    m(Lda, 0xFF8), // released
                    m(Add, 0xFFB),
                    m(Add, 0xFFF),
                    j(Jmp, 11),
                ],
                12,
                (11, 0, false),
            )
        },
        Case {
            ram: vec![(0xFF7, 0x77)],
            ..Case::new(
                "stores to the inputs have no effect, their neighbour is RAM",
                vec![
                    k(Lda, 0x77),
                    m(Sta, 0xFF7),
                    m(Sta, 0xFF8),
                    m(Sta, 0xFFA),
                    m(Sta, 0xFFF),
                    m(Lda, 0xFF8),
                    m(Add, 0xFFA),
                    m(Add, 0xFFF),
                    j(Jmp, 8),
                ],
                9,
                (8, 0, false),
            )
        },
    ]
}

impl Case {
    /// Marks a program that runs forever: it is stopped after 100 cycles.
    fn never_halts(self) -> Case {
        Case { cycles: u64::MAX, ..self }
    }
}

#[test]
fn all_engines_do_what_the_table_says() {
    let cases = cases();
    for case in &cases {
        let mut image = Image::blank();
        for (start, words) in &case.program {
            for (sequence, &word) in (*start..).zip(words) {
                image.set_word(sequence, word);
            }
        }
        for (name, mut engine) in engines(&image, Noise::Random(5)) {
            let place = format!("{}, {name} engine", case.name);
            let mut seen = Seen::default();
            let script = Script::from_ron(case.input).expect(case.name);
            let run = script.run(&mut *engine, 100, &mut seen).expect(case.name);
            if case.cycles == u64::MAX {
                assert!(!engine.halted() && run == 100, "{place}: runs forever");
                continue;
            }
            assert_eq!((run, engine.halted()), (case.cycles, true), "{place}: cycles until the halt");
            let Registers { pc, a, c } = engine.registers();
            assert_eq!((pc, a, c), (case.pc, case.a, case.c), "{place}: PC, A and C");
            assert_eq!(engine.run(10, &mut seen).unwrap(), 0, "{place}: nothing wakes a halted machine");
            let ram = engine.state().ram;
            for &(address, byte) in &case.ram {
                assert_eq!(ram[usize::from(address)], byte, "{place}: RAM at {address:03X}");
            }
            assert_eq!(seen.bytes(), case.output, "{place}: output");
            if !case.display.is_empty() {
                assert_eq!(seen.display, case.display, "{place}: display");
            }
        }
    }
    say(&format!("{} programs on all engines", cases.len()));
}

#[test]
fn ram_keeps_its_noise_until_it_is_written() {
    let image = Image::from_words([k(Lda, 0x5A), m(Sta, 0x400)]);
    for noise in [Noise::Random(1), Noise::Random(77), Noise::Zeros, Noise::Ones] {
        for (name, mut engine) in engines(&image, noise) {
            let mut ram = noise.ram();
            assert_eq!(engine.state().ram, ram, "{name}, {noise:?}: reset does not touch RAM");
            engine.run(100, &mut ()).expect("the board settles");
            ram[0x400] = 0x5A;
            assert_eq!(engine.state().ram, ram, "{name}, {noise:?}");
        }
    }
}
