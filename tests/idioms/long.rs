//! Numbers of 32 bits: pairs of edge cases and tens of thousands of others; printing.

use crate::support::{Bench, long_pairs};
use std::fmt::Write;

type Computing = (&'static str, fn(u32, u32) -> u32);

/// A macro that changes `w`; `{}` is its other operand.
const COMPUTING: [Computing; 4] = [
    ("set32 w, {}", |_, v| v),
    ("add32 w, {}", u32::wrapping_add),
    ("sub32 w, {}", u32::wrapping_sub),
    ("xor32 w, {}", |w, v| w ^ v),
];

type Jumping = (&'static str, fn(u32, u32) -> bool);

const JUMPING: [Jumping; 3] = [
    ("jeq32 w, {}, there", |w, v| w == v),
    ("jlt32 w, {}, there", |w, v| w < v),
    ("jge32 w, {}, there", |w, v| w >= v),
];

/// Constants with 0, 1, 255 and other bytes in many orders, because the library treats these bytes differently.
fn constants() -> Vec<u32> {
    const BYTES: [u8; 4] = [0, 1, 0x7F, 255];
    let bytes = |choice: usize| std::array::from_fn(|k| BYTES[choice >> (2 * k) & 3]);
    (0..256).map(|choice| u32::from_le_bytes(bytes(choice))).chain([1_000_000, 65_536, 0x8000_0000]).collect()
}

/// Runs the code at `start` with these numbers. Returns `w` afterwards, and whether the code has jumped.
fn outcome(bench: &mut Bench, start: u16, w: u32, v: u32) -> (u32, bool) {
    bench.state.pc = start;
    bench.state.c = (w ^ v).count_ones() % 2 == 1;
    bench.set_long("w", w);
    bench.set_long("v", v);
    let outcome = bench.run();
    assert_eq!(bench.long(&outcome, "v"), v, "the second operand is kept");
    (bench.long(&outcome, "w"), outcome.state.pc == bench.address("there"))
}

fn check(call: &str, found: (u32, bool), w: u32, v: u32) {
    if let Some((_, expected)) = COMPUTING.iter().find(|(other, _)| *other == call) {
        assert_eq!(found, (expected(w, v), false), "{call}: {w:#X}, {v:#X}");
    }
    if let Some((_, expected)) = JUMPING.iter().find(|(other, _)| *other == call) {
        assert_eq!(found, (w, expected(w, v)), "{call}: {w:#X}, {v:#X}");
    }
}

fn calls() -> impl Iterator<Item = &'static str> {
    COMPUTING.iter().map(|(call, _)| *call).chain(JUMPING.iter().map(|(call, _)| *call))
}

#[test]
fn macros_agree_for_many_pairs_in_ram() {
    let pairs = long_pairs();
    assert!(pairs.len() > 60_000, "{} pairs", pairs.len());
    for call in calls() {
        let mut bench = Bench::new(&format!("      {}\n      jmp halt", call.replace("{}", "v")));
        for &(w, v) in &pairs {
            check(call, outcome(&mut bench, 0, w, v), w, v);
        }
        let mut chips = bench.on_chips();
        for &(w, v) in pairs.iter().step_by(997) {
            bench.set_long("w", w);
            bench.set_long("v", v);
            assert_eq!(chips(&bench.state), bench.run(), "{call} on the chips: {w:#X}, {v:#X}");
        }
    }
}

#[test]
fn macros_agree_for_constants_known_before_and_behind() {
    let pairs = long_pairs();
    let mut cases = 0;
    for call in calls() {
        for (number, some) in constants().chunks(40).enumerate() {
            let mut source = String::new();
            for constant in some {
                for (form, value) in [("known", format!("#{constant}")), ("later", format!("#k{constant}"))] {
                    let _ = writeln!(source, "{form}{constant}: {}\n jmp halt", call.replace("{}", &value));
                }
                let _ = writeln!(source, "k{constant} = {constant}");
            }
            let mut bench = Bench::new(&source);
            for &v in some {
                let starts = ["known", "later"].map(|form| bench.address(&format!("{form}{v}")));
                let near = [v, v.wrapping_add(1), v.wrapping_sub(1), !v, v.wrapping_neg()];
                let others = pairs.iter().skip(number).step_by(211).map(|&(w, _)| w);
                for w in near.into_iter().chain(others) {
                    for start in starts {
                        check(call, outcome(&mut bench, start, w, v), w, v);
                        cases += 1;
                    }
                }
            }
        }
    }
    assert!(cases > 800_000, "{cases} cases");
}

#[test]
fn long_numbers_are_shifted() {
    let mut bench = Bench::new("left: shl32 w\n jmp halt\nright: shr32 w\n jmp halt\nround: rol32 w\n jmp halt");
    let [left, right, round] = ["left", "right", "round"].map(|label| bench.address(label));
    for (w, v) in long_pairs() {
        assert_eq!(outcome(&mut bench, left, w, v).0, w << 1, "{w:#X}");
        assert_eq!(outcome(&mut bench, round, w, v).0, w.rotate_left(1), "{w:#X}");
        assert_eq!(outcome(&mut bench, right, w, v).0, w >> 1, "{w:#X}");
        assert_eq!(bench.run().state.c, w % 2 == 1, "the carry after {w:#X}");
    }
}

#[test]
fn long_numbers_are_printed() {
    let mut bench = Bench::new("      print32 w\n      jmp halt");
    let mut numbers: Vec<u32> = long_pairs().into_iter().flat_map(|(w, v)| [w, v]).step_by(5).collect();
    // Numbers with any digits in three adjacent places, and zeros or nines elsewhere.
    for places in 0..10u32 {
        for digits in 0..1000u32 {
            let step = u64::from(10u32.pow(places));
            numbers.extend(u32::try_from(u64::from(digits) * step));
            numbers.extend(u32::try_from(u64::from(digits) * step + step - 1));
        }
    }
    assert!(numbers.len() > 30_000);
    for w in numbers {
        bench.set_long("w", w);
        assert_eq!(String::from_utf8_lossy(&bench.run().sent), w.to_string());
    }
    let constants = "      print32 #0\n      print_text \" \"\n      print32 #4294967295\n      jmp halt";
    assert_eq!(String::from_utf8_lossy(&Bench::new(constants).run().sent), "0 4294967295");
}

#[test]
fn every_byte_is_printed_in_hexadecimal() {
    let mut bench = Bench::new("      print_hex x\n      jmp halt");
    for x in 0..=255 {
        bench.set("x", x);
        assert_eq!(String::from_utf8_lossy(&bench.run().sent), format!("{x:02X}"));
    }
}
