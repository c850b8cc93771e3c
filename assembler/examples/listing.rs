//! Assembles a program from memory, with a file that it includes, and prints its listing or its errors. Run it with
//! `cargo run -p gray1-assembler --example listing`.

use gray1_assembler::{MemoryLoader, Options, Report, assemble};

const PROGRAM: &str = r#"
.include "show.g1"
      show #3
      show #2
halt: jmp  halt
"#;

const LIBRARY: &str = "\
.macro show value
      lda  value
      sta  OUT
.endmacro
";

fn listing(program: &str) -> Result<String, Report> {
    let files = MemoryLoader::new([("main.g1", program), ("show.g1", LIBRARY)]);
    let assembly = assemble(&files, "main.g1", &Options::default());
    match assembly.program {
        Some(program) => Ok(program.listing(&assembly.report.sources)),
        None => Err(assembly.report),
    }
}

fn main() {
    match listing(PROGRAM) {
        Ok(listing) => print!("{listing}"),
        Err(report) => eprint!("{report}"),
    }
}

#[test]
fn the_program_has_a_listing_and_a_mistake_has_its_line() {
    assert!(listing(PROGRAM).is_ok_and(|listing| listing.contains("3   002  2FF0")));
    assert!(listing("show 1, 2").is_err_and(|report| report.to_string().contains("main.g1:1:1")));
}
