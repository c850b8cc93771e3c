//! The Gray-1 in editors: its debugger as a [Debug Adapter Protocol](https://microsoft.github.io/debug-adapter-protocol)
//! session, and its language as a [Language Server Protocol](https://microsoft.github.io/language-server-protocol) server.
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
//!   framing   messages on a stream: a header with the length, and JSON; the queue in which they wait
//!   dap       the debugger: sessions, requests, events
//!   lsp       the language: documents, names, completions, diagnostics
//! ```
//!
//! Both servers read from any stream and write to any other. They use no sockets, and ask a `Host` for files.

pub mod dap;
pub mod framing;
pub mod lsp;
