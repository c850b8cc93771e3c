//! Dialogues about programs in memory.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Debugger, Dialogue, Reply, Source};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use std::sync::atomic::AtomicBool;

/// Runs forever.
pub const LOOP: &str = ".ram n\n.ram list, 3\nloop: lda n\n add #1\n sta n\n sta list+1\n jmp loop\n";

/// A dialogue about [`LOOP`].
pub fn dialogue() -> Dialogue {
    about("loop.g1", LOOP)
}

pub fn about(name: &str, program: &str) -> Dialogue {
    let files = MemoryLoader::new([(name, program)]);
    talk_about(Source::of_assembly(assemble(&files, name, &Options::default())).unwrap())
}

pub fn talk_about(source: Source) -> Dialogue {
    let board = Board::gray1();
    let machine = ChipsEngine::power_up(&board, source.image(), Noise::Zeros).unwrap();
    Dialogue::new(Debugger::new(machine, board, source, Script::default()).unwrap())
}

/// The reply to a line, which must succeed.
pub fn reply(dialogue: &mut Dialogue, line: &str) -> Reply {
    let (reply, result) = dialogue.line(line, &AtomicBool::new(false));
    result.unwrap();
    reply
}
