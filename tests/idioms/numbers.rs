//! The routines: multiplication, division, and printing numbers.

use crate::support::{Bench, Outcome, long_pairs, wide_numbers};

#[test]
fn products_of_all_pairs() {
    all_pairs("      multiply x, y\n      jmp halt", |bench, outcome, x, y| {
        assert_eq!(bench.wide(outcome, "product"), u16::from(x) * u16::from(y), "{x} × {y}");
        assert_eq!((bench.byte(outcome, "x"), bench.byte(outcome, "y")), (x, y), "operands are kept");
    });
}

#[test]
fn quotients_of_all_pairs() {
    all_pairs("      divide x, y\n      jmp halt", |bench, outcome, x, y| {
        let found = (bench.byte(outcome, "quotient"), bench.byte(outcome, "remainder"));
        let expected = (x.checked_div(y).unwrap_or(255), x.checked_rem(y).unwrap_or(x));
        assert_eq!(found, expected, "{x} / {y}");
    });
}

#[test]
fn wide_quotients() {
    let mut bench = Bench::new("      divide16 w, y\n      jmp halt");
    let everything = (0..=u16::MAX).map(|w| (w, 10));
    let at_the_edges = wide_numbers().into_iter().flat_map(|w| (0..=255).map(move |y| (w, y)));
    let mut cases = 0;
    for (w, y) in everything.chain(at_the_edges) {
        bench.set_wide("w", w);
        bench.set("y", y);
        let outcome = bench.run();
        let quotient = w.checked_div(u16::from(y)).unwrap_or(u16::MAX);
        assert_eq!(bench.wide(&outcome, "quotient"), quotient, "{w} / {y}");
        if y > 0 {
            assert_eq!(u16::from(bench.byte(&outcome, "remainder")), w % u16::from(y), "{w} % {y}");
        }
        cases += 1;
    }
    assert_eq!(cases, 65_536 + 246 * 256);
}

#[test]
fn counts_go_up_and_are_printed() {
    let mut bench = Bench::new("      count_up w, 2, x\n      print_count w, 2\n      jmp halt");
    let mut chips = bench.on_chips();
    let mut cases = 0;
    for count in 0..100u8 {
        for more in 0..=10 {
            bench.set_wide("w", u16::from_le_bytes([count / 10, count % 10]));
            bench.set("x", more);
            bench.state.c = more % 2 == 1;
            let outcome = bench.run();
            let sum = (count + more) % 100;
            assert_eq!(outcome.sent, sum.to_string().as_bytes(), "{count} + {more}");
            let digits = u16::from_le_bytes([sum / 10, sum % 10]);
            assert_eq!(bench.wide(&outcome, "w"), digits, "{count} + {more}");
            assert_eq!(chips(&bench.state), outcome, "{count} + {more} on the chips");
            cases += 1;
        }
    }
    assert_eq!(cases, 1100);
}

#[test]
fn counts_have_the_requested_digits() {
    let source = "
      clear_count list, 6
      print_count list, 6
again: count_up list, 6, #7
      print_text \" \"
      print_count list, 6
      shr x
      sta x
      jc again
      count_up list+5, 1, #4
      print_text \" \"
      print_count list+5, 1
      jmp  halt";
    let mut bench = Bench::new(source);
    bench.set("x", 0b11);
    let outcome = bench.run();
    assert_eq!(String::from_utf8_lossy(&outcome.sent), "0 7 14 21 5");

    let mut bench = Bench::new("      count_up list, 6, #9\n      print_count list, 6\n      jmp halt");
    let list = usize::from(bench.address("list"));
    for (digits, sent) in [
        ([9, 9, 9, 9, 9, 0], "999999"),
        ([9, 9, 9, 9, 9, 1], "0"),
        ([0, 0, 9, 9, 9, 9], "10008"),
        ([0, 7, 0, 0, 9, 5], "70104"),
        ([1, 0, 0, 0, 0, 0], "100009"),
    ] {
        bench.state.ram[list..list + 6].copy_from_slice(&digits);
        assert_eq!(String::from_utf8_lossy(&bench.run().sent), sent, "{digits:?} and 9");
    }
}

#[test]
fn operands_may_be_constants_and_results() {
    let source = "
      multiply #7, #11
      multiply product, #3
      divide #200, #7
      divide16 product, #10
      jmp  halt";
    let mut bench = Bench::new(source);
    let outcome = bench.run();
    assert_eq!(bench.wide(&outcome, "product"), 231);
    assert_eq!((bench.wide(&outcome, "quotient"), bench.byte(&outcome, "remainder")), (23, 1));
}

#[test]
fn every_byte_is_printed() {
    let mut bench = Bench::new("      print x\n      jmp halt");
    let mut chips = bench.on_chips();
    let mut cases = 0;
    for x in 0..=255 {
        bench.set("x", x);
        let outcome = bench.run();
        assert_eq!(String::from_utf8_lossy(&outcome.sent), x.to_string());
        assert_eq!(chips(&bench.state), outcome, "{x} on the chips");
        cases += 1;
    }
    assert_eq!(cases, 256);
}

#[test]
fn every_wide_number_is_printed() {
    let mut bench = Bench::new("      print16 w\n      jmp halt");
    let mut cases = 0;
    for w in 0..=u16::MAX {
        bench.set_wide("w", w);
        assert_eq!(String::from_utf8_lossy(&bench.run().sent), w.to_string());
        cases += 1;
    }
    assert_eq!(cases, 65_536);
}

#[test]
fn texts_and_constants_are_printed() {
    let source = "
      print_text \"a;b\\\"é\\n\"
      print #0
      print #255
      print_text \",\"
      print16 #0
      print16 #65535
      jmp  halt";
    let sent = Bench::new(source).run().sent;
    assert_eq!(String::from_utf8_lossy(&sent), "a;b\"é\n0255,065535");
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

/// Runs a program with all pairs of bytes in `x` and `y`, and with some of them on the chips engine, too.
fn all_pairs(source: &str, check: impl Fn(&Bench, &Outcome, u8, u8)) {
    let mut bench = Bench::new(source);
    let mut chips = bench.on_chips();
    let mut cases = 0;
    for (x, y) in (0..=255).flat_map(|x: u8| (0..=255).map(move |y| (x, y))) {
        bench.set("x", x);
        bench.set("y", y);
        let outcome = bench.run();
        check(&bench, &outcome, x, y);
        cases += 1;
        if x == y.wrapping_mul(37) {
            assert_eq!(chips(&bench.state), outcome, "{x} and {y} on the chips");
            cases += 1;
        }
    }
    assert_eq!(cases, 65_536 + 256);
}
