//! Numbers of 16 bits.

use crate::support::{Bench, wide_numbers};
use std::fmt::Write;

type Computing = (&'static str, fn(u16, u16) -> u16);

/// A macro that changes `w`; `{}` is its other operand.
const COMPUTING: [Computing; 3] =
    [("set16 w, {}", |_, v| v), ("add16 w, {}", u16::wrapping_add), ("sub16 w, {}", u16::wrapping_sub)];

type Jumping = (&'static str, fn(u16, u16) -> bool);

const JUMPING: [Jumping; 3] = [
    ("jeq16 w, {}, there", |w, v| w == v),
    ("jlt16 w, {}, there", |w, v| w < v),
    ("jge16 w, {}, there", |w, v| w >= v),
];

/// Runs the macro for all pairs of telling numbers, the second in RAM and as a constant.
fn pairs(call: &str, check: impl Fn(u16, u16, u16, &'static str)) -> usize {
    let numbers = wide_numbers();
    let mut cases = 0;
    // Not all constants fit into one program.
    for constants in numbers.chunks(100) {
        let mut source = format!("ram: {}\n      jmp halt\n", call.replace("{}", "v"));
        for (index, constant) in constants.iter().enumerate() {
            let call = call.replace("{}", &format!("#{constant}"));
            let _ = writeln!(source, "const{index}: {call}\n      jmp halt");
        }
        let mut bench = Bench::new(&source);
        for (index, &v) in constants.iter().enumerate() {
            bench.set_wide("v", v);
            for &w in &numbers {
                bench.set_wide("w", w);
                bench.state.c = (w ^ v) % 2 == 1;
                for start in ["ram", &format!("const{index}")] {
                    bench.state.pc = bench.address(start);
                    let outcome = bench.run();
                    let end = if outcome.state.pc == bench.address("there") { "there" } else { "halt" };
                    check(w, v, bench.wide(&outcome, "w"), end);
                    assert_eq!(bench.wide(&outcome, "v"), v, "the second operand is kept");
                    cases += 1;
                }
            }
        }
    }
    cases
}

#[test]
fn wide_macros_that_compute() {
    for (call, expected) in COMPUTING {
        let cases = pairs(call, |w, v, result, _| assert_eq!(result, expected(w, v), "{call}: {w}, {v}"));
        assert_eq!(cases, 2 * 246 * 246);
    }
}

#[test]
fn wide_macros_that_jump() {
    for (call, expected) in JUMPING {
        let cases = pairs(call, |w, v, _, end| {
            assert_eq!(end == "there", expected(w, v), "{call}: {w}, {v}");
        });
        assert_eq!(cases, 2 * 246 * 246);
    }
}

#[test]
fn a_byte_is_added() {
    let mut bench = Bench::new("      add8 w, x\n      jmp halt");
    let mut cases = 0;
    for w in wide_numbers() {
        for x in 0..=255 {
            bench.set_wide("w", w);
            bench.set("x", x);
            let outcome = bench.run();
            assert_eq!(bench.wide(&outcome, "w"), w.wrapping_add(u16::from(x)), "{w} + {x}");
            cases += 1;
        }
    }
    assert_eq!(cases, 246 * 256);
}

#[test]
fn every_wide_number_is_shifted() {
    for (call, expected) in [("shl16 w", (|w| w << 1) as fn(u16) -> u16), ("shr16 w", |w| w >> 1)] {
        let mut bench = Bench::new(&format!("      {call}\n      jmp halt"));
        let mut chips = bench.on_chips();
        let mut cases = 0;
        for w in 0..=u16::MAX {
            bench.set_wide("w", w);
            let outcome = bench.run();
            assert_eq!(bench.wide(&outcome, "w"), expected(w), "{call}: {w}");
            if call.starts_with("shr16") {
                assert_eq!(outcome.state.c, w % 2 == 1, "{call}: the carry after {w}");
            }
            cases += 1;
            if w % 251 == 0 {
                assert_eq!(chips(&bench.state), outcome, "{call} on the chips: {w}");
                cases += 1;
            }
        }
        assert_eq!(cases, 65_536 + 262);
    }
}
