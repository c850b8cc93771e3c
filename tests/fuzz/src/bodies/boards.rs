//! Board files: any text is either read or refused, and a board that is read runs, or gives an error.

use super::{drawn, text};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const REFERENCE: &str = include_str!("../../../../emulator/machine/src/board/gray1.ron");
/// Enough cycles for the engine to make a plan.
const CYCLES: u64 = 2_500;

/// The reference board with lines deleted, repeated or exchanged, or with words replaced by others.
pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..6u8);
    let changes = prop::collection::vec(change, 1..4);
    let changed = changes.prop_map(|changes| {
        let mut lines: Vec<String> = REFERENCE.lines().map(str::to_owned).collect();
        let all: Vec<usize> = words(REFERENCE);
        for (one, other, what) in changes {
            let (first, second) = (one.index(lines.len()), other.index(lines.len()));
            match what {
                0 => drop(lines.remove(first)),
                1 => lines.insert(second, lines[first].clone()),
                2 => lines.swap(first, second),
                _ => {
                    let places = words(&lines[first]);
                    if places.is_empty() {
                        continue;
                    }
                    let start = *one.get(&places);
                    let from = all[other.index(all.len())];
                    let line = &mut lines[first];
                    let end = start + word_at(&line[start..]).len();
                    line.replace_range(start..end, word_at(&REFERENCE[from..]));
                }
            }
        }
        lines.join("\n")
    });
    drawn(runner, &changed).into_bytes()
}

/// The offsets at which words begin.
fn words(text: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut before = ' ';
    let starts = text.char_indices().filter(|&(_, c)| {
        let begins = is_word(c) && !is_word(before);
        before = c;
        begins
    });
    starts.map(|(at, _)| at).collect()
}

fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

pub fn check(case: &[u8]) {
    let text = text(case);
    let board = match Board::parse(&text, "board.ron") {
        Ok(board) => board,
        Err(error) => {
            assert!(error.line <= text.lines().count() + 1, "{error}");
            return;
        }
    };
    // An endless program that uses RAM, pads, the display and the port.
    let words = [
        Word::ram(Opcode::Lda, 0xFF8),
        Word::ram(Opcode::Add, 5),
        Word::ram(Opcode::Sta, 5),
        Word::ram(Opcode::Sta, 0xFE3),
        Word::ram(Opcode::Sta, 0xFF0),
        Word::constant(Opcode::Shr, 3),
        Word::jump(Opcode::Jc, 0),
    ];
    let Ok(mut machine) = ChipsEngine::power_up(&board, &Image::from_words(words), Noise::Random(1)) else {
        return;
    };
    let _ = machine.run(CYCLES, &mut ());
}
