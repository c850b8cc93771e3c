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
//!   lessons    texts with exercises, and what an attempt is worth
//!   browser    the same for JavaScript
//! ```
//!
//! Everything here is plain Rust without a clock, files or a browser, and is tested as such. Whoever runs the machine says
//! for how many cycles, so that a page can be stopped at any time.

pub mod lessons;
pub mod protocol;

#[cfg(target_family = "wasm")]
mod browser;
mod page;

pub use page::Page;
