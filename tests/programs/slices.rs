//! Programs that would take too long chip by chip. The compiled board runs them to their end. The chips engine and the
//! engine isa run three slices beside it: at the start, at the first byte that is sent, and at the end.

use crate::expectations::Expectations;
use gray1_isa::Image;
use gray1_machine::{Engine, IsaEngine, Noise, OutputSink};
use test_support::engines::{Sent, chips, engines};

/// The length of a slice, in cycles.
const SLICE: u64 = 10_000;

/// Records the cycle in which the first byte is sent.
#[derive(Default)]
struct FirstByte(Option<u64>);

impl OutputSink for FirstByte {
    fn output(&mut self, cycle: u64, _byte: u8) {
        self.0.get_or_insert(cycle);
    }
}

pub fn check(name: &str, image: &Image, expected: &Expectations) {
    let cycles = expected.cycles.unwrap_or_else(|| panic!("{name}: a program without an end"));
    assert!(expected.displays.is_empty(), "{name}: displays are not looked at");
    // The last is the compiled board, if that is supported.
    let fast = || engines(image, Noise::Random(1)).pop().expect("engines").1;
    let mut first = FirstByte::default();
    fast().run(u64::MAX, &mut first).expect("the board settles");
    let first = first.0.unwrap_or_else(|| panic!("{name}: nothing is sent"));
    let (mut fast, mut sent) = (fast(), Sent::default());
    for start in [0, first.saturating_sub(SLICE / 2), cycles.saturating_sub(SLICE)] {
        let left = start.saturating_sub(fast.cycle());
        run(&mut *fast, left, &mut sent);
        slice(name, image, &mut *fast, &mut sent);
    }
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
