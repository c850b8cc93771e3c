//! Numbers of 16 and 32 bits: pairs of edge cases and tens of thousands of others, and every number of 16 bits.

use crate::support::{Bench, long_pairs, wide_numbers};
use gray1_machine::{Engine, IsaEngine, Noise};
use std::fmt::Write;
use test_support::engines::Sent;
use test_support::library::program;

/// The beginning of the name of a macro that changes `w`, given another number.
type Computing = (&'static str, fn(u32, u32) -> u32);

const COMPUTING: [Computing; 4] = [
    ("set", |_, v| v),
    ("add", u32::wrapping_add),
    ("sub", u32::wrapping_sub),
    ("xor", |w, v| w ^ v), // of 32 bits only
];

/// The beginning of the name of a macro that jumps to `there`.
type Jumping = (&'static str, fn(u32, u32) -> bool);

const JUMPING: [Jumping; 3] = [("jeq", |w, v| w == v), ("jlt", |w, v| w < v), ("jge", |w, v| w >= v)];

/// The numbers of a width.
#[derive(Clone, Copy)]
struct Width {
    bits: u32,
    mask: u32,
}

const WIDE: Width = Width { bits: 16, mask: 0xFFFF };
const LONG: Width = Width { bits: 32, mask: u32::MAX };

impl Width {
    /// The beginnings of the names of its macros.
    fn names(self) -> &'static [&'static str] {
        if self.bits == 16 { &NAMES[..6] } else { &NAMES }
    }

    /// The call of a macro; `{}` stands for its second operand.
    fn call(self, name: &str) -> String {
        let target = if name.starts_with('j') { ", there" } else { "" };
        format!("{name}{} w, {{}}{target}", self.bits)
    }

    /// Runs the code at `start` with these numbers. Returns `w` afterwards, and whether the code has jumped.
    fn outcome(self, bench: &mut Bench, start: u16, w: u32, v: u32) -> (u32, bool) {
        bench.state.pc = start;
        bench.state.c = (w ^ v).count_ones() % 2 == 1;
        bench.set_long("w", w);
        bench.set_long("v", v);
        let outcome = bench.run();
        assert_eq!(bench.long(&outcome, "v"), v, "the second operand is kept");
        (bench.long(&outcome, "w"), outcome.state.pc == bench.address("there"))
    }

    /// The outcome that a macro should have.
    fn expected(self, name: &str, w: u32, v: u32) -> (u32, bool) {
        let computing = COMPUTING.iter().find(|(other, _)| *other == name);
        let jumping = JUMPING.iter().find(|(other, _)| *other == name);
        (
            computing.map_or(w, |(_, expected)| expected(w, v) & self.mask),
            jumping.is_some_and(|(_, expected)| expected(w, v)),
        )
    }

    fn assert_pairs_in_ram(self, pairs: &[(u32, u32)]) {
        for &name in self.names() {
            let mut bench =
                Bench::new(&format!("      {}\n      jmp halt", self.call(name).replace("{}", "v")));
            for &(w, v) in pairs {
                let found = self.outcome(&mut bench, 0, w, v);
                assert_eq!(found, self.expected(name, w, v), "{name}: {w:#X}, {v:#X}");
            }
            let mut chips = bench.on_chips();
            for &(w, v) in pairs.iter().step_by(997) {
                bench.set_long("w", w);
                bench.set_long("v", v);
                assert_eq!(chips(&bench.state), bench.run(), "{name} on the chips: {w:#X}, {v:#X}");
            }
        }
    }

    /// Compares the macros for these constants, which are defined before the call and behind it, with numbers near
    /// them and with others. Returns the number of cases.
    fn assert_constants(self, constants: &[u32], others: impl Fn(usize) -> Vec<u32>) -> usize {
        let mut cases = 0;
        for &name in self.names() {
            // The constants do not all fit into one program.
            for (number, some) in constants.chunks(40).enumerate() {
                let mut source = String::new();
                for constant in some {
                    for (form, value) in
                        [("known", format!("#{constant}")), ("later", format!("#k{constant}"))]
                    {
                        let call = self.call(name).replace("{}", &value);
                        let _ = writeln!(source, "{form}{constant}: {call}\n jmp halt");
                    }
                    let _ = writeln!(source, "k{constant} = {constant}");
                }
                let mut bench = Bench::new(&source);
                for &v in some {
                    let starts = ["known", "later"].map(|form| bench.address(&format!("{form}{v}")));
                    let near = [v, v.wrapping_add(1), v.wrapping_sub(1), !v, v.wrapping_neg()];
                    for w in near.into_iter().map(|w| w & self.mask).chain(others(number)) {
                        for start in starts {
                            let found = self.outcome(&mut bench, start, w, v);
                            assert_eq!(found, self.expected(name, w, v), "{name}: {w:#X}, #{v:#X}");
                            cases += 1;
                        }
                    }
                }
            }
        }
        cases
    }
}

const NAMES: [&str; 7] = ["set", "add", "sub", "jeq", "jlt", "jge", "xor"];

/// Constants with 0, 1, 255 and other bytes in many orders, because the library treats these bytes differently.
fn long_constants() -> Vec<u32> {
    const BYTES: [u8; 4] = [0, 1, 0x7F, 255];
    let bytes = |choice: usize| std::array::from_fn(|k| BYTES[choice >> (2 * k) & 3]);
    (0..256).map(|choice| u32::from_le_bytes(bytes(choice))).chain([1_000_000, 65_536, 0x8000_0000]).collect()
}

#[test]
fn wide_macros_agree_for_pairs_and_constants() {
    let numbers: Vec<u32> = wide_numbers().into_iter().map(u32::from).collect();
    let pairs: Vec<_> = numbers.iter().flat_map(|&w| numbers.iter().map(move |&v| (w, v))).collect();
    WIDE.assert_pairs_in_ram(&pairs);
    let mut constants = numbers.clone();
    constants.sort_unstable();
    constants.dedup();
    let cases = WIDE.assert_constants(&constants, |_| numbers.clone());
    assert!(cases > 600_000, "{cases} cases");
}

#[test]
fn long_macros_agree_for_pairs() {
    let pairs = long_pairs();
    assert!(pairs.len() > 60_000, "{} pairs", pairs.len());
    LONG.assert_pairs_in_ram(&pairs);
}

#[test]
fn long_macros_agree_for_constants() {
    let pairs = long_pairs();
    let cases = LONG.assert_constants(&long_constants(), |number| {
        pairs.iter().skip(number).step_by(211).map(|&(w, _)| w).collect()
    });
    assert!(cases > 800_000, "{cases} cases");
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
    check_every_number([0, 0x12FF]);
}

#[test]
#[ignore = "takes half a minute"]
fn wide_macros_for_every_number_and_edge_value() {
    check_every_number(EDGE_VALUES);
}

/// Compares the macros for all first operands with these second operands.
fn check_every_number<const N: usize>(second: [u16; N]) {
    let mut cases = 0;
    let operands = second.map(|v| [(v, "v".to_owned()), (v, format!("#{v}")), (v, "#later".to_owned())]);
    for (v, operand) in operands.into_iter().flatten() {
        let mut check = |call: String, expected: &dyn Fn(u16) -> u16| {
            let call = call.replace("{}", &operand).replace("there", "jumps");
            let found = every_wide_number(&call, v);
            let wrong = (0..=u16::MAX).zip(&found).find(|&(w, &found)| found != expected(w));
            assert_eq!(wrong, None, "{call}: w and what it makes, with v = {v}");
            cases += found.len();
        };
        for (name, expected) in &COMPUTING[..3] {
            check(WIDE.call(name), &|w| expected(w.into(), v.into()) as u16);
        }
        for (name, expected) in JUMPING {
            check(WIDE.call(name), &|w| if expected(w.into(), v.into()) { !w } else { w });
        }
    }
    assert_eq!(cases, 3 * N * WIDE.names().len() * 65_536);
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

/// Compares the shifts for these numbers, some of them also on the chips engine.
fn assert_shifts(width: Width, numbers: impl Iterator<Item = u32>) {
    let bits = width.bits;
    let (other, expected): (&str, fn(u32) -> u32) = match bits {
        16 => ("asr16", |w| (w as i16 >> 1) as u16 as u32),
        _ => ("rol32", |w| w.rotate_left(1)),
    };
    let calls =
        format!("left: shl{bits} w\n jmp halt\nother: {other} w\n jmp halt\nright: shr{bits} w\n jmp halt");
    let mut bench = Bench::new(&calls);
    let [left, other, right] = ["left", "other", "right"].map(|label| bench.address(label));
    let mut chips = bench.on_chips();
    for (number, w) in numbers.enumerate() {
        assert_eq!(width.outcome(&mut bench, left, w, 0).0, w << 1 & width.mask, "{w:#X}");
        assert_eq!(width.outcome(&mut bench, other, w, 0).0, expected(w), "{w:#X}");
        assert_eq!(width.outcome(&mut bench, right, w, 0).0, w >> 1, "{w:#X}");
        let outcome = bench.run();
        assert_eq!(outcome.state.c, w % 2 == 1, "the carry after {w:#X}");
        if number % 251 == 0 {
            for start in [left, other, right] {
                bench.state.pc = start;
                assert_eq!(chips(&bench.state), bench.run(), "on the chips: {w:#X}");
            }
        }
    }
}

#[test]
fn numbers_are_shifted() {
    assert_shifts(WIDE, 0..=0xFFFF);
    assert_shifts(LONG, long_pairs().into_iter().map(|(w, _)| w));
}
