//! Compares the native engine with the fast one and the chips on random programs with random inputs, started and
//! stopped anywhere. `LOCKSTEP=300 cargo test --release -p gray1-native --test lockstep` runs 300 times as many cases,
//! two million.

#![cfg(target_arch = "x86_64")]

use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use gray1_machine::{Engine, FastEngine, Inputs, Noise, State};
use gray1_native::{NativeEngine, TranslatedProgram};
use proptest::prelude::*;
use test_support::engines::{Seen, chips};
use test_support::random::{busy_word, program, whole_program};

/// A piece of a run: a number of cycles, with these inputs.
type Piece = (u64, u8, Option<(u8, u8)>);

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let cycles = prop_oneof![3 => 0u64..10, 3 => 0u64..300, 1 => 0u64..3_000, 1 => Just(70_000)];
    prop::collection::vec((cycles, 0u8..128, prop::option::of((0u8..8, 0u8..8))), 1..8)
}

/// This number of cases, multiplied by `LOCKSTEP`.
fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("LOCKSTEP").map_or(1, |times| times.parse().expect("LOCKSTEP is a number"));
    ProptestConfig::with_cases(usual * times)
}

/// Runs the native engine and the fast one from a state, and compares them after each piece.
fn compare(image: &Image, state: &State, pieces: &[Piece]) -> Result<(), TestCaseError> {
    compare_with(&mut FastEngine::power_up(image, Noise::Zeros), image, state, pieces)
}

fn compare_with(
    other: &mut dyn Engine,
    image: &Image,
    state: &State,
    pieces: &[Piece],
) -> Result<(), TestCaseError> {
    let mut native = NativeEngine::power_up(image, Noise::Zeros).expect("code can be made");
    let (mut seen, mut seen_native) = (Seen::default(), Seen::default());
    other.set_state(state).expect("it always settles");
    native.set_state(state).expect("it always settles");
    for &(cycles, keys, pad) in pieces {
        let inputs = Inputs { pad, keys };
        other.press(inputs).expect("it always settles");
        native.press(inputs).expect("it always settles");
        let ran = other.run(cycles, &mut seen).expect("it always settles");
        prop_assert_eq!(native.run(cycles, &mut seen_native).expect("it always settles"), ran);
        prop_assert_eq!(native.state(), other.state());
        prop_assert_eq!(native.executed(), other.executed());
        prop_assert_eq!(native.word(), other.word());
        prop_assert_eq!(&seen_native, &seen);
    }
    Ok(())
}

fn anywhere() -> impl Strategy<Value = State> {
    (any::<u64>(), 0u64..1 << 40, 0u16..4_096, any::<u8>(), any::<bool>()).prop_map(
        |(seed, cycle, pc, a, c)| State { cycle, pc, a, c, ..State::after_reset(Noise::Random(seed)) },
    )
}

/// Programs with all difficult cases: jumps to themselves with either parity and on every condition, the last word
/// continuing at word 0, stores to every outside address, loops of one instruction, the same byte stored and read
/// again.
fn nasty() -> impl Strategy<Value = Image> {
    let address = prop_oneof![0u16..3, 0xFDFu16..0x1000];
    let opcode = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let constant = prop_oneof![Just(0u8), Just(1), Just(0x80), Just(0xFF), any::<u8>()];
    let data = prop_oneof![
        (opcode.clone(), constant).prop_map(|(opcode, value)| Word::constant(opcode, value)),
        (opcode, address.clone()).prop_map(|(opcode, x)| Word::new(opcode, false, x)),
        address.prop_map(|x| Word::new(Opcode::Sta, x & 1 == 0, x)),
    ];
    let jump = (
        prop_oneof![Just(Opcode::Jmp), Just(Opcode::Jc), Just(Opcode::Jz)],
        -3i32..4,
        any::<bool>(),
        0u16..4_096,
        0..5,
    );
    let word = prop_oneof![
        5 => data.prop_map(|word| (word, None)),
        2 => jump.prop_map(|(opcode, near, is_wrong, far, is_far)| {
            (Word::jump(opcode, 0), Some((near, is_wrong, (is_far == 0).then_some(far))))
        }),
    ];
    prop::collection::vec(word, 4_096).prop_map(|words| {
        Image::from_words((0i32..).zip(words).map(|(at, (word, jump))| match jump {
            None => word,
            Some((near, is_wrong, far)) => {
                let to = far.unwrap_or_else(|| (at + near).rem_euclid(4_096) as u16);
                Word(Word::jump(word.opcode(), to).0 ^ u16::from(is_wrong) << 12)
            }
        }))
    })
}

fn busy() -> impl Strategy<Value = Image> {
    (0..24u16)
        .map(|place| busy_word(place, 0..24).boxed())
        .collect::<Vec<_>>()
        .prop_map(|words| Image::from_words(words.into_iter().chain([Word::jump(Opcode::Jmp, 0)])))
}

/// Stops a translated program at some places, every few times that one is reached, and the fast engine likewise.
fn compare_stops(image: &Image, state: &State, places: &[u16], every: u64) -> Result<(), TestCaseError> {
    let mut is_stop = [false; PROGRAM_WORDS];
    places.iter().for_each(|place| is_stop[usize::from(*place)] = true);
    let mut translation = TranslatedProgram::new(image, &is_stop).expect("code can be made");
    let mut machine = FastEngine::power_up(image, Noise::Zeros);
    machine.stop_at(&is_stop);
    machine.set_state(state).expect("it always settles");
    let mut native = machine.clone();
    let (mut seen, mut seen_native) = (Seen::default(), Seen::default());
    for cycles in [0, 1, 5, 200, 3_000, 40_000] {
        let (mut asked, mut asked_native) = (Vec::new(), Vec::new());
        let ran = machine.run_until(cycles, &mut seen, |machine| {
            asked.push((machine.cycle(), machine.registers()));
            (asked.len() as u64).is_multiple_of(every)
        });
        let ran_native = translation.run_until(&mut native, cycles, &mut seen_native, |machine| {
            asked_native.push((machine.cycle(), machine.registers()));
            (asked_native.len() as u64).is_multiple_of(every)
        });
        prop_assert_eq!(ran_native, ran);
        prop_assert_eq!(asked_native, asked);
        prop_assert_eq!(native.executed(), machine.executed());
        prop_assert_eq!(native.registers(), machine.registers());
        prop_assert_eq!(native.state().ram, machine.state().ram);
        prop_assert_eq!(&seen_native, &seen);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn runs_that_are_stopped(
        image in prop_oneof![4 => busy(), 1 => nasty(), 1 => whole_program().prop_map(|program| program.image())],
        state in anywhere(),
        begins_near: bool,
        near in prop::collection::vec(0u16..26, 0..4),
        far in prop::collection::vec(0u16..4_096, 0..40),
        every in 1u64..2_000,
    ) {
        let state = State { pc: if begins_near { state.pc % 26 } else { state.pc }, ..state };
        compare_stops(&image, &state, &[near, far].concat(), every)?;
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn small_programs(program in program(), seed: u64, pieces in pieces()) {
        compare(&program.image(), &State::after_reset(Noise::Random(seed)), &pieces)?;
    }

    #[test]
    fn programs_that_meet_a_few_bytes(image in busy(), seed: u64, pieces in pieces()) {
        compare(&image, &State::after_reset(Noise::Random(seed)), &pieces)?;
    }
}

/// Long straight-line code that uses more bytes than there are registers, with few ways out.
fn wide() -> impl Strategy<Value = Image> {
    let address = prop_oneof![20 => 0u16..26, 1 => 0xFE0u16..0x1000];
    let read = prop_oneof![
        Just(Opcode::Lda),
        Just(Opcode::Add),
        Just(Opcode::Nor),
        Just(Opcode::Nor),
        Just(Opcode::Shr)
    ];
    let constant = prop_oneof![2 => Just(0u8), 1 => any::<u8>()];
    let word = prop_oneof![
        4 => (read.clone(), address.clone()).prop_map(|(opcode, x)| (Word::new(opcode, false, x), None)),
        2 => (read, constant).prop_map(|(opcode, value)| (Word::constant(opcode, value), None)),
        4 => address.prop_map(|x| (Word::new(Opcode::Sta, false, x), None)),
        1 => (any::<bool>(), 1u16..9).prop_map(|(carry, on)| {
            (Word::jump(if carry { Opcode::Jc } else { Opcode::Jz }, 0), (on < 8).then_some(on))
        }),
    ];
    prop::collection::vec(word, 60..400).prop_map(|words| {
        let last = words.len() as u16;
        let words = (0u16..).zip(words).map(|(at, (word, on))| match word.opcode() {
            Opcode::Jc | Opcode::Jz => Word::jump(word.opcode(), on.map_or(0, |on| (at + on).min(last))),
            _ => word,
        });
        Image::from_words(words.chain([Word::jump(Opcode::Jmp, 0)]))
    })
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn more_bytes_than_registers(image in wide(), state in anywhere(), pieces in pieces()) {
        let state = State { pc: 0, ..state };
        compare(&image, &state, &pieces)?;
    }
}

#[test]
fn a_jump_on_the_carry_leaves_nothing_known_of_a() {
    let read = |opcode, x| Word::new(opcode, false, x);
    let jump = Word::jump;
    let image = Image::from_words([
        read(Opcode::Lda, 0),
        read(Opcode::Add, 1),
        read(Opcode::Nor, 2),
        Word::constant(Opcode::Nor, 0),
        jump(Opcode::Jc, 6),
        jump(Opcode::Jmp, 5),
        jump(Opcode::Jz, 8),
        jump(Opcode::Jmp, 7),
        jump(Opcode::Jmp, 8),
    ]);
    let mut state = State::after_reset(Noise::Zeros);
    for bytes in [[0xFF, 1, 0], [0xFF, 1, 0xFE], [1, 1, 0xFF], [0, 0, 0]] {
        state.ram[..3].copy_from_slice(&bytes);
        compare(&image, &state, &[(300, 0, None)]).expect("the engines agree");
    }
}

/// Short pieces that end with a jump, so that a conditional jump is often the only way to its landing.
fn trees() -> impl Strategy<Value = Image> {
    const PIECES: usize = 24;
    const WORDS: usize = 8;
    let address = prop_oneof![20 => 0u16..6, 1 => 0xFE0u16..0x1000];
    let read = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let constant = prop_oneof![Just(0u8), Just(0xFF), any::<u8>()];
    let jump = prop_oneof![Just(Opcode::Jc), Just(Opcode::Jz)];
    let word = prop_oneof![
        4 => (read.clone(), address.clone()).prop_map(|(opcode, x)| (Word::new(opcode, false, x), 0)),
        3 => (read, constant).prop_map(|(opcode, value)| (Word::constant(opcode, value), 0)),
        2 => address.prop_map(|x| (Word::new(Opcode::Sta, false, x), 0)),
        1 => (jump, 0..PIECES).prop_map(|(opcode, to)| (Word::jump(opcode, 0), to)),
    ];
    let piece = (prop::collection::vec(word, WORDS - 1), 0..PIECES);
    prop::collection::vec(piece, PIECES).prop_map(|pieces| {
        let jump = |opcode, to: usize| Word::jump(opcode, (to * WORDS) as u16);
        let words = pieces.into_iter().flat_map(|(words, last)| {
            let words = words.into_iter().map(move |(word, to)| match word.opcode() {
                Opcode::Jc | Opcode::Jz => jump(word.opcode(), to),
                _ => word,
            });
            words.chain([jump(Opcode::Jmp, last)])
        });
        Image::from_words(words)
    })
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn trees_of_traces(image in trees(), state in anywhere(), pieces in pieces()) {
        let state = State { pc: 0, ..state };
        compare(&image, &state, &pieces)?;
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_words_from_anywhere(program in whole_program(), state in anywhere(), pieces in pieces()) {
        compare(&program.image(), &state, &pieces)?;
    }

    #[test]
    fn nasty_words_from_anywhere(image in nasty(), state in anywhere(), pieces in pieces()) {
        compare(&image, &state, &pieces)?;
    }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn as_the_chips(
        image in prop_oneof![program().prop_map(|program| program.image()), busy(), trees(), wide()],
        state in anywhere(),
        pc in 0u16..40,
        pieces in prop::collection::vec((0u64..200, 0u8..128, prop::option::of((0u8..8, 0u8..8))), 1..5),
    ) {
        let state = State { pc, ..state };
        compare_with(&mut chips(&image, Noise::Zeros), &image, &state, &pieces)?;
    }
}
