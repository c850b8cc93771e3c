//! The debugger for editors: a session of the [Debug Adapter Protocol](https://microsoft.github.io/debug-adapter-protocol).
//!
//! ```
//! # use gray1_isa::{Image, Opcode, Word};
//! # use gray1_machine::{ChipsEngine, Noise, Script, board::Board};
//! use gray1_editors::dap::{Host, Launch, serve};
//! use gray1_debugger::{Debugger, Source};
//! use std::error::Error;
//!
//! struct OneProgram;
//!
//! impl Host for OneProgram {
//!     fn load(
//!         &mut self,
//!         _: &Launch,
//!         _: &mut dyn FnMut(String),
//!         _: &dyn Fn() -> bool,
//!     ) -> Result<Debugger, Box<dyn Error>> {
//!         let source = Source::of_image(Image::from_words([Word::jump(Opcode::Jmp, 0)]));
//!         let machine = ChipsEngine::power_up(&Board::gray1(), source.image(), Noise::Random(1))?;
//!         Ok(Debugger::new(machine, Board::gray1(), source, Script::default())?)
//!     }
//! #   fn full_path(&self, path: &str) -> String { path.to_owned() }
//! #   fn canonical_path(&self, path: &str) -> String { path.to_owned() }
//! }
//!
//! let request = r#"{"seq":1,"type":"request","command":"initialize"}"#;
//! let input = std::io::Cursor::new(format!("Content-Length: {}\r\n\r\n{request}", request.len()));
//! let mut output = Vec::new();
//! serve(input, &mut output, Box::new(OneProgram))?;
//! assert!(String::from_utf8(output)?.contains(r#""supportsStepBack":true"#));
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//!
//! ```text
//!   message   requests, responses, events
//!   mailbox   the queue of requests; an urgent request interrupts work
//!   session   the effect of each request on the debugger
//!   serve     the loop that serves one client, from all of these
//! ```
//!
//! A session uses no sockets and no files. It reads from any stream, writes to any other, and asks a [`Host`] for
//! programs and for the names of files. Whatever a client sends, in whatever order, each request gets one response.

mod mailbox;
mod message;
mod serve;
mod session;

pub use crate::framing::WireError;
pub use message::{Incoming, Request};
pub use serve::{ServeError, serve};
pub use session::{Host, Launch, Session};
