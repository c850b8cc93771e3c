//! The Gray-1 in a browser: a page sends requests and the machine answers, both in JSON.
//!
//! ```
//! let mut page = gray1_page::Page::new();
//! let answer = page.ask(r#"{"ask": "format", "text": "lda   #1"}"#);
//! assert_eq!(answer, r#"{"answer":"text","text":"      lda  #1\n"}"#);
//! ```
//!
//! ```text
//!   protocol   what can be asked, and what is answered
//!   page       the answers to requests
//!   check      the messages of the assembler
//!   run        the program that is loaded: moving through its run, describing its state; observation: light and lines of output
//!   board, calls, chip, waves, why   what the debugger knows about the moment
//!   bench      boards without a CPU, as they are built and as they run
//!   picture    the LEDs, by the renderer of the window; save: files; qr: a text to be photographed
//!   browser    the same for JavaScript
//! ```
//!
//! Everything here is plain Rust without a clock, files or a browser, and is tested as such. The caller gives the
//! number of cycles to run the machine, so that a page can stop it at any time.

pub mod protocol;

mod bench;
mod board;
#[cfg(target_family = "wasm")]
mod browser;
mod calls;
mod check;
mod chip;
mod observation;
mod page;
mod picture;
mod qr;
mod run;
mod save;
mod waves;
mod why;

pub use gray1_lessons::Refusal;
pub use page::Page;
