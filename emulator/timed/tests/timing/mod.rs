//! Tests of the timed engine and of the timing analysis: the two have to agree, the crash that the article describes
//! has to happen without capacitors and not with them, and a failure has to be reported with its causes.

#![allow(clippy::unwrap_used)] // a test may panic

mod agreement;
mod button;
mod failures;
mod levels;
mod lockstep;
mod path_delays;
mod paths;
mod support;
mod survival;
