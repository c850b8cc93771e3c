//! Tests of the timed engine and of what is computed about time: the two have to agree, the article's crash has to
//! happen without capacitors and not with them, and a failure has to be told from its cause on.

mod agreement;
mod failures;
mod paths;
mod support;
mod survival;
