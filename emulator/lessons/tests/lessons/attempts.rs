//! Wrong attempts at exercises: the verdict explains the fault.

use crate::{answers, exercises, mutate};
use gray1_lessons::Course;
use proptest::collection::vec;
use proptest::prelude::*;

/// The exercise, a wrong attempt, and a part of the message.
const WRONG: &[(&str, &str, &str)] = &[
    // Proofs.
    (
        "9.1",
        ".ram x\n.ram y\n.ram z\n lda x\n add y\n sta z\n shr z\n sta z\nhalt: jmp halt",
        "For x = 1 and y = 255 this does not hold at the end: z == (x + y) / 2",
    ),
    (
        "9.1",
        ".ram x\n.ram y\n.ram z\n.requires x == 0\n shr y\n sta z\nhalt: jmp halt",
        "Leave out `.requires` and `.ensures` for the whole program",
    ),
    (
        "9.1",
        ".ram x\n.ram y\n.ram z\nl: lda x\n jz halt\n add #-1\n sta x\n jmp l\nhalt: jmp halt",
        "your program does not halt within 20 cycles.",
    ),
    ("9.2", ".ram x\n.ram y\n lda x\nhalt: jmp halt", "Keep the bytes that the exercise is about"),
    (
        "9.2",
        ".ram x\n.ram y\n.ram z\n lda y\n nor #0\n add x\n jc d\n nor #0\nd: sta z\nhalt: jmp halt",
        "this does not hold at the end: z == (x > y ? x - y : y - x)",
    ),
    // Tables.
    ("1.1", "", "The row for a = 0, b = 0 and c = 0 is not filled in yet."),
    ("1.1", "0 0 0 | 0 0\n0 0 0 | 0 0", "There are two rows for a = 0, b = 0 and c = 0."),
    ("1.1", "0 0 | 1", "`0 0 | 1` is not a row of this table: a row looks like `0 0 0 | 1 1`."),
    ("1.1", "0 0 . | 1 0", "`0 0 . | 1 0` is not a row of this table"),
    ("1.1", "hello", "`hello` is not a row of this table"),
    (
        "1.1", // without the carry
        "000|00\n001|01\n010|01\n011|00\n100|01\n101|00\n110|00\n111|01",
        "For a = 0, b = 1 and c = 1 your table gives carry = 0, expected 1.",
    ),
    (
        "1.1", // the columns exchanged
        "000|00\n001|10\n010|10\n011|01\n100|10\n101|01\n110|01\n111|11",
        "For a = 0, b = 0 and c = 1 your table gives carry = 1, expected 0.",
    ),
    (
        "2.1", // open when it should be closed
        "000|0\n001|0\n010|1\n011|1\n100|0\n101|1\n110|0\n111|1",
        "Step 3 (when input = 1): out is 1, expected 0; before, it was 0.",
    ),
    (
        "2.1", // it forgets as it closes
        "000|0\n001|0\n010|0\n011|0\n100|0\n101|0\n110|1\n111|1",
        "Step 5 (when enable = 0): out is 0, expected 1; before, it was 1.",
    ),
    (
        "2.1", // closed, it turns itself round
        "000|1\n001|0\n010|1\n011|0\n100|0\n101|0\n110|1\n111|1",
        "With all switches at 0, the table never comes to rest",
    ),
    (
        "2.1", // open, with the input at 1, it turns itself round
        "000|0\n001|1\n010|0\n011|1\n100|0\n101|0\n110|1\n111|0",
        "Step 4 (when enable = 1): the table never comes to rest",
    ),
    (
        "3.1", // binary
        "000|000\n001|001\n010|010\n011|011\n100|100\n101|101\n110|110\n111|111",
        "From row 1 to row 2 your table goes from 001 to 010: 2 outputs change, expected 1.",
    ),
    (
        "3.1", // there and back
        "000|000\n001|001\n010|011\n011|001\n100|000\n101|001\n110|011\n111|001",
        "Rows 1 and 3 both give 001",
    ),
    (
        "3.1", // right but for the last step
        "000|000\n001|001\n010|011\n011|010\n100|110\n101|100\n110|101\n111|111",
        "From row 7 to row 0 your table goes from 111 to 000: 3 outputs change, expected 1.",
    ),
    (
        "4.1", // it stays where it is
        "000|00\n001|01\n010|10\n011|11\n100|00\n101|01\n110|10\n111|11",
        "Change 1 of tick: the state stays at 00.",
    ),
    (
        "4.1", // it goes on while tick is 1
        "000|00\n001|00\n010|00\n011|00\n100|01\n101|11\n110|00\n111|10",
        "Change 1 of tick: the table never comes to rest",
    ),
    (
        "4.1", // to and fro between two states
        "000|00\n001|00\n010|00\n011|00\n100|01\n101|01\n110|01\n111|01",
        "Change 2 of tick leads from 01 to 00, where it has been already; there must be 4 states.",
    ),
    // Cells.
    ("1.2", "", "The program sends 1 7, expected 17 7."),
    ("1.2", "ALUL:%0010011000010=%000001", "The program sends 1 7, expected 17 7."),
    ("1.2", "ALUL:%0010001001010=%010001", "The program sends 1 7, expected 17 7."), // the numbers exchanged
    ("1.2", "ALUL:*.C4=1", "The program sends 17 23, expected 17 7."),
    (
        "1.2",
        "ALUL:%0010011000010=%1010001",
        "0x51 does not fit the data lines of ALUL that are to be changed",
    ),
    ("1.2", "ALUL:0=0\nALUL:%0010011000010=17", "You have made 2 changes, but at most 1 change may be made."),
    ("1.2", "ALUL 1218 = 17", "write CHIP:ADDRESS=VALUE"),
    ("1.2", "ALU:1218=17", "the board has no chip ALU"),
    ("1.2", "ALUL:*=17", "The program"),
    ("2.2", "", "The program sends 5 5, expected 13 5."),
    ("2.2", "A:*.A3=A3", "sends"),
    ("2.2", "A:%0xxxxxxxxxxxxxxxx.A3=T3", "these chips keep changing each other: T, A, ALUL"),
    ("2.2", "A:%0xxxxxxxxxxxxxxxx.A3=~A3", "does not settle"),
    ("2.2", "A:%0xxx.A3=A3", "a pattern has 17 digits"),
    ("3.2", "", "The program sends 1 2 3, expected 1 2 3 4."),
    (
        "3.2", // the right step, but from too many numbers
        "PCL:%000xxxxxxxx0111=%0000101",
        "The given program runs as it should, but another instruction does not any more. Of a test program, in cycle",
    ),
    ("3.2", "PCL:%000xxxxxx000111=%0000110", "The program"),
    ("4.2", "", "the board is stuck: its program counter stays at 000"),
    ("4.2", "FLAGS:*.TICK=MT", "The program"),
    // Programs.
    ("5.1", "      lda  x", "The assembler does not accept this program"),
    (
        "5.1",
        "halt: jmp  halt",
        "Your program has no byte `x`, which the exercise needs: keep the line `.ram  x`.",
    ),
    (
        "5.1",
        ".ram  x\n.ram  y\nhalt: jmp  halt",
        "For x = 9 and y = 3 your program sends nothing, expected 6.",
    ),
    (
        "5.1", // right for the first case only
        ".ram  x\n.ram  y\n      lda  #6\n      sta  OUT\nhalt: jmp  halt",
        "For x = 200 and y = 1 your program sends 6, expected 199.",
    ),
    (
        "5.1",
        ".ram  x\n.ram  y\n.ram  z, 8\n.for  k, 0, 10\n      lda  x\n.endfor\nhalt: jmp  halt",
        "Your program has 11 words, but at most 10 are allowed.",
    ),
    (
        "5.1", // it never ends
        ".ram  x\n.ram  y\nagain: sta  OUT\n      jmp  again",
        "For x = 9 and y = 3 your program has not halted after 20000 cycles, and was stopped there.",
    ),
    (
        "5.2", // it takes a number for odd that has a bit in common with 2
        ".ram  x\n      lda  #'O'\n      sta  OUT\nhalt: jmp  halt",
        "For x = 8 your program sends \"O\", expected \"E\".",
    ),
    (
        "6.1", // red is left as it was
        "      lda  #%01010101\n.for  k, 0, 4\n      sta  GREEN + 2*k\n.endfor\n      lda  #%10101010\n.for  k, 0, 4\n      \
         sta  GREEN + 2*k + 1\n.endfor\nhalt: jmp  halt",
        "Your program shows another picture: in row 0, column",
    ),
    (
        "6.2", // it never lets go
        ".for  k, 0, 8\n        lda  #0\n        sta  GREEN+k\n        sta  RED+k\n.endfor\nagain:\n      lda  PADCOL\n\
         \x20     jz   again\n      sta  GREEN\n      jmp  again",
        "For pad 5 0 from 500 to 2000 your program shows another picture: in row 0, column 0 the LED is green, expected dark.",
    ),
    ("8.1", "halt: jmp  halt", "Your program shows"),
    (
        "8.2",
        ".ram  queen\n      lda  queen\n      add  queen\n      add  queen\n      sta  OUT\nhalt: jmp  halt",
        "For queen = 8 your program sends 24, expected 28.",
    ),
    // Values.
    ("7.1", "", "Write a line `capacitor = … pF`."),
    ("7.1", "capacitor = much", "`much` is not a value for the capacitor: a number of pF, 0 to 100000."),
    ("7.1", "capacitor = -5 pF", "is not a value for the capacitor"),
    ("7.1", "capacitor = 100 pF", "A transient has got round a storage loop"),
    ("7.1", "capacitor = 1000 pF", "The board was not ready when the next edge of the oscillator came"),
    ("7.2", "capacitor = 220 pF\noscillator = 500 kHz", "The oscillator has 500 kHz, expected at least 510."),
    ("7.2", "capacitor = 220 pF\noscillator = 530 kHz", "The machine with the slowest chips fails"),
    ("7.2", "capacitor = 100 pF\noscillator = 511 kHz", "A transient has got round a storage loop"),
];

#[test]
fn wrong_attempts_are_explained() {
    let mut faults = Vec::new();
    let course = Course::shipped();
    for (id, attempt, expected) in WRONG {
        let verdict = course.judge(id, attempt).expect("there is this exercise");
        if verdict.passed || !verdict.text.contains(expected) {
            faults.push(format!("{id} {attempt:?}:\n{}\nexpected: {expected}\n", verdict.text));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_attempt_is_judged(mutations in vec((any::<usize>(), any::<u8>(), any::<char>()), 0..6)) {
        let answers = answers();
        for exercise in exercises() {
            let attempt = mutate(&answers[&exercise.id], &mutations);
            prop_assert!(!exercise.check(&attempt).text.is_empty());
        }
    }
}
