//! The engines side by side on random programs and input scripts: the same state after every cycle, the same bytes and
//! pictures at the same time.

use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, IsaEngine, Noise, Script, State};
use proptest::prelude::*;
use test_support::engines::{self, Seen, chips};
use test_support::random::{Program, program, script, whole_program};

/// Runs both engines for this many cycles, comparing them after each.
fn compare(program: &Program, script: &str, seed: u64, cycles: u64) -> Result<(), TestCaseError> {
    let image = program.image();
    let script = Script::from_ron(script).expect("the generator writes good scripts");
    let noise = Noise::Random(seed);
    let (mut chips, mut fast) = (chips(&image, noise), IsaEngine::power_up(&image, noise));
    let (mut seen_chips, mut seen_fast) = (Seen::default(), Seen::default());
    prop_assert_eq!(chips.state(), fast.state());
    for _ in 0..cycles {
        prop_assert_eq!(chips.word(), fast.word());
        script.run(&mut chips, 1, &mut seen_chips).expect("the board settles");
        script.run(&mut fast, 1, &mut seen_fast).expect("the engine isa always settles");
        prop_assert_eq!(chips.state(), fast.state());
        for (bus, address) in [("GREEN3", 0xFE3), ("RED7", 0xFEF), ("OUT", 0xFF0)] {
            prop_assert_eq!(chips.net(bus), Some(u16::from(fast.state().ram[address])), "{}", bus);
        }
        if chips.halted() {
            break;
        }
    }
    prop_assert_eq!(&seen_chips, &seen_fast);
    prop_assert_eq!(chips.executed(), fast.executed());

    // The same again in one run: the result must not depend on how a run is divided into parts.
    for mut engine in [
        Box::new(IsaEngine::power_up(&image, noise)) as Box<dyn Engine>,
        Box::new(engines::chips(&image, noise)),
        Box::new(engines::plain(&image, noise)),
    ] {
        let mut seen = Seen::default();
        script.run(&mut *engine, cycles, &mut seen).expect("the board settles");
        prop_assert_eq!(engine.state(), fast.state());
        prop_assert_eq!(engine.executed(), fast.executed());
        prop_assert_eq!(&seen, &seen_fast);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn engines_agree_on_small_programs(program in program(), script in script(), seed: u64) {
        compare(&program, &script, seed, 300)?;
    }

    #[test]
    fn the_board_as_it_is_built_agrees(program in program(), script in script(), seed: u64) {
        let (image, noise) = (program.image(), Noise::Random(seed));
        let script = Script::from_ron(&script).expect("the generator writes good scripts");
        let mut chips = ChipsEngine::power_up(&Board::built(), &image, noise).expect("the board settles");
        let mut fast = IsaEngine::power_up(&image, noise);
        let (mut seen_chips, mut seen_fast) = (Seen::default(), Seen::default());
        for _ in 0..100 {
            prop_assert_eq!(chips.state(), fast.state());
            for (bus, address, inverted) in [("GREEN3", 0xFE3, 0xFF), ("RED7", 0xFEF, 0xFF), ("OUT", 0xFF0, 0)] {
                prop_assert_eq!(chips.net(bus), Some(u16::from(fast.state().ram[address] ^ inverted)), "{}", bus);
            }
            script.run(&mut chips, 1, &mut seen_chips).expect("the board settles");
            script.run(&mut fast, 1, &mut seen_fast).expect("the engine isa always settles");
        }
        prop_assert_eq!(&seen_chips, &seen_fast);
        let state = State { ram: Box::new([0x5A; 4096]), ..fast.state() };
        chips.set_state(&state).expect("the board settles");
        prop_assert_eq!(chips.net("GREEN0"), Some(0xA5));
        prop_assert_eq!(chips.state(), state);
    }

    #[test]
    fn a_run_from_a_saved_state_goes_on_as_if_never_stopped(
        program in program(), script in script(), seed: u64, stop in 0u64..200,
    ) {
        let image = program.image();
        let script = Script::from_ron(&script).unwrap();
        let noise = Noise::Random(seed);
        let mut whole = chips(&image, noise);
        script.run(&mut whole, stop, &mut ()).unwrap();
        let saved = State::from_ron(&whole.state().to_ron("p"), "p").unwrap();
        let mut seen_whole = Seen::default();
        script.run(&mut whole, 100, &mut seen_whole).unwrap();
        let mut resumed = chips(&image, Noise::Random(seed ^ 1));
        resumed.set_state(&saved).unwrap();
        let mut seen_resumed = Seen::default();
        script.run(&mut resumed, 100, &mut seen_resumed).unwrap();
        prop_assert_eq!(&seen_whole, &seen_resumed);
        for engine in [&mut whole, &mut resumed] {
            engine.press(Inputs::default()).unwrap(); // inputs are not part of a state
        }
        prop_assert!(whole.snapshot() == resumed.snapshot(), "some net of the board differs");
        let mut fast = IsaEngine::power_up(&image, Noise::Zeros);
        fast.set_state(&saved).unwrap();
        script.run(&mut fast, 100, &mut ()).unwrap();
        prop_assert_eq!(fast.state(), whole.state());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn engines_agree_on_random_words_in_the_whole_program_memory(program in whole_program(), seed: u64) {
        compare(&program, "[]", seed, 3_000)?;
    }
}
