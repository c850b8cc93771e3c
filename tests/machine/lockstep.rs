//! The engines side by side on random programs and input scripts: the same state after every cycle, the same
//! bytes and pictures at the same time; and the planned run of the chips engine against its plain phases.

use crate::support::{Seen, chips};
use gray1_isa::{INSTRUCTIONS, Image, PROGRAM_WORDS, Word};
use gray1_machine::board::Board;
use gray1_machine::{Engine, FastEngine, Inputs, Noise, Script, State};
use gray1_timed::{Conditions, Delays, Paths, TimedEngine};
use proptest::prelude::*;
use std::sync::OnceLock;

/// A program as a list of instructions from 0 on, which is how it is printed when it fails.
#[derive(Clone)]
struct Program(Vec<Word>);

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f)?;
        (0..).zip(&self.0).try_for_each(|(place, word)| writeln!(f, "  {place:4}  {:04x}  {word}", word.0))
    }
}

impl Program {
    fn image(&self) -> Image {
        Image::from_words(self.0.iter().copied())
    }
}

/// Instructions that meet each other: few RAM bytes, the addresses where something special happens, and jumps to
/// nearby places, now and then with the wrong parity, or any word at all.
fn word() -> impl Strategy<Value = Word> {
    let address = prop_oneof![
        4 => 0u16..6,
        2 => 0xFE0u16..0x1000,
        1 => 0u16..0x1000,
    ];
    let data = (0usize..5, any::<bool>(), address, any::<u8>()).prop_map(|(row, m, address, value)| {
        let x = if m { u16::from(value) } else { address };
        Word::new(INSTRUCTIONS[row].opcode, m, x)
    });
    let target = prop_oneof![8 => 0u16..40, 1 => 4090u16..4096];
    let jump = (5usize..8, target, prop::bool::weighted(0.1)).prop_map(|(row, target, wrong)| {
        Word(Word::jump(INSTRUCTIONS[row].opcode, target).0 ^ u16::from(wrong) << 12)
    });
    prop_oneof![6 => data, 3 => jump, 1 => any::<u16>().prop_map(Word)]
}

fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec(word(), 1..40).prop_map(Program)
}

/// Any 4,096 words: runs everywhere, wraps around.
fn whole_program() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u16>().prop_map(Word), PROGRAM_WORDS).prop_map(Program)
}

/// Pads and keys, as the text of an input script.
fn script() -> impl Strategy<Value = String> {
    let pad = prop_oneof![
        Just(String::new()),
        Just("pad: None".to_owned()),
        (0..8, 0..8).prop_map(|(row, col)| format!("pad: Some((row: {row}, col: {col}))")),
    ];
    let keys = prop_oneof![
        Just(String::new()),
        prop::sample::subsequence(gray1_isa::memory_map::KEY_NAMES.to_vec(), 0..=7)
            .prop_map(|keys| format!("keys: {keys:?}")),
    ];
    prop::collection::vec((0u64..300, pad, keys), 0..6).prop_map(|events| {
        let events: Vec<String> = events
            .into_iter()
            .map(|(at, pad, keys)| {
                format!(
                    "(at: {at}, {pad}{}{keys})",
                    if pad.is_empty() || keys.is_empty() { "" } else { ", " }
                )
            })
            .collect();
        format!("[{}]", events.join(", "))
    })
}

/// Runs both engines for so many cycles, comparing them after each.
fn compare(program: &Program, script: &str, seed: u64, cycles: u64) -> Result<(), TestCaseError> {
    let image = program.image();
    let script = Script::from_ron(script).expect("the generator writes good scripts");
    let noise = Noise::Random(seed);
    let (mut chips, mut fast) = (chips(&image, noise), FastEngine::power_up(&image, noise));
    let (mut seen_chips, mut seen_fast) = (Seen::default(), Seen::default());
    prop_assert_eq!(chips.state(), fast.state());
    for _ in 0..cycles {
        prop_assert_eq!(chips.word(), fast.word());
        script.run(&mut chips, 1, &mut seen_chips).expect("the board settles");
        script.run(&mut fast, 1, &mut seen_fast).expect("the fast engine always settles");
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

    // The same again in one go: nothing may depend on how a run is cut into pieces.
    for mut engine in [
        Box::new(FastEngine::power_up(&image, noise)) as Box<dyn Engine>,
        Box::new(chips_again(&image, noise)),
    ] {
        let mut seen = Seen::default();
        script.run(&mut *engine, cycles, &mut seen).expect("the board settles");
        prop_assert_eq!(engine.state(), fast.state());
        prop_assert_eq!(engine.executed(), fast.executed());
        prop_assert_eq!(&seen, &seen_fast);
    }
    Ok(())
}

fn chips_again(image: &Image, noise: Noise) -> gray1_machine::ChipsEngine {
    chips(image, noise)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn engines_agree_on_small_programs(program in program(), script in script(), seed: u64) {
        compare(&program, &script, seed, 300)?;
    }

    #[test]
    fn planned_and_plain_phases_leave_the_same_board(program in program(), seed: u64) {
        let image = program.image();
        let mut planned = chips(&image, Noise::Random(seed));
        let mut plain = planned.clone();
        for cycle in 0..300u16 {
            if planned.halted() {
                break;
            }
            let inputs = Inputs { pad: (cycle % 7 == 0).then_some(((cycle % 8) as u8, 3)), keys: (cycle % 5) as u8 };
            planned.press(inputs).unwrap();
            plain.press(inputs).unwrap();
            let (mut seen_planned, mut seen_plain) = (Seen::default(), Seen::default());
            planned.run(1, &mut seen_planned).unwrap();
            for _ in 0..4 {
                plain.phase(&mut seen_plain).unwrap();
            }
            prop_assert!(planned.snapshot() == plain.snapshot(), "the boards differ after cycle {cycle}");
            prop_assert_eq!(seen_planned, seen_plain);
        }
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
            engine.press(Inputs::default()).unwrap(); // fingers are no part of a state
        }
        prop_assert!(whole.snapshot() == resumed.snapshot(), "some net of the board differs");
        let mut fast = FastEngine::power_up(&image, Noise::Zeros);
        fast.set_state(&saved).unwrap();
        script.run(&mut fast, 100, &mut ()).unwrap();
        prop_assert_eq!(fast.state(), whole.state());
    }
}

/// A frequency that the board's parts allow, with these capacitors and whatever delays.
fn safe(capacitor: u64, seed: u64) -> Conditions {
    static PATHS: OnceLock<Paths> = OnceLock::new();
    let paths =
        PATHS.get_or_init(|| Paths::find(&Board::gray1(), false).expect("its parts have timing data"));
    let delays = match seed % 8 {
        0 => Delays::Worst,
        1 => Delays::Best,
        _ => Delays::Random(seed),
    };
    Conditions { half_period: paths.half_period(capacitor), delays, transients: None, capacitor }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_timed_engine_agrees_while_nothing_breaks(
        program in program(), script in script(), seed: u64, capacitor in prop::sample::select(vec![0, 100, 1_000, 5_000]),
    ) {
        let image = program.image();
        let script = Script::from_ron(&script).unwrap();
        let noise = Noise::Random(seed);
        let mut chips = chips(&image, noise);
        let mut timed = TimedEngine::power_up(&Board::gray1(), &image, noise, &safe(capacitor, seed)).unwrap();
        let (mut seen_chips, mut seen_timed) = (Seen::default(), Seen::default());
        for _ in 0..150 {
            prop_assert_eq!(chips.word(), timed.word());
            script.run(&mut chips, 1, &mut seen_chips).unwrap();
            script.run(&mut timed, 1, &mut seen_timed).unwrap();
            prop_assert_eq!(timed.failure(), None);
            prop_assert_eq!(chips.state(), timed.state());
            prop_assert_eq!(&seen_chips, &seen_timed);
            if chips.halted() {
                break;
            }
        }
        prop_assert_eq!(chips.executed(), timed.executed());
        // From a state on it is the same again.
        let state = State::from_ron(&chips.state().to_ron("p"), "p").unwrap();
        timed.set_state(&state).unwrap();
        script.run(&mut chips, 50, &mut ()).unwrap();
        script.run(&mut timed, 50, &mut ()).unwrap();
        prop_assert_eq!(timed.failure(), None);
        prop_assert_eq!(chips.state(), timed.state());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn engines_agree_on_random_words_in_the_whole_program_memory(program in whole_program(), seed: u64) {
        compare(&program, "[]", seed, 3_000)?;
    }
}
