//! The calculator, compared with Rust's arithmetic.

use gray1_machine::{Engine, Inputs, IsaEngine, Noise};
use proptest::prelude::*;
use test_support::engines::Seen;
use test_support::programs::assembled;

/// The keys, row by row.
const KEYS: &str = "789/456*123-C0=+";

/// The calculator's output for these key presses.
fn output(keys: &str) -> String {
    let mut engine = IsaEngine::power_up(&assembled("calculator", &[]).image, Noise::Random(5));
    let mut seen = Seen::default();
    let mut wait = |engine: &mut IsaEngine, cycles: u64| engine.run(cycles, &mut seen).expect("it settles");
    wait(&mut engine, 1000);
    for (number, key) in (0..).zip(keys.chars()) {
        let place = KEYS.find(key).expect("a key") as u8;
        // A key covers four pads, which are pressed in turn.
        let (row, column) = (2 * (place / 4) + number % 2, 2 * (place % 4) + number / 2 % 2);
        engine.press(Inputs { pad: Some((row, column)), keys: 0 }).expect("it settles");
        wait(&mut engine, 1000);
        engine.press(Inputs::default()).expect("it settles");
        wait(&mut engine, if key == '=' { 40_000 } else { 8_000 });
    }
    String::from_utf8_lossy(&seen.bytes()).into_owned()
}

/// The expected output.
fn expected(keys: &str) -> String {
    let (mut sent, mut total, mut number, mut operator, mut typed) = (String::new(), 0i32, 0i32, '+', false);
    let mut is_result = false;
    for key in keys.chars() {
        sent.push(key);
        if let Some(digit) = key.to_digit(10) {
            let before = if typed && !is_result { number } else { 0 };
            number = before.wrapping_mul(10).wrapping_add(digit as i32);
            (typed, is_result) = (true, false);
            continue;
        }
        let outcome = match operator {
            _ if key == 'C' => None,
            _ if !typed => Some(total),
            '+' => Some(total.wrapping_add(number)),
            '-' => Some(total.wrapping_sub(number)),
            '*' => Some(total.wrapping_mul(number)),
            _ => (number != 0).then(|| total.wrapping_div(number)),
        };
        (total, operator, typed, is_result) = (outcome.unwrap_or(0), '+', false, false);
        match (outcome, key) {
            (_, 'C') => sent.push('\n'),
            (None, _) => sent += "?\n",
            (Some(result), '=') => {
                sent += &format!("{result}\n");
                (total, number, typed, is_result) = (0, result, true, true);
            }
            (Some(_), key) => operator = key,
        }
    }
    sent
}

#[test]
fn edge_cases() {
    for keys in [
        "0=",
        "=",
        "==",
        "5==",
        "-5=",
        "5-=",
        "1+2*3=",
        "12+*3=",
        "7/0+1=",
        "0/7=",
        "5=7=",
        "5=+7=",
        "C5C=",
        "2147483647+1=",
        "-2147483648/1=",
        "0-2147483648/0-1=",
        "4294967296=",
        "-7/2=",
        "9-16/3=",
        "65536*65536=",
        "65535*65537=",
        "1000000000-1=",
        "-1*2147483647=",
    ] {
        assert_eq!(output(keys), expected(keys), "{keys}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_calculates_as_rust_does(
        first in any::<u32>(),
        steps in prop::collection::vec((prop::sample::select(vec!['+', '-', '*', '/']), any::<u32>(), 0..32u32), 1..5),
    ) {
        let rest = steps.iter().map(|(operator, number, shift)| format!("{operator}{}", number >> shift));
        let keys = format!("{first}{}=", rest.collect::<String>());
        prop_assert_eq!(output(&keys), expected(&keys));
    }
}
