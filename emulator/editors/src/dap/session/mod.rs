//! A session: requests in, responses and events out.
//!
//! ```text
//!   requests      one table from the name of a request to its function, and when it may be sent
//!   state         the session and its stage; program: what is being debugged
//!   lifecycle     initialize, launch, restart, the end
//!   execution     continue, steps, pause, and stopping
//!   job           long work on a separate thread; attending: the session meanwhile
//!   breakpoints   setting them; client_breakpoint: as the client describes them;
//!                 resolve: what they become in the debugger
//!   output        passes on what the program sends, each byte once
//!   stack         where the machine is: frames, sources, locations to go to
//!   variables     registers, RAM, nets, chips; values: what they show
//!   evaluate      expressions, and the commands of the dialogue
//!   instructions  the program as instructions
//!   change        changing the machine, and telling the client
//!   client        the capabilities of the client
//!   launch        the settings of a launch configuration
//! ```

mod attending;
mod breakpoints;
mod change;
mod client;
mod client_breakpoint;
mod evaluate;
mod execution;
mod instructions;
mod job;
mod launch;
mod lifecycle;
mod output;
mod program;
mod requests;
mod resolve;
mod stack;
mod state;
mod values;
mod variables;

pub use launch::Launch;
pub use state::{Host, Session};
