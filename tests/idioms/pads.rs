//! Macros that wait for pads and keys.

use crate::support::Bench;
use gray1_machine::{Engine, IsaEngine, Noise, Script};
use test_support::library::program;

/// Runs a program with this input script. Returns the engine after the given number of cycles.
fn with_inputs(source: &str, script: &str, cycles: u64) -> IsaEngine {
    let (program, _) = program(source, "all.g1");
    let mut engine = IsaEngine::power_up(&program.image, Noise::Random(1));
    let script = Script::from_ron(script).expect("a script");
    script.run(&mut engine, cycles, &mut ()).expect("the board settles");
    engine
}

#[test]
fn wait_pad_waits_for_the_release() {
    let source = "      wait_pad x, y\n      jmp halt";
    let bench = Bench::new(source);
    let mut cases = 0;
    for row in 0..8 {
        for column in 0..8 {
            // The pad is pressed and released during different instructions of the waiting loops.
            for (at, until) in [(100, 200), (101, 203), (102, 301)] {
                let script =
                    format!("[(at: {at}, pad: Some((row: {row}, col: {column}))), (at: {until}, pad: None)]");
                assert!(!with_inputs(source, &script, until).halted(), "still pressed");
                let engine = with_inputs(source, &script, until + 10);
                assert!(engine.halted(), "let go");
                let ram = engine.state().ram;
                let byte = |name| ram[usize::from(bench.address(name))];
                assert_eq!((byte("x"), byte("y")), (1 << row, 1 << column));
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 192);
}

#[test]
fn wait_pad_ignores_short_presses() {
    let source = "      wait_pad x, y\n      jmp halt";
    let bench = Bench::new(source);
    for length in 1..4 {
        for at in 10..20 {
            let script = format!(
                "[(at: {at}, pad: Some((row: 1, col: 2))), (at: {}, pad: None),
                  (at: 100, pad: Some((row: 3, col: 4))), (at: 200, pad: None)]",
                at + length
            );
            let engine = with_inputs(source, &script, 300);
            let ram = engine.state().ram;
            let pad = ["x", "y"].map(|name| ram[usize::from(bench.address(name))]);
            assert!(engine.halted() && (pad == [2, 4] || pad == [8, 16]), "{pad:?}");
        }
    }
}

#[test]
fn wait_keys_waits_for_the_release() {
    let source = "      wait_keys x\n      jmp halt";
    let script = r#"[(at: 100, keys: ["left", "a"]), (at: 200, keys: ["a"]), (at: 300, keys: [])]"#;
    assert!(!with_inputs(source, script, 300).halted());
    let engine = with_inputs(source, script, 310);
    assert!(engine.halted());
    assert_eq!(engine.state().ram[usize::from(Bench::new(source).address("x"))], 0b1_0001);
}

#[test]
fn the_lowest_bit_set_is_numbered() {
    let mut bench = Bench::new("      bit_number x\n      jmp halt");
    let mut cases = 0;
    for x in 1..=255u8 {
        bench.set("x", x);
        assert_eq!(u32::from(bench.run().state.a), x.trailing_zeros(), "{x}");
        cases += 1;
    }
    assert_eq!(cases, 255);
}
