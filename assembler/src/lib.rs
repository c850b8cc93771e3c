//! The assembler of the Gray-1 as a library: programs in the `.g1` language in, images of program memory out.
//!
//! ```
//! use gray1_assembler::{MemoryLoader, Options, assemble};
//!
//! let files = MemoryLoader::new([
//!     ("main.g1", ".include \"limit.g1\"\n      lda  #limit\n      sta  OUT\nhalt: jmp  halt\n"),
//!     ("limit.g1", "limit = 8\n"),
//! ]);
//! let assembly = assemble(&files, "main.g1", &Options::default());
//! let Some(program) = assembly.program else { panic!("{}", assembly.report) };
//! assert_eq!(program.image.word(0).to_string(), "LDA #$08");
//! print!("{}", program.listing(&assembly.report.sources));
//! ```
//!
//! An [`Assembly`] has a [`Report`] of errors and warnings, which prints like those of the Rust compiler, and a
//! [`Program`] if there was no error: its [`Image`](gray1_isa::Image), its names, and for each word the line that made
//! it, through macro calls and loops. [`disassemble`] is the inverse, [`format()`] lays out a source, and debuggers and
//! editors can parse parts of the language: [`literal`], [`quoted`], [`split_comment`], [`OPERATORS`].
//!
//! Nothing here reads or writes a file: sources come from a [`Loader`], which can also stop the work. No source makes
//! the library panic, run without end or overflow the stack.
//!
//! The language is described in `docs/assembly-language.md`. A program passes through these stages:
//!
//! ```text
//!   library   loads each file once
//!   syntax    parses it to statements
//!   expand    expands macros, loops and conditions, assigns addresses; evaluate: values of expressions; table: names
//!   emit      computes the bits of every word
//!   lint      warns of code that is probably wrong
//!   program   the result
//!   index     information for editors
//! ```

mod assemble;
mod built_in;
mod codes;
mod contract;
mod cost;
mod diagnostic;
mod disassemble;
mod emit;
mod evaluate;
mod expand;
mod expansion;
mod foreign;
mod format;
mod idle;
mod index;
mod kind;
mod library;
mod lint;
mod listing;
mod names;
mod options;
mod output;
mod program;
mod promises;
mod render;
mod shipped;
mod source;
mod syntax;
mod table;

pub use assemble::{Assembly, analyze, assemble};
pub use built_in::{BUILT_IN, LIBRARY_FILES, is_built_in, library_file};
pub use codes::{Code, ErrorCode, Warning};
pub use contract::{Contract, Formula, Modifies, Promise, Subject, Term};
pub use cost::{Cycles, cycles};
pub use diagnostic::{Diagnostic, Related, Report, Severity};
pub use disassemble::disassemble;
pub use expansion::{Expansion, ExpansionKind};
pub use format::format;
pub use gray1_text::{ArithmeticError, OPERATORS, Operator, PREFIX_OPERATORS, PrefixOperator, closest};
pub use idle::IdleCode;
pub use index::{
    Analysis, Block, Cost, Definition, Found, Item, ItemKind, Obstacle, Occurrence, StatementAt,
};
pub use kind::SymbolKind;
pub use options::Options;
pub use output::intel_hex;
pub use program::{Local, Program, Routine, Symbol, WordOrigin};
pub use shipped::ShippedProgram;
pub use source::{Loaded, Loader, MemoryLoader, Position, Sources, Span, beside, head_comment};
pub use syntax::{DIRECTIVES, LiteralError, LiteralErrorKind, literal, quoted, split_comment};
