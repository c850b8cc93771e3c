//! Assembles programs that use an idiom of the library, with the names and labels of the examples in its comments.

use crate::programs::WithFolder;
use gray1_assembler::{Assembly, Options, Program, Report, Sources, Term, assemble};
use std::path::{Path, PathBuf};

/// The names in the calls of tests and of library comments.
const NAMES: &str = "
.ram x
.ram y
.ram w, 4
.ram v, 4
.ram list, 256
";

/// Jump targets. The label at which a run halts shows which jump was taken.
const TARGETS: &str = "
halt:  jmp halt
there: jmp there
.for k, 0, 256
case{k}: jmp case{k}
.endfor
";

/// Returns the folder of the library in this repository.
pub fn library_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/lib")
}

/// Assembles a program with the names above and a file of the library.
pub fn program(source: &str, library: &str) -> (Program, Sources) {
    let Assembly { program, report } = assembly(source, library);
    (program.unwrap_or_else(|| panic!("{report}\n{source}")), report.sources)
}

/// Assembles a program of one line and returns the report.
pub fn assembled(call: &str, library: &str) -> Report {
    assembly(&format!("      {call}"), library).report
}

fn assembly(source: &str, library: &str) -> Assembly {
    let shared = match library {
        "all.g1" | "array.g1" => "      array cells, 8\n      word_array sums, 8\n",
        "leds.g1" => "      scroller line, 0, 10\n",
        _ => "",
    };
    let source = format!("{source}\n{TARGETS}{NAMES}.include \"{library}\"\n{shared}");
    assemble(&WithFolder { source: &source, folder: &library_folder() }, "test", &Options::default())
}

/// Returns the number of words before `halt`: the length of the code under test.
pub fn length(program: &Program) -> u16 {
    let halt = program.symbols.iter().find(|symbol| symbol.name == "halt").expect("a label");
    halt.value as u16
}

/// The value of a register after an idiom, according to the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The previous value.
    Stays,
    /// A value that the contract specifies.
    New,
    /// An undefined value.
    Lost,
}

/// Returns the values of A and C after a call. Without a contract both are undefined, unless the call has no words.
pub fn after(call: &str, library: &str) -> [After; 2] {
    let (program, _) = program(&format!("      {call}"), library);
    let name = call.split_whitespace().next().expect("a name");
    let contract = program.contracts.iter().find(|contract| contract.name == name && contract.expansion == 0);
    let Some(contract) = contract else {
        return [if length(&program) > 0 { After::Lost } else { After::Stays }; 2];
    };
    let (a, c) = contract.modifies.as_ref().map_or((true, true), |modifies| (modifies.a, modifies.c));
    [(a, Term::A { before: false }), (c, Term::C { before: false })].map(|(is_changed, now)| {
        let is_specified = contract.ensures.iter().any(|promise| promise.formula.0.contains(&now));
        match (is_changed, is_specified) {
            (false, _) => After::Stays,
            (true, true) => After::New,
            (true, false) => After::Lost,
        }
    })
}
