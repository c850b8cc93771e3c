//! The debugger for editors: a session of the [Debug Adapter Protocol](https://microsoft.github.io/debug-adapter-protocol).
//!
//! ```text
//!   wire      messages on a stream of bytes
//!   message   requests, responses, events
//!   mailbox   where requests wait while the machine runs, and how `pause` interrupts it
//!   session   what is asked for: a table of requests, each a function over the debugger's core
//!   serve     the three together: one client, from its first message to its last
//! ```
//!
//! A session knows no socket and no file. It reads from any stream, writes to any other, and asks a [`World`] for
//! programs and for the names of files. Whatever a client sends, in whatever order, it gets an answer or a message.

mod mailbox;
mod message;
mod serve;
mod session;
mod wire;

pub use message::{Incoming, Request};
pub use serve::serve;
pub use session::{Launch, Session, World};
