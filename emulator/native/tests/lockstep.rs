//! Compares the chips engine as machine code with the general rule and with the instruction set, on random programs with
//! random inputs, started and stopped anywhere. `LOCKSTEP=300 cargo test --release -p gray1-native --test it lockstep` runs
//! 300 times as many cases.

#![cfg(target_arch = "x86_64")]

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{Noise, State};
use proptest::prelude::*;
use test_support::lockstep::{Segment, any_state, cases, segments};
use test_support::random::busy_word;

fn compare(image: &Image, state: &State, pieces: &[Segment]) -> Result<(), TestCaseError> {
    test_support::lockstep::compare(&Board::gray1(), true, image, state, pieces)
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
    #![proptest_config(cases(150))]

    #[test]
    fn small_programs(image in prop_oneof![busy(), trees(), wide()], state in any_state(), pieces in segments()) {
        compare(&image, &State { pc: state.pc % 40, ..state }, &pieces)?;
    }
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn nasty_words_from_anywhere(image in nasty(), state in any_state(), pieces in segments()) {
        compare(&image, &state, &pieces)?;
    }
}
