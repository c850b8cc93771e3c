//! Random programs and input scripts for comparing engines, and random sources, commands and messages of users and
//! editors.

pub mod commands;
pub mod messages;
pub mod requests;
pub mod sources;

use gray1_isa::memory_map::KEY_NAMES;
use gray1_isa::{INSTRUCTIONS, Image, Opcode, PROGRAM_WORDS, Word};
use proptest::prelude::*;
use std::fmt;
use std::ops::Range;

/// A program. Its debug output is a list of instructions, from word 0.
#[derive(Clone)]
pub struct Program(Vec<Word>);

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        (0..).zip(&self.0).try_for_each(|(place, word)| writeln!(f, "  {place:4}  {:04x}  {word}", word.0))
    }
}

impl Program {
    /// Returns the image, with the program at word 0.
    pub fn image(&self) -> Image {
        Image::from_words(self.0.iter().copied())
    }
}

/// Generates a word. Most are likely to interact with others: they use a few RAM bytes or special addresses, or jump to
/// a nearby word, sometimes with the wrong parity.
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

/// Generates a word that uses a few bytes, the display, the port or the keys, or jumps to one of these targets. It
/// never jumps to itself, which would halt the machine.
pub fn busy_word(place: u16, targets: Range<u16>) -> impl Strategy<Value = Word> {
    let address = prop_oneof![0u16..4, 0xFE0u16..0xFE2, Just(0xFF0), Just(0xFFA)];
    let data = prop_oneof![Just(Opcode::Lda), Just(Opcode::Add), Just(Opcode::Nor), Just(Opcode::Shr)];
    let jump = prop_oneof![Just(Opcode::Jmp), Just(Opcode::Jc), Just(Opcode::Jz)];
    prop_oneof![
        3 => (data.clone(), any::<u8>()).prop_map(|(opcode, value)| Word::constant(opcode, value)),
        3 => (data, address.clone()).prop_map(|(opcode, x)| Word::new(opcode, false, x)),
        4 => address.prop_map(|x| Word::new(Opcode::Sta, false, x)),
        1 => (jump, targets).prop_map(move |(opcode, to)| Word::jump(opcode, if to == place { to + 1 } else { to })),
    ]
}

/// Generates a small program.
pub fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec(word(), 1..40).prop_map(Program)
}

/// Generates a program of busy words that never halts.
pub fn endless_program() -> impl Strategy<Value = Program> {
    let words: Vec<_> = (0..40).map(|place| busy_word(place, 0..40)).collect();
    words.prop_map(|mut words| {
        words.push(Word::jump(Opcode::Jmp, 0));
        Program(words)
    })
}

/// Generates any 4,096 words, so that a run can reach every address and wrap around.
pub fn whole_program() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u16>().prop_map(Word), PROGRAM_WORDS).prop_map(Program)
}

/// Generates the text of an input script that presses pads and keys.
pub fn script() -> impl Strategy<Value = String> {
    let pad = prop_oneof![
        Just(String::new()),
        Just("pad: None".to_owned()),
        (0..8, 0..8).prop_map(|(row, col)| format!("pad: Some((row: {row}, col: {col}))")),
    ];
    let keys = prop_oneof![
        Just(String::new()),
        prop::sample::subsequence(KEY_NAMES.to_vec(), 0..=7).prop_map(|keys| format!("keys: {keys:?}")),
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
