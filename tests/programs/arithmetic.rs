//! The multiplication and division programs, with more numbers than their comments contain.

use gray1_machine::Noise;
use test_support::engines::{Seen, engines};
use test_support::programs::assembled;

#[test]
fn products_quotients_and_rests() {
    for (left, right, divisor) in [
        (0, 0, 1),
        (0, 255, 127),
        (255, 0, 3),
        (1, 255, 2),
        (128, 2, 16),
        (99, 101, 100),
        (250, 40, 10),
        (255, 255, 1),
        (255, 255, 127),
    ] {
        let program = assembled("muldiv", &[("LEFT", left), ("RIGHT", right), ("DIVISOR", divisor)]);
        let product = left * right;
        let (quotient, rest) = (product / divisor, product % divisor);
        for (engine_name, mut engine) in engines(&program.image, Noise::Random(9)) {
            let mut seen = Seen::default();
            engine.run(100_000, &mut seen).expect("the board settles");
            assert!(engine.halted(), "{engine_name}");
            assert_eq!(
                String::from_utf8_lossy(&seen.bytes()),
                format!("{left} * {right} = {product}\n{product} / {divisor} = {quotient} rest {rest}\n"),
                "{engine_name}"
            );
        }
    }
}
