//! The page asked as a browser asks it: by JSON.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

mod answers;
mod bench;
mod heat;
mod support;
mod travel;
mod types;
