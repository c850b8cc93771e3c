//! Programs that would take too long chip by chip. The engine `isa` and the compiled board run them to their end, and the
//! chips engine runs three slices beside `isa`: at the start, at the first byte that is sent, and at the end.

use crate::expectations::Expectations;
use gray1_isa::Image;
use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::{Sent, chips};

/// The length of a slice, in cycles.
const SLICE: u64 = 10_000;

/// The step, in cycles, in which the first byte is searched for. It is shorter than sending a solution.
const STEP: u64 = 50;

pub fn check(name: &str, image: &Image, expected: &Expectations) {
    let cycles = expected.cycles.unwrap_or_else(|| panic!("{name}: a program without an end"));
    assert!(expected.displays.is_empty(), "{name}: displays are not looked at");
    let mut fast = IsaEngine::power_up(image, Noise::Random(1));
    let mut sent = Sent::default();
    slice(name, image, &mut fast, &mut sent);
    while sent.0.is_empty() && !fast.halted() {
        run(&mut fast, STEP, &mut sent);
    }
    slice(name, image, &mut fast, &mut sent);
    let left = cycles.saturating_sub(fast.cycle() + SLICE);
    run(&mut fast, left, &mut sent);
    slice(name, image, &mut fast, &mut sent);
    assert_eq!((fast.halted(), fast.cycle()), (true, cycles), "{name}: cycles");
    assert_eq!(String::from_utf8_lossy(&sent.0), expected.output, "{name}: output");
    if gray1_native::IS_SUPPORTED {
        let mut native = chips(image, Noise::Random(1));
        native.compile_eagerly(gray1_native::translate);
        let mut sent_by_native = Sent::default();
        run(&mut native, u64::MAX, &mut sent_by_native);
        assert!(
            native.state() == fast.state() && native.executed() == fast.executed(),
            "{name}: the engines part"
        );
        assert_eq!(sent.0, sent_by_native.0, "{name}: sent");
    }
}

/// Runs a slice on both engines, from the state of the fast one, and compares them after each cycle.
fn slice(name: &str, image: &Image, fast: &mut IsaEngine, sent: &mut Sent) {
    let mut chips = chips(image, Noise::Random(2));
    chips.set_state(&fast.state()).expect("the board settles");
    let mut sent_by_chips = Sent(sent.0.clone());
    for _ in 0..SLICE {
        run(fast, 1, sent);
        run(&mut chips, 1, &mut sent_by_chips);
        let cycle = fast.cycle();
        assert!(fast.state() == chips.state(), "{name}: before cycle {cycle} the engines part");
        assert_eq!(sent.0, sent_by_chips.0, "{name}: sent before cycle {cycle}");
    }
}

fn run(engine: &mut dyn Engine, cycles: u64, sent: &mut Sent) {
    engine.run(cycles, sent).expect("the board settles");
}
