//! Answers to questions, as text and as data, in the words of this and of other debuggers; and machines that do not fit.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use crate::support::{about, dialogue, reply};
use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{DebugError, Debugger, History, Source};
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use serde_json::json;
use std::sync::atomic::AtomicBool;

/// An instruction that has not run yet has not loaded a register; it is the next one to do so.
#[test]
fn the_current_instruction_writes_a_register_last() {
    let mut dialogue = about("load.g1", "lda #1\nsta OUT\nlda #2\nhalt: jmp halt\n");
    let mut say = |line| reply(&mut dialogue, line).text;
    assert_eq!(say("who wrote a"), "not so far\n");
    assert!(say("who writes a").starts_with("cycle 0: "));
    say("goto cycle 2");
    for (line, expected) in [
        ("who wrote a", "cycle 0: "),
        ("who writes a", "cycle 2: "),
        ("who read a", "cycle 1: "),
        ("who reads a", "not before the halt"),
    ] {
        assert!(say(line).starts_with(expected), "{line}");
    }
    say("step 3 phases");
    assert!(say("who wrote a").starts_with("cycle 2: "));
    assert_eq!(say("who writes a"), "not before the halt\n");
}

/// The words of gdb and lldb are commands, too.
#[test]
fn words_of_other_debuggers_work() {
    let mut dialogue = dialogue();
    let help = reply(&mut dialogue, "help").text;
    for (word, command) in [
        ("?", "help"),
        ("h", "help"),
        ("bt", "show stack"),
        ("backtrace", "show stack"),
        ("list", "show source"),
        ("info registers", "show registers"),
        ("info breakpoints", "points"),
        ("registers", "show registers"),
        ("x n", "show ram n"),
    ] {
        let (one, other) = (reply(&mut dialogue, word), reply(&mut dialogue, command));
        assert_eq!(one.text, other.text, "{word}");
    }
    assert!(help.contains("continue run") && help.contains("bt `show stack`"), "{help}");
    assert!(reply(&mut dialogue, "help bt").text.starts_with("bt is `show stack`: show registers|"));
    reply(&mut dialogue, "b loop");
    assert!(reply(&mut dialogue, "continue").text.starts_with("point 1: loop\n"));
    let (_, result) = dialogue.line("  x lst", &AtomicBool::new(false));
    assert!(matches!(result, Err(DebugError::Input { offset: 4, .. })), "{result:?}");
}

/// Questions have their answers as data, too.
#[test]
fn answers_are_data() {
    let mut dialogue = dialogue();
    reply(&mut dialogue, "break loop");
    reply(&mut dialogue, "goto cycle 8");
    let mut field = |line, name: &str| reply(&mut dialogue, line).fields[name].clone();
    let found = field("who wrote n", "found");
    assert_eq!((&found["cycle"], &found["phase"], &found["pc"]), (&json!(7), &json!(1), &json!(2)));
    assert_eq!((&found["file"], &found["line"]), (&json!("loop.g1"), &json!(5)));
    assert_eq!(field("when n == 9", "found"), json!(null));
    assert_eq!(field("points", "points"), json!([{ "number": 1, "title": "loop", "hits": 0 }]));
    assert_eq!(field("show stack", "stack")[0]["instruction"], "STA list+1");
    assert!(field("why n", "steps")[0]["net"].is_string());
}

#[test]
fn a_machine_of_another_board_or_program_is_refused() {
    let image = |program: &str| {
        let files = MemoryLoader::new([("x.g1", program)]);
        assemble(&files, "x.g1", &Options::default()).program.unwrap().image
    };
    let (one, other) = (image("halt: jmp halt\n"), image("nor #1\nhalt: jmp halt\n"));
    let board = Board::gray1();
    let debug = |board: &Board, program: &Image, expected: &Image| {
        let machine = ChipsEngine::power_up(board, program, Noise::Zeros).unwrap();
        let source = Source::of_image(expected.clone());
        Debugger::new(machine, Board::gray1(), source, Script::default()).err()
    };
    assert_eq!(debug(&board, &one, &one), None);
    assert_eq!(debug(&board, &other, &one), Some(DebugError::OtherProgram));
    assert_eq!(debug(&Board::built(), &one, &one), Some(DebugError::OtherBoard));
    // Values out of range are not panics.
    let machine = ChipsEngine::power_up(&board, &one, Noise::Zeros).unwrap();
    assert!(History::with_memory(machine, Script::default(), 0, 0).is_ok());
    assert!(!Source::of_image(one).begins_line(0, 99));
}
