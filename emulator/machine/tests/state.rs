//! State files: a written state is read back, and a changed file is rejected.

use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::{Noise, State, StateError};
use proptest::prelude::*;

fn sample() -> State {
    State { cycle: 12, pc: 4095, a: 255, c: true, ..State::after_reset(Noise::Random(3)) }
}

#[test]
fn faults_are_named() {
    let good = sample().to_ron("p");
    assert_eq!(State::from_ron(&good, "p"), Ok(sample()));
    let fault = |from: &str, to: &str| {
        State::from_ron(&good.replacen(from, to, 1), "p").expect_err("a fault").to_string()
    };
    assert!(fault("version: 1", "version: 2").contains("version 2"));
    assert!(fault("pc: 4095", "pc: 4096").contains("pc: 4096 is more than 4095"));
    assert!(fault("a: 255", "a: 254").contains("changed after it was written"));
    assert!(fault(" ram: \"", " ram: \"0").contains("8193 characters"));
    assert!(fault("cycle", "cycles").contains("3:") || fault("cycle", "cycles").contains("4:"));
    assert!(fault("program: \"p\"", "program: \"q\"").contains("changed after it was written"));
    assert_eq!(State::from_ron(&sample().to_ron("q"), "p"), Err(StateError::Program));
    for length in 0..good.len() - 2 {
        assert!(State::from_ron(&good[..length], "p").is_err(), "cut at {length}");
    }
}

#[test]
fn a_file_written_by_hand_needs_the_documented_fields_only() {
    let text =
        format!("(cycle: 7, pc: 1, a: 2, c: false, halted: false, ram: \"{}\")", "00".repeat(RAM_BYTES));
    let state = State::from_ron(&text, "any").expect("a state");
    assert_eq!((state.cycle, state.pc, state.a), (7, 1, 2));
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(cycle in 0..=u64::MAX / 2, pc in 0u16..4096, a: u8, c: bool, halted: bool,
                                     target in 0u16..4096, jumped: bool, seed: u64) {
        let ram = Noise::Random(seed).ram();
        let state = State { cycle, pc, a, c, halted, target, jumped, ram };
        prop_assert_eq!(State::from_ron(&state.to_ron("p"), "p"), Ok(state));
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = State::from_ron(&text, "p");
    }
}
