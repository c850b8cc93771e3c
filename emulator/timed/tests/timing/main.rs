//! Tests of the timed engine and of what is computed about time: the two have to agree, the article's crash has to
//! happen without capacitors and not with them, and a failure has to be told from its cause on.

#![allow(clippy::unwrap_used)] // a test that cannot go on says so by failing

mod agreement;
mod failures;
mod lockstep;
mod path_delays;
mod paths;
mod support;
mod survival;
