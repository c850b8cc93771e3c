//! Routines return to each of their calls.

mod interpreter;

use gray1_assembler::{MemoryLoader, Options, assemble};
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
        let files = MemoryLoader::new([("r.g1", source)]);
        let assembly = assemble(&files, "r.g1", &Options::default());
        let program = assembly.program.unwrap_or_else(|| panic!("{}", assembly.report.render(false)));
        let expected: Vec<u8> = (0..calls).map(|call| call as u8).collect();
        assert_eq!(run(&program.image), expected, "{calls} calls");
    }
}

#[test]
fn one_call_too_many_is_refused() {
    let source = "      call r\n".repeat(257) + "halt: jmp halt\n.routine r\n.endroutine\n";
    let files = MemoryLoader::new([("r.g1", source)]);
    let assembly = assemble(&files, "r.g1", &Options::default());
    assert!(assembly.program.is_none());
    assert!(assembly.report.render(false).contains("`r` is called too often"));
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
        let assembly = assemble(&MemoryLoader::new([("r.g1", source)]), "r.g1", &Options::default());
        assert!(assembly.program.is_none(), "{usage}");
        let errors: Vec<&str> =
            assembly.report.diagnostics.iter().map(|error| error.message.as_str()).collect();
        assert!(errors.contains(&format!("unknown name `{name}`").as_str()), "{usage}: {errors:?}");
        assert!(assembly.report.render(false).contains("belongs to a routine that is never called"));
    }
}
