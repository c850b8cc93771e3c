//! The Chinese rings puzzle, checked move by move.

use crate::expectations::drawn;
use gray1_isa::gray;
use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

const MOVES: u16 = 170;

/// The rings that are on, and the ring that was moved last, as the lowest line of the display shows them.
fn seen(engine: &IsaEngine) -> (u16, u16) {
    let rows = drawn(&engine.state().ram[0xFE0..0xFF0]);
    let is = |colours: &str| {
        let lit = rows[7].split(' ').zip(0..).filter(|(led, _)| colours.contains(led));
        lit.map(|(_, ring)| 1 << ring).sum()
    };
    (is("GA"), is("RA"))
}

#[test]
fn each_move_is_the_next_gray_code_and_legal() {
    let mut engine = IsaEngine::power_up(&assembled("rings", &[]).image, Noise::Random(1));
    let mut sent = Seen::default();
    let mut shown = Vec::new();
    while !engine.halted() {
        engine.run(50, &mut sent).expect("the engine isa always settles");
        let now = seen(&engine);
        // The program stores the green LEDs of a line before its red ones.
        let is_line = shown.last().is_none_or(|(before, _)| before ^ now.0 == now.1);
        if is_line && shown.last() != Some(&now) && (!shown.is_empty() || now.0 == 0xFF) {
            shown.push(now);
        }
    }
    assert_eq!(shown.len(), usize::from(MOVES) + 1);
    for (step, window) in (0..).zip(shown.windows(2)) {
        let [(before, _), (after, ring)] = window else { unreachable!("windows of two") };
        assert_eq!((*before, *after), (gray(MOVES - step), gray(MOVES - step - 1)), "move {step}");
        let is_allowed = *ring == 1 || before & (ring - 1) == ring >> 1;
        assert!(is_allowed, "move {step}: only the ring before {ring:b} is on in {before:b}");
    }
}
