//! Conditions of blocks: each holds when it should, in every kind of block, and costs what the reference says.

use crate::interpreter;
use crate::sources::{assembly, image};
use interpreter::run;

/// Bytes at which the results of comparisons change.
const BYTES: [u8; 14] = [0, 1, 2, 4, 5, 6, 127, 128, 129, 200, 251, 253, 254, 255];

type Relation = fn(u8, u8) -> bool;
const RELATIONS: [(&str, Relation); 6] = [
    ("==", |x, y| x == y),
    ("!=", |x, y| x != y),
    ("<", |x, y| x < y),
    ("<=", |x, y| x <= y),
    (">", |x, y| x > y),
    (">=", |x, y| x >= y),
];

/// Programs that send 1 if a condition holds, and otherwise 0, for x and y of 16 bits; A is the low byte of x, C is 1 if
/// x is odd.
fn decides(condition: &str, x: u16, y: u16, ways: &[&str]) -> Vec<u8> {
    let bodies = ways.iter().map(|way| way.replace("COND", condition)).collect::<String>();
    let [[x, high_x], [y, high_y]] = [x, y].map(u16::to_le_bytes);
    let source = format!(
        ".ram x, 2\n.ram y, 2\n.ram n\n.macro begin\n lda #{y}\n sta y\n lda #{high_y}\n sta y+1\n lda #{high_x}\n sta x+1\n \
         shr #{x}\n lda #{x}\n sta x\n.endmacro\n\
         {bodies}\nhalt: jmp halt\n_use: lda n\n lda x\n lda y\n sta n\n"
    );
    run(&image(&source))
}

const WAYS: [&str; 6] = [
    " begin\n.when COND\n lda #1\n sta OUT\n.else\n lda #0\n sta OUT\n.endwhen\n",
    " begin\n.when !(COND)\n lda #0\n sta OUT\n.else\n lda #1\n sta OUT\n.endwhen\n",
    " begin\n.when COND\n jmp yes\n.endwhen\n lda #0\n jmp no\nyes: lda #1\nno: sta OUT\n",
    " begin\n.while COND\n lda #1\n sta OUT\n jmp out\n.endwhile\n lda #0\n sta OUT\nout:\n",
    " begin\n.while !(COND)\n lda #0\n sta OUT\n jmp after\n.endwhile\n lda #1\n sta OUT\nafter:\n",
    " lda #0\n sta n\n begin\n jmp first\n.repeat_until COND\n lda n\n add #1\n sta n\n lda n\n add #-2\n jz away\nfirst: begin\n\
     .endrepeat_until\n lda #1\n sta OUT\n jmp done\naway: lda #0\n sta OUT\ndone:\n",
];

#[test]
fn conditions_hold_when_they_should() {
    let mut cases = 0;
    let mut check = |condition: &str, x: u8, y: u8, expected: bool| {
        let (x, y) = (x.into(), y.into());
        assert_eq!(decides(condition, x, y, &WAYS), [u8::from(expected); 6], "{condition} with {x}, {y}");
        cases += 1;
    };
    for (sign, relation) in RELATIONS {
        for x in BYTES {
            for y in BYTES {
                check(&format!("x {sign} y"), x, y, relation(x, y));
                check(&format!("x {sign} #{y}"), x, y, relation(x, y));
                check(&format!("#{y} {sign} x"), x, y, relation(y, x));
                check(&format!("a {sign} y"), x, y, relation(x, y));
                check(&format!("y {sign} A"), x, y, relation(y, x));
                check(&format!("A {sign} #{y}"), x, y, relation(x, y));
            }
        }
    }
    for x in BYTES {
        check("carry", x, 0, x % 2 == 1);
        check("!carry", x, 0, x % 2 == 0);
        check("zero", x, 0, x == 0);
        check("!zero", x, 0, x != 0);
        check("carry && !zero", x, 0, x % 2 == 1 && x != 0);
        check("zero || carry || x == #4", x, 0, x == 0 || x % 2 == 1 || x == 4);
        check("(carry || x != #6) && !(x < #5)", x, 0, x >= 5 && x != 6);
        check("(x + 0) == #5", x, 0, x == 5);
    }
    assert_eq!(cases, 6 * 14 * 14 * 6 + 8 * 14);
}

#[test]
fn signed_conditions_and_tests_of_bits_hold_when_they_should() {
    let check = |condition: &str, x: u8, y: u8, expected: bool| {
        let (x, y) = (x.into(), y.into());
        assert_eq!(decides(condition, x, y, &WAYS), [u8::from(expected); 6], "{condition} with {x}, {y}");
    };
    for x in BYTES {
        for y in BYTES {
            let (p, q) = (x as i8, y as i8);
            let holds = [p == q, p != q, p < q, p <= q, p > q, p >= q]
                .into_iter()
                .zip(["==", "!=", "<", "<=", ">", ">="]);
            for (expected, sign) in holds {
                check(&format!("signed x {sign} y"), x, y, expected);
                check(&format!("signed x {sign} #{q}"), x, y, expected);
                check(&format!("signed #{p} {sign} y"), x, y, expected);
                check(&format!("signed a {sign} y"), x, y, expected);
                check(&format!("signed a {sign} #{y}"), x, y, expected);
            }
            let has = x & y != 0;
            check("x has y", x, y, has);
            check("a has y", x, y, has);
            check("y has a", x, y, has);
            check(&format!("x has #{y}"), x, y, has);
            check(&format!("a has #{y}"), x, y, has);
            check(&format!("#{y} has x"), x, y, has);
        }
    }
}

#[test]
fn conditions_of_16_bits_hold_when_they_should() {
    let words = [
        0, 1, 2, 5, 254, 255, 256, 257, 261, 511, 512, 1000, 0x7FFF, 0x8000, 0x8001, 0xFE00, 0xFEFF, 0xFFFE,
        0xFFFF,
    ];
    for x in words {
        for y in words {
            let holds = [x == y, x != y, x < y, x <= y, x > y, x >= y]
                .into_iter()
                .zip(["==", "!=", "<", "<=", ">", ">="]);
            for (expected, sign) in holds {
                for condition in
                    [format!("word x {sign} y"), format!("word x {sign} #{y}"), format!("word #{x} {sign} y")]
                {
                    let found = decides(&condition, x, y, &WAYS);
                    assert_eq!(found, [u8::from(expected); 6], "{condition} with {x}, {y}");
                }
            }
        }
    }
}

/// `signed`, `word` and `has` may still be names.
#[test]
fn words_of_conditions_may_be_names() {
    let ram = ".ram signed\n.ram word\n.ram has\n.ram x\n";
    for (condition, same) in [
        ("signed < #5", "x < #5"),
        ("word == #3", "x == #3"),
        ("has != has", "x != x"),
        ("signed has #4", "x has #4"),
        ("word has word", "x has x"),
        ("signed signed < #5", "signed x < #5"),
        ("word - 1 == #3", "x - 1 == #3"),
    ] {
        let program =
            |condition: &str| image(&format!("{ram}.when {condition}\n sta OUT\n.endwhen\nh: jmp h\n"));
        let bytes =
            |image: &gray1_isa::Image| image.words().iter().map(|word| word.0 & 0xFF00).collect::<Vec<_>>();
        assert_eq!(bytes(&program(condition)), bytes(&program(same)), "{condition}");
    }
}

/// The words of jumps that are taken if a condition holds, and if it does not, as in the reference.
#[test]
fn conditions_cost_what_the_reference_says() {
    for (condition, if_so, if_not) in [
        ("x has #4", 3, 4),
        ("x has y", 5, 6),
        ("signed x >= #5", 4, 5),
        ("signed x < y", 8, 9),
        ("word x >= #1000", 8, 9),
        ("word x < y", 11, 10),
        ("word x == #1000", 7, 8),
        ("word x == y", 11, 12),
    ] {
        let words = |condition: &str| {
            let source =
                format!(".ram x, 2\n.ram y, 2\nh:\n.when {condition}\n jmp h\n.endwhen\nend: jmp h\n");
            let program = assembly(&source).program.expect("a program");
            program.symbols.iter().find(|symbol| symbol.name == "end").expect("a label").value
        };
        assert_eq!((words(condition), words(&format!("!({condition})"))), (if_so, if_not), "{condition}");
    }
}
