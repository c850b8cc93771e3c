//! The Gray-1 in a browser: a page asks, the machine answers, both in JSON.
//!
//! ```
//! let mut page = gray1_page::Page::new();
//! let answer = page.ask(r#"{"ask": "format", "text": "lda   #1"}"#);
//! assert_eq!(answer, r#"{"answer":"text","text":"      lda  #1\n"}"#);
//! ```
//!
//! ```text
//!   protocol   what can be asked, and what is answered
//!   page       who answers
//!   check      what the assembler has to say
//!   run        the program that is loaded: moving through its run, saying where it is; seen: what was seen of it
//!   board, chip, waves, why   what the debugger knows of the moment
//!   picture    the LEDs, by the renderer of the window; save: files
//!   lessons    texts with exercises, and what an attempt is worth
//!   browser    the same for JavaScript
//! ```
//!
//! Everything here is plain Rust without a clock, files or a browser, and is tested as such. Whoever runs the machine says
//! for how many cycles, so that a page can be stopped at any time.

pub mod lessons;
pub mod protocol;

mod board;
#[cfg(target_family = "wasm")]
mod browser;
mod check;
mod chip;
mod page;
mod picture;
mod run;
mod save;
mod seen;
mod waves;
mod why;

pub use page::Page;
