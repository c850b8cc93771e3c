//! Idioms with two bytes: all 65,536 pairs, with the second operand in RAM, as a constant, and as a constant that is
//! defined later.

use crate::support::{Bench, Outcome};
use gray1_machine::State;
use std::fmt::Write;
use std::ops::RangeInclusive;

type Computing = (&'static str, fn(u8, u8) -> u8);

/// A macro that leaves a result in A. `{}` is its operand.
const COMPUTING: [Computing; 16] = [
    ("or {}", |a, v| a | v),
    ("and {}", |a, v| a & v),
    ("xor {}", |a, v| a ^ v),
    ("clear {}", |a, v| a & !v),
    ("sub {}", u8::wrapping_sub),
    ("not", |a, _| !a),
    ("neg", |a, _| a.wrapping_neg()),
    ("shl {}", |_, v| v << 1),
    ("rol {}", |_, v| v.rotate_left(1)),
    ("ror {}", |_, v| v.rotate_right(1)),
    ("abs", |a, _| a.cast_signed().unsigned_abs()),
    ("asr", |a, _| (a.cast_signed() >> 1).cast_unsigned()),
    ("max {}", |a, v| a.max(v)),
    ("min {}", |a, v| a.min(v)),
    ("smax {}", |a, v| a.cast_signed().max(v.cast_signed()).cast_unsigned()),
    ("smin {}", |a, v| a.cast_signed().min(v.cast_signed()).cast_unsigned()),
];

type Jumping = (&'static str, fn(u8, u8) -> bool);

/// A macro that jumps to `there` or does not.
const JUMPING: [Jumping; 9] = [
    ("jeq {}, there", |a, v| a == v),
    ("jne {}, there", |a, v| a != v),
    ("jlt {}, there", |a, v| a < v),
    ("jge {}, there", |a, v| a >= v),
    ("jgt {}, there", |a, v| a > v),
    ("jle {}, there", |a, v| a <= v),
    ("jslt {}, there", |a, v| a.cast_signed() < v.cast_signed()),
    ("jbit {}, there", |a, v| a & v != 0),
    ("jnbit {}, there", |a, v| a & v == 0),
];

/// The macro with operand `x` at `ram`, and with each constant `k` at `const{k}` and, defined only afterwards, at `later{k}`.
fn bench(call: &str, constants: RangeInclusive<u8>) -> Bench {
    let mut source = format!("ram: {}\n      jmp halt\n", call.replace("{}", "x"));
    for constant in constants {
        let call = call.replace("{}", &format!("#{constant}"));
        let _ = writeln!(source, "const{constant}: {call}\n      jmp halt");
        let call = call.replace(&format!("#{constant}"), &format!("#k{constant}"));
        let _ = writeln!(source, "later{constant}: {call}\n      jmp halt\nk{constant} = {constant}");
    }
    Bench::new(&source)
}

/// Runs all pairs in all forms, and some of them also on the chips engine.
fn all_pairs(call: &str, check: impl Fn(&Bench, &Outcome, u8, u8)) -> usize {
    // The constants do not all fit into one program.
    [0..=127, 128..=255].into_iter().map(|constants| pairs(call, constants, &check)).sum()
}

fn pairs(call: &str, constants: RangeInclusive<u8>, check: impl Fn(&Bench, &Outcome, u8, u8)) -> usize {
    let mut bench = bench(call, constants.clone());
    let mut chips = bench.on_chips();
    let ram = bench.address("ram");
    let mut cases = 0;
    for v in constants {
        let constants = ["const", "later"].map(|form| bench.address(&format!("{form}{v}")));
        bench.set("x", v);
        for a in 0..=255u8 {
            for pc in [ram, constants[0], constants[1]] {
                (bench.state.pc, bench.state.a) = (pc, a);
                bench.state.c = (a ^ v).count_ones() % 2 == 1;
                let outcome = bench.run();
                check(&bench, &outcome, a, v);
                cases += 1;
                if a == v.wrapping_mul(37) {
                    assert_eq!(chips(&bench.state), outcome, "{call} on the chips: a = {a}, v = {v}");
                    cases += 1;
                }
            }
        }
    }
    cases
}

#[test]
fn macros_that_compute_agree_for_all_pairs() {
    let mut cases = 0;
    for (call, expected) in COMPUTING {
        cases += all_pairs(call, |bench, outcome, a, v| {
            assert_eq!(outcome.state.a, expected(a, v), "{call}: a = {a}, v = {v}");
            assert_eq!(outcome.state.pc, bench.address("halt"));
        });
    }
    assert_eq!(cases, COMPUTING.len() * CASES_OF_A_MACRO);
}

#[test]
fn macros_that_jump_agree_for_all_pairs() {
    let mut cases = 0;
    for (call, expected) in JUMPING {
        cases += all_pairs(call, |bench, outcome, a, v| {
            let end = bench.address(if expected(a, v) { "there" } else { "halt" });
            assert_eq!(outcome.state.pc, end, "{call}: a = {a}, v = {v}");
        });
    }
    assert_eq!(cases, JUMPING.len() * CASES_OF_A_MACRO);
}

#[test]
fn jumps_on_flags_keep_a_and_c() {
    let mut bench = Bench::new("nz: jnz there\n      jmp halt\nnc: jnc there\n      jmp halt");
    let mut cases = 0;
    for (start, flag) in [("nz", false), ("nc", true)] {
        for (a, c) in (0..=255u8).flat_map(|a| [(a, false), (a, true)]) {
            bench.state.pc = bench.address(start);
            (bench.state.a, bench.state.c) = (a, c);
            let outcome = bench.run();
            let jumps = if flag { !c } else { a != 0 };
            let end = bench.address(if jumps { "there" } else { "halt" });
            let State { pc, a: a_after, c: c_after, .. } = outcome.state;
            assert_eq!((pc, a_after, c_after), (end, a, c));
            cases += 1;
        }
    }
    assert_eq!(cases, 1024);
}

type Carrying = (&'static str, fn(u8) -> bool);

/// Idioms whose comments say what C means afterwards, with operand `x`.
const CARRYING: [Carrying; 6] = [
    ("lda x\n neg", |x| x == 0),
    ("shl x", |x| x >= 128),
    ("lda x\n abs", |_| true),
    ("lda x\n asr", |x| x < 128),
    ("inc x", |x| x == 255),
    ("dec x", |x| x != 0),
];

#[test]
fn the_carry_means_what_the_comments_say() {
    let mut cases = 0;
    for (call, expected) in CARRYING {
        let mut bench = Bench::new(&format!("      {call}\n      jmp halt"));
        for (x, c) in (0..=255).flat_map(|x: u8| [(x, false), (x, true)]) {
            bench.set("x", x);
            bench.state.c = c;
            assert_eq!(bench.run().state.c, expected(x), "{call}: x = {x}");
            cases += 1;
        }
    }
    assert_eq!(cases, CARRYING.len() * 512);
}

#[test]
fn bytes_of_ram_are_counted_and_swapped() {
    let mut bench = Bench::new("up: inc x\n jmp halt\ndown: dec x\n jmp halt\nswap: swap x, y\n jmp halt");
    let mut chips = bench.on_chips();
    let mut cases = 0;
    for (x, y) in (0..=255u8).flat_map(|x| (0..=255).map(move |y| (x, y))) {
        bench.set("x", x);
        bench.set("y", y);
        bench.state.c = (x ^ y) % 2 == 1;
        for (start, expected, a) in [
            ("up", (x.wrapping_add(1), y), x.wrapping_add(1)),
            ("down", (x.wrapping_sub(1), y), x.wrapping_sub(1)),
            ("swap", (y, x), x),
        ] {
            bench.state.pc = bench.address(start);
            let outcome = bench.run();
            assert_eq!((bench.byte(&outcome, "x"), bench.byte(&outcome, "y")), expected, "{start}: {x}, {y}");
            assert_eq!(outcome.state.a, a, "{start}: {x}, {y}");
            if start == "swap" {
                assert_eq!(outcome.state.c, bench.state.c, "C stays");
            }
            cases += 1;
            if y == x.wrapping_mul(37) {
                assert_eq!(chips(&bench.state), outcome, "{start} on the chips: {x}, {y}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 3 * (65_536 + 256));
}

/// Three forms of 65,536 pairs, and the runs on the chips engine.
const CASES_OF_A_MACRO: usize = 3 * 65_536 + 3 * 256;
