//! Routines return to each of their calls.

use crate::interpreter;
use crate::sources::{assembly, image};
use interpreter::run;
use std::fmt::Write;

#[test]
fn every_number_of_calls_returns_to_the_right_place() {
    for calls in (1..=40).chain([63, 64, 65, 127, 128, 129, 255, 256]) {
        let mut source = String::new();
        for call in 0..calls {
            let _ = writeln!(source, "      call r\n      lda #{call}\n      sta OUT");
        }
        source.push_str("halt: jmp halt\n.routine unused\n      call r\n.endroutine\n");
        source.push_str(
            ".routine r\n      call inner\n      return\n.endroutine\n.routine inner\n.endroutine\n",
        );
        let expected: Vec<u8> = (0..calls).map(|call| call as u8).collect();
        assert_eq!(run(&image(&source)), expected, "{calls} calls");
    }
}

#[test]
fn one_call_too_many_is_refused() {
    let source = "      call r\n".repeat(257) + "halt: jmp halt\n.routine r\n.endroutine\n";
    let assembly = assembly(&source);
    assert!(assembly.program.is_none());
    assert!(assembly.report.render(false).contains("`r` is called too often"));
}

/// A routine that is never called is not assembled, but what is wrong in it is reported.
#[test]
fn errors_in_a_routine_that_is_never_called_are_reported() {
    let cases = [
        ("ldq #3", Some("there is no instruction or macro `ldq`")),
        ("jmp nowhere", Some("unknown name `nowhere`")),
        ("lda #300", Some("300")),
        ("call nowhere", Some("there is no routine `nowhere`")),
        ("call r", Some("`r` calls itself")),
        (".ensures nothing == 1", Some("unknown name `nothing`")),
        ("lda x\n call q\n jmp halt", None),
        // Names of another routine and the length of the program cause no errors in this one.
        ("inner: lda #1\n.org 4095\n lda #1", None),
    ];
    for (code, expected) in cases {
        let source = format!(
            ".ram x\n call q\nhalt: jmp halt\n.routine q\n lda #1\n sta x\n.endroutine\n\
             .routine p\ninner: lda #1\n.endroutine\n.routine r\n {code}\n.endroutine\n"
        );
        let assembly = assembly(&source);
        let report = assembly.report.render(false);
        assert_eq!(assembly.program.is_none(), expected.is_some(), "{code}: {report}");
        assert!(report.contains(expected.unwrap_or_default()), "{code}: {report}");
    }
}

/// Names in a routine that is never called have no value, and their use is an error: otherwise `lda x` would become
/// `LDA $000`.
#[test]
fn nothing_in_a_routine_that_is_never_called_can_be_used() {
    let uses = [("lda x", "x"), ("jmp inner", "inner"), ("y = k\n      lda #y", "k"), (".if k\n.endif", "k")];
    for (usage, name) in uses {
        let source = format!(
            "      {usage}\nhalt: jmp halt\n.routine r\n.ram x\nk = 3\ninner: lda x\n      lda #k\n.endroutine\n\
             .if k\n.endif\n"
        );
        let assembly = assembly(&source);
        assert!(assembly.program.is_none(), "{usage}");
        let errors: Vec<&str> =
            assembly.report.diagnostics.iter().map(|error| error.message.as_str()).collect();
        assert!(errors.contains(&format!("unknown name `{name}`").as_str()), "{usage}: {errors:?}");
        assert!(assembly.report.render(false).contains("belongs to a routine that is never called"));
    }
}
