//! Conversations with a session in process: the messages that a client receives, and robustness against any input.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

mod breakpoints;
mod client;
mod conversations;
mod jobs;
mod machine;
mod protocol;
mod robustness;
