//! The language of the Gray-1 for editors: a server of the [Language Server
//! Protocol](https://microsoft.github.io/language-server-protocol).
//!
//! ```
//! use gray1_editors::lsp::{Host, Settings, serve};
//! use std::io;
//!
//! struct NoFiles;
//!
//! impl Host for NoFiles {
//!     fn read(&self, _: &str) -> io::Result<Vec<u8>> { Err(io::ErrorKind::NotFound.into()) }
//!     fn sources(&self, _: &str) -> Vec<String> { Vec::new() }
//!     fn library_file(&self, _: &str) -> Option<String> { None }
//! }
//!
//! let request = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
//! let input = io::Cursor::new(format!("Content-Length: {}\r\n\r\n{request}", request.len()));
//! let mut output = Vec::new();
//! serve(input, &mut output, Box::new(NoFiles), Settings::default())?;
//! assert!(String::from_utf8(output)?.contains(r#""hoverProvider":true"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   serve        the loop that serves one editor
//!   inbox        the queue of messages; an arriving message interrupts work
//!   server       messages in, messages out; lifecycle: its capabilities; failure: requests without a result
//!   workspace    its state: host, client; documents: the open buffers, assembled when they have changed; programs
//!   view, text   a file of a program, and positions in it as the editor counts them
//!   requests     maps each request to the module that answers it:
//!     names, symbols, hover, completion, signature, hints, contracts, semantic, format, fixes
//!   describe     descriptions of names, values and costs
//!   library      the macros of the built-in library, included or not
//! ```
//!
//! The server itself does no I/O: [`serve`] takes any stream to read from and any to write to, and a [`Host`] reads
//! files. Whatever an editor sends, in whatever order, each request gets exactly one response.

mod client;
mod completion;
mod contracts;
mod describe;
mod diagnostics;
mod documents;
mod failure;
mod fixes;
mod format;
mod formulas;
mod hints;
mod host;
mod hover;
mod inbox;
mod library;
mod lifecycle;
mod names;
mod programs;
mod requests;
mod semantic;
mod serve;
mod server;
mod signature;
mod symbols;
mod text;
mod uri;
mod view;
mod workspace;

pub use crate::framing::WireError;
pub use host::{Host, Settings};
pub use serve::{ServeError, serve};
pub use server::Server;
