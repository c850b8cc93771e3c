//! The engines are compared: the same program from the same state, in segments with different inputs, on the chips
//! engine, the engine `isa` and, where boards can be compiled, the chips engine as machine code.
//!
//! ```text
//!   bytes 0-7   counter (2), accumulator, carry, target latch (2), whether it jumped, seed of RAM
//!   bytes 8-27  five segments: cycles (2), keys, pad
//!   the rest    words of the program
//! ```

use super::drawn;
use super::machines::chips;
use gray1_isa::{Image, PROGRAM_WORDS, Word};
use gray1_machine::{Engine, Inputs, IsaEngine, Noise, OutputSink, State};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use test_support::engines::Seen;
use test_support::random::{busy_word, program, whole_program};

const HEAD: usize = 8;
const SEGMENTS: usize = 5;
/// The limit on the cycles of a segment. The chips engine takes a microsecond per cycle, and ten before it has a plan.
const MAX_CYCLES: u16 = 1_200;

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let busy = (0..24).map(|place| busy_word(place, 0..24)).collect::<Vec<_>>();
    let words = prop_oneof![
        4 => program().prop_map(|program| program.image()),
        4 => busy.prop_map(Image::from_words),
        1 => whole_program().prop_map(|program| program.image()),
    ];
    let cycles = prop_oneof![3 => 0u16..10, 3 => 0u16..300, 1 => 0u16..MAX_CYCLES];
    let piece = (cycles, any::<u8>(), any::<u8>());
    let head = prop_oneof![1 => Just([0, 0, 0, 0, 0, 0, 1, 1]), 2 => any::<[u8; HEAD]>()];
    let case = (head, prop::collection::vec(piece, SEGMENTS), words);
    let (head, pieces, image) = drawn(runner, &case);
    let mut bytes = head.to_vec();
    for (cycles, keys, pad) in pieces {
        bytes.extend(cycles.to_le_bytes());
        bytes.extend([keys, pad]);
    }
    let blank = Image::blank();
    let is_used = |&place: &usize| image.words()[place] != blank.words()[place];
    let end = (0..PROGRAM_WORDS).rev().find(is_used).map_or(0, |last| last + 1);
    bytes.extend(&image.to_bytes()[..2 * end]);
    bytes
}

pub fn check(case: &[u8]) {
    let Some((head, rest)) = case.split_at_checked(HEAD) else { return };
    let Some((pieces, words)) = rest.split_at_checked(4 * SEGMENTS) else { return };
    let words = words.chunks_exact(2).map(|pair| Word(u16::from_le_bytes([pair[0], pair[1]])));
    let image = Image::from_words(words);
    let state = State {
        cycle: 0,
        pc: u16::from_le_bytes([head[0], head[1]]) & 0xFFF,
        a: head[2],
        c: head[3] & 1 == 1,
        halted: false,
        target: u16::from_le_bytes([head[4], head[5]]) & 0xFFF,
        jumped: head[6] & 1 == 1,
        ram: Noise::Random(head[7].into()).ram(),
    };
    let mut fast = IsaEngine::power_up(&image, Noise::Zeros);
    fast.set_state(&state).expect("the engine takes any state");
    let mut others: Vec<(&str, Box<dyn Engine>, Seen)> =
        vec![("chips", Box::new(chips(&image, &state)), Seen::default())];
    if gray1_native::IS_SUPPORTED {
        let mut native = chips(&image, &state);
        native.compile_eagerly(gray1_native::translate);
        others.push(("native", Box::new(native), Seen::default()));
    }
    let mut seen_fast = Seen::default();
    for piece in pieces.chunks_exact(4) {
        let cycles = u64::from(u16::from_le_bytes([piece[0], piece[1]]) % MAX_CYCLES);
        let pad = (piece[3] & 0x40 != 0).then_some((piece[3] >> 3 & 7, piece[3] & 7));
        let inputs = Inputs { pad, keys: piece[2] & 0x7F };
        let ran = go(&mut fast, inputs, cycles, &mut seen_fast);
        for (name, engine, seen) in &mut others {
            assert_eq!(go(&mut **engine, inputs, cycles, seen), ran, "cycles of {name}");
            assert_eq!(engine.state(), fast.state(), "{name}: {image:?}");
            assert_eq!(engine.word(), fast.word(), "{name}");
            assert_eq!(*seen, seen_fast, "{name}: {image:?}");
        }
    }
    for (name, engine, _) in &others {
        assert_eq!(engine.executed(), fast.executed(), "{name}");
    }
}

fn go(engine: &mut dyn Engine, inputs: Inputs, cycles: u64, outside: &mut dyn OutputSink) -> u64 {
    engine.press(inputs).expect("the board settles");
    engine.run(cycles, outside).expect("the board settles")
}
