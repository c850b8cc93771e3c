//! Numbers of 16 bits.

use crate::support::{Bench, wide_numbers};
use gray1_machine::{Engine, IsaEngine, Noise};
use std::fmt::Write;
use test_support::engines::Sent;
use test_support::library::program;

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

/// Runs the macro for all pairs of [`wide_numbers`], the second in RAM and as a constant.
fn pairs(call: &str, check: impl Fn(u16, u16, u16, &'static str)) -> usize {
    let numbers = wide_numbers();
    let mut cases = 0;
    // The constants do not all fit into one program.
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

/// Second operands that the library treats specially, and their neighbours.
const EDGE_VALUES: [u16; 24] = [
    0, 1, 2, 5, 127, 128, 255, 256, 257, 511, 512, 1000, 0x12FF, 0x1300, 0x7FFF, 0x8000, 0x8001, 0xABCD,
    0xFE00, 0xFEFF, 0xFF00, 0xFF01, 0xFFFE, 0xFFFF,
];

/// The result of the macro for every `w`, with either carry before it: the machine counts through them and sends `w`
/// afterwards, low byte first, or its complement if the macro has jumped.
fn every_wide_number(call: &str, v: u16) -> Vec<u16> {
    let [low, high] = v.to_le_bytes();
    let source = format!(
        "
      lda  #{low}
      sta  v
      lda  #{high}
      sta  v+1
      lda  #0
      sta  list
      sta  list+1
next: lda  list
      sta  w
      lda  list+1
      sta  w+1
      shr  list
      {call}
      lda  w
      sta  OUT
      lda  w+1
      sta  OUT
      jmp  count
jumps:
      lda  w
      nor  #0
      sta  OUT
      lda  w+1
      nor  #0
      sta  OUT
count:
      lda  list
      add  #1
      sta  list
      jc   high
      jmp  next
high: lda  list+1
      add  #1
      sta  list+1
      jc   halt
      jmp  next
later = {v}"
    );
    let mut engine = IsaEngine::power_up(&program(&source, "all.g1").0.image, Noise::Random(1));
    let mut sent = Sent::default();
    engine.run(65_536 * 100, &mut sent).expect("an end");
    assert!(engine.halted(), "no end of {call}");
    sent.0.chunks(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]])).collect()
}

#[test]
fn wide_macros_for_every_number() {
    let mut cases = 0;
    let operands = EDGE_VALUES.map(|v| [(v, "v".to_owned()), (v, format!("#{v}")), (v, "#later".to_owned())]);
    for (v, operand) in operands.into_iter().flatten() {
        let mut check = |call: &str, expected: &dyn Fn(u16) -> u16| {
            let call = call.replace("{}", &operand).replace("there", "jumps");
            let found = every_wide_number(&call, v);
            let wrong = (0..=u16::MAX).zip(&found).find(|&(w, &found)| found != expected(w));
            assert_eq!(wrong, None, "{call}: w and what it makes, with v = {v}");
            cases += found.len();
        };
        for (call, expected) in COMPUTING {
            check(call, &|w| expected(w, v));
        }
        for (call, expected) in JUMPING {
            check(call, &|w| if expected(w, v) { !w } else { w });
        }
    }
    assert_eq!(cases, 3 * EDGE_VALUES.len() * (COMPUTING.len() + JUMPING.len()) * 65_536);
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
    type Shift = (&'static str, fn(u16) -> u16);
    let shifts: [Shift; 3] =
        [("shl16 w", |w| w << 1), ("shr16 w", |w| w >> 1), ("asr16 w", |w| (w as i16 >> 1) as u16)];
    for (call, expected) in shifts {
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
