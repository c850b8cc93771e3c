//! The Gray-1 assembler.
//!
//! ```
//! use gray1_assembler::{MemoryLoader, Options, assemble};
//! let files = MemoryLoader::new([("three.g1", "lda #1+2\nsta OUT\nhalt: jmp halt\n")]);
//! let assembly = assemble(&files, "three.g1", &Options::default());
//! let program = assembly.program.expect("no errors");
//! assert_eq!(program.image.word(0).to_string(), "LDA #$03");
//! ```
//!
//! A program runs through these stages, each in its own module:
//! `library` (files) → `syntax` (statements) → `expand` (macros, loops, places) → `emit` (bits) → `lint`
//! (warnings) → `program` (the result). Names and their values live in `table`, their computation in
//! `evaluate`. Nothing here reads or writes a file; see [`Loader`].
//!
//! What the language means beyond its reference:
//!
//! - A mnemonic and `here` cannot be names. Instructions, labels, constants, RAM names, macros and routines
//!   share one name space.
//! - A non-local label starts a new stretch for local labels; one defined in a loop does so for what follows the
//!   loop too, one defined in a macro only within that expansion. A loop's body sees the local labels around
//!   the loop, a macro's body does not see those of its caller.
//! - A macro sees its parameters and what surrounds its definition, not the loop counters of its caller. One that
//!   stands outside of every block may be called before its definition.
//! - An argument is a value, not a text: `x*2` with `1+2` for `x` is 6. An argument given with `#` makes an operand
//!   that begins with the parameter a constant, as if its `#` stood there; elsewhere in an operand it is an error.
//!   `isconst(p)` is 1 when the argument for `p` was given with `#`.
//! - A parameter alone in braces may stand for a text: in a macro called with `"case"` for `name`, `{name}{k}` is
//!   `case0`, `case1`, and so on.
//! - `.for c, "text"` runs through the bytes of a text (UTF-8); the text may be an argument.
//! - `name ?= value` defines a constant unless something of that name is defined already.
//! - `.once` at the top of a file: a second `.include` of it does nothing.
//! - `.word` takes -32768..65535. A label plus or minus a number is a label, a RAM name plus or minus a number is
//!   in RAM, everything else is a plain number, which may serve as either.
//! - `.routine name` … `.endroutine`, `call name` and `return`: a routine called once costs a jump each way; called
//!   more often, a call costs three words, and the way back a decision tree at its end (`.endroutine` itself
//!   returns). A call loses A and keeps C; a return may lose A and C: arguments and results travel in RAM. A
//!   routine that is never called is not assembled. At most 256 calls each; recursion is refused. A macro of
//!   the program's own named `call` or `return` takes precedence.

mod build;
mod cost;
mod diagnostic;
mod disassemble;
mod emit;
mod evaluate;
mod expand;
mod expansion;
mod foreign;
mod format;
mod library;
mod lint;
mod listing;
mod names;
mod output;
mod program;
mod render;
mod source;
mod syntax;
mod table;

pub use diagnostic::{Diagnostic, Related, Report, Severity, Warning};
pub use disassemble::disassemble;
pub use expansion::{Expansion, ExpansionKind};
pub use format::format;
pub use names::closest;
pub use output::intel_hex;
pub use program::{Program, Symbol, WordOrigin};
pub use source::{Loaded, Loader, MemoryLoader, Position, Sources, Span, beside};
pub use syntax::{
    ArithmeticError, DIRECTIVES, LiteralError, LiteralErrorKind, OPERATORS, Operator, PREFIX_OPERATORS,
    PrefixOperator, literal, quoted, split_comment,
};
pub use table::SymbolKind;

use build::Build;
use expand::{CallCounts, Expanded};
use gray1_isa::Opcode;
use gray1_isa::memory_map::BUILT_IN_NAMES;
use library::Library;

/// How often a program with routines is expanded before the counts of its calls must agree.
const MOST_PASSES: usize = 6;

/// What to assemble a program with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Constants that are defined before the program begins.
    pub constants: Vec<(String, i64)>,
    /// Warnings not to give.
    pub silenced: Vec<Warning>,
    /// Warnings to give as errors.
    pub denied: Vec<Warning>,
}

/// What came of a program.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program, when there was no error.
    pub program: Option<Program>,
    /// All errors and warnings, and the sources.
    pub report: Report,
}

/// Assembles a program from its root file and what that includes.
pub fn assemble(loader: &dyn Loader, root: &str, options: &Options) -> Assembly {
    let mut library = Library::new(loader);
    check_constants(&options.constants, &mut library.diagnostics);
    let Some(root) = library.root(root) else {
        return Assembly { program: None, report: finish(library, options) };
    };
    let mut expanded = expand_until_settled(library, root, options);
    let emitted = emit::emit(&mut expanded);
    lint::lint(&mut expanded, &emitted);
    let severe = |diagnostics: &diagnostic::Diagnostics| diagnostics.has_errors();
    let failed = severe(&expanded.build.diagnostics) || severe(&expanded.build.library.diagnostics);
    let mut program = if failed { None } else { Some(Program::new(&mut expanded, emitted)) };
    let Build { mut library, diagnostics, .. } = expanded.build;
    library.diagnostics.append(diagnostics);
    let report = finish(library, options);
    if report.has_errors() {
        program = None;
    }
    Assembly { program, report }
}

/// Refuses constants from outside whose names a program could not give.
fn check_constants(constants: &[(String, i64)], diagnostics: &mut diagnostic::Diagnostics) {
    for (index, (name, _)) in constants.iter().enumerate() {
        let reason = if BUILT_IN_NAMES.iter().any(|(built_in, _)| built_in == name) {
            "it is built in"
        } else if name == "here" {
            "it is the current sequence number"
        } else if Opcode::from_mnemonic(name).is_some() {
            "it is an instruction"
        } else if !names::is_name(name) {
            "it is not a name"
        } else if constants[..index].iter().any(|(other, _)| other == name) {
            diagnostics.push(Diagnostic::error_anywhere(format!("`{name}` is defined twice from outside")));
            continue;
        } else {
            continue;
        };
        let message = format!("`{name}` cannot be defined from outside: {reason}");
        diagnostics.push(Diagnostic::error_anywhere(message));
    }
}

/// Expands once, and again as long as the code of a routine is not made for the calls it turned out to have.
fn expand_until_settled<'a>(library: Library<'a>, root: u32, options: &Options) -> Expanded<'a> {
    let mut counts = CallCounts::default();
    let mut expanded = expand::expand(Build::new(library, &options.constants), root, &counts);
    for _ in 1..MOST_PASSES {
        if !expanded.needs_another_pass(&counts) {
            return expanded;
        }
        counts = expanded.counts;
        expanded = expand::expand(Build::new(expanded.build.library, &options.constants), root, &counts);
    }
    if expanded.needs_another_pass(&counts) {
        let message = "how often a routine is called depends on how long its code is, without end";
        expanded.build.diagnostics.push(Diagnostic::error_anywhere(message));
    }
    expanded
}

fn finish(library: Library, options: &Options) -> Report {
    let severity = |severity: Severity| match severity {
        Severity::Warning(warning) if options.denied.contains(&warning) => Some(Severity::Error),
        Severity::Warning(warning) if options.silenced.contains(&warning) => None,
        severity => Some(severity),
    };
    Report { diagnostics: library.diagnostics.finish(severity), sources: library.sources }
}
