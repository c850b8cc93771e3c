//! State files: any text is either read or refused. A state that is read is written the same way again, and all engines
//! continue from it alike.

use super::machines::chips;
use super::{drawn, text};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::{Engine, IsaEngine, Noise, State};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const MARK: &str = "p";
/// The number of cycles to compare.
const CYCLES: u64 = 20;

/// A state file as gray1 writes it, or with some of its text replaced.
pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let state = (any::<u64>(), 0u16..4_096, any::<u8>(), any::<[bool; 3]>(), 0u16..4_096, any::<u64>())
        .prop_map(|(cycle, pc, a, [c, halted, jumped], target, seed)| {
            let ram = Noise::Random(seed).ram();
            State { cycle: cycle >> (seed % 64), pc, a, c, halted, target, jumped, ram }.to_ron(MARK)
        });
    let words = "version program cycle pc a c halted target jumped ram checksum ( ) : , \" 1 0x10 -1 true Some( \
        99999999999999999999 \n é // /* r#\"";
    let words = prop::sample::select(words.split(' ').collect::<Vec<_>>());
    let change = (any::<prop::sample::Index>(), 0..4usize, words);
    // Most of the text is the content of RAM. Only the text before and after it is worth changing.
    let changed = (state, prop::collection::vec(change, 0..4)).prop_map(|(mut text, changes)| {
        for (at, length, word) in changes {
            let places: Vec<usize> =
                (0..200.min(text.len())).chain(text.len().saturating_sub(60)..text.len()).collect();
            let start = *at.get(&places);
            let end = (start + length).min(text.len());
            if text.is_char_boundary(start) && text.is_char_boundary(end) {
                text.replace_range(start..end, word);
            }
        }
        text
    });
    // A changed file is refused unless its checksum is removed, as in a file written by hand.
    let plain = (changed, any::<bool>()).prop_map(|(text, is_plain)| {
        let lines = text.lines().filter(|line| !is_plain || !line.contains("checksum"));
        lines.collect::<Vec<_>>().join("\n")
    });
    drawn(runner, &plain).into_bytes()
}

pub fn check(case: &[u8]) {
    let Ok(state) = State::from_ron(&text(case), MARK) else { return };
    assert_eq!(State::from_ron(&state.to_ron(MARK), MARK).as_ref(), Ok(&state));
    // The bytes of RAM also serve as the program, so that it differs from case to case.
    let words = state.ram.chunks_exact(2).map(|pair| Word(u16::from_le_bytes([pair[0], pair[1]])));
    let image = Image::from_words(words.chain([Word::jump(Opcode::Jmp, 0)]));
    let (mut chips, mut fast) = (chips(&image, &state), IsaEngine::power_up(&image, Noise::Ones));
    fast.set_state(&state).expect("the engine isa takes any state");
    for _ in 0..CYCLES {
        assert_eq!(chips.state(), fast.state());
        let ran = [&mut chips as &mut dyn Engine, &mut fast]
            .map(|engine| engine.run(1, &mut ()).expect("it settles"));
        assert_eq!(ran[0], ran[1]);
    }
}
