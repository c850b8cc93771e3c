//! Conversations with a session, in process: what a client hears, and that nothing it says is too much.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

mod breakpoints;
mod client;
mod conversations;
mod jobs;
mod machine;
mod protocol;
mod robustness;
