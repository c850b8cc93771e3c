//! The dialogue of the debugger: each line gets an answer, and no answer is too long. The first line names the program:
//! `halts`, on which every command ends by itself, or another, whose commands are interrupted at once.

use super::machines::{COUNT, debugger, source};
use super::{MAX_ANSWER, drawn, text};
use gray1_debugger::{COMMANDS, Command, DebugError, Dialogue};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::sync::atomic::AtomicBool;
use test_support::random::commands::word;

const ENDLESS: &str = ".ram n\n.ram list, 3\nloop: lda n\n add #1\n sta n\n sta list+1\n jmp loop\n";
/// The limit on the lines of a case. More would make it slow and find nothing new.
const MAX_LINES: usize = 40;

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let names: Vec<&'static str> = COMMANDS.iter().map(Command::name).collect();
    let pieces = prop::collection::vec(word(&names), 0..6).prop_map(|pieces| pieces.join(" "));
    let line = (prop::sample::select(names), pieces).prop_map(|(name, pieces)| format!("{name} {pieces}"));
    let useful = "step 5|run|back 3|reverse|watch n|break loop|goto start|goto cycle 20|until n == 1|next|set \
        n = 7|points|break loop log \"{n} {a}\"|who wrote n|why A3|undo";
    let useful = prop::sample::select(useful.split('|').collect::<Vec<_>>());
    let line = prop_oneof![2 => line, 1 => useful.prop_map(str::to_owned)];
    let lines = (prop::bool::weighted(0.8), prop::collection::vec(line, 1..12));
    let (halts, lines) = drawn(runner, &lines);
    format!("{}\n{}\n", if halts { "halts" } else { "endless" }, lines.join("\n")).into_bytes()
}

pub fn check(case: &[u8]) {
    let text = text(case);
    let halts = text.lines().next() == Some("halts");
    let program = if halts { COUNT } else { ENDLESS };
    let mut dialogue = Dialogue::new(debugger(source("count.g1", program)));
    let never = AtomicBool::new(false);
    let _ = dialogue.line("goto cycle 30", &never);
    let interrupted = AtomicBool::new(!halts);
    for line in text.lines().skip(1).take(MAX_LINES) {
        let (reply, result) = dialogue.line(line, &interrupted);
        let length = reply.to_string().len();
        assert!(length < MAX_ANSWER, "{length} bytes in answer to {line:?}");
        if let Err(DebugError::Input { offset, message }) = result {
            assert!(offset <= line.len() && !message.is_empty(), "{line:?}: an error at {offset}: {message}");
        }
    }
}
