//! The debugger for editors: a session of the [Debug Adapter Protocol](https://microsoft.github.io/debug-adapter-protocol).
//!
//! ```text
//!   wire      messages on a stream of bytes
//!   message   requests, responses, events
//!   mailbox   where requests wait while the machine runs, and how `pause` interrupts it
//!   session   what each request does with the debugger
//!   serve     all of it together, for one client
//! ```
//!
//! A session knows no socket and no file. It reads from any stream, writes to any other, and asks a [`Host`] for
//! programs and for the names of files. Whatever a client sends, in whatever order, each request gets one response.

mod mailbox;
mod message;
mod serve;
mod session;
mod wire;

pub use message::{Incoming, Request};
pub use serve::{ServeError, serve};
pub use session::{Host, Launch, Session};
pub use wire::WireError;
