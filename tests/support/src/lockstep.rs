//! Compares the chips engine with partial evaluation, interpreted and compiled, with the plain engine: nets, RAM,
//! output with its cycles, instruction counts, and the end of a run.

use crate::engines::Seen;
use crate::random::{program, whole_program};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, IsaEngine, Noise, PlainEngine, State};
use proptest::prelude::*;

/// A segment of a run: a number of cycles, and the inputs during them.
pub type Segment = (u64, u8, Option<(u8, u8)>);

/// Generates a run of a few segments.
pub fn segments() -> impl Strategy<Value = Vec<Segment>> {
    let cycles = prop_oneof![3 => 0u64..10, 3 => 0u64..300, 1 => 0u64..4_000];
    prop::collection::vec((cycles, 0u8..128, prop::option::of((0u8..8, 0u8..8))), 1..8)
}

/// Configures proptest with this number of cases, multiplied by `LOCKSTEP`.
pub fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("LOCKSTEP").map_or(1, |times| times.parse().expect("LOCKSTEP is a number"));
    ProptestConfig::with_cases(usual * times)
}

/// Generates any state: at any word, with any registers and any RAM.
pub fn any_state() -> impl Strategy<Value = State> {
    (any::<u64>(), 0u64..1 << 40, 0u16..4_096, any::<u8>(), any::<bool>(), 0u16..4_096, any::<bool>())
        .prop_map(|(seed, cycle, pc, a, c, target, jumped)| State {
            cycle,
            pc,
            a,
            c,
            target,
            jumped,
            ..State::after_reset(Noise::Random(seed))
        })
}

/// Runs a board on all variants of the chips engine and compares them after each segment. A board that `is_correct` is
/// also compared with the engine isa.
pub fn compare(
    board: &Board,
    is_correct: bool,
    image: &Image,
    state: &State,
    segments: &[Segment],
) -> Result<(), TestCaseError> {
    let plain = PlainEngine::power_up(board, image, Noise::Zeros);
    let chips = ChipsEngine::power_up(board, image, Noise::Zeros);
    let (Ok(mut plain), Ok(mut chips)) = (plain, chips) else { return Ok(()) };
    chips.assume_confluent();
    let mut native = chips.clone();
    native.compile_eagerly(gray1_native::translate);
    let mut fast = IsaEngine::power_up(image, Noise::Zeros);
    let (mut seen, mut seen_fast) = (Seen::default(), Seen::default());
    let mut others = [(chips, Seen::default()), (native, Seen::default())];
    let set = plain.set_state(state);
    for (other, _) in &mut others {
        prop_assert_eq!(&other.set_state(state), &set);
    }
    fast.set_state(state).expect("it always settles");
    if set.is_err() {
        return Ok(());
    }
    for &(cycles, keys, pad) in segments {
        let inputs = Inputs { pad, keys };
        let pressed = plain.press(inputs);
        for (other, _) in &mut others {
            prop_assert_eq!(&other.press(inputs), &pressed);
        }
        if pressed.is_err() {
            return Ok(());
        }
        let ran = plain.run(cycles, &mut seen).map_err(|failure| failure.to_string());
        for (number, (other, seen_other)) in others.iter_mut().enumerate() {
            let other_ran = other.run(cycles, seen_other).map_err(|failure| failure.to_string());
            prop_assert_eq!(&other_ran, &ran);
            prop_assert_eq!(&*seen_other, &seen);
            prop_assert!(
                ran.is_err() || other.snapshot() == plain.snapshot(),
                "engine {}: other levels at cycle {}: {:?}",
                number,
                plain.cycle(),
                differing(other, &plain)
            );
            prop_assert_eq!(other.executed(), plain.executed());
        }
        if ran.is_err() {
            return Ok(());
        }
        if is_correct {
            fast.press(inputs).expect("it always settles");
            prop_assert_eq!(fast.run(cycles, &mut seen_fast).map_err(|failure| failure.to_string()), ran);
            prop_assert_eq!(fast.state(), plain.state());
            prop_assert_eq!(fast.executed(), plain.executed());
            prop_assert_eq!(&seen_fast, &seen);
        }
    }
    Ok(())
}

/// Returns the names of the nets on which two engines differ.
fn differing<'e>(one: &'e ChipsEngine, other: &PlainEngine) -> Vec<&'e str> {
    let nets = one.netlist().nets.iter().enumerate();
    nets.filter(|&(net, _)| one.level(net) != other.level(net)).map(|(_, net)| &*net.name).collect()
}

/// Generates loops that store everywhere, jump on every condition and to themselves, with either parity, and read
/// inputs.
fn loops() -> impl Strategy<Value = Image> {
    let address = prop_oneof![4 => 0u16..6, 2 => 0xFDFu16..0x1000];
    let read = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let constant = prop_oneof![Just(0u8), Just(1), Just(0x80), Just(0xFF), any::<u8>()];
    let data = prop_oneof![
        (read.clone(), constant).prop_map(|(opcode, value)| Word::constant(opcode, value)),
        (read, address.clone()).prop_map(|(opcode, x)| Word::new(opcode, false, x)),
        address.prop_map(|x| Word::new(Opcode::Sta, x & 1 == 0, x)),
    ];
    let jump = (prop_oneof![Just(Opcode::Jmp), Just(Opcode::Jc), Just(Opcode::Jz)], 0u16..40, 0..12);
    let word = prop_oneof![
        5 => data.prop_map(|word| (word, None)),
        1 => jump.prop_map(|(opcode, to, wrong)| (Word::jump(opcode, to), Some(wrong == 0))),
    ];
    prop::collection::vec(word, 40).prop_map(|words| {
        let words = words.into_iter().map(|(word, is_wrong)| match is_wrong {
            Some(true) => Word(word.0 ^ 0x1000),
            _ => word,
        });
        Image::from_words(words.chain([Word::jump(Opcode::Jmp, 0)]))
    })
}

/// Generates programs of several kinds.
pub fn any_image() -> impl Strategy<Value = Image> {
    prop_oneof![
        3 => loops(),
        3 => program().prop_map(|program| program.image()),
        1 => whole_program().prop_map(|program| program.image()),
    ]
}
