//! Programs that would take too long chip by chip. The compiled board runs them to their end. The chips engine and the
//! engine isa run three slices beside it: at the start, at the first byte that is sent, and at the end.

use crate::expectations::Expectations;
use gray1_isa::Image;
use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::{Sent, chips, engines};

/// The length of a slice, in cycles.
const SLICE: u64 = 10_000;

/// The step, in cycles, in which the first byte is searched for. It is shorter than sending a solution.
const STEP: u64 = 50;

pub fn check(name: &str, image: &Image, expected: &Expectations) {
    let cycles = expected.cycles.unwrap_or_else(|| panic!("{name}: a program without an end"));
    assert!(expected.displays.is_empty(), "{name}: displays are not looked at");
    // The last is the compiled board, if that is supported.
    let (_, mut fast) = engines(image, Noise::Random(1)).pop().expect("engines");
    let mut sent = Sent::default();
    slice(name, image, &mut *fast, &mut sent);
    while sent.0.is_empty() && !fast.halted() {
        run(&mut *fast, STEP, &mut sent);
    }
    slice(name, image, &mut *fast, &mut sent);
    let left = cycles.saturating_sub(fast.cycle() + SLICE);
    run(&mut *fast, left, &mut sent);
    slice(name, image, &mut *fast, &mut sent);
    assert_eq!((fast.halted(), fast.cycle()), (true, cycles), "{name}: cycles");
    assert_eq!(String::from_utf8_lossy(&sent.0), expected.output, "{name}: output");
}

/// Runs a slice on three engines, from the state of the fast one, and compares them after each cycle.
fn slice(name: &str, image: &Image, fast: &mut dyn Engine, sent: &mut Sent) {
    let others: [Box<dyn Engine>; 2] =
        [Box::new(chips(image, Noise::Random(2))), Box::new(IsaEngine::power_up(image, Noise::Random(2)))];
    let mut others = others.map(|mut other| {
        other.set_state(&fast.state()).expect("the board settles");
        (other, Sent(sent.0.clone()))
    });
    for _ in 0..SLICE {
        run(fast, 1, sent);
        let (state, cycle) = (fast.state(), fast.cycle());
        for (other, sent_by_other) in &mut others {
            run(&mut **other, 1, sent_by_other);
            assert!(state == other.state(), "{name}: before cycle {cycle} the engines part");
            assert_eq!(sent.0, sent_by_other.0, "{name}: sent before cycle {cycle}");
        }
    }
}

fn run(engine: &mut dyn Engine, cycles: u64, sent: &mut Sent) {
    engine.run(cycles, sent).expect("the board settles");
}
