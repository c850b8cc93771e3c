//! Routines and their callers, steps over calls, conditions that know counters and parameters, and what is said about
//! locations.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use crate::support::{about, reply};
use gray1_debugger::Dialogue;
use std::sync::atomic::AtomicBool;

/// `main → outer → inner`, with two calls of each, and one from within a macro.
const CALLS: &str = "\
.ram n
.macro twice
  call inner
  call inner
.endmacro
  lda #0
  sta n
  call outer
  twice
  call outer
halt: jmp halt
.routine outer
  lda n
  call inner
  sta OUT
.endroutine
.routine inner
  lda n
  add #1
  sta n
.endroutine
";

/// The line that the machine is at, and the lines of the calls that led there, the innermost first.
fn lines(dialogue: &Dialogue) -> Vec<usize> {
    let debugger = dialogue.debugger();
    let now = debugger.machine().running();
    let places = std::iter::once(now).chain(debugger.callers());
    places.map(|sequence| debugger.source().frames(sequence).last().map_or(0, |frame| frame.line)).collect()
}

#[test]
fn the_callers_of_a_routine_are_known_at_any_position() {
    let mut dialogue = about("calls.g1", CALLS);
    for (command, expected) in [
        ("to inner", &[18, 14, 8][..]),
        ("to inner", &[18, 3]),
        ("to inner", &[18, 4]),
        ("to inner", &[18, 14, 10]),
        ("back to inner", &[18, 4]),
        ("goto start", &[6]),
        ("until n == 2", &[21, 3]),
    ] {
        reply(&mut dialogue, command);
        assert_eq!(lines(&dialogue), expected, "{command}");
    }
    let said = reply(&mut dialogue, "where").to_string();
    assert!(said.contains("; in inner, called at line 3"), "{said}");
    let stack = reply(&mut dialogue, "show stack").text;
    assert_eq!(stack.lines().count(), 2, "{stack}");
}

#[test]
fn next_steps_over_calls_and_finish_returns_from_them_in_both_directions() {
    let mut dialogue = about("calls.g1", CALLS);
    for (command, expected) in [
        ("next 2", &[8][..]),
        ("next", &[3]),
        ("back next", &[8]),
        ("step", &[13, 8]),
        ("next", &[14, 8]),
        ("step", &[18, 14, 8]),
        ("next", &[19, 14, 8]),
        ("finish", &[15, 8]),
        ("back finish", &[8]),
        ("to inner", &[18, 14, 8]),
        ("back finish", &[14, 8]),
        ("next", &[15, 8]),
        ("finish", &[3]),
        // Over the macro with its two calls, and back.
        ("next", &[10]),
        ("back next", &[3]),
        // A call inside the macro; then the macro, past the other call.
        ("step", &[18, 3]),
        ("finish", &[4]),
        ("finish", &[10]),
        ("next", &[11]),
    ] {
        reply(&mut dialogue, command);
        assert_eq!(lines(&dialogue), expected, "{command}");
    }
}

/// Inside a macro, `next` goes on to the next line of the macro; `step` does not enter the library; `finish` on a call
/// outside of all routines goes over it.
#[test]
fn steps_stay_at_their_level() {
    let program = "\
.ram n
.macro twice v
  lda v
  add v
  sta v
.endmacro
.macro four v
  twice v
  twice v
.endmacro
  lda #3
  four n
  print n
  call bump
halt: jmp halt
.routine bump
  four n
  sta OUT
.endroutine
.include \"lib/print.g1\"
";
    let mut dialogue = about("steps.g1", program);
    for (command, expected) in [
        ("step", &[3][..]),
        ("step", &[4]),
        ("next", &[5]),
        ("next", &[3]), // before the second call of `twice`
        ("back next", &[3]),
        ("finish", &[3]),
        ("next", &[13]),
        ("back next", &[3]),
        ("next", &[13]),
        ("step", &[14]),
        ("back", &[13]),
        ("step", &[14]),
        ("finish", &[15]),
        ("back finish", &[14]),
        ("step", &[3, 14]),
        ("step", &[4, 14]),
        ("next 2", &[3, 14]),
        ("step", &[4, 14]),
        ("finish", &[18, 14]),
        ("back next", &[3, 14]),
        ("finish", &[3, 14]),
    ] {
        reply(&mut dialogue, command);
        let lines = lines(&dialogue);
        let is_in_print = expected == [13];
        assert!(is_in_print || lines == expected, "{command}: {lines:?} instead of {expected:?}");
        let frames = dialogue.debugger().frames();
        assert!(!is_in_print || frames[0].line == 13, "{command}");
    }
}

#[test]
fn conditions_know_the_counters_and_parameters_at_their_place() {
    let program = ".macro send value\n  lda #value\n  sta OUT\n.endmacro\n.for row, 0, 5\n  send row*2\n.endfor\n\
                   halt: jmp halt\n";
    for (point, cycle) in [
        ("break 6 if row == 3", 6),
        ("break 3 if value == 6 && a == 6", 7),
        ("break 2 if row == 3 log \"x\"", 0),
    ] {
        let mut dialogue = about("for.g1", program);
        if cycle == 0 {
            let (_, result) = dialogue.line(point, &AtomicBool::new(false));
            // A macro does not see the names of its caller, but a condition may.
            result.unwrap();
            continue;
        }
        reply(&mut dialogue, point);
        reply(&mut dialogue, "run");
        assert_eq!(dialogue.debugger().position().cycle, cycle, "{point}");
        reply(&mut dialogue, "run");
        reply(&mut dialogue, "run");
        reply(&mut dialogue, "reverse");
        assert_eq!(dialogue.debugger().position().cycle, cycle, "{point}, backwards");
    }
}

#[test]
fn a_point_moves_from_a_line_without_instructions_and_a_constant_gets_a_hint() {
    let mut dialogue = about("lines.g1", "_mark = 1\n; a comment\n  lda #1\nhalt: jmp halt\n; the end\n");
    let said = reply(&mut dialogue, "break 2").text;
    assert!(said.contains("line 2 generates no instruction: the next one is on line 3"), "{said}");
    for (command, message) in
        [("break 5", "nor does any after it"), ("break _mark", "`at _mark` is the instruction")]
    {
        let (_, result) = dialogue.line(command, &AtomicBool::new(false));
        assert!(result.unwrap_err().to_string().contains(message), "{command}");
    }
    reply(&mut dialogue, "break 4 log \"{a}\" if a == 1 after 2");
}

#[test]
fn two_bytes_are_printed_as_a_word() {
    let mut dialogue =
        about("word.g1", ".ram n, 2\n lda #$34\n sta n\n lda #$12\n sta n+1\nhalt: jmp halt\n");
    reply(&mut dialogue, "run");
    let said = reply(&mut dialogue, "print word n");
    assert_eq!((said.text.as_str(), said.value), ("word n = 4660 ($1234)\n", Some(0x1234)));
}
